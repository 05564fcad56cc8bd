//! The cancellation of turns and of requests: too early, in time, and too late.

use acp_tests::peer::{Message, Peer, prompt};
use serde_json::json;

use crate::wire::agents::Scripted;

/// A session with a turn that waits for its cancellation. Also returns the id of the prompt.
async fn waiting(how: &str) -> (Peer, String, i64) {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let turn = peer.prompt(&id, how).await;
    assert_eq!(peer.update().await["content"]["text"], "waiting");
    (peer, id, turn)
}

// CANCEL-02
#[tokio::test]
async fn a_running_turn_is_cancelled() {
    let (mut peer, id, turn) = waiting("wait").await;
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
}

// CANCEL-02, CANCEL-03
#[tokio::test]
async fn a_cancelled_turn_is_answered_so_however_its_handler_ends() {
    for how in ["wait politely", "wait and-fail", "wait and-panic"] {
        let (mut peer, id, turn) = waiting(how).await;
        peer.cancel(&id).await;
        assert_eq!(peer.stop_reason(turn).await, "cancelled", "{how}");
        assert_eq!(peer.turn(&id, "hello").await, "end_turn", "after {how}");
    }
}

// CANCEL-04
#[tokio::test]
async fn updates_after_the_cancel_precede_the_answer() {
    let (mut peer, id, turn) = waiting("wait politely").await;
    peer.cancel(&id).await;
    let Message::Notification { params, .. } = peer.next().await else { panic!("the answer came first") };
    assert_eq!(params["update"]["content"]["text"], "last words");
    let answer = Message::Answer { id: json!(turn), outcome: Ok(json!({ "stopReason": "cancelled" })) };
    assert_eq!(peer.next().await, answer);
    assert_eq!(peer.settled().await, []);
}

async fn cancel_with_the_prompt() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": id } });
    for round in 0..50 {
        let (turn, message) = peer.request_message("session/prompt", prompt(&id, "wait"));
        peer.send_together(&[message, cancel.clone()]).await;
        assert_eq!(peer.stop_reason(turn).await, "cancelled", "round {round}");
    }
}

/// Some agents clear a flag when a turn starts, and then lose a cancel that they read before the handler has run.
#[tokio::test]
async fn a_cancel_in_the_same_write_as_the_prompt_is_not_lost() {
    cancel_with_the_prompt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_in_the_same_write_as_the_prompt_is_not_lost_on_many_threads() {
    cancel_with_the_prompt().await;
}

// CANCEL-09
#[tokio::test]
async fn a_cancel_without_a_turn_does_nothing() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    peer.cancel(&id).await;
    peer.cancel("no such session").await;
    assert_eq!(peer.settled().await, []);
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
    peer.cancel(&id).await;
    peer.cancel(&id).await;
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
}

// CANCEL-10
#[tokio::test]
async fn other_sessions_go_on() {
    let (mut peer, first, turn) = waiting("wait").await;
    let second = peer.new_session().await;
    let other = peer.prompt(&second, "wait").await;
    assert_eq!(peer.update().await["content"]["text"], "waiting");
    peer.cancel(&first).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    assert_eq!(peer.settled().await, [], "the second turn still runs");
    peer.cancel(&second).await;
    assert_eq!(peer.stop_reason(other).await, "cancelled");
}

// CANCEL-08: some clients send `session/cancel` as a request.
#[tokio::test]
async fn a_cancel_with_an_id_is_answered_and_works() {
    let (mut peer, id, turn) = waiting("wait").await;
    assert_eq!(peer.call("session/cancel", json!({ "sessionId": id })).await, Ok(json!({})));
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
}

// TRANS-07: a client that hangs up cancels its turns. The agent still sends the messages that it writes after that.
#[tokio::test]
async fn a_client_that_hangs_up_cancels_its_turns() {
    let (mut peer, _, turn) = waiting("wait politely").await;
    assert!(peer.hang_up().await.well());
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    assert_eq!(peer.updates()[0]["content"]["text"], "last words");
}

// CREQ-02, CREQ-07
#[tokio::test]
async fn a_prompt_that_is_withdrawn_is_answered_as_cancelled() {
    let (mut peer, id, turn) = waiting("wait").await;
    peer.notify("$/cancel_request", json!({ "requestId": turn })).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
}

// CREQ-02, CREQ-04
#[tokio::test]
async fn another_request_that_is_withdrawn_is_answered_with_an_error() {
    let (mut peer, _) = Peer::session(Scripted::default()).await;
    let forever = peer.request("_acp-tests.dev/forever", json!({})).await;
    assert_eq!(peer.settled().await, []);
    peer.notify("$/cancel_request", json!({ "requestId": forever })).await;
    assert_eq!(peer.answer(forever).await.unwrap_err().code, -32800);
}

// CREQ-06
#[tokio::test]
async fn only_the_request_with_the_very_id_is_withdrawn() {
    let (mut peer, id, turn) = waiting("wait").await;
    for other in [json!(turn.to_string()), json!(turn + 1000), json!(null), json!({})] {
        peer.notify("$/cancel_request", json!({ "requestId": other })).await;
    }
    assert_eq!(peer.settled().await, [], "the turn still runs");
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    peer.notify("$/cancel_request", json!({ "requestId": turn })).await;
    assert_eq!(peer.settled().await, []);
}

// CREQ-05, CANCEL-06
#[tokio::test]
async fn what_a_cancelled_turn_asked_is_withdrawn() {
    for (command, method) in
        [("tool", "session/request_permission"), ("read /a", "fs/read_text_file"), ("call", "_acp-tests.dev/call")]
    {
        let (mut peer, id) = Peer::session(Scripted::default()).await;
        let turn = peer.prompt(&id, command).await;
        let asked = peer.asked(method).await;
        peer.cancel(&id).await;
        assert_eq!(peer.stop_reason(turn).await, "cancelled", "{command}");
        let withdrawn = peer.notified("$/cancel_request").await;
        assert_eq!(withdrawn["requestId"], asked.id, "{command}");
        peer.updates();
        // CREQ-08: the client may still answer the withdrawn request. The agent ignores this answer.
        peer.reply(&asked, json!({ "outcome": { "outcome": "cancelled" } })).await;
        peer.refuse(&asked, -32800, "cancelled").await;
        assert_eq!(peer.settled().await, [], "{command}");
        assert_eq!(peer.turn(&id, "hello").await, "end_turn", "{command}");
    }
}

// RPC-12: both sides number their own requests, so the same id may occur in both directions.
#[tokio::test]
async fn the_agents_ids_and_the_clients_do_not_meet() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let turn = peer.prompt(&id, "read /a").await;
    let asked = peer.asked("fs/read_text_file").await;
    let same =
        json!({ "jsonrpc": "2.0", "id": asked.id, "method": "_acp-tests.dev/add", "params": { "a": 1, "b": 1 } });
    peer.send_line(same.to_string()).await;
    assert_eq!(peer.answer_to(&asked.id).await, Ok(json!({ "sum": 2 })));
    peer.notify("$/cancel_request", json!({ "requestId": asked.id })).await;
    peer.reply(&asked, json!({ "content": "text" })).await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "text");
}
