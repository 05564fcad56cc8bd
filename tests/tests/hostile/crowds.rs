//! Many sessions, many turns.

use acp_runtime::transport::Limits;
use acp_tests::peer::{Peer, prompt};
use serde_json::json;

use crate::hostile::agents::endurer;

#[tokio::test]
async fn ten_thousand_sessions_keep_their_options() {
    let (mut peer, first) = Peer::session(endurer()).await;
    let mut sessions = vec![first];
    for _ in 0..100 {
        let requests: Vec<_> =
            (0..100).map(|_| peer.request_message("session/new", json!({ "cwd": "/", "mcpServers": [] }))).collect();
        let (ids, messages): (Vec<_>, Vec<_>) = requests.into_iter().unzip();
        peer.send_together(&messages).await;
        for id in ids {
            sessions.push(peer.answer(id).await.unwrap()["sessionId"].as_str().unwrap().to_owned());
        }
    }
    let distinct: std::collections::HashSet<_> = sessions.iter().collect();
    assert_eq!(distinct.len(), 10_001);
    for session in sessions.iter().step_by(1000) {
        let loud = json!({ "sessionId": session, "configId": "loud", "value": true });
        peer.call("session/set_config_option", loud).await.unwrap();
    }
    for (number, session) in sessions.iter().enumerate().step_by(500) {
        assert_eq!(peer.turn(session, "hello").await, "end_turn");
        let said = peer.updates();
        assert_eq!(said[0]["content"]["text"], if number % 1000 == 0 { "HELLO" } else { "hello" });
    }
}

async fn a_thousand_turns() {
    let (mut peer, first) = Peer::session(endurer()).await;
    let mut sessions = vec![first];
    while sessions.len() < 1000 {
        sessions.push(peer.new_session().await);
    }
    let turns: Vec<_> = sessions.iter().map(|id| peer.request_message("session/prompt", prompt(id, "hang"))).collect();
    for chunk in turns.chunks(100) {
        peer.send_together(&chunk.iter().map(|(_, message)| message.clone()).collect::<Vec<_>>()).await;
    }
    assert_eq!(peer.settled().await, [], "all of them run");
    for session in sessions.iter().rev() {
        peer.cancel(session).await;
    }
    for (turn, _) in turns {
        assert_eq!(peer.stop_reason(turn).await, "cancelled");
    }
    assert_eq!(peer.turn(&sessions[500], "hello").await, "end_turn");
}

#[tokio::test]
async fn more_handlers_than_the_bound_are_refused() {
    let mut peer = Peer::serve_within(endurer(), Limits::new().concurrent_handlers(5));
    peer.initialize(json!({})).await;
    let mut sessions = vec![];
    while sessions.len() < 6 {
        sessions.push(peer.new_session().await);
    }
    let mut turns = vec![];
    for session in &sessions[..5] {
        turns.push(peer.prompt(session, "hang").await);
    }
    for method in ["session/prompt", "session/close", "session/new", "_hostile.dev/panic"] {
        let params = json!({ "sessionId": sessions[5], "prompt": [], "cwd": "/", "mcpServers": [] });
        assert_eq!(peer.call(method, params).await.unwrap_err().code, -32603, "{method}");
    }
    peer.cancel(&sessions[3]).await;
    assert_eq!(peer.stop_reason(turns[3]).await, "cancelled", "a cancellation is served all the same");
    assert_eq!(peer.turn(&sessions[5], "hello").await, "end_turn");
}

#[tokio::test]
async fn a_thousand_turns_at_once() {
    a_thousand_turns().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_turns_at_once_on_many_threads() {
    a_thousand_turns().await;
}
