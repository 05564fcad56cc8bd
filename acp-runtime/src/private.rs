//! Names for expanded macros only: those of the runtime, and those of the macros.

pub use acp_macros::AgentOptions;
pub use acp_runtime_core::__private::*;

#[path = "keys.rs"]
pub mod keys;
