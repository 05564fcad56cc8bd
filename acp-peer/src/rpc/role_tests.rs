//! A role for these tests on the same peer: it returns the params of each request, and skips lines that are not
//! messages.

use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{json, value::RawValue};
use tokio::{io::AsyncWriteExt, task::JoinHandle};

use super::*;
use crate::{
    transport::{Source, Transport, memory},
    wire::{Error, Result},
};

struct Echo {
    peer: Arc<Peer>,
    heard: Mutex<Vec<String>>,
    abandoned: AtomicBool,
}

impl Role for Echo {
    fn peer(&self) -> &Arc<Peer> {
        &self.peer
    }

    fn takes_id(&self, id: &RawValue) -> bool {
        id.get() != "0.5"
    }

    fn request(self: &Arc<Self>, responder: Responder, method: &str, params: Option<&RawValue>) {
        let cancel = CancellationToken::new();
        let way = responder.way().cloned();
        let entered = responder.id().map(|id| self.peer.enter(id, &cancel));
        let (waits, params) = (method == "wait", params.map(ToOwned::to_owned));
        let role = self.clone();
        let answer = async move {
            let _entered = entered;
            if waits {
                cancel.cancelled().await;
                role.heard.lock().unwrap().push("withdrawn".to_owned());
                return responder.respond::<()>(Err(Error::request_cancelled()));
            }
            responder.respond(Ok(params));
        };
        self.peer.tasks.start(answer, Start::Here(way), None);
    }

    fn notification(self: &Arc<Self>, method: &str, _: Option<&RawValue>) {
        self.heard.lock().unwrap().push(method.to_owned());
    }

    fn invalid(&self, Invalid { id, error, .. }: Invalid<'_>) {
        assert!(id.is_none_or(|id| self.takes_id(id)));
        self.heard.lock().unwrap().push(format!("no message: {}", error.code()));
    }

    fn abandon(&self) {
        self.abandoned.store(true, Ordering::SeqCst);
    }
}

impl Echo {
    /// Waits until the role has heard as many messages as the test expects, and compares them.
    async fn has_heard(&self, expected: &[&str]) {
        let heard = async {
            while self.heard.lock().unwrap().len() < expected.len() {
                tokio::task::yield_now().await;
            }
        };
        let in_time = tokio::time::timeout(Duration::from_secs(10), heard).await;
        assert_eq!(*self.heard.lock().unwrap(), expected, "{in_time:?}");
    }
}

fn start(transport: impl Transport<Source: 'static>) -> (Arc<Echo>, JoinHandle<Result<()>>) {
    let limits = Limits::default();
    let (source, outbox) = transport.open(&limits).unwrap();
    let peer = Peer::new(outbox.clone(), &limits);
    let role = Arc::new(Echo { peer, heard: Mutex::default(), abandoned: AtomicBool::new(false) });
    let served = role.clone();
    let task = tokio::spawn(async move {
        let mut dispatcher = Dispatcher::new(served.clone(), limits.line_bytes);
        let read = source.run(&mut dispatcher, &outbox);
        serve(&served, read, Duration::from_millis(100)).await
    });
    (role, task)
}

