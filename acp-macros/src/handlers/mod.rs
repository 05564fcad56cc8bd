//! The common code for the handlers of agents and of clients: an `impl` block as the author wrote it ([`raw`]) and the walk
//! over it ([`block`]), the rules for signatures ([`signature`]), the
//! methods that names mean ([`meant`]), and methods that the schema does not know ([`extensions`]).

pub(crate) mod block;
pub(crate) mod conditions;
pub(crate) mod extensions;
pub(crate) mod meant;
pub(crate) mod misspelt;
pub(crate) mod raw;
pub(crate) mod signature;

/// The texts that differ between agents and clients.
pub(crate) struct Words {
    /// The name of the attribute.
    pub(crate) attribute: &'static str,
    /// The role, with its article.
    pub(crate) role: &'static str,
    /// The reason why the type has no parameters.
    pub(crate) one_type: &'static str,
    /// The reason why a function of the block must be a handler.
    pub(crate) helpers: &'static str,
    /// The reason why the receiver is a reference.
    pub(crate) by_reference: &'static str,
    /// A cure for `&mut self`, and the reason.
    pub(crate) not_mutable: [&'static str; 2],
    /// The reason why a parameter cannot be `&mut`, a cure, and a note.
    pub(crate) not_lent: [&'static str; 3],
}
