//! One side of a protocol: it handles the messages of the other side.

use std::{future::ready, sync::Arc};

use serde_json::value::RawValue;

use super::{outbox::Address, peer::Peer, responder::Responder};
use crate::wire::Error;

/// One side of a protocol. Nothing here waits: work that must wait is a task of the [`Peer`].
pub trait Role: Send + Sync + 'static {
    /// Whether an answer with the id `"3"` is the one to the request `3`.
    const TAKES_TEXT_IDS: bool = false;

    /// The connection of this side.
    fn peer(&self) -> &Arc<Peer>;

    /// A request, and the duty to answer it.
    fn request(self: &Arc<Self>, responder: Responder, method: &str, params: Option<&RawValue>);

    /// A notification, except for `$/cancel_request`, which is served for all roles.
    fn notification(self: &Arc<Self>, method: &str, params: Option<&RawValue>);

    /// A line that is no message, or the line's head if it is too long.
    fn invalid(&self, line: Invalid<'_>);

    /// The other side is gone: all code that waits for it must stop waiting.
    fn abandon(&self);

    /// Whether so many messages are not consumed that reading must stop.
    fn is_full(&self) -> bool {
        false
    }

    /// Waits until reading may go on.
    fn room(&self) -> impl Future<Output = ()> + Send {
        ready(())
    }
}

/// A line that is no message.
pub struct Invalid<'a> {
    /// The line, or its head if it is too long.
    pub line: &'a [u8],
    /// The destination of an answer to the line.
    pub to: Address<'a>,
    /// The line's id, if the id could be read.
    pub id: Option<&'a RawValue>,
    /// What is wrong with the line.
    pub error: Error,
}
