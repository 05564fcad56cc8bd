//! The line to the client: the connection, the protocol version, the client's capabilities, and the open elicitations.

use std::{
    any::Any,
    ops::Deref,
    path::Path,
    sync::{Arc, OnceLock},
};

use super::{authentication::Authentication, call_ids::CallIds, errands::OpenElicitations};
use crate::{
    config::publish::ClientView,
    dialect::{self, Dialect},
    rpc::Peer,
    values::{ClientCapabilities, Implementation, MessageId, SessionUpdate, ToolCallContent, ToolCallLocation},
};

/// The line to one client. It also has all functions of [`Peer`].
pub(crate) struct Line {
    peer: Arc<Peer>,
    pub(super) elicitations: OpenElicitations,
    client: OnceLock<ClientProfile>,
    pub(crate) authentication: Authentication,
    cwds: OnceLock<Box<dyn Cwds>>,
    late: OnceLock<Box<dyn Late>>,
    pub(crate) calls: CallIds,
}

/// Parts of sessions that are made when a session first needs them. Only a connection with such a session has this, and only
/// agents that need it have its code.
pub(crate) trait Late: Any + Send + Sync {
    /// The session with this output has said this: listeners hear it, in the order of the wire. `message_id` gives the id of the
    /// message that it is a piece of.
    fn said(&self, output: usize, update: &SessionUpdate, message_id: &dyn Fn() -> Option<MessageId>);

    /// The session with this output is over.
    fn leave(&self, output: usize);
}

/// Makes relative paths in the updates of sessions absolute. Only agents that ask for it have one, and its code.
pub(crate) trait Cwds: Send + Sync {
    /// The session with this output has this working directory.
    fn enter(&self, output: usize, cwd: &Path);

    /// The session is over.
    fn leave(&self, output: usize);

    /// Makes the paths absolute.
    fn resolve(&self, output: usize, content: &mut [ToolCallContent], locations: &mut [ToolCallLocation]);
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
            cwds: OnceLock::new(),
            late: OnceLock::new(),
            calls: CallIds::default(),
        })
    }

    /// Makes relative paths absolute from here on.
    pub(crate) fn resolve_by(&self, cwds: Box<dyn Cwds>) {
        let _ = self.cwds.set(cwds);
    }

    pub(crate) fn cwds(&self) -> Option<&dyn Cwds> {
        self.cwds.get().map(|cwds| &**cwds)
    }

    pub(crate) fn late(&self) -> Option<&dyn Late> {
        self.late.get().map(|late| &**late)
    }

    pub(crate) fn late_or(&self, make: fn() -> Box<dyn Late>) -> &dyn Late {
        &**self.late.get_or_init(make)
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
