//! The protocol's values that handlers take and return: requests, answers, updates, content.
//!
//! An agent names the protocol's types here; the most common ones are in the prelude, too. They have the shape of version 1
//! of the protocol, whichever version a client speaks. The runtime translates the differences of a version when it reads and
//! writes messages. `acp_runtime::schema` holds the types of each version separately, for code whose subject is the schema.
//!
//! Names follow the schema: `SessionConfigOption` and `currentValue` are [`SessionConfigOption`] and `current_value` here.
//! Every struct has `new(required..)`, and a setter for each optional field.
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

mod conversion;

#[doc(no_inline)]
pub use crate::schema::v1::*;
