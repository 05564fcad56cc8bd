//! A method of the protocol.

use heck::{ToPascalCase as _, ToSnakeCase as _};

#[derive(Debug, Clone)]
pub(crate) struct Method {
    /// The name on the wire, for example `session/new`.
    pub(crate) wire: String,
    /// The name of the handler, for example `new_session`.
    pub(crate) handler: String,
    pub(crate) side: Side,
    pub(crate) kind: Kind,
    /// The name of the definition of the params.
    pub(crate) params: String,
    /// The name of the definition of the result; `None` for notifications.
    pub(crate) response: Option<String>,
    pub(crate) docs: Option<String>,
    /// Whether there is a stable schema that lacks the method.
    pub(crate) draft: bool,
}

/// The receiver of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Side {
    Agent,
    Client,
    Protocol,
    /// A component between client and agent.
    Proxy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Request,
    Notification,
}

impl Method {
    /// The field in the list of names, for example `session_new`.
    pub(crate) fn field(&self) -> String {
        self.wire.to_snake_case()
    }
}

impl Side {
    pub(crate) fn rust(self) -> &'static str {
        match self {
            Self::Agent => "Agent",
            Self::Client => "Client",
            Self::Protocol => "Protocol",
            Self::Proxy => "Proxy",
        }
    }
}

impl Kind {
    pub(crate) fn rust(self) -> &'static str {
        match self {
            Self::Request => "Request",
            Self::Notification => "Notification",
        }
    }
}

/// The marker of a handler: `new_session` becomes `NewSession`.
pub(crate) fn handler_marker(handler: &str) -> String {
    handler.to_pascal_case()
}
