//! A method of the protocol.

use heck::{ToPascalCase as _, ToSnakeCase as _};

#[derive(Debug, Clone)]
pub(crate) struct Method {
    /// `session/new`.
    pub(crate) wire: String,
    /// `new_session`.
    pub(crate) handler: String,
    pub(crate) side: Side,
    pub(crate) kind: Kind,
    /// The definition of its params.
    pub(crate) params: String,
    /// The definition of its result; none for notifications.
    pub(crate) response: Option<String>,
    pub(crate) docs: Option<String>,
    /// Whether a stable schema is known and does not have the method.
    pub(crate) draft: bool,
}

/// The receiver of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Side {
    Agent,
    Client,
    Protocol,
    /// A component between the two.
    Proxy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Request,
    Notification,
}

impl Method {
    /// `session_new`, in the list of names.
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

/// `new_session` -> `NewSession`.
pub(crate) fn handler_marker(handler: &str) -> String {
    handler.to_pascal_case()
}
