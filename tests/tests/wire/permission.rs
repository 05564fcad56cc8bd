//! Permission: the request has the tool call and its options. The answer counts as permission only if it selects an
//! offered option that allows the tool.

use acp_tests::peer::{Answer, Peer};
use serde_json::{Value, json};

use crate::wire::agents::Scripted;

/// The states of the tool call if the client answers the permission request in this way.
async fn states(answer: Result<Value, i32>) -> Vec<String> {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let turn = peer.prompt(&id, "tool").await;
    let asked = peer.asked("session/request_permission").await;
    match answer {
        Ok(result) => peer.reply(&asked, result).await,
        Err(code) => peer.refuse(&asked, code, "no").await,
    }
    let ended: Answer = peer.answer(turn).await;
    assert_eq!(ended.expect("the turn goes on")["stopReason"], "end_turn");
    let states = peer.updates().into_iter().filter_map(|update| update["status"].as_str().map(str::to_owned));
    states.filter(|state| state != "pending").collect()
}

fn selected(option: &str) -> Value {
    json!({ "outcome": { "outcome": "selected", "optionId": option } })
}

// PERM-01, PERM-02
#[tokio::test]
async fn the_request_names_the_tool_call_and_the_options() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    peer.prompt(&id, "tool").await;
    let asked = peer.asked("session/request_permission").await;
    let call = peer.update().await;
    assert_eq!(call["sessionUpdate"], "tool_call");
    assert_eq!(asked.params["sessionId"], json!(id));
    assert_eq!(asked.params["toolCall"]["toolCallId"], call["toolCallId"]);
    assert_eq!(
        asked.params["options"],
        json!([
            { "optionId": "allow", "name": "Allow", "kind": "allow_once" },
            { "optionId": "reject", "name": "Reject", "kind": "reject_once" },
        ])
    );
}

// TOOL-04
#[tokio::test]
async fn an_allowed_tool_runs() {
    assert_eq!(states(Ok(selected("allow"))).await, ["in_progress", "completed"]);
}

// PERM-05, PERM-06
#[tokio::test]
async fn whatever_is_no_approval_stops_the_tool() {
    let answers = [
        Ok(selected("reject")),
        Ok(selected("allow_always")),
        Ok(selected("")),
        Ok(json!({ "outcome": { "outcome": "cancelled" } })),
        Ok(json!({ "outcome": { "outcome": "approved", "optionId": "allow" } })),
        Ok(json!({ "outcome": { "outcome": "selected" } })),
        Ok(json!({ "outcome": "selected", "optionId": "allow" })),
        Ok(json!({})),
        Ok(Value::Null),
        Ok(json!("allow")),
        Ok(json!(true)),
        Err(-32601),
        Err(-32603),
        Err(-32800),
    ];
    for answer in answers {
        assert_eq!(states(answer.clone()).await, ["failed"], "{answer:?}");
    }
}
