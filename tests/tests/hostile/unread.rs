//! Answers that nobody reads. Their memory is bounded, even if the agent has read the requests and their handlers
//! already run.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use acp_runtime::{agent::ServeOptions, prelude::*, transport::memory};
use acp_tests::peer::{Message, Peer, all_capabilities, soon};
use serde_json::{Value, json};

use crate::hostile::agents::MARK;

/// The number of requests that the agent reads before it makes the first answer.
const REQUESTS: usize = 120;
const ANSWER: usize = 300_000;
/// The request whose handler panics.
const SILENT: usize = 90;

/// An agent whose handlers answer late, with a long text.
#[acp_agent]
#[derive(Clone)]
struct Talker {
    made: Arc<AtomicUsize>,
}

#[acp_agent]
impl Talker {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.until_cancelled(std::future::pending::<()>()).await?;
        Ok(StopReason::EndTurn)
    }

    #[ext("_hostile.dev/talk")]
    async fn talk(&self) -> Result<String> {
        tokio::time::sleep(Duration::from_millis(100)).await;
        self.made.fetch_add(1, Ordering::Relaxed);
        Ok("x".repeat(ANSWER))
    }

    #[ext("_hostile.dev/fall-silent")]
    async fn fall_silent(&self) -> Result<String> {
        tokio::time::sleep(Duration::from_millis(150)).await;
        panic!("{MARK}")
    }
}

fn talker() -> (Talker, Arc<AtomicUsize>) {
    let made = Arc::new(AtomicUsize::new(0));
    (Talker { made: made.clone() }, made)
}

/// The number of answers that the agent makes before it stops.
async fn settled(made: &AtomicUsize) -> usize {
    let (mut before, mut same) = (0, 0);
    while before == 0 || same < 5 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let now = made.load(Ordering::Relaxed);
        same = if now == before { same + 1 } else { 0 };
        before = now;
    }
    before
}

/// Starts a turn that hangs, and then sends the requests. Returns the ids of the turn and the requests. Reads no
/// answers.
async fn flood(peer: &mut Peer, session: &str) -> (i64, Vec<i64>) {
    let turn = peer.prompt(session, "hang").await;
    let (ids, requests): (Vec<_>, Vec<_>) = (0..REQUESTS)
        .map(|number| match number {
            SILENT => peer.request_message("_hostile.dev/fall-silent", json!({})),
            _ => peer.request_message("_hostile.dev/talk", json!({})),
        })
        .unzip();
    peer.send_together(&requests).await;
    (turn, ids)
}

async fn answers_are_bounded_and_all_arrive() {
    let (agent, made) = talker();
    let mut peer = Peer::serve(agent);
    peer.initialize(all_capabilities()).await;
    let session = peer.new_session().await;
    let (turn, ids) = flood(&mut peer, &session).await;
    let unread = settled(&made).await;
    // The limit has three parts: the hard bound, the content of the pipe, and one answer for each thread.
    assert!(unread * ANSWER <= 4 * 1024 * 1024 + 64 * 1024 + 5 * ANSWER, "{unread} answers that nobody has read");
    // When the client reads again, it gets every answer in order.
    peer.cancel(&session).await;
    let withdrawn = ids[REQUESTS / 2];
    peer.notify("$/cancel_request", json!({ "requestId": withdrawn })).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    for (number, id) in ids.into_iter().enumerate() {
        match peer.answer(id).await {
            Ok(answer) => assert_eq!((number == SILENT, answer.as_str().map(str::len)), (false, Some(ANSWER))),
            Err(refusal) if id == withdrawn => assert_eq!(refusal.code, -32800, "{refusal:?}"),
            Err(refusal) => assert_eq!((number, refusal.code), (SILENT, -32603), "{refusal:?}"),
        }
    }
    let rest = peer.settled().await;
    assert!(rest.iter().all(|message| !matches!(message, Message::Answer { .. })), "{rest:?}");
    assert!(peer.hang_up().await.well());
}

#[tokio::test]
async fn answers_that_nobody_reads_are_not_made() {
    answers_are_bounded_and_all_arrive().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn answers_that_nobody_reads_are_not_made_on_many_threads() {
    answers_are_bounded_and_all_arrive().await;
}

#[tokio::test]
async fn a_client_that_leaves_its_answers_unread_keeps_nobody_waiting() {
    let ((agent, made), (near, far)) = (talker(), memory::pair());
    let mut client = far.into_lines();
    let options = ServeOptions::default().shutdown_timeout(Duration::from_millis(300));
    let serving = tokio::spawn(agent.serve(near, options));
    let request = |id: usize, method: &str, params: Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
    };
    client.send(&request(0, "initialize", json!({ "protocolVersion": 1 }))).await.expect("the agent reads");
    for id in 1..REQUESTS {
        client.send(&request(id, "_hostile.dev/talk", json!({}))).await.expect("the agent reads");
    }
    settled(&made).await;
    let left = Instant::now();
    client.hang_up().await.expect("the agent reads");
    assert_eq!(soon("the end", serving).await.expect("no panic"), Ok(()));
    assert!(left.elapsed() < Duration::from_secs(10), "{:?}", left.elapsed());
}
