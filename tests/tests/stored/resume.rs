//! The first new session of a process continues a kept one.

use acp_runtime::{hooks::Resume, transport::Limits};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};

use super::{
    agent::{Keeper, opening, session, shown, told},
    store::Store,
};

async fn serve(store: &Store, resume: Resume) -> Peer {
    let mut peer = Peer::serve_hooked(Keeper::on(store), Some(resume), Limits::default());
    peer.initialize(all_capabilities()).await;
    peer
}

async fn new(peer: &mut Peer, cwd: &str) -> Value {
    peer.call("session/new", json!({ "cwd": cwd, "mcpServers": [] })).await.expect("a session")
}

#[tokio::test]
async fn the_first_new_session_continues_the_last_one_in_which_something_was_said() {
    let (mut first, store, id) = session().await;
    assert_eq!(told(&mut first, &id, "Hello").await, "You said Hello");
    first.new_session().await; // Nothing is said in this one.
    first.hang_up().await;
    for by_id in [true, false] {
        let store = store.of_another_process();
        let resume = if by_id { Resume::session(&store, id.as_str()).await } else { Resume::last(&store).await };
        let mut peer = serve(&store, resume).await;
        let opened = new(&mut peer, "/").await;
        assert_eq!((&opened["sessionId"], opened["configOptions"].is_array()), (&json!(id), true));
        assert_eq!(shown(&peer.updates())[..2], ["user_message_chunk: Hello", "agent_message_chunk: You said Hello"]);
        assert!(told(&mut peer, &id, "history").await.starts_with("Hello|"));
        assert_ne!(new(&mut peer, "/").await["sessionId"], id, "only the first one");
        peer.hang_up().await;
    }
}

#[tokio::test]
async fn a_session_that_cannot_be_continued_is_a_new_one() {
    let (mut first, store, id) = session().await;
    told(&mut first, &id, "Hello").await;
    first.hang_up().await;
    let store = store.of_another_process();
    for (resume, cwd) in [
        (Resume::session(&store, "no-such").await, "/"),
        (Resume::session(&store, id.as_str()).await, "/tmp"),
        (Resume::last(&store).await, "/tmp"),
        (Resume::last(&Store::default()).await, "/"),
    ] {
        let mut peer = serve(&store, resume).await;
        assert_ne!(new(&mut peer, cwd).await["sessionId"], id, "{cwd}");
        assert_eq!(peer.unread(), []);
        peer.hang_up().await;
    }
    // The client has it already.
    let mut peer = serve(&store, Resume::last(&store).await).await;
    peer.call("session/load", opening(&id)).await.expect("loaded");
    assert_ne!(new(&mut peer, "/").await["sessionId"], id);
}

#[tokio::test]
async fn a_refused_request_does_not_use_it_up() {
    let (mut first, store, id) = session().await;
    told(&mut first, &id, "Hello").await;
    first.hang_up().await;
    let store = store.of_another_process();
    let resume = Resume::last(&store).await;
    let mut peer = Peer::serve_hooked(Keeper::on(&store), Some(resume), Limits::default());
    let refused = async |peer: &mut Peer, params: Value| peer.call("session/new", params).await.unwrap_err().code;
    assert_eq!(refused(&mut peer, json!({ "cwd": "/", "mcpServers": [] })).await, -32600, "before `initialize`");
    peer.initialize(all_capabilities()).await;
    assert_eq!(refused(&mut peer, json!({ "cwd": "relative", "mcpServers": [] })).await, -32602);
    assert_eq!(refused(&mut peer, json!({ "cwd": "/", "mcpServers": 5 })).await, -32602);
    assert_eq!(new(&mut peer, "/").await["sessionId"], id);
}

#[tokio::test]
async fn a_session_that_is_taken_after_the_start_is_a_new_one() {
    let (mut first, store, id) = session().await;
    told(&mut first, &id, "Hello").await;
    first.hang_up().await;
    let polite = store.of_a_polite_process();
    let mut second = serve(&polite, Resume::last(&polite).await).await;
    let another = store.of_another_process();
    let mut third = serve(&another, Resume::last(&another).await).await;
    assert_eq!(new(&mut third, "/").await["sessionId"], id);
    let opened = new(&mut second, "/").await;
    assert!(opened["sessionId"].is_string() && opened["sessionId"] != id, "{opened}");
    assert_ne!(new(&mut second, "/").await["sessionId"], opened["sessionId"]);
    assert_eq!(told(&mut third, &id, "still").await, "You said still", "its lease is as it was");
}

#[tokio::test]
async fn a_session_on_which_another_process_works_is_not_taken() {
    let (mut first, store, id) = session().await;
    told(&mut first, &id, "Hello").await;
    let polite = store.of_a_polite_process();
    let mut second = serve(&polite, Resume::last(&polite).await).await;
    assert_ne!(new(&mut second, "/").await["sessionId"], id);
    assert_eq!(told(&mut first, &id, "still").await, "You said still", "its lease is as it was");
}
