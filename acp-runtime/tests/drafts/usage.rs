//! A field of a draft: the usage of a turn.

use acp_runtime::{
    prelude::*,
    schema::v1::{PromptResponse, Usage},
};
use serde_json::json;

use super::Client;

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

#[tokio::test(flavor = "current_thread")]
async fn a_cancelled_turn_keeps_the_usage_that_it_reports() {
    let mut client = Client::of(Accountant).await;
    let id = client.open().await;
    let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": id } });
    let prompt = json!({ "sessionId": id, "prompt": [] });
    let prompt = json!({ "jsonrpc": "2.0", "id": 3, "method": "session/prompt", "params": prompt });
    client.send(&prompt).await;
    client.send(&cancel).await;
    let answer = client.message().await["result"].take();
    assert_eq!(answer["stopReason"], "cancelled");
    assert_eq!(answer["usage"], json!({ "totalTokens": 3, "inputTokens": 2, "outputTokens": 1 }));
}
