//! Runtime.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod config;
mod connection;
pub mod transport;
mod wire;

pub use acp_macros::{ConfigOptions, SelectValue};
pub use config::{ConfigOptions, Key, SelectValue};
pub use wire::error::{Cancelled, Error, Result};
