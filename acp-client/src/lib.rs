//! Clients of the [Agent Client Protocol](https://agentclientprotocol.com): drive an agent, and serve its requests.
//!
//! The page [`requirements`] lists the protocol's demands on a client, how this crate meets them, and which of them are
//! left to the author.

#[doc(hidden)]
pub mod __private;
mod connection;
#[doc(hidden)]
pub mod contract;
mod endpoint;
mod error;
mod gates;
mod gauge;
pub mod handlers;
mod link;
mod listing;
mod lost;
mod opened;
pub mod parts;
mod process;
pub mod proxy;
#[doc = include_str!("requirements.md")]
pub mod requirements {}
mod role;
mod session;
#[cfg(feature = "testing")]
pub mod testing;

pub use acp_macros::acp_client;
pub use acp_runtime_core::{transport, values};
pub use connection::{Connection, NewSession};
pub use endpoint::{ConnectOptions, Endpoint, Over, Program};
pub use error::{End, Error, ErrorKind, Result};
pub use listing::Sessions;
pub use process::{Exit, Signals, Stderr};
pub use session::{
    ConfigOption, CurrentValue, Loading, Options, Prompt, Session, Turn, TurnEnd, UnknownUpdate, Update,
};

pub(crate) use acp_runtime_core::__role::schema;
#[doc(hidden)]
pub use contract::{Call, Handlers};
