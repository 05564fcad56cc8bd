//! The agent's requests to its client: files, terminals, permission, data of the user, extensions.
//!
//! To send a request, take a [`Client`] as a parameter of any handler. The runtime checks every request against the
//! client's capabilities. When the handler's call is cancelled, the runtime withdraws the request.
//!
//! With the feature `local`, a `Workspace` has files and commands also for clients that do not offer them.

#[cfg(not(feature = "local"))]
mod absent;
mod asking;
pub(crate) mod authentication;
mod calling;
mod elicitation;
mod errands;
pub(crate) mod everyone;
mod files;
#[cfg(feature = "v2")]
pub(crate) mod foreground;
pub(crate) mod line;
#[cfg(feature = "local")]
mod local;
mod permission;
#[cfg(feature = "questions")]
pub(crate) mod questions;
mod terminal;

#[cfg(not(feature = "local"))]
pub(crate) use absent::WithTheFeatureLocal;
pub use asking::Client;
pub(crate) use asking::unoffered;
pub(crate) use authentication::{Credentials, CredentialsCheck};
pub use elicitation::Elicitation;
pub(crate) use files::check_line;
#[cfg(feature = "local")]
pub use local::{CommandBuilder, CommandHandle, CommandOutput, Workspace};
pub use permission::Permission;
#[cfg(feature = "questions")]
pub use questions::{Questions, ask::Ask};
pub use terminal::{TerminalBuilder, TerminalHandle};
