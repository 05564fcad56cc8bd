//! The agent's messages about each session, as they arrive: what the reader of messages puts in, and what the holders of
//! sessions and turns take out.

pub(crate) mod asked;
pub(crate) mod cancel;
pub(crate) mod entry;
mod folders;
mod handled;
pub(crate) mod held;
pub(crate) mod intake;
pub(crate) mod item;
pub(crate) mod opening;
mod outside;
pub(crate) mod question;
mod reader;
pub(crate) mod settings;
pub(crate) mod table;
