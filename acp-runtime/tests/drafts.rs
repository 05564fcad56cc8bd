//! The drafts of the protocol, with the feature `unstable`:
//! `cargo test -p acp-agent-runtime --features unstable --test main drafts::`.

use acp_runtime::{
    agent::Serve,
    prelude::*,
    schema::v1::{PromptResponse, Usage},
    transport::{
        Limits,
        memory::{self, Lines},
    },
};
use serde_json::{Value, json};

#[acp_agent]
#[derive(Clone)]
struct Accountant;

#[acp_agent]
impl Accountant {
    async fn prompt(&self, turn: Turn<Self>) -> PromptResponse {
        turn.cancelled().await;
        PromptResponse::new(StopReason::EndTurn).usage(Usage::new(3, 2, 1))
    }
}

async fn call(client: &mut Lines, method: &str, params: Value) -> Value {
    let request = json!({ "jsonrpc": "2.0", "id": method, "method": method, "params": params });
    client.send(&request.to_string()).await.expect("the agent reads");
    answer(client).await
}

async fn answer(client: &mut Lines) -> Value {
    let line = client.next_line().await.expect("a line").expect("an answer");
    let mut answer: Value = serde_json::from_str(&line).expect("JSON");
    assert!(answer["error"].is_null(), "{answer}");
    answer["result"].take()
}

#[tokio::test(flavor = "current_thread")]
async fn a_cancelled_turn_keeps_the_usage_that_it_reports() {
    let (client, agent) = memory::pair();
    tokio::spawn(Accountant.serve(agent, Limits::default()));
    let mut client = client.into_lines();
    call(&mut client, "initialize", json!({ "protocolVersion": 1 })).await;
    let id = call(&mut client, "session/new", json!({ "cwd": "/", "mcpServers": [] })).await["sessionId"].take();
    let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": id } });
    let prompt = json!({ "sessionId": id, "prompt": [] });
    let prompt = json!({ "jsonrpc": "2.0", "id": 3, "method": "session/prompt", "params": prompt });
    client.send(&prompt.to_string()).await.expect("the agent reads");
    client.send(&cancel.to_string()).await.expect("the agent reads");
    let answer = answer(&mut client).await;
    assert_eq!(answer["stopReason"], "cancelled");
    assert_eq!(answer["usage"], json!({ "totalTokens": 3, "inputTokens": 2, "outputTokens": 1 }));
}
