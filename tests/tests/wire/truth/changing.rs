//! Changes of options that wait for an answer of the client. No other call waits for them without end.

use acp_tests::peer::{Message, Peer};
use serde_json::json;

use super::agent::{Config, load, model, session, set};

/// Starts a change that waits for the client. Returns the id of the question to the client.
async fn waiting_set(peer: &mut Peer) -> i64 {
    let setting = peer.request("session/set_config_option", set("asked")).await;
    peer.asked("_acp-tests.dev/sure").await;
    setting
}

#[tokio::test]
async fn a_set_that_waits_for_the_client_can_be_withdrawn() {
    let (mut peer, _) = session().await;
    let setting = waiting_set(&mut peer).await;
    peer.notify("$/cancel_request", json!({ "requestId": setting })).await;
    assert_eq!(peer.answer(setting).await.expect_err("withdrawn").code, -32800);
    peer.notified("$/cancel_request").await;
    let answer = peer.call("session/set_config_option", set("smart")).await.expect("the session is not locked");
    assert_eq!(model(&answer), "smart");
}

#[tokio::test]
async fn a_close_ends_a_set_that_waits_for_the_client() {
    let (mut peer, _) = session().await;
    let setting = waiting_set(&mut peer).await;
    let behind = peer.request("session/set_config_option", set("smart")).await;
    peer.call("session/close", json!({ "sessionId": "s" })).await.expect("closed");
    for set in [setting, behind] {
        let refused = peer.answer(set).await.expect_err("the session is closed");
        // When they are answered, the session is not there any more.
        assert_eq!(refused.code, -32002, "{refused:?}");
        assert!(refused.message.contains("no session"), "{refused:?}");
    }
}

/// Each change waits for the change before it, and the first change waits for the client.
#[tokio::test]
async fn a_close_ends_what_waits_behind_a_set() {
    for end in ["session/close", "session/delete"] {
        let (mut peer, _) = session().await;
        let setting = waiting_set(&mut peer).await;
        let turn = peer.prompt("s", "change by handle").await;
        peer.settled().await;
        let loading = peer.request("session/load", load()).await;
        peer.call(end, json!({ "sessionId": "s" })).await.expect("nothing keeps it waiting");
        assert_eq!(peer.answer(setting).await.expect_err("ended").code, -32600);
        assert_eq!(peer.stop_reason(turn).await, "cancelled");
        peer.answer(loading).await.expect("loaded before the end");
    }
}

#[tokio::test]
async fn a_close_ends_a_load_whose_hook_waits() {
    let (mut peer, shared) = session().await;
    let setting = waiting_set(&mut peer).await;
    let asked = json!({ "jsonrpc": "2.0", "id": 0, "result": {} });
    peer.send_line(asked.to_string()).await;
    peer.answer(setting).await.expect("set");
    let stored = Config::with_default_options();
    *shared.restored.lock().unwrap() = Some(stored);
    let loading = peer.request("session/load", load()).await;
    peer.asked("_acp-tests.dev/sure").await;
    peer.call("session/close", json!({ "sessionId": "s" })).await.expect("closed");
    assert_eq!(peer.answer(loading).await.expect_err("its hook is given up").code, -32600);
}

#[tokio::test]
async fn a_cancelled_turn_does_not_wait_for_a_set() {
    let (mut peer, _) = session().await;
    let setting = waiting_set(&mut peer).await;
    let turn = peer.prompt("s", "change").await;
    peer.settled().await;
    peer.cancel("s").await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    peer.notify("$/cancel_request", json!({ "requestId": setting })).await;
    assert_eq!(peer.answer(setting).await.expect_err("withdrawn").code, -32800);
}

#[tokio::test]
async fn a_hook_that_changes_options_through_a_handle_is_told_so() {
    let (mut peer, _) = session().await;
    assert_eq!(peer.turn("s", "keep").await, "end_turn");
    let refused = peer.call("session/set_config_option", set("tangled")).await.expect_err("it would wait for itself");
    assert_eq!(refused.code, -32603);
    assert!(refused.message.contains("`&mut Config`"), "{refused:?}");
    let answer = peer.call("session/set_config_option", set("smart")).await.expect("the session is not locked");
    assert_eq!(model(&answer), "smart");
    assert!(!peer.settled().await.iter().any(|message| matches!(message, Message::Notification { .. })));
}

/// The agent makes these changes by itself, so there is no request to withdraw.
#[tokio::test]
async fn a_cancel_ends_changes_of_the_agent_that_wait() {
    for prompt in ["change to asked", "change to knot"] {
        let (mut peer, _) = session().await;
        let turn = peer.prompt("s", prompt).await;
        if prompt == "change to asked" {
            peer.asked("_acp-tests.dev/sure").await;
        }
        peer.settled().await;
        peer.notify("session/cancel", json!({ "sessionId": "s" })).await;
        assert_eq!(peer.stop_reason(turn).await, "cancelled", "{prompt}");
        let answer = peer.call("session/set_config_option", set("smart")).await.expect("the session is not locked");
        assert_eq!(model(&answer), "smart", "{prompt}");
    }
}
