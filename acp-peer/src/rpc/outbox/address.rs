//! The owner of a message, and the stream that the message takes.

use std::{fmt, pin::Pin, sync::Arc};

use tokio::sync::futures::Notified;

use super::{Closed, filter::Filter, hard_bound::HardBound};

/// The owner of a message. A transport with several streams chooses the stream by this address. A byte stream takes
/// messages of all addresses.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Address<'a> {
    /// The connection itself.
    Connection,
    /// A topic of the role: a text that stands for a part of the conversation. This module does not know its meaning.
    Topic(&'a str),
    /// The stream of an earlier message; `None` means the connection's stream.
    Stream(Option<&'a Arc<dyn StreamSender>>),
}

/// One of several streams, as a sender sees it. This is a trait for programs whose transport has only one stream: they
/// then contain no code for several streams.
pub trait StreamSender: fmt::Debug + Send + Sync {
    /// Hands a message over. This function does not wait.
    fn push(&self, message: Vec<u8>) -> Result<(), Closed>;

    /// `None` if a sender may add a message. Otherwise an event after which the sender must check again.
    fn full(&self) -> Result<Option<Notified<'_>>, Closed>;

    /// The hard bound of the stream.
    fn hard_bound(&self) -> &HardBound;

    /// Waits until the stream is closed.
    fn closed(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;

    /// Whether messages pass this filter on their way.
    fn is_hooked_by(&self, filter: &Arc<dyn Filter>) -> bool {
        let _ = filter;
        false
    }
}

impl dyn StreamSender {
    /// Whether the unsent bytes have reached the hard bound. Then work must not begin if its answer goes to this
    /// stream.
    pub fn is_at_hard_bound(&self) -> bool {
        self.hard_bound().is_at_hard_bound()
    }

    /// Waits until such work may begin again.
    pub async fn below_hard(&self) {
        self.hard_bound().wait(&|| {}).await;
    }

    /// As `below_hard`, for one of many waiters. The waiters go on one after the other.
    pub async fn next_below_hard(&self) {
        self.hard_bound().wait_in_turn(&|| {}).await;
    }
}
