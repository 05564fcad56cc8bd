//! The expansion of `#[acp_client]`, and the behaviour of a client without handlers.

mod answer;
mod base;
mod call;
mod capabilities;
pub(crate) mod check;
mod extensions;
mod handled;
mod lent;
mod markers;
mod protocol;
mod short_answers;
mod take;
mod updates;

use std::path::PathBuf;

pub use acp_handlers::{Itself, Plain, Short};

pub use self::{
    answer::{IntoAnswer, IntoHandlerError, IntoHandlerResult, Selected},
    base::Base,
    call::Call,
    capabilities::Stated,
    check::{all_terminal_methods, extend_once, extension_of_client, sent_between_threads, shared_between_threads},
    handled::{Handled, OfSession, Received},
    lent::{Lent, Parts},
    markers::handlers,
    take::FromCall,
};
pub(crate) use self::{capabilities::capabilities, updates::intake};
use crate::{
    opened::Watcher,
    values::{ClientCapabilities, SessionId},
};

/// The handlers of a client for its agent's requests and reports. `#[acp_client]` implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no client: it has no handlers",
    label = "no `#[acp_client] impl` block for this type",
    note = "help: put `#[acp_client]` on the `impl` of your type with the handlers; without handlers, call `connect()`\nan `Arc` or a reference of a client is none: pass the client itself or a clone, and keep what is shared in an `Arc` field of it"
)]
pub trait Handlers: Send + Sync + Sized + 'static {
    /// The kinds of updates that have a handler. Such updates go to no turn. `session_update` stands for all kinds.
    const UPDATES: &'static [&'static str] = &[];

    /// Whether the handlers' futures stay on the thread that connects. They then run in the `LocalSet` of this thread.
    const LOCAL: bool = false;

    /// Whether the client has a base.
    const EXTENDS: bool = false;

    /// The capabilities that the client advertises in `initialize`.
    fn capabilities() -> ClientCapabilities;

    /// As [`capabilities`](Self::capabilities), for a client whose capabilities depend on its value.
    fn advertised(&self) -> ClientCapabilities {
        match base_of(self) {
            None => Self::capabilities(),
            Some(base) => base.joined(Self::capabilities()),
        }
    }

    /// A client that handles what this one does not.
    fn base(&self) -> Option<&dyn Base> {
        None
    }

    /// Starts the handler of a call. This function must not wait.
    fn call(call: Call<'_, Self>);

    /// Starts the handler of an update. The kind of the update is the method of `call`. This function must not wait.
    fn update(call: Call<'_, Self>) {
        call.unhandled();
    }

    /// Called when a session begins in these folders; the first is its working directory. The call comes from the
    /// reader, before any request of the agent about the session. This function must not wait.
    fn session_opened(&self, id: &SessionId, folders: Vec<PathBuf>) {
        if let Some(base) = base_of(self) {
            base.session_opened(id, folders);
        }
    }

    /// Called when a session or the connection is over. This function must not wait.
    fn session_closed(&self, id: &SessionId) {
        if let Some(base) = base_of(self) {
            base.session_closed(id);
        }
    }
}

/// The kinds of updates that a client handles, itself or by its base.
pub(crate) fn updates_of<C: Handlers>(client: &C) -> Vec<&'static str> {
    let base = base_of(client).map(Base::updates).unwrap_or_default();
    C::UPDATES.iter().copied().chain(base).collect()
}

/// Whether handlers of a client or of its base stay on the thread that connects.
pub(crate) fn is_local<C: Handlers>(client: &C) -> bool {
    C::LOCAL || base_of(client).is_some_and(Base::is_local)
}

/// The base. For a client without one, the compiler knows the answer, and leaves out the code that would follow.
#[inline]
fn base_of<C: Handlers>(client: &C) -> Option<&dyn Base> {
    if C::EXTENDS { client.base() } else { None }
}

impl<C: Handlers> Watcher for C {
    fn opened(&self, id: &SessionId, folders: Vec<PathBuf>) {
        self.session_opened(id, folders);
    }

    fn closed(&self, id: &SessionId) {
        self.session_closed(id);
    }
}

/// A client without handlers. It serves no request, and gives no permission.
pub(crate) struct Silent;

impl Handlers for Silent {
    fn capabilities() -> ClientCapabilities {
        capabilities()
    }

    fn call(call: Call<'_, Self>) {
        call.unhandled();
    }
}
