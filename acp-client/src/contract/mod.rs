//! What `#[acp_client]` expands to, and what a client without handlers does.

mod call;

use std::path::PathBuf;

pub use self::call::Call;
use crate::values::{
    BooleanConfigOptionCapabilities, ClientCapabilities, ClientSessionCapabilities, SessionConfigOptionsCapabilities,
    SessionId,
};

/// What a client does with what its agent asks for. `#[acp_client]` implements it.
pub trait Handlers: Send + Sync + Sized + 'static {
    /// What `initialize` says that the client can do.
    fn capabilities() -> ClientCapabilities;

    /// The same of a client whose capabilities are known when it is made.
    fn advertised(&self) -> ClientCapabilities {
        Self::capabilities()
    }

    /// Starts the handler of a call. Never waits.
    fn call(call: Call<'_, Self>);

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

/// A client that only asks. It knows nothing of what it is asked, and permits nothing.
pub(crate) struct Silent;

impl Handlers for Silent {
    fn capabilities() -> ClientCapabilities {
        capabilities()
    }

    fn call(call: Call<'_, Self>) {
        call.unhandled();
    }
}

/// What every client of this crate can do: its view of options knows switches.
pub(crate) fn capabilities() -> ClientCapabilities {
    let switches = SessionConfigOptionsCapabilities::new().boolean(BooleanConfigOptionCapabilities::new());
    let mut capabilities = ClientCapabilities::new();
    capabilities.session = Some(ClientSessionCapabilities::new().config_options(switches));
    capabilities
}
