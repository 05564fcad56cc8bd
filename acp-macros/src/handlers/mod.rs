//! What the handlers of agents and of clients have in common: an `impl` block as written ([`raw`]), what its functions must
//! look like ([`signature`]), and methods of the author's own ([`ext`]).

pub(crate) mod ext;
pub(crate) mod raw;
pub(crate) mod signature;

/// What is said of a role's handlers in particular.
pub(crate) struct Words {
    /// Why a function of the block must be a handler.
    pub(crate) helpers: &'static str,
    /// Why the receiver is a reference.
    pub(crate) by_reference: &'static str,
    /// What to do without `&mut self`, and why.
    pub(crate) not_mutable: [&'static str; 2],
    /// Why a parameter is no `&mut`, what to do, and why.
    pub(crate) not_lent: [&'static str; 3],
}
