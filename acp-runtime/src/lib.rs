//! Runtime.

// Generated code refers to this crate by its name, here as in a user's crate.
extern crate self as acp_runtime;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod config;
mod connection;
pub mod schema;
pub mod transport;
mod wire;

pub use acp_macros::{ConfigOptions, SelectValue};
pub use config::{ConfigOptions, Key, SelectValue};
pub use wire::error::{Cancelled, Error, Result};
