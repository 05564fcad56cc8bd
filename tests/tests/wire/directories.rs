//! The directories of a session are those of the call that has opened it last.

use std::sync::Arc;

use acp_runtime::{prelude::*, store::MemoryStore};
use acp_tests::peer::Peer;
use serde_json::{Value, json};

/// Tells where its session works.
fn place<C>(session: &SessionHandle<C>) -> String {
    let additional = session.additional_directories();
    std::iter::once(&session.cwd())
        .chain(&additional)
        .map(|path| path.display().to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

#[acp_agent(capabilities(additional_directories))]
#[derive(Clone)]
struct Placed;

#[acp_agent]
impl Placed {
    async fn new_session(&self) {}

    async fn load_session(&self, request: LoadSessionRequest, replay: Replay) -> Result<()> {
        replay.thought("This was there before.").await?;
        if request.cwd.ends_with("closed") { Err(Error::internal_error("it is closed")) } else { Ok(()) }
    }

    async fn resume_session(&self) {}

    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(place(&turn)).await?;
        Ok(StopReason::EndTurn)
    }

    async fn session_opened(&self, session: SessionHandle<Self>) -> Result<()> {
        session.message(format!("opened in {}", place(&session))).await
    }
}

#[acp_agent(store = store)]
#[derive(Clone)]
struct Kept {
    store: Arc<MemoryStore>,
}

#[acp_agent]
impl Kept {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(place(&turn)).await?;
        Ok(StopReason::EndTurn)
    }
}

fn params(id: Option<&str>, cwd: &str, additional: &[&str]) -> Value {
    let mut params = json!({ "cwd": cwd, "mcpServers": [], "additionalDirectories": additional });
    if let Some(id) = id {
        params["sessionId"] = json!(id);
    }
    params
}

/// The texts of the updates.
fn told(peer: &mut Peer) -> Vec<String> {
    let text = |mut update: Value| update["content"]["text"].take().as_str().unwrap_or_default().to_owned();
    peer.updates().into_iter().map(text).collect()
}

async fn place_in(peer: &mut Peer, id: &str) -> String {
    peer.settled().await;
    told(peer);
    assert_eq!(peer.turn(id, "where?").await, "end_turn");
    told(peer).concat()
}

// SESS-02
#[tokio::test]
async fn a_session_works_where_the_last_call_has_opened_it() {
    let mut peer = Peer::serve(Placed);
    peer.initialize(json!({})).await;
    let opened = peer.call("session/new", params(None, "/a", &["/b", "/c"])).await.expect("a session");
    let id = opened["sessionId"].as_str().expect("an id").to_owned();
    assert_eq!(place_in(&mut peer, &id).await, "/a /b /c");
    for (method, cwd, additional, expected) in [
        ("session/load", "/d", &["/e"][..], "/d /e"),
        ("session/resume", "/f", &[], "/f"),
        ("session/resume", "/g", &["/h", "/i"], "/g /h /i"),
    ] {
        peer.call(method, params(Some(&id), cwd, additional)).await.expect(method);
        let opened = format!("opened in {expected}");
        while peer.update().await["content"]["text"] != *opened {}
        assert_eq!(place_in(&mut peer, &id).await, expected);
    }
    peer.call("session/load", params(Some(&id), "/closed", &[])).await.expect_err("a load that fails");
    assert_eq!(place_in(&mut peer, &id).await, "/g /h /i", "the session stays where it is");
    peer.call("session/load", params(Some("other"), "/j", &[])).await.expect("another session");
    assert_eq!(place_in(&mut peer, "other").await, "/j");
}

#[tokio::test]
async fn a_load_replays_thoughts() {
    let mut peer = Peer::serve(Placed);
    peer.initialize(json!({})).await;
    peer.call("session/load", params(Some("s"), "/a", &[])).await.expect("a session");
    let thought = peer.updates().swap_remove(0);
    assert_eq!(thought["sessionUpdate"], "agent_thought_chunk");
    assert_eq!(thought["content"], json!({ "type": "text", "text": "This was there before." }));
}

// SESS-02
#[tokio::test]
async fn a_session_of_a_store_works_where_it_is_opened_and_not_where_it_was_kept() {
    let store = Arc::new(MemoryStore::new());
    let (mut peer, id) = Peer::session(Kept { store: store.clone() }).await;
    assert_eq!(place_in(&mut peer, &id).await, "/");
    peer.call("session/resume", params(Some(&id), "/active", &[])).await.expect("the active session");
    assert_eq!(place_in(&mut peer, &id).await, "/active");
    peer.hang_up().await;
    let mut peer = Peer::serve(Kept { store });
    peer.initialize(json!({})).await;
    peer.call("session/load", params(Some(&id), "/moved", &[])).await.expect("the kept session");
    assert_eq!(place_in(&mut peer, &id).await, "/moved");
}
