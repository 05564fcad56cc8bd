//! Sessions that end, and what ends with them.

use acp_client::{ConnectOptions, ErrorKind};
use serde_json::json;

use super::{Plain, connect, new_session, open, soon};

#[tokio::test(start_paused = true)]
async fn updates_of_a_session_that_is_closed_or_deleted_come_to_an_end() {
    let (connection, mut agent) = connect(Plain, ConnectOptions::new()).await;
    for id in ["closed", "deleted"] {
        let session = new_session(&connection, &mut agent, id).await;
        let end = async { if id == "closed" { session.close().await } else { session.delete().await } };
        let waiting = session.next_update();
        let (update, ended, _) = tokio::join!(soon(waiting), end, agent.answer(json!({})));
        ended.unwrap();
        assert!(update.is_none(), "who waited is told");
        assert!(soon(session.next_update()).await.is_none(), "and who asks later");
    }
}

#[tokio::test(start_paused = true)]
async fn an_open_turn_ends_with_its_session() {
    let (_connection, session, mut agent) = open(Plain, ConnectOptions::new()).await;
    let mut turn = session.prompt("never mind").await.unwrap();
    agent.next().await;
    agent.update("before").await;
    let (closed, _) = tokio::join!(session.close(), agent.answer(json!({})));
    closed.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("before"), "what came in time is there");
    let error = soon(turn.next()).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SessionOver { .. }), "{error}");
    assert!(error.to_string().contains("`session/prompt`"), "{error}");
    assert!(!session.cancel(), "there is no turn");
    let error = soon(session.prompt("more")).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SessionOver { .. }), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_waits_for_a_turn_ends_with_its_session() {
    let (_connection, session, mut agent) = open(Plain, ConnectOptions::new()).await;
    let _turn = session.prompt("never mind").await.unwrap();
    agent.next().await;
    let (next, closed, _) = tokio::join!(soon(session.prompt("more")), session.close(), agent.answer(json!({})));
    closed.unwrap();
    let error = next.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SessionOver { .. }), "{error}");
}

/// An agent cancels the turn of a session that it closes, and may answer it first.
#[tokio::test(start_paused = true)]
async fn a_turn_that_was_answered_before_its_session_was_closed_has_its_answer() {
    let (_connection, session, mut agent) = open(Plain, ConnectOptions::new()).await;
    let turn = session.prompt("never mind").await.unwrap();
    let closing = async {
        agent.answer(json!({"stopReason": "cancelled"})).await;
        agent.answer(json!({})).await;
    };
    let (closed, ()) = tokio::join!(session.close(), closing);
    closed.unwrap();
    turn.finish().await.unwrap();
}

/// The text that says who has ended the session, and that the agent hears nothing.
#[tokio::test(start_paused = true)]
async fn the_use_of_a_session_after_its_end_does_not_reach_the_agent() {
    let (connection, mut agent) = connect(Plain, ConnectOptions::new()).await;
    let mode = json!({"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}]});
    let opening = agent.answer(json!({"sessionId": "s", "modes": mode}));
    let (session, _) = tokio::join!(connection.new_session("/tmp"), opening);
    let session = session.unwrap();
    let again = session.clone();
    let (closed, _) = tokio::join!(session.close(), agent.answer(json!({})));
    closed.unwrap();
    let refused = |error: acp_client::Error, method: &str| {
        assert!(matches!(error.kind(), ErrorKind::SessionOver { .. }), "{error}");
        let text = format!("`{method}` is not answered: this client has closed or deleted the session");
        assert_eq!(error.to_string(), text);
    };
    refused(session.prompt("more").await.unwrap_err(), "session/prompt");
    refused(session.prompt_beside("more").await.unwrap_err(), "session/prompt");
    refused(session.set_option("model", "fast").await.unwrap_err(), "session/set_config_option");
    refused(session.set_mode("ask").await.unwrap_err(), "session/set_mode");
    refused(again.close().await.unwrap_err(), "session/close");
    again.cancel_all();
    // What a closed session has kept can still be deleted, once.
    let (deleted, asked) = tokio::join!(session.delete(), agent.answer(json!({})));
    deleted.unwrap();
    assert_eq!(asked["method"], "session/delete", "nothing came before");
    refused(session.close().await.unwrap_err(), "session/close");
    refused(again.delete().await.unwrap_err(), "session/delete");
    // The same session, opened again, is another one.
    let loading = async { connection.load_session("s", "/tmp").await?.finish().await };
    let (loaded, asked) = tokio::join!(loading, agent.answer(json!({})));
    assert_eq!(asked["method"], "session/load", "nothing came before");
    let loaded = loaded.unwrap();
    let (closed, _) = tokio::join!(loaded.close(), agent.answer(json!({})));
    closed.unwrap();
}
