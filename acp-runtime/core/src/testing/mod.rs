//! Functions for an author's own tests. They check the functions of options, and describe the options as clients see
//! them.
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
//! // In a `#[test]`: all combinations of options are valid, and users see the reviewed texts.
//! testing::check_options::<Config>();
//! assert!(testing::describe::<Config>().contains("Run tools without asking first."));
//! ```
//!
//! To test a whole agent, use [`transport::memory`](crate::transport::memory); the guide shows such a
//! [test](../guide/testing/index.html#testing).

mod check;
mod describe;
#[cfg(test)]
mod tests;

pub use check::{OptionsReport, check_options, check_options_from};
pub use describe::{describe, describe_from};
