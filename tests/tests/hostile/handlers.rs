//! Handlers that panic or fail, and tasks of handlers that panic or fail.

use acp_tests::peer::{Peer, all_capabilities};
use serde_json::json;

use crate::hostile::agents::{MARK, Unreliable, endurer};

#[tokio::test]
async fn a_panic_in_a_handler_is_answered() {
    let (mut peer, session) = Peer::session(endurer()).await;
    for method in ["_hostile.dev/panic", "_hostile.dev/panic-later", "_hostile.dev/decode"] {
        let refused = peer.call(method, json!({ "secret": MARK })).await.unwrap_err();
        assert_eq!(refused.code, -32603, "{method}");
        assert!(!format!("{refused:?}").contains(MARK), "{refused:?}");
    }
    let turn = peer.prompt(&session, "panic").await;
    assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603);
    assert_eq!(peer.turn(&session, "hello").await, "end_turn");
}

#[tokio::test]
async fn a_panic_in_the_handler_of_a_notification_harms_nobody() {
    let (mut peer, session) = Peer::session(endurer()).await;
    peer.notify("_hostile.dev/poke", json!({})).await;
    assert_eq!(peer.settled().await, []);
    assert_eq!(peer.turn(&session, "hello").await, "end_turn");
}

#[tokio::test]
async fn a_panic_or_an_error_in_a_spawned_task_harms_nobody() {
    let (mut peer, session) = Peer::session(endurer()).await;
    for how in ["spawned-panic", "spawned-error", "late"] {
        assert_eq!(peer.turn(&session, how).await, "end_turn", "{how}");
    }
    assert_eq!(peer.turn(&session, "hello").await, "end_turn");
}

#[tokio::test]
async fn a_session_type_that_panics_is_answered() {
    let mut peer = Peer::serve(Unreliable);
    peer.initialize(all_capabilities()).await;
    let new = json!({ "cwd": "/", "mcpServers": [] });
    let first = peer.call("session/new", new.clone()).await.unwrap();
    let refused = peer.call("session/new", new.clone()).await.unwrap_err();
    assert_eq!(refused.code, -32603);
    assert!(!format!("{refused:?}").contains(MARK), "{refused:?}");
    assert_eq!(peer.turn(first["sessionId"].as_str().unwrap(), "hello").await, "end_turn");
    assert!(peer.call("session/new", new).await.is_ok());
}
