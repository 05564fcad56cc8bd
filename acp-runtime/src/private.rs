//! The names that expanded macros use, and nothing else may: those of the runtime, and what is the macros' own.

pub use acp_macros::AgentOptions;
pub use acp_runtime_core::__private::*;

#[path = "keys.rs"]
pub mod keys;
