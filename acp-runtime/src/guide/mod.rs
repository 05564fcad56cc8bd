//! Pages of the guide besides [the crate's own page](crate). That page begins with the smallest agent, and then shows part
//! by part what a larger agent needs.
//!
//! An author who has written an agent with the official SDK begins with [`from_the_official_sdk`]. That page shows one agent
//! in both. [`a_whole_agent`] goes through the code of an agent for people in the order in which it is written. [`parameters`]
//! has every parameter of a handler with a use. [`departures`] has recipes for an agent that
//! departs from the schema in small ways. [`questions`] answers questions of authors. [`turns`] says what becomes of
//! prompts that arrive during a turn. [`stores`] is about the places where sessions are kept. With the feature `v2`, the page
//! `versions` is about agents that serve both versions of the protocol.

#[doc = include_str!("a_whole_agent.md")]
pub mod a_whole_agent {}

#[doc = include_str!("departures.md")]
pub mod departures {}

#[doc = include_str!("from_the_official_sdk.md")]
pub mod from_the_official_sdk {}

#[doc = include_str!("parameters.md")]
pub mod parameters {}

#[doc = include_str!("questions.md")]
pub mod questions {}

#[doc = include_str!("stores.md")]
pub mod stores {}

#[doc = include_str!("turns.md")]
pub mod turns {}

#[cfg(feature = "v2")]
#[doc = include_str!("versions.md")]
pub mod versions {}
