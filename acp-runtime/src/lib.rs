#![doc = include_str!("guide/guide.md")]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod guide;
pub mod prelude;
#[doc = include_str!("requirements.md")]
pub mod requirements {}
pub mod schema;

pub use acp_macros::{ConfigOptions, SelectValue, acp_agent};
#[doc(inline)]
pub use acp_runtime_core::{
    Cancelled, Change, Choice, ChoiceValue, ConfigOptions, Error, Key, Result, SelectValue, agent, client, config,
    session, testing, transport, values,
};
