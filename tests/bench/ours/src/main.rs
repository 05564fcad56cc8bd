//! The agent over stdio.

mod agent;

use acp_runtime::prelude::*;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    agent::Bench.serve_stdio().await
}
