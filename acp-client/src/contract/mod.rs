//! What `#[acp_client]` expands to, and what a client without handlers does.

mod call;

pub use self::call::Call;

use crate::values::{
    BooleanConfigOptionCapabilities, ClientCapabilities, ClientSessionCapabilities, SessionConfigOptionsCapabilities,
};

/// What a client does with what its agent asks for. `#[acp_client]` implements it.
pub trait Handlers: Send + Sync + Sized + 'static {
    /// What `initialize` says that the client can do.
    fn capabilities() -> ClientCapabilities;

    /// Starts the handler of a call. Never waits.
    fn call(call: Call<'_, Self>);
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
