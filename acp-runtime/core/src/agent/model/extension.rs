//! What an agent handles beside the methods of the schema.

use crate::schema::{Method, MethodKind, Side};

/// A method of the agent that the schema does not know. The name of an extension method begins with `_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extension {
    /// The name on the wire, such as `_acme.dev/stats`.
    pub name: &'static str,
    /// Whether the method is answered.
    pub kind: ExtensionKind,
    /// The handler's doc comment.
    pub description: &'static str,
    /// The capability that `initialize` answers for it, which the schema does not know.
    pub(in crate::agent) capability: Option<&'static str>,
    /// Whether the list of extensions leaves it out.
    #[cfg(feature = "unstable")]
    pub(in crate::agent) is_draft: bool,
}

/// Whether an extension method is a request or a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtensionKind {
    /// The method has an id and is answered.
    Request,
    /// The method is never answered.
    Notification,
}

impl Extension {
    const fn new(name: &'static str, kind: ExtensionKind, description: &'static str) -> Self {
        Self {
            name,
            kind,
            description,
            capability: None,
            #[cfg(feature = "unstable")]
            is_draft: false,
        }
    }

    /// A notification of a draft.
    #[cfg(feature = "unstable")]
    pub const fn draft(name: &'static str) -> Self {
        Self { is_draft: true, ..Self::notification(name, "") }
    }

    /// An extension request.
    pub const fn request(name: &'static str, description: &'static str) -> Self {
        Self::new(name, ExtensionKind::Request, description)
    }

    /// An extension notification.
    pub const fn notification(name: &'static str, description: &'static str) -> Self {
        Self::new(name, ExtensionKind::Notification, description)
    }

    /// The same method, of which `initialize` tells by a capability that the schema does not know.
    pub const fn capability(mut self, word: &'static str) -> Self {
        self.capability = Some(word);
        self
    }

    /// The extension method of the marker `M`. Fails to compile when `M` is a method of the client or of the protocol
    /// itself.
    pub const fn of<M: Method>(description: &'static str) -> Self {
        if !matches!(M::SIDE, Side::Agent | Side::Protocol) {
            panic!("this is no method that an agent handles: its side in the schema is another one");
        }
        if !matches!(M::NAME.as_bytes(), [b'_', _, ..]) {
            panic!(
                "this is no extension method: its name in the schema does not begin with `_`
help: methods of the protocol are handled by functions of their names, without `#[ext]`"
            );
        }
        if holds_unseen(M::NAME.as_bytes()) {
            panic!("the name of an extension method holds no blanks and no control characters: mend it in the schema");
        }
        match M::KIND {
            MethodKind::Request => Self::request(M::NAME, description),
            MethodKind::Notification => Self::notification(M::NAME, description),
        }
    }
}

/// Compiles for the marker of a method. The expansion calls this function for the length of an array.
pub const fn is_method<M: Method>() -> usize {
    0
}

const fn holds_unseen(name: &[u8]) -> bool {
    let mut i = 0;
    while i < name.len() {
        if name[i].is_ascii_whitespace() || name[i].is_ascii_control() {
            return true;
        }
        i += 1;
    }
    false
}

/// A handler of all methods with one prefix.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    pub(in crate::agent) kind: ExtensionKind,
    pub(in crate::agent) prefix: &'static str,
    /// The name by which [`OneBlockWithoutPart::call`](super::OneBlockWithoutPart::call) finds the handler.
    pub(in crate::agent) arm: &'static str,
}

impl Route {
    /// A handler of requests.
    pub const fn request(prefix: &'static str, arm: &'static str) -> Self {
        Self { kind: ExtensionKind::Request, prefix, arm }
    }

    /// A handler of notifications.
    pub const fn notification(prefix: &'static str, arm: &'static str) -> Self {
        Self { kind: ExtensionKind::Notification, prefix, arm }
    }
}
