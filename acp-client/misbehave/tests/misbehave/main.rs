//! Agents that misbehave, and processes that end badly: each test ends within a time limit, with an error that names the
//! cause.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod end;
mod kills;
mod processes;
mod signals;
mod start;
mod turns;
mod weight;
