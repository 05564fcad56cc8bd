//! The life of a session beyond its calls.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agent;
mod ended;
mod mortal;
mod opened;
mod shutdown;
