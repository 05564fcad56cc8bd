//! Code that the tests of several crates share.

pub mod chat;
pub mod modes;
pub mod packages;
pub mod peer;
pub mod workshop;
