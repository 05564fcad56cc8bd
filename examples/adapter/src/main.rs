//! An adapter: the protocol around a core that exists already (`core`, here a stand-in), served over stdio.

mod agent;
mod commands;
mod core;
mod options;
#[cfg(test)]
mod tests;
mod turn;

use acp_runtime::prelude::*;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    agent::Adapter::default().serve_stdio().await
}
