//! The agent's requests to its client: files, terminals, permission, data of the user, extensions.
//!
//! To send a request, take a [`Client`] as a parameter of any handler. The runtime checks every request against the
//! client's capabilities. When the handler's call is cancelled, the runtime withdraws the request.

mod asking;
pub(crate) mod authentication;
mod elicitation;
mod files;
pub(crate) mod line;
mod permission;
pub(crate) mod questions;
mod terminal;

pub use asking::Client;
pub(crate) use asking::unoffered;
pub(crate) use authentication::Credentials;
pub use elicitation::Elicitation;
pub(crate) use files::check_line;
pub use permission::Permission;
pub use questions::{Questions, ask::Ask};
pub use terminal::{TerminalBuilder, TerminalHandle};
