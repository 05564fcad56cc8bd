//! Code that the tests of several crates share.

pub mod packages;
pub mod peer;
pub mod workshop;
