//! The agent `Workshop` as a process. `tests/wire/workspace/process.rs` starts it.

use acp_runtime::prelude::*;
use acp_tests::workshop::Workshop;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    Workshop.serve_stdio().await
}
