//! What one side of a protocol does with what the other side sends.

use std::{future::ready, sync::Arc};

use serde_json::value::RawValue;

use super::{outbox::Address, peer::Peer, responder::Responder};
use crate::wire::Error;

/// One side of a protocol. Nothing here waits: what has to is a task of the [`Peer`].
pub trait Role: Send + Sync + 'static {
    /// Whether an answer with the id `"3"` is the one to the request `3`.
    const TAKES_TEXT_IDS: bool = false;

    /// The connection that this side has.
    fn peer(&self) -> &Arc<Peer>;

    /// A request, and the duty to answer it.
    fn request(self: &Arc<Self>, responder: Responder, method: &str, params: Option<&RawValue>);

    /// A notification, but for `$/cancel_request`, which is served for all roles.
    fn notification(self: &Arc<Self>, method: &str, params: Option<&RawValue>);

    /// A line that is no message, or its head where it is too long.
    fn invalid(&self, line: Invalid<'_>);

    /// The other side is gone: whatever waits for it, waits no longer.
    fn abandon(&self);

    /// Whether so much of what came is not consumed that nothing more is to be read.
    fn is_full(&self) -> bool {
        false
    }

    /// Waits until it is not.
    fn room(&self) -> impl Future<Output = ()> + Send {
        ready(())
    }
}

/// A line that is no message.
pub struct Invalid<'a> {
    /// The line, or its head where it is too long.
    pub line: &'a [u8],
    /// Where an answer to it goes.
    pub to: Address<'a>,
    /// Its id, where that could be read.
    pub id: Option<&'a RawValue>,
    /// What is wrong with it.
    pub error: Error,
}
