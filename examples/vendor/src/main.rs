//! Serves the reviewer over stdio.

use acp_runtime::prelude::*;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    acp_vendor::Reviewer::default().serve_stdio().await
}
