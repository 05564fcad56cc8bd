//! Prompt turns: their updates and their end.

use acp_tests::peer::{Message, Peer};
use serde_json::{Value, json};

use crate::wire::agents::Scripted;

async fn count(number: usize) {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let turn = peer.prompt(&id, &format!("count {number}")).await;
    for expected in 0..number {
        let Message::Notification { params, .. } = peer.next().await else {
            panic!("the answer before update {expected}")
        };
        let content = json!({ "type": "text", "text": expected.to_string() });
        let update = json!({ "sessionUpdate": "agent_message_chunk", "content": content });
        assert_eq!(params, json!({ "sessionId": id, "update": update }));
    }
    let answer = Message::Answer { id: json!(turn), outcome: Ok(json!({ "stopReason": "end_turn" })) };
    assert_eq!(peer.next().await, answer);
    assert_eq!(peer.settled().await, []);
}

// PROMPT-01, PROMPT-05
#[tokio::test]
async fn every_update_of_a_turn_precedes_its_answer() {
    count(3000).await;
}

// PROMPT-01, PROMPT-05
#[tokio::test(flavor = "multi_thread")]
async fn every_update_of_a_turn_precedes_its_answer_on_many_threads() {
    count(3000).await;
}

// PROMPT-02
#[tokio::test]
async fn a_turn_ends_for_the_reason_that_the_handler_gives() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    for reason in ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"] {
        assert_eq!(peer.turn(&id, &format!("stop {reason}")).await, reason);
    }
}

// PROMPT-07
#[tokio::test]
async fn a_session_remembers_its_turns() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    for prompt in ["one", "panic", "two"] {
        let request = peer.prompt(&id, prompt).await;
        let _ = peer.answer(request).await;
    }
    peer.updates();
    peer.turn(&id, "history").await;
    assert_eq!(peer.updates()[0]["content"]["text"], "one|panic|two|history");
}

// PROMPT-08
#[tokio::test]
async fn a_second_prompt_for_a_busy_session_is_refused_and_the_first_goes_on() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let first = peer.prompt(&id, "wait politely").await;
    assert_eq!(peer.update().await["content"]["text"], "waiting");
    let second = peer.prompt(&id, "hello").await;
    assert_eq!(peer.answer(second).await.unwrap_err().code, -32600);
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(first).await, "cancelled");
    assert_eq!(peer.updates()[0]["content"]["text"], "last words", "the first turn was not disturbed");
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
}

// PROMPT-08: one write holds both prompts, so the agent reads the second before the first handler has run.
#[tokio::test]
async fn of_two_prompts_in_one_write_the_first_runs() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let (first, one) = peer.request_message("session/prompt", acp_tests::peer::prompt(&id, "one"));
    let (second, two) = peer.request_message("session/prompt", acp_tests::peer::prompt(&id, "two"));
    peer.send_together(&[one, two]).await;
    assert_eq!(peer.answer(second).await.unwrap_err().code, -32600);
    assert_eq!(peer.stop_reason(first).await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "one");
}

// SESS-04, RPC-12
#[tokio::test]
async fn sessions_run_at_the_same_time() {
    let (mut peer, slow) = Peer::session(Scripted::default()).await;
    let quick = peer.new_session().await;
    let waiting = peer.prompt(&slow, "wait").await;
    peer.update().await;
    assert_eq!(peer.turn(&quick, "hello").await, "end_turn");
    peer.new_session().await;
    peer.cancel(&slow).await;
    assert_eq!(peer.stop_reason(waiting).await, "cancelled");
}

// INIT-11, PROMPT-03, PROMPT-04, PROMPT-10, CONTENT-01, CONTENT-02
#[tokio::test]
async fn prompts_hold_what_was_advertised() {
    let agent = Scripted::default();
    let handled = agent.handled.clone();
    let (mut peer, id) = Peer::session(agent).await;
    let text = json!({ "type": "text", "text": "hello" });
    let cases = [
        (json!([text]), true),
        (json!([]), true),
        (json!([{ "type": "resource_link", "uri": "file:///a", "name": "a" }, text]), true),
        (json!([{ "type": "audio", "data": "AAAA", "mimeType": "audio/wav" }]), true),
        (json!([{ "type": "text", "text": "hello", "annotations": { "priority": 1 }, "_meta": { "a": 1 } }]), true),
        (json!([text, { "type": "image", "data": "AAAA", "mimeType": "image/png" }]), false),
        (json!([{ "type": "resource", "resource": { "uri": "file:///a", "text": "a" } }]), false),
        (json!([text, { "type": "video", "data": "AAAA" }]), false),
        (json!([text, { "type": "text" }]), false),
        (json!([text, 5]), false),
    ];
    for (prompt, taken) in cases {
        let before = handled.get();
        let answer = peer.call("session/prompt", json!({ "sessionId": id, "prompt": prompt })).await;
        match answer {
            Ok(answer) => assert!(taken && answer["stopReason"] == "end_turn", "{prompt}: {answer}"),
            Err(refusal) => assert!(!taken && refusal.code == -32602, "{prompt}: {refusal:?}"),
        }
        assert_eq!(handled.get() - before, usize::from(taken), "{prompt}");
    }
}

// TOOL-01, TOOL-02, TOOL-04
#[tokio::test]
async fn a_tool_call_that_was_given_up_is_reported_as_failed() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let turn = peer.prompt(&id, "tool").await;
    peer.asked("session/request_permission").await;
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    let updates = peer.updates();
    let states: Vec<_> = updates.iter().map(|update| update["status"].clone()).collect();
    // The schema's default of a tool call's status is `pending`.
    assert!(matches!(&states[0], Value::Null) || states[0] == "pending", "{states:?}");
    assert_eq!(states.last().unwrap(), "failed");
    assert_eq!(updates[0]["toolCallId"], updates.last().unwrap()["toolCallId"]);
}
