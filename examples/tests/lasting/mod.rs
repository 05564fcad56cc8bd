//! The coder as real processes on one store: killed at random moments, and two that live at the same time. The store is a file
//! of SQLite, or a server of PostgreSQL.

mod coder;
#[cfg(target_os = "linux")]
mod fast;
#[cfg(unix)]
mod hosts;
#[cfg(target_os = "linux")] // elsewhere, a session need not open before the process of its last writer is reaped
mod kills;
#[cfg(unix)]
mod postgres;
#[cfg(unix)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "../../../acp-store-postgres/tests/server/start.rs"]
pub(crate) mod start;
mod writers;
