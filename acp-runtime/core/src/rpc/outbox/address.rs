//! The owner of a message, and the way that the message goes.

use std::{fmt, pin::Pin, sync::Arc};

use tokio::sync::futures::Notified;

use super::{Closed, hard_bound::HardBound};

/// The owner of a message. A transport with several streams chooses the stream by this address. A byte stream takes all
/// messages.
#[derive(Clone, Copy, Debug)]
pub enum Address<'a> {
    /// The connection itself.
    Connection,
    /// A topic of the role: a text that stands for a part of the conversation, opaque here.
    Topic(&'a str),
    /// The stream that an earlier message took; `None` means the connection's stream.
    Stream(Option<&'a Arc<dyn StreamSender>>),
}

/// One of several streams, as the sender knows it. This is a trait, so that a program whose transport has only one
/// stream contains no code for streams.
pub trait StreamSender: fmt::Debug + Send + Sync {
    /// Hands a message over, without waiting.
    fn push(&self, message: Vec<u8>) -> Result<(), Closed>;

    /// `None` if a sender may add a message; otherwise an event that says when to look again.
    fn full(&self) -> Result<Option<Notified<'_>>, Closed>;

    /// The hard bound of the stream.
    fn hard_bound(&self) -> &HardBound;

    /// Waits until the stream is closed.
    fn closed(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

impl dyn StreamSender {
    /// Whether so many bytes are unsent that no work may begin whose answer goes here.
    pub fn is_at_hard_bound(&self) -> bool {
        self.hard_bound().is_at_hard_bound()
    }

    /// Waits until work may begin again.
    pub async fn below_hard(&self) {
        self.hard_bound().wait(&|| {}).await;
    }

    /// As [`Self::below_hard`], for one of many waiters, who go on one after the other.
    pub async fn next_below_hard(&self) {
        self.hard_bound().wait_in_turn(&|| {}).await;
    }
}
