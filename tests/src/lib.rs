//! Code that the tests of several crates share.

pub mod chat;
#[cfg(doctest)]
mod doctests;
pub mod documents;
pub mod modes;
pub mod packages;
pub mod peer;
#[cfg(unix)]
pub mod terminal;
pub mod workshop;
