//! Pages of the guide besides [the crate's own page](crate). That page begins with the smallest agent, and then shows part
//! by part what a larger agent needs.
//!
//! An author who has written an agent with the official SDK begins with [`from_the_official_sdk`]. That page shows one agent
//! in both. [`turns`] says what becomes of prompts that arrive during a turn. [`stores`] is about the places where sessions are kept.

#[doc = include_str!("from_the_official_sdk.md")]
pub mod from_the_official_sdk {}

#[doc = include_str!("stores.md")]
pub mod stores {}

#[doc = include_str!("turns.md")]
pub mod turns {}
