//! The line to the client: the connection, the protocol version, the client's capabilities, and the open elicitations.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

use super::{authentication::Authentication, errands::OpenElicitations};
use crate::{
    config::publish::ClientView,
    dialect::{self, Dialect},
    rpc::Peer,
    values::{ClientCapabilities, Implementation},
};

/// The line to one client. It also has all functions of [`Peer`].
pub(crate) struct Line {
    peer: Arc<Peer>,
    pub(super) elicitations: OpenElicitations,
    client: OnceLock<ClientProfile>,
    pub(crate) authentication: Authentication,
}

/// The facts about the client that `initialize` has brought.
pub(crate) struct ClientProfile {
    /// The version that both sides speak.
    pub(crate) dialect: &'static dyn Dialect,
    pub(crate) capabilities: ClientCapabilities,
    pub(crate) info: Option<Implementation>,
}

impl Default for ClientProfile {
    fn default() -> Self {
        Self { dialect: dialect::LOWEST, capabilities: ClientCapabilities::default(), info: None }
    }
}

impl Deref for Line {
    type Target = Peer;

    fn deref(&self) -> &Peer {
        &self.peer
    }
}

impl Line {
    pub(crate) fn new(peer: Arc<Peer>) -> Arc<Self> {
        Arc::new(Self {
            peer,
            elicitations: OpenElicitations::default(),
            client: OnceLock::new(),
            authentication: Authentication::default(),
        })
    }

    pub(crate) fn peer(&self) -> &Arc<Peer> {
        &self.peer
    }

    /// Keeps the client's profile. Returns false if there already is one.
    pub(crate) fn introduce(&self, client: ClientProfile) -> bool {
        self.client.set(client).is_ok()
    }

    pub(crate) fn is_initialized(&self) -> bool {
        self.client.get().is_some()
    }

    pub(crate) fn client(&self) -> &ClientProfile {
        static SILENT: OnceLock<ClientProfile> = OnceLock::new();
        self.client.get().unwrap_or_else(|| SILENT.get_or_init(ClientProfile::default))
    }

    /// The dialect of all messages on this line.
    pub(crate) fn dialect(&self) -> &'static dyn Dialect {
        self.client().dialect
    }

    pub(crate) fn view(&self) -> ClientView {
        ClientView::of(&self.client().capabilities)
    }
}
