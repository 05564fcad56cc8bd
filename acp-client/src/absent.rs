//! The function of the feature `http` while it is off. It compiles for no type, so that the error names the feature; the compiler
//! itself names it for types and modules only.

use crate::endpoint::{Endpoint, Program};

/// What the function of the feature takes. Implemented for nothing.
#[diagnostic::on_unimplemented(
    message = "`Endpoint::url` needs the feature `http` of `acp-client`",
    label = "the feature `http` is off",
    note = "in Cargo.toml: `acp-client = {{ features = [\"http\"], .. }}`"
)]
pub trait WithTheFeatureHttp {}

impl Endpoint<Program> {
    #[doc(hidden)]
    pub fn url<U: WithTheFeatureHttp>(_: U) -> Self {
        unreachable!("a call of this function does not compile")
    }
}
