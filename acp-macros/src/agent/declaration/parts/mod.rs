//! The keys that ask for a part of the runtime, each with its words, its mistakes and its expansion.

pub(super) mod clients;
pub(super) mod lenient;
pub(super) mod store;
pub(super) mod turns;
