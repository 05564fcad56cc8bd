//! The protocol's values as handlers take and give them: requests, answers, updates, content.
//!
//! They have the shape of version 1 of the protocol, whichever version a client speaks: what a version writes otherwise is
//! translated where messages are read and written. So an agent names its types here, or in the prelude, and serves
//! what comes.
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
