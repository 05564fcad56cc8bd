//! Input and circumstances that nobody wants: an agent answers them rightly and lives on, or ends quickly and well.
//!
//! `wire` holds what a client gets wrong in a line or two; here is what it takes patience, size or malice to get wrong.
//! The page `acp_runtime::requirements` says which test shows what.

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
