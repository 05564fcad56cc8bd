//! The expansion of `#[acp_client]`, and the behaviour of a client without handlers.

mod answer;
mod call;
mod capabilities;
mod check;
mod lent;
mod markers;
mod protocol;
mod take;
mod updates;

use std::path::PathBuf;

pub use self::{
    answer::{Fallible, IntoAnswer, IntoHandlerError, IntoHandlerResult, Itself, Plain, Selected, Short},
    call::Call,
    capabilities::Stated,
    check::{Extension, all_terminal_methods, distinct, extend_once},
    lent::{Lent, Parts},
    markers::{Handled, OfSession, Received, handlers},
    take::{FromCall, slot},
};
pub(crate) use self::{
    capabilities::capabilities,
    updates::{Intake, Started, intake},
};
use crate::values::{ClientCapabilities, SessionId};

/// What a client does with what its agent asks for and reports. `#[acp_client]` implements it.
pub trait Handlers: Send + Sync + Sized + 'static {
    /// The kinds of updates that have a function: they go there, and to no turn. `session_update` stands for all.
    const UPDATES: &'static [&'static str] = &[];

    /// The handlers' futures stay on the thread that connects, in whose `LocalSet` they run.
    const LOCAL: bool = false;

    /// What `initialize` says that the client can do.
    fn capabilities() -> ClientCapabilities;

    /// The same of a client whose capabilities are known when it is made.
    fn advertised(&self) -> ClientCapabilities {
        Self::capabilities()
    }

    /// Starts the handler of a call. Never waits.
    fn call(call: Call<'_, Self>);

    /// Starts the handler of an update, whose kind is the method of `call`. Never waits.
    fn update(call: Call<'_, Self>) {
        call.unhandled();
    }

    /// A session begins, in these folders: the first is its working directory. Comes before anything that the agent asks for
    /// it, so where the agent's answer is read. Never waits.
    fn session_opened(&self, id: &SessionId, folders: Vec<PathBuf>) {
        let _ = (id, folders);
    }

    /// A session is over, or the connection is. Never waits.
    fn session_closed(&self, id: &SessionId) {
        let _ = id;
    }
}

/// What a link tells its client of, whichever that is.
pub(crate) trait Watcher: Send + Sync {
    fn opened(&self, id: &SessionId, folders: Vec<PathBuf>);
    fn closed(&self, id: &SessionId);
}

impl<C: Handlers> Watcher for C {
    fn opened(&self, id: &SessionId, folders: Vec<PathBuf>) {
        self.session_opened(id, folders);
    }

    fn closed(&self, id: &SessionId) {
        self.session_closed(id);
    }
}

/// A client without handlers. It serves no request, and permits nothing.
pub(crate) struct Silent;

impl Handlers for Silent {
    fn capabilities() -> ClientCapabilities {
        capabilities()
    }

    fn call(call: Call<'_, Self>) {
        call.unhandled();
    }
}
