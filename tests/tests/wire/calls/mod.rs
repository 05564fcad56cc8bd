//! Tool calls: their ids, their end, and permissions that last.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agent;
mod asked;
mod ends;
mod ids;
mod remembered;
