//! Cancelled turns, and withdrawn requests of either side (CANCEL, CREQ).

use std::time::Duration;

use acp_client::{
    acp_client,
    values::{ReadTextFileRequest, RequestPermissionOutcome, RequestPermissionRequest, StopReason},
};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{Nothing, SOON, open_as};

/// A client whose handlers never answer.
struct Pondering;

#[acp_client]
impl Pondering {
    async fn read_text_file(&self, _: ReadTextFileRequest) -> String {
        std::future::pending().await
    }

    async fn request_permission(&self, _: RequestPermissionRequest) -> RequestPermissionOutcome {
        std::future::pending().await
    }
}

fn cancelled() -> Value {
    json!({ "outcome": { "outcome": "cancelled" } })
}

fn permission() -> Value {
    json!({ "sessionId": "s", "toolCall": { "toolCallId": "c" }, "options": [] })
}

#[tokio::test]
async fn a_turn_is_cancelled_and_its_updates_are_taken_to_its_end() {
    let (_connection, session, mut agent) = open_as(Pondering, json!({})).await;
    assert!(!session.cancel(), "there is no turn");
    let mut turn = session.prompt("on").await.unwrap();
    let prompt = agent.next().await;
    agent.send(json!({ "id": "before", "method": "session/request_permission", "params": permission() })).await;
    let call = |status: &str| json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": status });
    agent.update(call("in_progress")).await;
    assert!(turn.next().await.unwrap().is_some());
    turn.cancel();
    turn.cancel();
    let expected = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": "s" } });
    assert_eq!(agent.next().await, expected);
    assert_eq!(agent.next().await, json!({ "jsonrpc": "2.0", "id": "before", "result": cancelled() }));
    // A later request for permission gets the same answer. The turn receives late updates.
    assert_eq!(agent.ask("session/request_permission", permission()).await["result"], cancelled());
    agent.update(call("failed")).await;
    agent.send(json!({ "id": prompt["id"], "result": { "stopReason": "cancelled" } })).await;
    let mut late = 0;
    while timeout(SOON, turn.next()).await.unwrap().unwrap().is_some() {
        late += 1;
    }
    assert_eq!((late, turn.end().unwrap().stop_reason), (1, Some(StopReason::Cancelled)));
    // The cancel does not reach the next turn.
    let mut turn = session.prompt("on").await.unwrap();
    agent.answer(json!({ "stopReason": "end_turn" })).await;
    assert!(turn.next().await.unwrap().is_none());
    agent.hears_nothing().await;
}

#[tokio::test]
async fn a_request_that_nobody_waits_for_is_withdrawn() {
    let (connection, _session, mut agent) = open_as(Nothing, json!({})).await;
    let nothing = json!({});
    let bound = Duration::from_millis(50);
    assert!(timeout(bound, connection.ext_request::<Value>("_vendor/slow", &nothing)).await.is_err());
    let asked = agent.next().await;
    let expected = json!({ "jsonrpc": "2.0", "method": "$/cancel_request", "params": { "requestId": asked["id"] } });
    assert_eq!(agent.next().await, expected);
    // The agent may still answer the withdrawn request.
    agent.send(json!({ "id": asked["id"], "error": { "code": -32800, "message": "cancelled" } })).await;
    agent.hears_nothing().await;
    let (answer, _) = tokio::join!(connection.ext_request::<u32>("_vendor/next", &nothing), agent.answer(json!(2)));
    assert_eq!(answer.unwrap(), 2);
}

#[tokio::test]
async fn a_request_that_the_agent_withdraws_is_answered_all_the_same() {
    let (_connection, _session, mut agent) = open_as(Pondering, json!({})).await;
    let read = json!({ "sessionId": "s", "path": "/a" });
    agent.send(json!({ "id": 1, "method": "fs/read_text_file", "params": read })).await;
    agent.send(json!({ "id": "1", "method": "session/request_permission", "params": permission() })).await;
    // Other ids name other requests, and so does an id of another type.
    for id in [json!(2), json!("2"), json!(null), json!(1.5)] {
        agent.send(json!({ "method": "$/cancel_request", "params": { "requestId": id } })).await;
        agent.hears_nothing().await;
    }
    agent.send(json!({ "method": "$/cancel_request", "params": { "requestId": 1 } })).await;
    let answer = agent.next().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32800)));
    agent.send(json!({ "method": "$/cancel_request", "params": { "requestId": "1" } })).await;
    assert_eq!(agent.next().await, json!({ "jsonrpc": "2.0", "id": "1", "result": cancelled() }));
    // The withdrawn request gets only one answer.
    agent.send(json!({ "method": "$/cancel_request", "params": { "requestId": 1 } })).await;
    agent.hears_nothing().await;
}
