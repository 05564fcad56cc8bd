//! A store that fails or does not answer: the client hears of it, and the session lives.

use acp_tests::peer::prompt;
use serde_json::json;

use super::{
    agent::{connect, opening, session, set, told},
    store::{Mode, Store},
};

#[tokio::test]
async fn a_turn_that_is_not_committed_is_an_error_and_committed_with_the_next_one() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "Hello").await;
    peer.updates();
    let running = peer.prompt(&id, "wait").await;
    peer.update().await;
    store.set(Mode::Full);
    peer.cancel(&id).await;
    let error = peer.answer(running).await.expect_err("the end is not kept, so it is not told");
    assert_eq!((error.code, error.message.as_str()), (-32603, "the store of the sessions is full"));
    let error = peer.call("session/prompt", prompt(&id, "more")).await.expect_err("the last turn is not kept yet");
    assert_eq!(error.message, "the store of the sessions is full");
    store.set(Mode::Well);
    assert_eq!(told(&mut peer, &id, "history").await, "Hello|wait|history", "no handler ran meanwhile");
    assert_eq!(
        store.said(&id).await,
        [
            "user_message_chunk: Hello",
            "agent_message_chunk: You said Hello",
            "user_message_chunk: wait",
            "agent_message_chunk: I wait.",
            "user_message_chunk: history",
            "agent_message_chunk: Hello|wait|history",
        ]
    );
}

#[tokio::test]
async fn a_set_that_cannot_be_kept_changes_nothing() {
    let (mut peer, store, id) = session().await;
    store.set(Mode::Full);
    let error = peer.call("session/set_config_option", set(&id, "smart")).await.expect_err("it is not kept");
    assert_eq!(error.message, "the store of the sessions is full");
    store.set(Mode::Well);
    assert_eq!(told(&mut peer, &id, "options").await, "Fast false");
    assert_eq!(store.kept(&id).await.options["model"], "fast".into());
    let answer = peer.call("session/set_config_option", set(&id, "smart")).await.expect("set");
    assert_eq!(answer["configOptions"][0]["currentValue"], "smart");
    assert_eq!(store.kept(&id).await.options["model"], "smart".into(), "kept when it is answered");
}

#[tokio::test]
async fn what_an_agent_sets_for_its_client_is_kept_before_it_is_in_force() {
    let (mut peer, store, id) = session().await;
    let set = |session: &str| json!({ "sessionId": session, "model": "smart" });
    store.set(Mode::Full);
    let error = peer.call("_tests/set", set(&id)).await.expect_err("it is not kept");
    assert_eq!(error.message, "the store of the sessions is full");
    store.set(Mode::Well);
    assert_eq!(told(&mut peer, &id, "options").await, "Fast false");
    store.set(Mode::Slow);
    let setting = peer.request("_tests/set", set(&id)).await;
    assert_eq!(peer.settled().await, [], "neither answered nor published");
    store.set(Mode::Well);
    peer.answer(setting).await.expect("set");
    assert_eq!(store.kept(&id).await.options["model"], "smart".into(), "kept when it is answered");
    assert_eq!(peer.updates().len(), 1);
    let turn = peer.prompt(&id, "for client fast").await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    assert_eq!(store.kept(&id).await.options["model"], "fast".into(), "in a turn, too");
}

#[tokio::test]
async fn a_set_is_answered_when_it_is_kept() {
    let (mut peer, store, id) = session().await;
    store.set(Mode::Slow);
    let setting = peer.request("session/set_config_option", set(&id, "smart")).await;
    assert_eq!(peer.settled().await, [], "neither answered nor published");
    store.set(Mode::Well);
    peer.answer(setting).await.expect("set");
}

#[tokio::test]
async fn a_session_that_cannot_be_kept_does_not_begin() {
    let store = Store::default();
    let mut peer = connect(&store).await;
    store.set(Mode::Full);
    let new = json!({ "cwd": "/", "mcpServers": [] });
    let error = peer.call("session/new", new).await.expect_err("it is not kept");
    assert_eq!(error.message, "the store of the sessions is full");
    store.set(Mode::Well);
    let list = peer.call("session/list", json!({})).await.expect("listed");
    assert_eq!(list["sessions"], json!([]));
}

#[tokio::test]
async fn a_prompt_that_waits_for_the_store_can_be_cancelled() {
    let (mut peer, store, id) = session().await;
    store.set(Mode::Silent);
    let waiting = peer.prompt(&id, "Hello").await;
    peer.settled().await;
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(waiting).await, "cancelled");
    store.set(Mode::Well);
    assert_eq!(told(&mut peer, &id, "history").await, "history", "its handler did not run");
    assert_eq!(
        store.said(&id).await,
        ["user_message_chunk: Hello", "user_message_chunk: history", "agent_message_chunk: history"]
    );
}

#[tokio::test]
async fn a_session_whose_rest_cannot_be_kept_stays_open() {
    let (mut peer, store, id) = session().await;
    let running = peer.prompt(&id, "wait").await;
    peer.update().await;
    store.set(Mode::Full);
    let error = peer.call("session/close", json!({ "sessionId": id })).await.expect_err("what it said is not kept");
    assert_eq!(error.message, "the store of the sessions is full");
    peer.answer(running).await.expect_err("neither is the turn");
    let error = peer.call("session/delete", json!({ "sessionId": id })).await.expect_err("nor is it deleted");
    assert_eq!(error.message, "the store of the sessions is full");
    store.set(Mode::Well);
    assert_eq!(told(&mut peer, &id, "history").await, "wait|history");
    peer.call("session/close", json!({ "sessionId": id })).await.expect("closed");
    assert_eq!(store.said(&id).await.len(), 4);
}

#[tokio::test]
async fn a_close_that_is_withdrawn_leaves_a_session_that_is_open_or_closed_as_a_whole() {
    let (mut peer, store, id) = session().await;
    let running = peer.prompt(&id, "wait").await;
    peer.update().await;
    store.set(Mode::Slow);
    let closing = peer.request("session/close", json!({ "sessionId": id })).await;
    peer.settled().await;
    peer.notify("$/cancel_request", json!({ "requestId": closing })).await;
    store.set(Mode::Well);
    peer.answer(running).await.expect("the close has cancelled the turn");
    assert_eq!(peer.answer(closing).await.expect_err("withdrawn").code, -32800);
    assert_eq!(told(&mut peer, &id, "history").await, "wait|history", "open");
    assert_eq!(store.said(&id).await.len(), 4, "and kept");

    store.set(Mode::SlowToRelease);
    let closing = peer.request("session/close", json!({ "sessionId": id })).await;
    peer.settled().await;
    peer.notify("$/cancel_request", json!({ "requestId": closing })).await;
    peer.answer(closing).await.expect("withdrawn too late");
    peer.call("session/prompt", prompt(&id, "more")).await.expect_err("it is closed");
    store.set(Mode::Well);
    let mut other = connect(&store.of_a_polite_process()).await;
    other.call("session/load", opening(&id)).await.expect("it waits until the session is given back");
}

#[tokio::test]
async fn a_load_that_fails_leaves_the_session_to_others() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "Hello").await;
    peer.call("session/close", json!({ "sessionId": id })).await.expect("closed");
    let error = peer.call("session/load", opening("stranger")).await.expect_err("nobody knows it");
    assert_eq!(error.code, -32002);
    store.set(Mode::Full);
    peer.call("session/load", opening(&id)).await.expect_err("the store fails");
    store.set(Mode::Well);
    let mut other = connect(&store.of_a_polite_process()).await;
    other.call("session/load", opening(&id)).await.expect("nobody has the session");
}
