//! What an agent asks of its client: files, terminals, permission, data of the user, extensions.
//!
//! All of it begins with a [`Client`], a parameter of any handler. Everything is gated by what the client said it can do,
//! and withdrawn when the call it belongs to is cancelled.

mod asking;
mod elicitation;
mod files;
pub(crate) mod line;
mod permission;
mod terminal;

pub use asking::Client;
pub(crate) use asking::unoffered;
pub use elicitation::Elicitation;
pub(crate) use files::check_line;
pub use permission::Permission;
pub use terminal::{TerminalBuilder, TerminalHandle};
