//! What one side of a protocol does with what the other side sends.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::{outbox::Address, peer::Peer, responder::Responder};
use crate::wire::Error;

/// One side of a protocol. Nothing here waits: what has to is a task of the [`Peer`].
pub(crate) trait Role: Send + Sync + 'static {
    /// The connection that this side has.
    fn peer(&self) -> &Arc<Peer>;

    /// A request, and the duty to answer it.
    fn request(self: &Arc<Self>, responder: Responder, method: &str, params: Option<&RawValue>);

    /// A notification, but for `$/cancel_request`, which is served for all roles.
    fn notification(self: &Arc<Self>, method: &str, params: Option<&RawValue>);

    /// A line that is no message, with where an answer to it goes, and its id where that could be read.
    fn invalid(&self, to: Address<'_>, id: Option<&RawValue>, error: &Error);

    /// The other side is gone: whatever waits for it, waits no longer.
    fn abandon(&self);
}
