//! Agents that misbehave, and processes that end at a bad moment. Each operation ends within a time limit, and its
//! error names the cause.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod end;
mod kills;
mod processes;
mod proxy;
mod signals;
mod start;
mod stderr;
mod turns;
mod weight;
