//! The methods that an author's attributes name.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{LitStr, Path};

use crate::diagnostics::place;

/// The attribute, as the author wrote it.
#[derive(Clone)]
pub(crate) struct Ext {
    /// `None` if the method could not be read. This was reported.
    pub(crate) method: Option<Extended>,
}

/// A method that the author has defined.
#[derive(Clone)]
pub(crate) enum Extended {
    /// The author wrote the method's name on the wire, and perhaps the capability that tells of it.
    Named { kind: Kind, name: LitStr, by: Attributed, capability: Option<LitStr> },
    /// The author wrote a type that was generated from a schema. The type has the name and all other facts.
    Marked(Path),
    /// All methods that begin so.
    Prefixed { kind: Kind, prefix: LitStr },
    /// All methods that have no other handler. The attribute's name is its place.
    Fallback { kind: Kind, at: Path },
}

/// The attribute that names a method.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Attributed {
    Ext,
    Method,
}

/// Whether the method is answered.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Request,
    /// A request that opens a session.
    Opener,
    Notification,
}

impl ToTokens for Extended {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Named { name, .. } => name.to_tokens(tokens),
            Self::Marked(path) => path.to_tokens(tokens),
            Self::Prefixed { kind: _, prefix } => prefix.to_tokens(tokens),
            Self::Fallback { kind: _, at } => at.to_tokens(tokens),
        }
    }
}

impl Extended {
    /// The method's name in messages. No name on the wire contains a `*`.
    pub(crate) fn wire(&self) -> String {
        match self {
            Self::Named { name, .. } => name.value(),
            Self::Marked(path) => path.to_token_stream().to_string().replace(' ', ""),
            Self::Prefixed { kind: Kind::Request | Kind::Opener, prefix } => format!("{}*", prefix.value()),
            Self::Prefixed { kind: Kind::Notification, prefix } => format!("{}* (notification)", prefix.value()),
            Self::Fallback { kind: Kind::Request | Kind::Opener, .. } => "*".to_owned(),
            Self::Fallback { kind: Kind::Notification, .. } => "* (notification)".to_owned(),
        }
    }

    /// The name in the code.
    pub(crate) fn name(&self) -> TokenStream {
        match self {
            Self::Marked(path) => quote_spanned!(place(path)=> <#path as __acp::Method>::NAME),
            named => named.wire().into_token_stream(),
        }
    }

    /// The runtime's type of the call, in `__acp::handlers`.
    pub(crate) fn marker(&self) -> TokenStream {
        match self {
            Self::Named { kind: Kind::Request, .. } => quote!(Ext),
            Self::Named { kind: Kind::Opener, .. } => quote!(Opener),
            Self::Named { kind: Kind::Notification, .. } => quote!(ExtNotification),
            Self::Marked(path) => quote!(ExtOf<#path>),
            Self::Prefixed { kind: Kind::Notification, .. } | Self::Fallback { kind: Kind::Notification, .. } => {
                quote!(AnyNotification)
            }
            Self::Prefixed { .. } | Self::Fallback { .. } => quote!(AnyRequest),
        }
    }

    /// Whether it is a request that opens a session.
    pub(crate) fn opens(&self) -> bool {
        self.kind() == Some(Kind::Opener)
    }

    /// Whether it is answered; of a marker, only the compiler knows.
    pub(crate) fn kind(&self) -> Option<Kind> {
        match self {
            Self::Named { kind, .. } | Self::Prefixed { kind, .. } | Self::Fallback { kind, .. } => Some(*kind),
            Self::Marked(_) => None,
        }
    }

    /// What has two handlers, when it has.
    pub(crate) fn doubled(&self) -> String {
        let kind = match self.kind() {
            Some(Kind::Notification) => "notifications",
            Some(Kind::Request | Kind::Opener) | None => "requests",
        };
        match self {
            Self::Named { .. } | Self::Marked(_) => format!("`{}` has two handlers", self.wire()),
            Self::Prefixed { kind: _, prefix } => {
                format!("{kind} with the prefix `{}` have two handlers", prefix.value())
            }
            Self::Fallback { .. } => format!("{kind} have two fallbacks"),
        }
    }
}

/// Whether the character is invisible. In a name, such a character is a mistake.
pub(super) fn is_unseen(char: char) -> bool {
    char.is_whitespace() || char.is_control()
}
