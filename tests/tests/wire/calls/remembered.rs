//! Permissions with "always": the session asks once for a key.

use acp_tests::peer::{Asked, Message, Peer};
use serde_json::{Value, json};

use super::agent::Worker;

/// Answers the open question with this option.
async fn select(peer: &mut Peer, asked: &Asked, option: &str) {
    peer.reply(asked, json!({ "outcome": { "outcome": "selected", "optionId": option } })).await;
}

/// The agent's words.
fn said(peer: &mut Peer) -> Vec<String> {
    let updates = peer.updates().into_iter();
    updates.filter_map(|update| Some(update["content"]["text"].as_str()?.to_owned())).collect()
}

/// A turn whose question gets this option. Returns the agent's words.
async fn answered(peer: &mut Peer, session: &str, prompt: &str, option: &str) -> Vec<String> {
    let turn = peer.prompt(session, prompt).await;
    let asked = peer.asked("session/request_permission").await;
    select(peer, &asked, option).await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn", "{prompt}");
    said(peer)
}

/// A turn that asks nothing.
async fn unasked(peer: &mut Peer, session: &str, prompt: &str) -> Vec<String> {
    assert_eq!(peer.turn(session, prompt).await, "end_turn", "{prompt}");
    said(peer)
}

// PERM-02
#[tokio::test]
async fn a_lasting_question_offers_once_and_always() {
    let (mut peer, id) = Peer::session(Worker).await;
    peer.prompt(&id, "ask make").await;
    let asked = peer.asked("session/request_permission").await;
    let option = |id: &str, name: &str, kind: &str| json!({ "optionId": id, "name": name, "kind": kind });
    let options = json!([
        option("allow", "Allow", "allow_once"),
        option("allow_always", "Always allow", "allow_always"),
        option("reject", "Reject", "reject_once"),
        option("reject_always", "Always reject", "reject_always"),
    ]);
    assert_eq!(asked.params["options"], options);
}

// PERM-02
#[tokio::test]
async fn a_question_that_is_awaited_without_ask_asks_the_user() {
    let (mut peer, id) = Peer::session(Worker).await;
    let told = answered(&mut peer, &id, "await make", "allow_always").await;
    assert_eq!(told, ["allowed true, lasting true, remembered false"]);
    assert_eq!(unasked(&mut peer, &id, "await make").await, ["allowed true, lasting true, remembered true"]);
}

// PERM-05
#[tokio::test]
async fn the_user_is_asked_no_more_after_always() {
    let (mut peer, id) = Peer::session(Worker).await;
    for (option, key, allowed) in [("allow_always", "make", true), ("reject_always", "rm", false)] {
        let prompt = format!("ask {key}");
        let first = answered(&mut peer, &id, &prompt, option).await;
        assert_eq!(first, [format!("allowed {allowed}, lasting true, remembered false")], "{option}");
        for _ in 0..2 {
            let again = unasked(&mut peer, &id, &prompt).await;
            assert_eq!(again, [format!("allowed {allowed}, lasting true, remembered true")], "{option}");
        }
    }
    assert_eq!(answered(&mut peer, &id, "ask curl", "allow").await.len(), 1, "another key is asked for");
    let other = peer.new_session().await;
    assert_eq!(answered(&mut peer, &other, "ask make", "allow").await.len(), 1, "another session knows nothing");
}

/// An approval that is remembered reports the call as in progress, as each approval.
// TOOL-04
#[tokio::test]
async fn a_remembered_approval_lets_the_call_run() {
    let (mut peer, id) = Peer::session(Worker).await;
    answered(&mut peer, &id, "ask make", "allow_always").await;
    assert_eq!(peer.turn(&id, "ask make").await, "end_turn");
    let states: Vec<_> = peer.updates().into_iter().map(|mut update| update["status"].take()).collect();
    assert_eq!(states, [Value::Null, json!("in_progress"), Value::Null, json!("completed")]);
}

