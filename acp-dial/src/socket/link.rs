//! What reading and writing of a WebSocket share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::{places::Places, unread::Unread};
use crate::{conversation::Conversation, net::Net, open::Open, shared::End};

pub(super) struct Link {
    pub(super) net: Arc<Net>,
    pub(super) conversation: Arc<Conversation>,
    pub(super) end: End,
    pub(super) places: Mutex<Places>,
    unread: Mutex<Unread>,
    /// Tells that the server has read messages.
    pub(super) room: Notify,
}

impl Link {
    pub(super) fn new(net: Arc<Net>, conversation: Arc<Conversation>) -> Self {
        let (end, places, unread, room) = Default::default();
        Self { net, conversation, end, places, unread, room }
    }

    pub(super) fn open(&self) -> &Open {
        &self.conversation.open
    }

    pub(super) fn unread(&self) -> MutexGuard<'_, Unread> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a WebSocket has ended.
pub(super) enum Ended {
    /// This side closes the connection.
    Closed,
    /// The server has ended the connection.
    Over(String),
    /// The server goes away, and has read what it has answered with a pong, and no more.
    Away(String),
    Lost(String),
}
