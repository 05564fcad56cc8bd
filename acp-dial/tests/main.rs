//! Tests of the client's side: our own server on a port of this machine, proxies that cut connections, and servers that depart from ours.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod again;
mod agent;
mod conversations;
mod cuts;
mod proxy;
mod quirks;
mod refusals;
mod stage;
