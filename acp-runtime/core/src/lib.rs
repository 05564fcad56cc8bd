//! The parts of the library `acp_runtime` except for the macros: agents, their sessions, their options. Depend on the package
//! `acp-agent-runtime` and not on this crate. It is a crate of its own so that the compiler can work on it and on the macros
//! at the same time.

#![cfg_attr(docsrs, feature(doc_cfg))] // on docs.rs, an item names the feature that it needs

/// The names that expanded macros use. `acp_runtime::__private` adds the macros themselves.
#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod agent;
pub mod client;
pub mod config;
mod dialect;
pub mod session;
pub mod testing;
pub mod values;

pub(crate) use acp_handlers::constant;
#[cfg(test)]
pub(crate) use acp_macros::{ConfigOptions, SelectValue};
pub use acp_peer::transport;
pub use acp_peer::{Cancelled, Error, Result};
pub(crate) use acp_peer::{TARGET, rpc, wire};
pub(crate) use acp_schema as schema;
#[doc(inline)]
pub use acp_store as store;
#[cfg(feature = "questions")]
pub use client::Questions;
pub use config::{Change, Choice, ChoiceValue, ConfigOptions, Key, SelectValue};
