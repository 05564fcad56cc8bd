//! What an agent asks of its client: files, terminals, permission, extensions.
//!
//! Everything is gated by what the client said it can do, and withdrawn when the call it belongs to is cancelled.

mod client;
mod files;
mod permission;
mod terminal;

pub use client::Client;
pub use permission::Permission;
pub use terminal::{TerminalBuilder, TerminalHandle};
