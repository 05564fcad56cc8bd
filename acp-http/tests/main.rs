//! Tests of the endpoint: a server on a port of this machine, and clients that say what no library of clients would say.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agent;
mod client;
mod conformance;
mod connections;
mod draining;
mod hostile;
mod limits;
mod login;
mod resume;
mod socket;
mod streams;
mod websocket;
