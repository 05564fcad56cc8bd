//! The test drops the future that serves an agent. Every task that waits for the connection gets an error.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{sync::Arc, time::Duration};

use acp_runtime::{
    prelude::*,
    transport::{
        Limits,
        memory::{self, Lines},
    },
};
use acp_tests::peer::soon;
use serde_json::json;
use tokio::sync::Notify;

#[acp_agent]
#[derive(Clone)]
struct Patient {
    cancelled: Arc<Notify>,
}

#[acp_agent]
impl Patient {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message("waiting").await?;
        turn.cancelled().await;
        self.cancelled.notify_one();
        Ok(StopReason::Cancelled)
    }
}

#[acp_agent(local)]
#[derive(Clone)]
struct Still;

#[acp_agent]
impl Still {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

async fn call(client: &mut Lines, id: u32, method: &str, params: serde_json::Value) {
    let line = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
    client.send(&line).await.unwrap();
}

async fn line(client: &mut Lines) -> Option<String> {
    soon("a line", client.next_line()).await.unwrap()
}

#[tokio::test]
async fn a_client_sees_the_end_and_turns_are_cancelled() {
    let cancelled = Arc::new(Notify::new());
    let (agent, client) = memory::pair();
    let served = tokio::spawn(Patient { cancelled: Arc::clone(&cancelled) }.serve(agent, Limits::default()));
    let mut client = client.into_lines();
    call(&mut client, 1, "initialize", json!({ "protocolVersion": 1 })).await;
    assert!(line(&mut client).await.unwrap().contains("protocolVersion"));
    call(&mut client, 2, "session/new", json!({ "cwd": "/work", "mcpServers": [] })).await;
    let opened: serde_json::Value = serde_json::from_str(&line(&mut client).await.unwrap()).unwrap();
    let session = &opened["result"]["sessionId"];
    call(&mut client, 3, "session/prompt", json!({ "sessionId": session, "prompt": [] })).await;
    assert!(line(&mut client).await.unwrap().contains("waiting"));
    served.abort();
    while line(&mut client).await.is_some() {}
    soon("the turn's end", cancelled.notified()).await;
    assert!(client.send("{}").await.is_err());
}

#[tokio::test]
async fn a_local_agent_hangs_up_too() {
    let (agent, client) = memory::pair();
    let mut client = client.into_lines();
    let serving = tokio::time::timeout(Duration::from_millis(50), Still.serve(agent, Limits::default()));
    call(&mut client, 1, "initialize", json!({ "protocolVersion": 1 })).await;
    assert!(serving.await.is_err(), "it serves until it is given up");
    assert!(line(&mut client).await.unwrap().contains("protocolVersion"));
    assert_eq!(line(&mut client).await, None);
}
