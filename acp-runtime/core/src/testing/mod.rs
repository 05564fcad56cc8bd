//! What an author's own tests need: whether the functions of options keep their word, and what a client is shown.
//!
//! ```
//! use acp_runtime::{prelude::*, testing};
//!
//! #[derive(ConfigOptions, Clone)]
//! struct Config {
//!     /// Run tools without asking first.
//!     #[config_option(default = false)]
//!     brave: bool,
//! }
//!
//! // In a `#[test]`: no combination of options is at fault, and users are shown what was reviewed.
//! testing::check_options::<Config>();
//! assert!(testing::describe::<Config>().contains("Run tools without asking first."));
//! ```
//!
//! An agent as a whole is tested over [`transport::memory`](crate::transport::memory); the guide shows a
//! [test](../index.html#testing) that does so.

mod check;
mod describe;
#[cfg(test)]
mod tests;

pub use check::{OptionsReport, check_options, check_options_from};
pub use describe::{describe, describe_from};
