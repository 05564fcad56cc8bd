//! One side of a protocol: it handles the messages of the other side.

use std::{future::ready, sync::Arc};

use serde_json::value::RawValue;
use tokio::time::Instant;

use super::{outbox::Address, peer::Peer, responder::Responder};
use crate::wire::Error;

/// One side of a protocol. Its functions must not wait. Work that must wait is a task of the runtime. [The crate's
/// page](crate) has an example.
pub trait Role: Send + Sync + 'static {
    /// Whether an answer with the id `"3"` answers the request `3`.
    const TAKES_TEXT_IDS: bool = false;

    /// The connection of this side.
    fn peer(&self) -> &Arc<Peer>;

    /// Whether a request may have this id: a string, a number or null. A request with another id is
    /// [invalid](Self::invalid), and is answered without an id.
    fn takes_id(&self, id: &RawValue) -> bool {
        let _ = id;
        true
    }

    /// Takes a request, and the duty to answer it.
    fn request(self: &Arc<Self>, responder: Responder, method: &str, params: Option<&RawValue>);

    /// Takes a notification. `$/cancel_request` is served for all roles and does not come here.
    fn notification(self: &Arc<Self>, method: &str, params: Option<&RawValue>);

    /// Takes a line that is no message. If the line is too long, takes only its head.
    fn invalid(&self, line: Invalid<'_>);

    /// Called when the other side is gone. All code that waits for the other side must stop waiting.
    fn abandon(&self);

    /// Waits for the handlers to end after the other side is gone, until `deadline`. Called once, after [`Self::abandon`],
    /// and not at all if serving is given up.
    fn drain(self: &Arc<Self>, deadline: Instant) -> impl Future<Output = ()> + Send {
        async move { self.peer().tasks.drain(deadline).await }
    }

    /// Whether too many messages wait to be consumed, so that reading must stop.
    fn is_full(&self) -> bool {
        false
    }

    /// Waits until reading may go on.
    fn room(&self) -> impl Future<Output = ()> + Send {
        ready(())
    }
}

/// A line that is no message.
#[non_exhaustive]
pub struct Invalid<'a> {
    /// The line, or its head if it is too long.
    pub line: &'a [u8],
    /// Whether the line is too long.
    pub is_too_long: bool,
    /// The address for an answer to the line.
    pub to: Address<'a>,
    /// The line's id, if the id could be read.
    pub id: Option<&'a RawValue>,
    /// The mistake in the line.
    pub error: Error,
}
