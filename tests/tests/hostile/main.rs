//! Hostile input and circumstances: an agent answers correctly and goes on, or ends quickly and cleanly.
//!
//! `wire` has a client's mistakes of a line or two. The mistakes here need patience, size or malice. The page
//! `acp_runtime::requirements` lists the test for each case.

mod agents;
mod clients;
mod crowds;
mod endings;
mod envelopes;
mod handlers;
mod interleavings;
mod lines;
mod process;
mod schedules;
mod sizes;
mod unread;
