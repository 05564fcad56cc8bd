//! What the tasks of a connection share: the messages that arrive, doubts, and the end.

use std::{
    io,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use acp_peer::{
    CancellationToken, Error, TARGET,
    transport::{Frame, Outbox, Receive},
};
use bytes::Bytes;
use tokio::time::{Instant, sleep_until};

use crate::{message::Message, open::Open};

/// What the client can do when its connection has ended for good.
pub(crate) const ADVICE: &str = ": connect again, and load the sessions";

/// Why a connection has ended that the client has not closed.
#[derive(Debug)]
pub(crate) struct Lost {
    pub(crate) why: String,
    /// The server does not know the connection any more: another one may take its place.
    pub(crate) is_gone: bool,
    /// `PermissionDenied` if the server wants a login.
    pub(crate) kind: io::ErrorKind,
}

impl Lost {
    pub(crate) fn for_good(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_gone: false, kind: io::ErrorKind::Other }
    }
}

impl From<io::Error> for Lost {
    fn from(error: io::Error) -> Self {
        Self { kind: error.kind(), ..Self::for_good(error.to_string()) }
    }
}

/// The end of a connection that was lost, with its reason.
#[derive(Default)]
pub(crate) struct End {
    lost: Mutex<Option<Lost>>,
    /// The server does not know the connection any more. What it has said before is still read.
    pub(crate) gone: CancellationToken,
    pub(crate) over: CancellationToken,
}

impl End {
    /// Ends the connection. The first reason counts.
    pub(crate) fn fail(&self, lost: Lost) {
        let is_gone = lost.is_gone;
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(lost);
        self.gone.cancel();
        if !is_gone {
            self.over.cancel();
        }
    }

    pub(crate) fn result(&self) -> Result<(), Lost> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    /// Does the work, unless the server does not know the connection any more: then there is `None`.
    pub(crate) async fn unless_gone<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            done = work => Some(done),
            () = self.gone.cancelled() => None,
        }
    }

    /// Runs work in a task of its own, until the connection ends.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let over = self.over.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = work => {}
                () = over.cancelled() => {}
            }
        });
    }
}

/// A message that has arrived.
pub(crate) enum Line {
    Whole(Bytes),
    /// The beginning of one that is too long.
    TooLong(Bytes),
}

impl Line {
    /// Hands the message over, and waits until the receiver takes more. Returns false if the connection was closed meanwhile.
    pub(crate) async fn hand_over<R: Receive>(&self, receive: &mut R, outbox: &Outbox) -> bool {
        receive.frame(match self {
            Self::Whole(line) => Frame::Line(line),
            Self::TooLong(head) => Frame::TooLong(head),
        });
        while receive.is_full() {
            outbox.flush();
            tokio::select! {
                () = receive.room() => {} // while the receiver takes no more, nothing more is read
                () = outbox.closed() => return false,
            }
        }
        true
    }
}

/// Waits for the answer to a request that may have been delivered, as long as its session is heard of. Returns the answer of this side if none
/// has come.
pub(crate) async fn unanswered(
    open: &Open,
    message: &Message,
    bound: Duration,
    why: &str,
    heard: impl Fn() -> Option<Instant>,
) -> Option<Bytes> {
    let key = message.asks()?;
    let begin = Instant::now();
    loop {
        let last = heard().map_or(begin, |heard| heard.max(begin));
        sleep_until(last + bound).await;
        if !open.is_in_doubt(&key) {
            return None;
        }
        if heard().is_none_or(|heard| heard <= last) {
            break;
        }
    }
    // The agent may answer at this moment.
    let why = format!("the request may not have reached the agent, which did not answer it within {bound:?}: {why}");
    open.forget(&key).then(|| message.failed(&Error::in_doubt(why))).flatten()
}

/// Tells of a message that cannot be sent and has nobody who waits for an answer.
pub(crate) fn lost(message: &Message, why: &str) {
    tracing::warn!(target: TARGET, method = message.method(), "a message of the client was lost: {why}");
}
