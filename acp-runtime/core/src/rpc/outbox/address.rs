//! What a message belongs to, and the way that it goes.

use std::{fmt, pin::Pin, sync::Arc};

use tokio::sync::futures::Notified;

use super::{Closed, hard_bound::HardBound};

/// What a message belongs to: it says which of its streams a transport that has several sends the message over. A byte
/// stream takes them all.
#[derive(Clone, Copy, Debug)]
pub enum Address<'a> {
    /// The connection, and nothing within it.
    Connection,
    /// What the role calls so: a text that stands for a part of the conversation, opaque here.
    Topic(&'a str),
    /// A message that went, or came, this way; with none, the connection's.
    Stream(Option<&'a Arc<dyn StreamSender>>),
}

/// One of several streams, as the sender knows it. A trait, so that a program whose transport has but one has no code of
/// streams in it.
pub trait StreamSender: fmt::Debug + Send + Sync {
    /// Hands a message over, without waiting.
    fn push(&self, message: Vec<u8>) -> Result<(), Closed>;

    /// Nothing where a sender may add a message, else what tells it when to look again.
    fn full(&self) -> Result<Option<Notified<'_>>, Closed>;

    /// The hard bound of the stream.
    fn hard_bound(&self) -> &HardBound;

    /// Waits until the stream is closed.
    fn closed(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

impl dyn StreamSender {
    /// Whether so much is unsent that nothing is to be begun whose answer goes here.
    pub fn is_at_hard_bound(&self) -> bool {
        self.hard_bound().is_at_hard_bound()
    }

    /// Waits until that is over.
    pub async fn below_hard(&self) {
        self.hard_bound().wait(&|| {}).await;
    }

    /// The same for one of many, who go on one after the other.
    pub async fn next_below_hard(&self) {
        self.hard_bound().wait_in_turn(&|| {}).await;
    }
}
