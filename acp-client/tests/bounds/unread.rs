//! An agent that does not read its input.

use std::time::Duration;

use acp_client::{ConnectOptions, ErrorKind};
use serde_json::json;
use tokio::time::{Instant, timeout};

use super::{Plain, open, soon};

const LIMIT: Duration = Duration::from_secs(20);

fn options() -> ConnectOptions {
    ConnectOptions::new().request_timeout(LIMIT).cancel_timeout(Duration::from_secs(600))
}

#[tokio::test(start_paused = true)]
async fn a_prompt_to_an_agent_that_does_not_read_ends_and_says_so() {
    let (connection, session, _agent) = open(Plain, options()).await;
    connection.ext_notification("_x/large", &json!({"text": "x".repeat(2_000_000)})).unwrap();
    let began = Instant::now();
    let error = soon(session.prompt("hello")).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unsent { .. }), "{error}");
    assert!(error.to_string().contains("`session/prompt`"), "{error}");
    assert_eq!(began.elapsed(), LIMIT);
    let error = soon(connection.ext_request::<()>("_x/ask", &())).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unsent { .. }), "a request says the same: {error}");
    let error = soon(connection.load_session("t", "/tmp")).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unsent { .. }), "a load, too: {error}");
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_was_not_sent_is_not_cancelled() {
    let (connection, session, mut agent) = open(Plain, options()).await;
    connection.ext_notification("_x/large", &json!({"text": "x".repeat(2_000_000)})).unwrap();
    assert!(timeout(Duration::from_secs(1), session.prompt("first")).await.is_err(), "there is no room");
    assert!(!session.cancel(), "there is no turn");
    let began = Instant::now();
    let read = async {
        assert_eq!(agent.next().await["method"], "_x/large");
        agent.next().await
    };
    let (turn, next) = tokio::join!(soon(session.prompt("second")), read);
    assert_eq!(next["params"]["prompt"][0]["text"], "second", "{next}");
    assert!(began.elapsed() < Duration::from_secs(1), "the session was free: {:?}", began.elapsed());
    drop(turn.unwrap());
}

/// The turn has not begun for the agent, so its updates are of no turn.
#[tokio::test(start_paused = true)]
async fn updates_before_a_prompt_is_sent_are_outside_of_its_turn() {
    let (connection, session, mut agent) = open(Plain, options()).await;
    connection.ext_notification("_x/large", &json!({"text": "x".repeat(2_000_000)})).unwrap();
    {
        let mut prompting = std::pin::pin!(session.prompt("later"));
        assert!(timeout(Duration::from_secs(1), prompting.as_mut()).await.is_err(), "there is no room");
        agent.update("early").await;
        assert!(timeout(Duration::from_secs(1), prompting.as_mut()).await.is_err(), "there is no room");
    }
    assert_eq!(soon(session.next_update()).await.unwrap().text(), Some("early"));
}
