//! A store that refuses values: what can never be kept is left out, and the session goes on.

use serde_json::json;

use super::{
    agent::{connect, opening, session, shown, told},
    store::Mode,
};

#[tokio::test]
async fn a_title_that_cannot_be_kept_is_left_out_and_the_session_goes_on() {
    let (mut peer, store, id) = session().await;
    store.set(Mode::Picky);
    assert_eq!(told(&mut peer, &id, "nul \0 inside").await, "You said nul \0 inside");
    assert_eq!(
        store.kept(&id).await.title.as_deref(),
        Some("nul inside"),
        "the runtime makes a title that can be kept"
    );
    assert_eq!(peer.turn(&id, "name").await, "end_turn");
    assert_eq!(store.kept(&id).await.title.as_deref(), Some("nul inside"), "the agent's own title is left out");
    assert_eq!(told(&mut peer, &id, "history").await, "nul \0 inside|name|history");
    peer.call("session/load", opening(&id)).await.expect("loaded");
    peer.call("session/close", json!({ "sessionId": id })).await.expect("closed");
}

#[tokio::test]
async fn an_entry_that_cannot_be_kept_is_left_out_and_the_others_are_kept() {
    let (mut peer, store, id) = session().await;
    store.set(Mode::Picky);
    assert_eq!(peer.turn(&id, "mumble").await, "end_turn");
    assert_eq!(peer.turn(&id, "more").await, "end_turn");
    peer.call("session/close", json!({ "sessionId": id })).await.expect("closed");
    let mut peer = connect(&store).await;
    peer.call("session/load", opening(&id)).await.expect("loaded");
    assert_eq!(
        shown(&peer.updates()),
        [
            "user_message_chunk: mumble",
            "agent_message_chunk: But this is.",
            "user_message_chunk: more",
            "agent_message_chunk: You said more",
        ]
    );
}

#[tokio::test]
async fn a_state_that_cannot_be_kept_is_an_error_of_its_turn_and_the_turn_is_kept() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "first").await;
    store.set(Mode::Picky);
    let unkeepable = json!({ "sessionId": id, "prompt": [{ "type": "text", "text": "unkeepable" }] });
    let error = peer.call("session/prompt", unkeepable).await.expect_err("the state has the text");
    assert_eq!(error.message, "the session has a value that its store cannot keep or read");
    // The state still has it. Its entries are those of other turns.
    peer.call("session/prompt", acp_tests::peer::prompt(&id, "think")).await.expect_err("the state is not kept");
    assert_eq!(
        store.said(&id).await[2..],
        [": ", ": ", "user_message_chunk: think", "agent_thought_chunk: Let me see.", "agent_message_chunk: Done."]
    );
    store.set(Mode::Well);
    peer.call("session/close", json!({ "sessionId": id })).await.expect("closed");
}
