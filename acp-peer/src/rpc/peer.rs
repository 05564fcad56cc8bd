//! The other side of a connection, for all code that sends messages to it.

use std::{future::poll_fn, pin::Pin, sync::Arc, task::Poll, time::Instant};

use acp_schema::{Method, v1::methods};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::{
    incoming::{Entered, Incoming},
    limits::Limits,
    outbox::{Address, Closed, Outbox, StreamSender},
    outgoing::{Answer, Outgoing, Then},
    tasks::Tasks,
};
use crate::{
    TARGET,
    rpc::CancellationToken,
    wire::{Error, Result, decode, message},
};

/// The method that withdraws a request, in both directions.
///
/// See [Cancellation](https://agentclientprotocol.com/protocol/v1/cancellation).
pub const CANCEL_REQUEST: &str = methods::CancelRequest::NAME;

/// One connection: the output, the open requests, and the tasks that these start. [The crate's page](crate) has an example.
#[non_exhaustive]
pub struct Peer {
    /// The output.
    pub outbox: Outbox,
    /// The requests of this side that are not answered yet.
    #[doc(hidden)] // for agents and clients of the toolkit
    pub outgoing: Outgoing,
    /// The open requests of the other side.
    #[doc(hidden)]
    pub incoming: Incoming,
    /// The running handlers.
    #[doc(hidden)]
    pub tasks: Tasks,
}

impl Peer {
    /// A connection that sends over `outbox`.
    pub fn new(outbox: Outbox, limits: &Limits) -> Arc<Self> {
        let tasks = Tasks::new(outbox.clone(), limits.concurrent_handlers);
        Arc::new(Self { outbox, outgoing: Outgoing::default(), incoming: Incoming::default(), tasks })
    }

    /// Registers a request of the other side until the returned guard is dropped. `cancel` is set when the request is
    /// withdrawn.
    pub fn enter(&self, id: &RawValue, cancel: &CancellationToken) -> Entered {
        self.incoming.enter(id, cancel)
    }

    /// Sends a request, and waits for its answer. If the future is dropped before the answer, the request is withdrawn.
    pub async fn request(
        &self,
        to: Address<'_>,
        method: &str,
        params: &(impl Serialize + Sync),
    ) -> Result<Box<RawValue>> {
        self.request_unless(None, to, method, params).await
    }

    /// As [`Self::request`], but if `cancel` is set when the request would leave, it does not: the result is then the error of a
    /// cancel. So what is sent after the token was set has no such request behind it.
    pub async fn request_unless(
        &self,
        cancel: Option<&CancellationToken>,
        to: Address<'_>,
        method: &str,
        params: &(impl Serialize + Sync),
    ) -> Result<Box<RawValue>> {
        let way = self.outbox.way(to)?;
        // The address is kept, because the later messages of this request must take the same stream.
        let to = Address::Stream(way.as_ref());
        let (id, answer) = self.outgoing.open();
        let mut asking = Asking { peer: self, to, id, sent: false };
        let mut written = Ok(());
        let write = |buffer: &mut Vec<u8>| {
            cancel.map_or(Ok(()), CancellationToken::check)?;
            message::request(buffer, id, method, params)
        };
        self.outbox.send(to, &mut |buffer| written = write(buffer)).await?;
        written?;
        asking.sent = true;
        tracing::debug!(target: TARGET, method, id, "asked the other side");
        let began = tracing::enabled!(target: TARGET, tracing::Level::DEBUG).then(Instant::now);
        let answer = match &way {
            None => answer.await,
            Some(way) => Box::pin(while_open(&**way, answer)).await,
        };
        let answer = answer
            .unwrap_or_else(|_| Err(Error::internal_error(format!("{} hung up before it answered", self.outbox.to()))));
        if let Some(elapsed) = began.map(|began| began.elapsed()) {
            let bytes = answer.as_ref().map_or(0, |answer| answer.get().len());
            let code = answer.as_ref().err().map(Error::code);
            tracing::debug!(target: TARGET, id, code, bytes, ?elapsed, "the other side answered");
        }
        answer
    }

    /// Sends a request at once, and returns its id, for [`Self::give_up`]. The reader gives the answer to `then`, in
    /// the order of arrival. If no answer comes any more, `then` is dropped.
    pub fn request_then(&self, to: Address<'_>, method: &str, params: &impl Serialize, then: Then) -> u64 {
        self.request_then_unless(None, to, method, params, then)
    }

    /// As [`Self::request_then`], but if `cancel` is set when the request would leave, it does not, and `then` is dropped.
    pub fn request_then_unless(
        &self,
        cancel: Option<&CancellationToken>,
        to: Address<'_>,
        method: &str,
        params: &impl Serialize,
        then: Then,
    ) -> u64 {
        let id = self.outgoing.open_then(then);
        let mut is_sent = false;
        self.put_now(to, &mut |buffer| {
            if !cancel.is_some_and(CancellationToken::is_cancelled) {
                is_sent = true;
                message::request(buffer, id, method, params)?;
            }
            Ok(())
        });
        if !is_sent {
            self.outgoing.forget(id);
        }
        id
    }

