//! An agent that shows each requirement of the protocol on the wire, see [`acp_examples::conformance`].

use acp_examples::conformance;
use acp_runtime::Result;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    conformance::serve().await
}
