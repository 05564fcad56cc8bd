//! What the random schedules have found, one test each.

use acp_runtime::{
    __private::Threaded,
    agent::{Handlers, Host},
};
use serde_json::json;

use super::{
    SESSIONS,
    agent::{Holding, Shared, Steering},
    client::{Client, Purpose},
};

const ID: &str = SESSIONS[0];

async fn opened() -> Client {
    opened_with(Holding(Shared::new())).await
}

async fn opened_with<A: Handlers<Threading = Threaded> + Send + Sync>(agent: A) -> Client {
    let mut client = Client::new(&Host::new(agent)).await;
    let params = json!({ "sessionId": ID, "cwd": "/", "mcpServers": [] });
    let id = client.request(ID, Purpose::Open, "session/resume", params).await;
    client.until_answered(id).await.expect("a session");
    client
}

/// Cancels the tool call that may be cancelled, once there is one.
async fn cancel_call(client: &mut Client) {
    while client.seen[ID].cancellable.is_empty() {
        client.settle().await;
    }
    let params = json!({ "sessionId": ID, "toolCallId": client.seen[ID].cancellable[0] });
    let id = client.request(ID, Purpose::Other, "tool_call/cancel", params).await;
    client.until_answered(id).await.expect("it may be cancelled");
    client.settle().await;
}

async fn until(client: &mut Client, state: &str) {
    while client.seen[ID].state.as_deref() != Some(state) {
        client.settle().await;
    }
    client.mark();
}

#[tokio::test]
async fn a_tool_call_that_has_ended_cannot_be_cancelled() {
    let mut client = opened().await;
    client.prompt(ID, "cancellable").await;
    cancel_call(&mut client).await;
    until(&mut client, "idle").await;
    assert!(client.story().contains(r#""status":"cancelled","capabilities":null"#), "{}", client.story());
    client.judged();
}

#[tokio::test]
async fn work_that_is_cancelled_does_not_wait_for_the_user() {
    let mut client = opened().await;
    let id = client.prompt(ID, "wait, then ask").await;
    client.until_answered(id).await.expect("it is inserted");
    until(&mut client, "running").await;
    client.notify("session/cancel", json!({ "sessionId": ID })).await;
    until(&mut client, "idle").await;
    assert!(!client.story().contains("requires_action"), "{}", client.story());
    client.judged();
}

#[tokio::test]
async fn a_prompt_that_was_held_and_is_answered_cannot_be_withdrawn() {
    let mut client = opened().await;
    client.prompt(ID, "cancellable").await;
    let held = client.prompt(ID, "cancellable").await;
    cancel_call(&mut client).await;
    while client.seen[ID].cancellable.is_empty() {
        client.settle().await;
    }
    assert!(!client.open.contains_key(&held), "it is answered");
    client.notify("$/cancel_request", json!({ "requestId": held })).await;
    client.settle().await;
    assert_eq!(client.seen[ID].state.as_deref(), Some("running"), "{}", client.story());
    cancel_call(&mut client).await;
    until(&mut client, "idle").await;
    client.judged();
}

/// The states that the client was told of, with their stop reasons.
fn states(client: &Client) -> Vec<String> {
    let story = client.story();
    let updates = story.lines().filter_map(|line| line.split_once(r#""state":""#));
    updates.map(|(_, rest)| rest.replace(['"', '}'], "").replace(",stopReason:", " ")).collect()
}

#[tokio::test]
async fn the_end_of_cancelled_work_is_told_before_work_that_has_begun_since() {
    let mut client = opened().await;
    let id = client.prompt(ID, "wait").await;
    client.until_answered(id).await.expect("it is inserted");
    until(&mut client, "running").await;
    client.notify("session/cancel", json!({ "sessionId": ID })).await;
    client.prompt(ID, "/look").await;
    while states(&client).len() < 5 {
        client.settle().await;
    }
    assert_eq!(
        states(&client),
        ["idle", "running", "idle cancelled", "running", "idle end_turn"],
        "{}",
        client.story()
    );
    client.judged();
}

#[tokio::test]
async fn a_prompt_that_joins_the_turn_does_not_overtake_one_that_waits() {
    let mut client = opened_with(Steering(Shared::new())).await;
    client.prompt(ID, "wait").await;
    until(&mut client, "running").await;
    let (earlier, later) = (client.prompt(ID, "late work").await, client.prompt(ID, "wait").await);
    client.settle().await;
    client.settle().await;
    client.notify("session/cancel", json!({ "sessionId": ID })).await;
    for id in [earlier, later] {
        if client.open.contains_key(&id) {
            assert_eq!(client.until_answered(id).await.expect_err("it was held")["code"], -32800);
        }
    }
    until(&mut client, "idle").await;
    client.judged();
}

#[tokio::test]
async fn a_cancelled_prompt_that_steer_has_refused_is_answered_as_cancelled() {
    let mut client = opened_with(Steering(Shared::new())).await;
    client.prompt(ID, "wait").await;
    until(&mut client, "running").await;
    let refused = client.prompt(ID, "c").await;
    client.notify("session/cancel", json!({ "sessionId": ID })).await;
    assert_eq!(client.until_answered(refused).await.expect_err("it is cancelled")["code"], -32800);
    until(&mut client, "idle").await;
    client.judged();
}

#[tokio::test]
async fn work_that_begins_while_its_session_ends_is_told_as_cancelled() {
    let mut began = 0;
    for pauses in 0..40 {
        let mut client = opened().await;
        let id = client.prompt(ID, "late work").await;
        client.until_answered(id).await.expect("it is inserted");
        until(&mut client, "idle").await;
        for _ in 0..pauses {
            tokio::task::yield_now().await;
        }
        // The first close fails, as the agent is told.
        for _ in 0..2 {
            let close = client.request(ID, Purpose::End, "session/close", json!({ "sessionId": ID })).await;
            // The client checks that it leaves no work.
            let _ = client.until_answered(close).await;
        }
        began += usize::from(states(&client).len() > 3);
        client.judged();
    }
    assert!(began > 0, "the work did not begin");
}
