//! An id stands for one tool call of its session: clients find a call by it.

use acp_tests::peer::Peer;
use serde_json::json;

use super::agent::Worker;

async fn refused(peer: &mut Peer, session: &str, prompt: &str) {
    let turn = peer.prompt(session, prompt).await;
    let error = peer.answer(turn).await.expect_err(prompt);
    assert_eq!(error.code, -32603, "{prompt}");
    assert_eq!(peer.updates(), Vec::<serde_json::Value>::new(), "{prompt}");
}

// TOOL-02
#[tokio::test]
async fn an_id_that_the_session_has_had_is_refused() {
    let (mut peer, id) = Peer::session(Worker).await;
    assert_eq!(peer.turn(&id, "id call_0").await, "end_turn");
    assert_eq!(peer.turn(&id, "raw-id call_1").await, "end_turn");
    peer.updates();
    for prompt in ["id call_0", "raw-id call_0", "id call_1", "raw-id call_1"] {
        refused(&mut peer, &id, prompt).await;
    }
    assert_eq!(peer.turn(&id, "id call_2").await, "end_turn");
    let other = peer.new_session().await;
    assert_eq!(peer.turn(&other, "id call_0").await, "end_turn", "another session");
}

// TOOL-02
#[tokio::test]
async fn a_call_that_was_not_reported_leaves_its_id_free() {
    let (mut peer, id) = Peer::session(Worker).await;
    refused(&mut peer, &id, "relative call_0").await;
    assert_eq!(peer.turn(&id, "id call_0").await, "end_turn");
}

/// The history itself is not judged: an earlier version of the agent may have written it.
// TOOL-02
#[tokio::test]
async fn the_calls_of_the_history_count() {
    let mut peer = Peer::serve(Worker);
    peer.initialize(json!({})).await;
    let load = || json!({ "sessionId": "s", "cwd": "/", "mcpServers": [] });
    for opening in ["first", "again, while it is active"] {
        peer.call("session/load", load()).await.expect(opening);
        peer.updates();
        refused(&mut peer, "s", "id replayed").await;
    }
    assert_eq!(peer.turn("s", "id new").await, "end_turn");
    peer.updates();
    peer.call("session/load", load()).await.unwrap();
    peer.updates();
    refused(&mut peer, "s", "id new").await;
}
