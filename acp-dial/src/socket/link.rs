//! What reading and writing of a WebSocket share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::{Notify, mpsc};

use super::{places::Places, unread::Unread};
use crate::{
    net::Net,
    shared::{End, Open},
};

pub(super) struct Link {
    pub(super) net: Arc<Net>,
    pub(super) open: Open,
    pub(super) end: End,
    pub(super) places: Mutex<Places>,
    unread: Mutex<Unread>,
    /// Tells that the server has read messages.
    pub(super) room: Notify,
    /// Answers in the place of the agent.
    own: mpsc::Sender<Bytes>,
}

impl Link {
    pub(super) fn new(net: Arc<Net>, own: mpsc::Sender<Bytes>) -> Self {
        let (open, end, places, unread, room) = Default::default();
        Self { net, open, end, places, unread, room, own }
    }

    pub(super) fn unread(&self) -> MutexGuard<'_, Unread> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands an answer of this side in.
    pub(super) async fn answer(&self, answer: Bytes) {
        // Nobody takes it when the connection has ended.
        let _ = self.own.send(answer).await;
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
    Lost(String),
}
