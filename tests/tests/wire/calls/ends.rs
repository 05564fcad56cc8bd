//! The end of a tool call is one update, with all that the tool has brought.

use acp_tests::peer::Peer;
use serde_json::{Value, json};

use super::agent::Worker;

/// The updates of a turn, without the ids of calls.
async fn told(prompt: &str) -> Vec<Value> {
    let (mut peer, id) = Peer::session(Worker).await;
    assert_eq!(peer.turn(&id, prompt).await, "end_turn");
    let mut updates = peer.updates();
    for update in &mut updates {
        update.as_object_mut().unwrap().remove("toolCallId");
    }
    updates
}

fn text(text: &str) -> Value {
    json!({ "type": "content", "content": { "type": "text", "text": text } })
}

// TOOL-04
#[tokio::test]
async fn raw_output_and_locations_come_with_the_end() {
    let told = told("end found").await;
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(told[0]["locations"], json!([{ "path": "/a", "line": 3 }]));
    let end = json!({
        "sessionUpdate": "tool_call_update", "status": "completed", "content": [text("1 hit")],
        "rawOutput": { "hits": 1 },
        "locations": [{ "path": "/a", "line": 3 }, { "path": "/b", "line": 7 }, { "path": "/c" }],
    });
    assert_eq!(told[1], end);
}

// TOOL-04
#[tokio::test]
async fn a_result_ends_its_call_as_completed_or_failed() {
    let ends = [
        (
            "ok",
            json!({
                "status": "completed", "rawOutput": "raw",
                "content": [{ "type": "diff", "path": "/a", "newText": "new" }],
            }),
        ),
        ("error", json!({ "status": "failed", "content": [text("no such index")] })),
        ("causes", json!({ "status": "failed", "content": [text("the index is not reachable: connection refused")] })),
    ];
    for (how, mut end) in ends {
        end["sessionUpdate"] = json!("tool_call_update");
        assert_eq!(told(&format!("end {how}")).await[1..], [end], "{how}");
    }
}

// TOOL-05
#[tokio::test]
async fn a_line_zero_at_the_end_is_refused_and_the_call_has_failed() {
    let (mut peer, id) = Peer::session(Worker).await;
    let turn = peer.prompt(&id, "end zero").await;
    assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603);
    let states: Vec<_> = peer.updates().iter().map(|update| update["status"].clone()).collect();
    assert_eq!(states, [Value::Null, json!("failed")]);
}

// TOOL-06
#[tokio::test]
async fn an_empty_text_takes_the_content_away_and_shows_no_block() {
    let shown: Vec<_> = told("empty").await.into_iter().map(|mut update| update["content"].take()).collect();
    assert_eq!(shown, [json!([text("50%")]), json!([text("a")]), json!([]), Value::Null, json!([])]);
}

// TOOL-06
#[tokio::test]
async fn the_usual_contents_need_no_conversion() {
    let shown: Vec<_> = told("contents").await.into_iter().map(|mut update| update["content"].take()).collect();
    let terminal = json!({ "type": "terminal", "terminalId": "t" });
    let expected = [
        json!([text("a"), text("b"), text("c")]),
        json!([text("d")]),
        json!([terminal]),
        json!([text("e"), terminal]),
        Value::Null,
    ];
    assert_eq!(shown, expected);
}

/// A client merges the call of the request into what it knows. So the request must not repeat what is out of date.
// PERM-01
#[tokio::test]
async fn a_request_for_permission_has_the_call_as_it_is_now() {
    let (mut peer, id) = Peer::session(Worker).await;
    peer.prompt(&id, "changed").await;
    let call = peer.asked("session/request_permission").await.params["toolCall"].take();
    assert_eq!(call["content"], json!([text("second draft")]));
    assert_eq!(call["title"], "Edit two files");
    assert_eq!(call["locations"], json!([{ "path": "/a" }]), "these have not changed");
}

/// The usual line of a loop over tools is `call.finish(result).await?`. It must not go on after a cancel.
// TOOL-04, CANCEL-05
#[tokio::test]
async fn a_tool_that_a_cancel_ends_has_failed_and_its_end_returns_the_cancel() {
    let (mut peer, id) = Peer::session(Worker).await;
    for (how, status) in [("cancelled", "failed"), ("in time", "completed")] {
        let turn = peer.prompt(&id, &format!("loop {how}")).await;
        while peer.update().await["content"]["text"] != "waiting" {}
        peer.cancel(&id).await;
        assert_eq!(peer.stop_reason(turn).await, "cancelled");
        let updates = peer.updates();
        assert_eq!(updates[0]["status"], status, "{how}: {updates:?}");
        let went_on = updates.iter().any(|update| update["content"]["text"] == "the next tool");
        // A tool that succeeds has its result, and the handler decides.
        assert_eq!(went_on, how == "in time", "{updates:?}");
    }
}

/// A client may withdraw a request of its own accord. This is an error of the tool, and the turn goes on.
#[tokio::test]
async fn a_tool_whose_error_is_that_of_a_cancel_does_not_end_a_turn_that_is_not_cancelled() {
    let (mut peer, id) = Peer::session(Worker).await;
    assert_eq!(peer.turn(&id, "end withdrawn").await, "end_turn");
    let updates = peer.updates();
    assert_eq!(updates.last().expect("the end of the call")["status"], "failed", "{updates:?}");
}