#[tokio::test]
async fn two_of_a_role_talk_both_ways() {
    let (near, far) = memory::pair();
    let ((near, near_end), (far, far_end)) = (start(near), start(far));
    let (there, back) = (json!({ "there": [1, 2] }), json!(["back"]));
    let (one, other) = tokio::join!(
        near.peer.request(Address::Connection, "a", &there),
        far.peer.request(Address::Connection, "b", &back)
    );
    assert_eq!((one.unwrap().get(), other.unwrap().get()), (r#"{"there":[1,2]}"#, r#"["back"]"#));
    near.peer.notify(Address::Connection, "noticed", &()).await.unwrap();
    near.peer.request(Address::Connection, "behind it", &()).await.unwrap();
    assert_eq!(*far.heard.lock().unwrap(), ["noticed"]);
    // The drop of the request withdraws it at the other side.
    let given_up =
        tokio::time::timeout(Duration::from_millis(20), near.peer.request(Address::Connection, "wait", &())).await;
    assert!(given_up.is_err());
    far.has_heard(&["noticed", "withdrawn"]).await;
    near.peer.outbox.finish().await;
    far_end.await.unwrap().unwrap();
    assert!(far.abandoned.load(Ordering::SeqCst), "the other side is gone");
    near_end.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_role_says_what_becomes_of_a_line_that_is_no_message() -> io::Result<()> {
    let (near, far) = memory::pair();
    let (role, _end) = start(near);
    let mut far = far.into_stream();
    far.write_all(b"{\n[]\n{\"jsonrpc\":\"2.0\",\"method\":\"noticed\"}\n").await?;
    role.has_heard(&["no message: -32700", "no message: -32600", "noticed"]).await;
    assert_eq!(role.peer.outbox.unsent(), 0, "this role answers none of them");
    Ok(())
}

#[tokio::test]
async fn a_request_whose_id_the_role_does_not_take_is_no_message() -> io::Result<()> {
    let (near, far) = memory::pair();
    let (role, _end) = start(near);
    let mut far = far.into_stream();
    far.write_all(
        b"{\"jsonrpc\":\"2.0\",\"id\":0.5,\"method\":\"a\"}\n{\"jsonrpc\":\"1\",\"id\":0.5,\"method\":\"a\"}\n",
    )
    .await?;
    far.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"noticed\"}\n").await?;
    role.has_heard(&["no message: -32600", "no message: -32600", "noticed"]).await;
    assert_eq!(role.peer.outbox.unsent(), 0, "its own answer is none");
    Ok(())
}

#[test]
fn an_answer_waits_for_room_in_the_stream_that_it_goes_to() {
    fn is_ready(future: impl Future<Output = ()>) -> bool {
        std::pin::pin!(future).poll(&mut std::task::Context::from_waker(std::task::Waker::noop())).is_ready()
    }
    let limits = Limits::new().unsent_soft_bytes(10).unsent_hard_bytes(20);
    let connection = OutboxStream::new(&limits);
    let (full, free) = (connection.sibling().way(), connection.sibling().way());
    let peer = Peer::new(Outbox::routed(connection, |_| None), &limits);
    let id: Box<RawValue> = serde_json::from_str("1").unwrap();
    let responder = |stream| Responder::new(&peer, &id, stream);
    let has_room = |stream| {
        let responder = responder(stream);
        let waits_not = is_ready(responder.room());
        assert_eq!(responder.has_room(), waits_not);
        responder.respond(Ok(()));
        waits_not
    };
    assert!(has_room(Some(&full)));
    assert!(!has_room(Some(&full)), "the first answer fills it");
    assert!(has_room(Some(&free)) && has_room(None));
    assert!(!has_room(None), "the connection has a stream, too");
}

#[tokio::test]
async fn a_request_does_not_leave_after_its_token_was_set() {
    let (near, far) = memory::pair();
    let ((near, _end), (far, _far_end)) = (start(near), start(far));
    let cancel = CancellationToken::new();
    let answer = near.peer.request_unless(Some(&cancel), Address::Connection, "a", &json!([1])).await.unwrap();
    assert_eq!(answer.get(), "[1]");
    // The message is written when this future runs, and not when it is made.
    let late = near.peer.request_unless(Some(&cancel), Address::Connection, "wait", &());
    cancel.cancel();
    assert_eq!(late.await.unwrap_err().code(), Error::REQUEST_CANCELLED);
    let (then, mut dropped) = tokio::sync::oneshot::channel::<()>();
    let keep = Box::new(move |_: Result<&RawValue>| drop(then));
    let id = near.peer.request_then_unless(Some(&cancel), Address::Connection, "wait", &(), keep);
    assert!(dropped.try_recv().is_err_and(|error| error == tokio::sync::oneshot::error::TryRecvError::Closed));
    near.peer.request(Address::Connection, "behind them", &()).await.unwrap();
    far.has_heard(&[]).await;
    assert!(!near.peer.outgoing.forget(id), "nothing waits for an answer");
}
