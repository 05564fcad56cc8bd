//! The protocol's values that handlers take and return: requests, answers, updates, content.
//!
//! An agent names the protocol's types through this module. The most common ones are also in the prelude. They have the
//! shape of version 1 of the protocol, even if a client speaks another version: the runtime translates messages when it
//! reads and writes them. `acp_runtime::schema` has the types of each version separately, for code that works with the
//! schema itself.
//!
//! Names follow the schema: the schema's `SessionConfigOption` and `currentValue` are [`SessionConfigOption`] and
//! `current_value` here. Every struct has `new(required..)`, and a setter for each optional field.
//!
//! ```
//! use acp_runtime::{prelude::*, values::UsageUpdate};
//!
//! # #[derive(ConfigOptions, Clone)]
//! # struct Config { #[config_option(default = false)] brave: bool }
//! async fn count(session: &SessionHandle<Config>, tokens: u64) -> Result<()> {
//!     session.usage(UsageUpdate::new(tokens, 200_000)).await
//! }
//! ```

#[doc(no_inline)]
pub use crate::schema::v1::*;
