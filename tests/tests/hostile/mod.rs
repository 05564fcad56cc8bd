//! Hostile input and circumstances: an agent answers correctly and continues, or it ends quickly and cleanly.
//!
//! `wire` has the mistakes that a client makes in one or two lines. The mistakes here need time, large input or malice.
//! The page `acp_runtime::requirements` lists the test for each case.

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
mod several;
mod sizes;
mod unread;
mod version_2;
