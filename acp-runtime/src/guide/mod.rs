//! Pages of the guide besides [the crate's own](crate), where it begins: with the smallest agent, and then part by part what
//! a larger one needs.
//!
//! Whoever has written an agent with the official SDK begins with [`from_the_official_sdk`], where one agent stands in
//! both.

#[doc = include_str!("from_the_official_sdk.md")]
pub mod from_the_official_sdk {}
