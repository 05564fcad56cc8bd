//! Two processes, and one session.

use acp_tests::peer::prompt;
use serde_json::json;

use super::agent::{connect, opening, session, set, shown, told};

#[tokio::test]
async fn a_session_that_another_process_continued_is_refused_until_it_is_loaded_again() {
    let (mut first, store, id) = session().await;
    assert_eq!(told(&mut first, &id, "Hello").await, "You said Hello");
    let mut second = connect(&store.of_another_process()).await;
    second.call("session/resume", opening(&id)).await.expect("its lease is over");
    assert_eq!(told(&mut second, &id, "Bye").await, "You said Bye");
    second.call("session/set_config_option", set(&id, "smart")).await.expect("set");

    let lost = "the session was opened in another process: open it again to continue here";
    let refused = first.call("session/prompt", prompt(&id, "more")).await.expect_err("the lease is lost");
    assert_eq!((refused.code, refused.message.as_str()), (-32600, lost));
    let refused = first.call("session/set_config_option", set(&id, "smart")).await.expect_err("the lease is lost");
    assert_eq!(refused.message, lost);

    second.call("session/close", json!({ "sessionId": id })).await.expect("closed");
    let loaded = first.call("session/load", opening(&id)).await.expect("nobody has the session");
    assert_eq!(loaded["configOptions"][0]["currentValue"], "smart", "the other process has set it");
    let said = shown(&first.updates());
    assert_eq!(said.iter().filter(|said| said.starts_with("user")).count(), 2, "{said:?}");
    assert_eq!(told(&mut first, &id, "history").await, "Hello|Bye|history");
    assert_eq!(store.said(&id).await.len(), 6, "each turn once");
}

#[tokio::test]
async fn a_living_process_keeps_its_session() {
    let (mut first, store, id) = session().await;
    let running = first.prompt(&id, "wait").await;
    first.update().await;
    let mut second = connect(&store.of_a_polite_process()).await;
    let loading = second.request("session/load", opening(&id)).await;
    second.settled().await;
    assert_eq!(first.settled().await, [], "the turn goes on");
    first.call("session/close", json!({ "sessionId": id })).await.expect("closed");
    assert_eq!(first.stop_reason(running).await, "cancelled");
    second.answer(loading).await.expect("it was given back");
    assert_eq!(told(&mut second, &id, "history").await, "wait|history");
}

#[tokio::test]
async fn a_turn_whose_session_was_taken_ends_with_an_error_and_writes_nothing() {
    let (mut first, store, id) = session().await;
    let running = first.prompt(&id, "wait").await;
    first.update().await;
    let mut second = connect(&store.of_another_process()).await;
    second.call("session/load", opening(&id)).await.expect("taken");
    first.cancel(&id).await;
    let error = first.answer(running).await.expect_err("the turn is lost");
    assert_eq!(error.code, -32600);
    assert_eq!(store.said(&id).await, [""; 0]);
    assert_eq!(told(&mut second, &id, "history").await, "history");
}

#[tokio::test]
async fn an_active_session_is_read_anew_and_keeps_its_options() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "Hello").await;
    peer.call("session/set_config_option", set(&id, "smart")).await.expect("set");
    peer.updates();
    let running = peer.prompt(&id, "wait").await;
    peer.update().await;
    let loading = peer.request("session/load", opening(&id)).await;
    assert_eq!(peer.stop_reason(running).await, "cancelled", "the load ends the turn");
    let loaded = peer.answer(loading).await.expect("loaded");
    assert_eq!(loaded["configOptions"][0]["currentValue"], "smart");
    assert_eq!(shown(&peer.updates()).len(), 4, "the turn that was ended is part of the history");
    assert_eq!(told(&mut peer, &id, "history").await, "Hello|wait|history");
    assert_eq!(store.said(&id).await.len(), 6);
}
