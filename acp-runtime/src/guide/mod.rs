//! Pages of the guide besides the crate's own documentation, which is where it begins.

#[doc = include_str!("from_the_official_sdk.md")]
pub mod from_the_official_sdk {}
