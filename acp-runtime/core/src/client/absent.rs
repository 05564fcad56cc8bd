//! The function of a client with the feature `local` while it is off. It compiles for no type, so that the error names the
//! feature; the compiler itself names it for types and modules only.

use super::asking::Client;
use crate::config::initial::unreachable;

/// What a function of the feature takes. Implemented for nothing.
#[diagnostic::on_unimplemented(
    message = "this function needs the feature `local` of `acp-agent-runtime`",
    label = "the function before this argument comes with the feature `local`",
    note = "in Cargo.toml: `acp-runtime = {{ package = \"acp-agent-runtime\", features = [\"local\"], .. }}`"
)]
pub trait WithTheFeatureLocal {
    /// What the function returns.
    type Returned;
}

impl Client {
    #[doc(hidden)]
    pub fn workspace<P: WithTheFeatureLocal>(&self, _: P) -> P::Returned {
        unreachable()
    }
}
