//! Agents of the Agent Client Protocol, declared with attributes and served over stdio.

// Generated code refers to this crate by its name, here as in a user's crate.
extern crate self as acp_runtime;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod agent;
pub mod config;
mod connection;
pub mod peer;
pub mod prelude;
pub mod schema;
pub mod session;
pub mod transport;
mod wire;

pub use acp_macros::{ConfigOptions, SelectValue, acp_agent};
pub use config::{ConfigOptions, Key, SelectValue};
pub use wire::error::{Cancelled, Error, Result};
