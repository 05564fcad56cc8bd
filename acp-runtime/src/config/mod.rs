//! Config options: what an author declares (`option`, `value`, `key`), what a const evaluation refuses (`check`), and
//! the one way by which a session's config changes.
//!
//! Serves <https://agentclientprotocol.com/protocol/v1/session-config-options>.

pub(crate) mod check;
pub(crate) mod key;
pub(crate) mod mode;
pub(crate) mod option;
pub(crate) mod publish;
mod refusal;
pub(crate) mod request;
pub(crate) mod state;
#[cfg(test)]
mod tests;
mod transaction;
pub(crate) mod value;

pub use key::Key;
pub use option::ConfigOptions;
pub use value::SelectValue;
