//! What was said is dropped, as by a command `/clear`.

use std::{sync::Arc, time::Duration};

use acp_runtime::prelude::*;
use acp_tests::peer::{Peer, all_capabilities, soon};
use serde_json::json;

use super::{
    agent::{Keeper, opening, session, shown, told},
    store::{Mode, Store},
};

const CLEARED: [&str; 2] = ["user_message_chunk: clear", "agent_message_chunk: 1 left."];

/// What a load in another process shows.
async fn loaded(store: &Store, id: &str) -> (Peer, Vec<String>) {
    let mut peer = Peer::serve(Keeper::on(&store.of_another_process()));
    peer.initialize(all_capabilities()).await;
    peer.call("session/load", opening(id)).await.expect("loaded");
    let updates = peer.updates();
    (peer, shown(&updates))
}

#[tokio::test]
async fn what_was_said_before_the_turn_is_gone_from_the_history_and_from_each_load() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "Hello").await;
    peer.turn(&id, "Hello again").await;
    assert_eq!(told(&mut peer, &id, "clear").await, "1 left.", "in the turn itself, its prompt is the history");
    assert_eq!(store.said(&id).await, CLEARED);
    assert_eq!(store.kept(&id).await.title.as_deref(), Some("Hello"), "other parts stay");
    // What comes later follows, here and in another process.
    assert_eq!(told(&mut peer, &id, "history").await, "history");
    let (mut peer, shown) = loaded(&store, &id).await;
    assert_eq!(shown[..2], CLEARED);
    assert_eq!(shown[2..4], ["user_message_chunk: history", "agent_message_chunk: history"]);
    assert_eq!(told(&mut peer, &id, "clear").await, "1 left.");
    assert_eq!(store.said(&id).await, CLEARED);
    assert_eq!(told(&mut peer, &id, "history").await, "history");
}

#[tokio::test]
async fn a_turn_that_does_not_end_drops_nothing() {
    let (mut first, store, id) = session().await;
    first.turn(&id, "Hello").await;
    first.prompt(&id, "clear, and work").await;
    let kept = async {
        while store.kept(&id).await.unended.is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("a part of the turn", kept).await;
    // Its process is gone: another one has the session with its state, and with what was said.
    let (mut peer, shown) = loaded(&store, &id).await;
    assert_eq!(shown[..2], ["user_message_chunk: Hello", "agent_message_chunk: You said Hello"]);
    assert_eq!(told(&mut peer, &id, "history").await, "Hello|history");
}

#[tokio::test]
async fn what_could_not_be_dropped_is_dropped_with_the_next_commit() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "Hello").await;
    peer.updates();
    let running = peer.prompt(&id, "clear, and wait").await;
    peer.update().await;
    store.set(Mode::Full);
    peer.cancel(&id).await;
    peer.answer(running).await.expect_err("the end is not kept");
    assert_eq!(store.said(&id).await.len(), 2, "nor is anything dropped");
    store.set(Mode::Well);
    assert_eq!(told(&mut peer, &id, "history").await, "history");
    let said = store.said(&id).await;
    assert_eq!(said[..2], ["user_message_chunk: clear, and wait", "agent_message_chunk: I wait."]);
}

#[tokio::test]
async fn outside_of_turns_all_is_dropped_also_what_is_not_committed_yet() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "later").await;
    let said = peer.update().await;
    assert_eq!(said["content"]["text"], "By the way.", "behind the turn");
    peer.call("_tests/clear", json!({ "sessionId": id })).await.expect("cleared");
    let dropped = async {
        while !store.said(&id).await.is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("the commit", dropped).await;
    peer.turn(&id, "Hello").await;
    assert_eq!(store.said(&id).await, ["user_message_chunk: Hello", "agent_message_chunk: You said Hello"]);
}

#[tokio::test]
async fn a_state_that_cannot_be_kept_does_not_keep_what_is_dropped() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "Hello").await;
    store.set(Mode::Picky);
    peer.call("session/prompt", acp_tests::peer::prompt(&id, "clear unkeepable"))
        .await
        .expect_err("the state is refused");
    // The prompt has the text that is refused, too: something stands in its place.
    assert_eq!(store.said(&id).await, [": "]);
}

/// Shows the end of long histories alone.
#[acp_agent(store = store, replayed_at_most = 3)]
#[derive(Clone)]
struct Brief {
    store: Arc<Store>,
}

#[acp_agent]
impl Brief {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        if request.text() == "clear" {
            turn.clear_history();
        }
        turn.message("Yes.").await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn what_was_dropped_is_no_begin_that_is_not_shown() {
    let store = Store::default();
    let mut peer = Peer::serve(Brief { store: Arc::new(store.clone()) });
    peer.initialize(json!({})).await;
    let id = peer.new_session().await;
    for text in ["one", "two", "clear"] {
        peer.turn(&id, text).await;
    }
    peer.updates();
    let mut load = async |expected: &[&str]| {
        peer.call("session/load", opening(&id)).await.expect("loaded");
        assert_eq!(shown(&peer.updates()), expected);
        peer.turn(&id, "more").await;
        peer.updates();
    };
    load(&["user_message_chunk: clear", "agent_message_chunk: Yes."]).await;
    // A begin that is there, and is not shown, is told.
    let begin = "agent_message_chunk: [The begin of this conversation is not shown. The agent has all of it.]\n\n";
    load(&[begin, "user_message_chunk: more", "agent_message_chunk: Yes."]).await;
}
