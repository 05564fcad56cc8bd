//! What the handlers of agents and of clients share. The expansions of `#[acp_agent]` and of `#[acp_client]` use it through
//! `acp-agent-runtime` and `acp-client`. Other code must not.

pub mod assumed;
pub mod constant;
mod facts;
mod scalar;
mod shape;
pub mod slot;

pub use assumed::{Assumed, Given, Granted};
pub use facts::{Facts, Otherwise};
pub use shape::{Fallible, Itself, Plain, Short};
pub use slot::distinct;

/// The message of the answer to a request whose handler panicked. Tests of agents know it.
pub const PANICKED: &str = "the agent's handler panicked; its message is on the agent's stderr";

/// The marker of a method or of a kind of update. It has the name of its handlers.
#[macro_export]
macro_rules! handler {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        #[expect(non_camel_case_types, reason = "compile errors call a handler by its name")]
        pub struct $name;
    };
}
