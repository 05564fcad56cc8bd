//! `bench-official` uses the SDK's `Stdio`. `bench-official threads` uses a transport on two threads. This transport is written by
//! hand, and is the best that a user of the SDK can do.

mod agent;
mod config;
mod threads;

use std::sync::Arc;

use agent_client_protocol::{ConnectTo as _, Result, Stdio};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let agent = agent::agent(Arc::default());
    if std::env::args().nth(1).as_deref() != Some("threads") {
        return agent.connect_to(Stdio::new()).await;
    }
    let (transport, writer) = threads::start();
    let result = agent.connect_to(transport).await;
    // A panic of the writer is already on stderr, so its result holds no other information.
    let _ = writer.join();
    result
}
