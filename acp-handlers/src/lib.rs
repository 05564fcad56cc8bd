//! What the handlers of agents and of clients share. The expansions of `#[acp_agent]` and of `#[acp_client]` use it through
//! `acp-runtime` and `acp-client`. Other code must not.

pub mod assumed;
pub mod constant;
mod scalar;

pub use assumed::{Assumed, Given, Granted};
pub use scalar::Scalar;

/// The message of the answer to a request whose handler panicked. Tests of agents know it.
pub const PANICKED: &str = "the agent's handler panicked; its message is on the agent's stderr";