    /// Withdraws a request of [`Self::request_then`]. Its answer is then ignored.
    pub fn give_up(&self, to: Address<'_>, id: u64) {
        drop(Asking { peer: self, to, id, sent: true });
    }

    /// Sends a request at once. Its answer is ignored.
    pub fn request_now(&self, to: Address<'_>, method: &str, params: &impl Serialize) {
        let (id, _) = self.outgoing.open();
        self.outgoing.forget(id);
        self.put_now(to, &mut |buffer| message::request(buffer, id, method, params));
    }

    /// Sends a notification when there is room for it.
    pub async fn notify(&self, to: Address<'_>, method: &str, params: &(impl Serialize + Sync)) -> Result<()> {
        let mut written = Ok(());
        self.outbox.send(to, &mut |buffer| written = message::notification(buffer, method, params)).await?;
        written
    }

    /// Waits until all messages are sent, or until the outbox is closed.
    pub async fn finish(&self) {
        self.outbox.finish().await;
    }

    /// Ends the connection from this side. After this, no message is sent or read.
    pub fn hang_up(&self) {
        self.outbox.close();
    }

    /// Sends a notification at once.
    pub fn notify_now(&self, to: Address<'_>, method: &str, params: &impl Serialize) {
        self.put_now(to, &mut |buffer| message::notification(buffer, method, params));
    }

    /// Whether the unsent bytes are below the soft bound, so that there is room for a message.
    pub fn has_room(&self) -> bool {
        self.outbox.has_room()
    }

    /// Waits until there is room for a message.
    pub async fn room(&self, to: Address<'_>) -> Result<()> {
        Ok(self.outbox.send(to, &mut |_| ()).await?)
    }

    /// Answers a message that cannot be served. The answer has the message's id if the id could be read.
    pub fn refuse(&self, to: Address<'_>, id: Option<&RawValue>, error: &Error) {
        self.put(to, &mut |buffer| message::error(buffer, id, error));
    }

    /// Sends a message at once, without waiting for room. This is for the few messages that must keep their place.
    pub fn put_now(&self, to: Address<'_>, write: &mut dyn FnMut(&mut Vec<u8>) -> Result<()>) {
        self.put(to, &mut |buffer| {
            if let Err(error) = write(buffer) {
                tracing::error!(target: TARGET, %error, "a message is no JSON");
            }
        });
        self.outbox.flush();
    }

    /// Writes a message without waiting for room. Does nothing if the other side is gone.
    pub(super) fn put(&self, to: Address<'_>, write: &mut dyn FnMut(&mut Vec<u8>)) {
        if let Err(closed) = self.outbox.put(to, write) {
            tracing::debug!(target: TARGET, "a message was not sent: {closed}");
        }
    }

    /// Serves `$/cancel_request`: the other side withdraws its own request.
    pub(super) fn withdraw(&self, params: Option<&RawValue>) {
        match params.and_then(|params| decode::from_json::<Withdrawn<&RawValue>>(params.get()).ok()) {
            Some(withdrawn) => self.incoming.cancel(withdrawn.request_id),
            None => tracing::debug!(target: TARGET, "ignored a malformed `$/cancel_request`"),
        }
    }
}

/// Waits for an answer. Fails if the stream of the request is closed first, because the request may have been dropped
/// with the stream.
async fn while_open(
    way: &dyn StreamSender,
    mut answer: oneshot::Receiver<Answer>,
) -> std::result::Result<Answer, oneshot::error::RecvError> {
    let mut closed = way.closed();
    poll_fn(|cx| match Pin::new(&mut answer).poll(cx) {
        Poll::Pending => closed.as_mut().poll(cx).map(|()| Ok(Err(Closed::Stream.into()))),
        answer => answer,
    })
    .await
}

/// The params of `$/cancel_request`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Withdrawn<T> {
    request_id: T,
}

/// An open request. If it is dropped before the answer, the request is withdrawn.
struct Asking<'a> {
    peer: &'a Peer,
    to: Address<'a>,
    id: u64,
    sent: bool,
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if self.peer.outgoing.forget(self.id) && self.sent {
            tracing::debug!(target: TARGET, id = self.id, "withdrew what the other side was asked");
            let withdrawn = Withdrawn { request_id: self.id };
            // The withdrawal is sent after the request, over the same stream.
            self.peer.put_now(self.to, &mut |buffer| message::notification(buffer, CANCEL_REQUEST, &withdrawn));
        }
    }
}
