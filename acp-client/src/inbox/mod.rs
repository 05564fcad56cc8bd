//! The agent's messages about each session. The reader of messages puts them in; the holders of sessions and turns take
//! them out.

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
