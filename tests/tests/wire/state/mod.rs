//! The parts of a session that its handlers share, and the changes of its options by hooks and by tasks.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod background;
mod handles;
mod shared;
mod stays;
mod whole;
