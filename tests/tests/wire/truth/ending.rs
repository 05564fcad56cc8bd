//! `session/close` and `session/delete`. The session is over when the call has a result, and not before.

use acp_runtime::prelude::Error;
use acp_tests::peer::{Message, prompt};
use serde_json::{Value, json};

use super::agent::{Config, Model, load, session, set, told, waiting_session};

fn named() -> Value {
    json!({ "sessionId": "s" })
}

#[tokio::test]
async fn a_session_does_not_come_back_with_a_load_from_before_its_end() {
    for end in ["session/close", "session/delete"] {
        let (mut peer, shared) = waiting_session().await;
        let loading = peer.request("session/load", load()).await;
        let ending = peer.request(end, named()).await;
        peer.settled().await;
        shared.let_a_load_go_on();
        peer.answer(loading).await.expect("loaded");
        peer.answer(ending).await.expect("ended");
        let refused = peer.call("session/prompt", prompt("s", "back?")).await.expect_err(end);
        assert_eq!(refused.code, -32002, "{end}");
        assert!(
            shared.seen().iter().any(|seen| seen.contains("loaded") && seen.contains("ing ")),
            "{end} what was loaded"
        );
    }
}

#[tokio::test]
async fn a_session_that_was_not_active_ends_behind_its_load_too() {
    let (mut peer, shared) = waiting_session().await;
    peer.call("session/close", named()).await.expect("closed");
    let loading = peer.request("session/load", load()).await;
    let closing = peer.request("session/close", named()).await;
    peer.settled().await;
    shared.let_a_load_go_on();
    peer.answer(loading).await.expect("loaded");
    peer.answer(closing).await.expect("closed");
    assert_eq!(peer.call("session/prompt", prompt("s", "back?")).await.expect_err("closed").code, -32002);
    assert_eq!(peer.call("session/close", named()).await.expect_err("closed").code, -32002);
}

#[tokio::test]
async fn a_withdrawn_close_leaves_the_session() {
    for end in ["session/close", "session/delete"] {
        let (mut peer, shared) = waiting_session().await;
        let turn = peer.prompt("s", "stubborn").await;
        let ending = peer.request(end, named()).await;
        peer.settled().await;
        peer.notify("$/cancel_request", json!({ "requestId": ending })).await;
        assert_eq!(peer.answer(ending).await.expect_err("withdrawn").code, -32800, "{end}");
        shared.turns.as_ref().unwrap().add_permits(1);
        assert_eq!(peer.stop_reason(turn).await, "cancelled", "{end}");
        peer.updates();
        assert_eq!(shared.seen(), Vec::<String>::new(), "{end}: no handler has run");
        assert_eq!(told(&mut peer, "history").await, "stubborn|history", "{end}");
        peer.call("session/set_config_option", set("smart")).await.expect("options can be changed");
        peer.call(end, named()).await.expect("now for good");
    }
}

#[tokio::test]
async fn an_end_that_fails_can_be_tried_again() {
    for end in ["session/close", "session/delete"] {
        let (mut peer, shared) = session().await;
        assert_eq!(peer.turn("s", "remember").await, "end_turn");
        *shared.failures.lock().unwrap() = 2;
        for _ in 0..2 {
            let refused = peer.call(end, named()).await.expect_err("the disk is full");
            assert_eq!(refused.code, -32603, "{end}");
        }
        peer.call("session/set_config_option", set("smart")).await.expect("options can be changed");
        assert_eq!(told(&mut peer, "history").await, "remember|history", "{end}: the state is whole");
        peer.call(end, named()).await.expect("ended");
        assert_eq!(peer.call("session/prompt", prompt("s", "back?")).await.expect_err(end).code, -32002);
    }
}

#[tokio::test]
async fn a_state_that_was_taken_for_good_ends_the_session() {
    let (mut peer, shared) = session().await;
    (*shared.failures.lock().unwrap(), *shared.takes_state.lock().unwrap()) = (1, true);
    assert_eq!(peer.call("session/close", named()).await.expect_err("the disk is full").code, -32603);
    assert_eq!(peer.call("session/close", named()).await.expect_err("it is over").code, -32002);
    peer.call("session/load", load()).await.expect("it can be loaded");
}

#[tokio::test]
async fn a_state_that_comes_back_late_makes_the_session_active_again() {
    let (mut peer, shared) = waiting_session().await;
    assert_eq!(peer.turn("s", "remember").await, "end_turn");
    *shared.lends_state.lock().unwrap() = true;
    assert_eq!(peer.call("session/close", named()).await.expect_err("it fails").code, -32603);
    assert_eq!(peer.call("session/prompt", prompt("s", "early")).await.expect_err("busy").code, -32600);
    shared.turns.as_ref().unwrap().add_permits(1);
    peer.settled().await;
    assert_eq!(told(&mut peer, "history").await, "remember|history");
}

#[tokio::test]
async fn a_state_that_comes_back_late_does_not_replace_one_that_was_loaded() {
    let (mut peer, shared) = waiting_session().await;
    assert_eq!(peer.turn("s", "remember").await, "end_turn");
    *shared.lends_state.lock().unwrap() = true;
    assert_eq!(peer.call("session/close", named()).await.expect_err("it fails").code, -32603);
    shared.let_a_load_go_on();
    peer.call("session/load", load()).await.expect("loaded");
    shared.turns.as_ref().unwrap().add_permits(1);
    peer.settled().await;
    assert_eq!(told(&mut peer, "history").await, "loaded|history");
}

#[tokio::test]
async fn a_state_whose_drop_panics_locks_nobody_out() {
    let (mut peer, _) = session().await;
    assert_eq!(peer.turn("s", "explode").await, "end_turn");
    peer.call("session/close", named()).await.expect("answered before the state is dropped");
    assert_eq!(peer.call("session/close", named()).await.expect_err("closed").code, -32002);
    peer.call("session/load", load()).await.expect("loaded");
    assert_eq!(told(&mut peer, "history").await, "loaded|history");
}

#[tokio::test]
async fn a_handle_kept_beyond_the_end_is_silent() {
    let (mut peer, shared) = session().await;
    assert_eq!(peer.turn("s", "keep").await, "end_turn");
    let kept = shared.kept();
    peer.call("session/close", named()).await.expect("closed");
    let over = |result: Result<(), Error>| result.expect_err("the session is over").to_string();
    assert!(over(kept.message("Boo.").await).contains("over"));
    assert!(over(kept.set(Config::MODEL, Model::Smart).await).contains("over"));
    assert_eq!(peer.settled().await, [], "nothing is said of a session that is closed");
    peer.call("session/load", load()).await.expect("loaded");
    assert!(over(kept.message("Boo.").await).contains("over"), "nor of another one of its id");
    assert!(peer.settled().await.iter().all(|message| !matches!(message, Message::Notification { .. })));
}
