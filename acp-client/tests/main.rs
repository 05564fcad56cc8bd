//! The tests of a client. Each module is a subject, and its header says which.

mod base;
mod bounds;
mod cancel;
mod common;
#[cfg(feature = "unstable")]
mod drafts;
mod drive;
mod files;
mod handlers;
mod protocol;
mod proxy;
mod questions;
mod recordings;
mod strangers;
mod stress;
mod terminals;
mod testing;
mod workspace;
