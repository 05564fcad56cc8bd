//! A client within a client: it handles what the outer one does not.

use std::{path::PathBuf, sync::Arc};

use super::{Call, Handlers, call::Unhandled, capabilities::joined, is_local, updates_of};
use crate::values::{ClientCapabilities, SessionId};

/// A client that another one keeps in a field, and extends. Its clones are the same client.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the base of a client",
    label = "not a client, or not `Clone`",
    note = "help: name a field with a `Workspace`, or with a type of your own that has an `#[acp_client] impl` and derives `Clone`"
)]
pub trait Base: Send + Sync {
    /// What this client or the outer one can do.
    fn joined(&self, outer: ClientCapabilities) -> ClientCapabilities;

    /// The kinds of updates that the client handles.
    fn updates(&self) -> Vec<&'static str>;

    /// Whether handlers of the client stay on the thread that connects.
    fn is_local(&self) -> bool;

    /// Starts the handler of a call or of an update.
    fn take(&self, call: Unhandled<'_>);

    /// See [`Handlers::session_opened`].
    fn session_opened(&self, id: &SessionId, folders: Vec<PathBuf>);

    /// See [`Handlers::session_closed`].
    fn session_closed(&self, id: &SessionId);
}

#[diagnostic::do_not_recommend]
impl<C: Handlers + Clone> Base for C {
    // The trait has this function, so that a client without a base has no code of it.
    fn joined(&self, outer: ClientCapabilities) -> ClientCapabilities {
        joined(outer, &self.advertised())
    }

    fn updates(&self) -> Vec<&'static str> {
        updates_of(self)
    }

    fn is_local(&self) -> bool {
        is_local(self)
    }

    fn take(&self, call: Unhandled<'_>) {
        let client = Arc::new(self.clone());
        let call = Call::of(&client, call);
        if call.is_update() { C::update(call) } else { C::call(call) }
    }

    fn session_opened(&self, id: &SessionId, folders: Vec<PathBuf>) {
        Handlers::session_opened(self, id, folders);
    }

    fn session_closed(&self, id: &SessionId) {
        Handlers::session_closed(self, id);
    }
}
