#![doc = include_str!("guide/guide.md")]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod agent;
mod cancellation;
pub mod config;
mod connection;
pub mod guide;
pub mod peer;
pub mod prelude;
#[doc = include_str!("requirements.md")]
pub mod requirements {}
pub mod schema;
pub mod session;
pub mod testing;
pub mod transport;
mod wire;

pub use acp_macros::{ConfigOptions, SelectValue, acp_agent};
pub use config::{Change, Choice, ChoiceValue, ConfigOptions, Key, SelectValue};
pub use wire::error::{Cancelled, Error, Result};
