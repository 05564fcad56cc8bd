//! Tests of the command `acp`, with real agents. Each module is a command, and its header says what it holds.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod acp;
mod agents;
mod check;
mod exec;
mod inspect;
mod manual;
mod matrix;
mod mock;
mod new;
mod picture;
mod readme;
mod registry;
mod run;
mod sessions;
#[cfg(unix)]
#[path = "../../../acp-store-postgres/tests/server/start.rs"]
mod start;
mod tapes;
mod view;
