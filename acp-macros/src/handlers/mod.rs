//! The common code for the handlers of agents and of clients: an `impl` block as the author wrote it ([`raw`]) and the walk
//! over it ([`block`]), the rules for signatures ([`signature`]), the expansion of a call ([`call`]), the methods that names mean
//! ([`meant`]), and methods that the schema does not know ([`extensions`]). It knows neither role: each gives it a [`Role`]
//! and the reader of its own attributes.

pub(crate) mod block;
pub(crate) mod call;
pub(crate) mod conditions;
pub(crate) mod draft;
pub(crate) mod extensions;
pub(crate) mod meant;
pub(crate) mod misspelt;
pub(crate) mod raw;
pub(crate) mod signature;

use crate::methods::{Method, Side};

/// The reason why a method has no handler.
pub(crate) struct Unhandled {
    /// The reason as a sentence about the method: "is ..".
    pub(crate) why: String,
    /// The same reason for the sentence "if the method is meant, ..".
    pub(crate) clause: String,
    pub(crate) cure: String,
}

/// The reason; `None` if the method can have a handler.
pub(crate) type WhyUnhandled = fn(&Method) -> Option<Unhandled>;

/// The differences between agents and clients, apart from their attributes.
pub(crate) struct Role {
    pub(crate) side: Side,
    /// A role without this has no `#[method(..)]` and no `#[fallback]`.
    pub(crate) why_unhandled: Option<WhyUnhandled>,
    /// The attributes of its functions.
    pub(crate) attributes: &'static [&'static str],
    /// The name of its macro.
    pub(crate) attribute: &'static str,
    /// Its name, with the article.
    pub(crate) name: &'static str,
    /// The reason why the type has no parameters.
    pub(crate) one_type: &'static str,
    /// The reason why a function of the block must be a handler.
    pub(crate) helpers: &'static str,
    /// The reason why the receiver is a reference.
    pub(crate) by_reference: &'static str,
    /// A cure for `&mut self`, and the reason.
    pub(crate) not_mutable: [&'static str; 2],
}