// PERM-05
#[tokio::test]
async fn nothing_but_always_is_remembered() {
    let (mut peer, id) = Peer::session(Worker).await;
    for option in ["allow", "reject", "made_up", "allow"] {
        let said = answered(&mut peer, &id, "ask make", option).await;
        assert_eq!(said, [format!("allowed {}, lasting false, remembered false", option == "allow")]);
    }
    let turn = peer.prompt(&id, "ask make").await;
    let asked = peer.asked("session/request_permission").await;
    peer.refuse(&asked, -32603, "no user").await;
    peer.stop_reason(turn).await;
    assert_eq!(unasked(&mut peer, &id, "known").await.last().unwrap(), "{}");
}

// PERM-05, CANCEL-02
#[tokio::test]
async fn an_approval_in_a_cancelled_turn_is_neither_granted_nor_remembered() {
    let (mut peer, id) = Peer::session(Worker).await;
    let turn = peer.prompt(&id, "ask make").await;
    let asked = peer.asked("session/request_permission").await;
    peer.cancel(&id).await;
    select(&mut peer, &asked, "allow_always").await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    let states: Vec<_> = peer.updates().into_iter().map(|mut update| update["status"].take()).collect();
    assert_eq!(states, [Value::Null, json!("failed")]);
    assert_eq!(unasked(&mut peer, &id, "known").await, ["{}"]);
}

#[tokio::test]
async fn a_second_question_of_a_key_waits_for_the_first_answer() {
    let (mut peer, id) = Peer::session(Worker).await;
    let turn = peer.prompt(&id, "both make make").await;
    let asked = peer.asked("session/request_permission").await;
    let others = peer.settled().await;
    assert!(!others.iter().any(|other| matches!(other, Message::Request { .. })), "{others:?}");
    select(&mut peer, &asked, "allow_always").await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    let mut told = said(&mut peer);
    told.sort();
    assert_eq!(told, ["allowed true, lasting true, remembered false", "allowed true, lasting true, remembered true"]);

    let turn = peer.prompt(&id, "both cargo cargo").await;
    for option in ["allow", "reject"] {
        let asked = peer.asked("session/request_permission").await;
        select(&mut peer, &asked, option).await;
    }
    assert_eq!(peer.stop_reason(turn).await, "end_turn", "an answer for one time is for one call");
    said(&mut peer);

    let turn = peer.prompt(&id, "both a b").await;
    let (first, second) =
        (peer.asked("session/request_permission").await, peer.asked("session/request_permission").await);
    for asked in [second, first] {
        select(&mut peer, &asked, "allow").await;
    }
    assert_eq!(peer.stop_reason(turn).await, "end_turn", "other keys are asked for at once");
}

#[tokio::test]
async fn a_decision_about_a_tool_is_by_its_name_or_its_kind() {
    let (mut peer, id) = Peer::session(Worker).await;
    answered(&mut peer, &id, "tool write_file edit", "allow_always").await;
    unasked(&mut peer, &id, "tool write_file").await;
    answered(&mut peer, &id, "tool edit", "reject_always").await;
    assert_eq!(unasked(&mut peer, &id, "tool edit").await, ["allowed false, lasting true, remembered true"]);
    assert_eq!(unasked(&mut peer, &id, "known").await, [r#"{"kind/edit":false,"tool/write_file":true}"#]);
    let turn = peer.prompt(&id, "tool").await;
    assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603, "any tool would be meant");
}

#[tokio::test]
async fn decisions_are_data_that_the_author_keeps_and_restores() {
    let (mut peer, id) = Peer::session(Worker).await;
    assert_eq!(unasked(&mut peer, &id, "known").await, ["{}"]);
    unasked(&mut peer, &id, "restore make allowed").await;
    assert_eq!(unasked(&mut peer, &id, "ask make").await, ["allowed true, lasting true, remembered true"]);
    assert_eq!(unasked(&mut peer, &id, "known").await, [r#"{"make":true}"#]);
    unasked(&mut peer, &id, "restore make rejected").await;
    assert_eq!(unasked(&mut peer, &id, "ask make").await, ["allowed false, lasting true, remembered true"]);
    assert_eq!(unasked(&mut peer, &id, "forget make").await, ["Some(false)"]);
    assert_eq!(unasked(&mut peer, &id, "forget make").await, ["None"]);
    assert_eq!(answered(&mut peer, &id, "ask make", "allow").await.len(), 1);
}
