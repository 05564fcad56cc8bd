//! A cancelled turn of a client whose handlers of updates take their time.

use std::time::Duration;

use acp_client::{
    ConnectOptions, ErrorKind, acp_client,
    values::{ContentChunk, StopReason},
};
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::{open, soon};

/// A client whose handler of updates takes its time.
struct Slow;

#[acp_client]
impl Slow {
    async fn agent_message_chunk(&self, _chunk: ContentChunk) {
        sleep(Duration::from_secs(1)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_answered_its_cancel_is_not_blamed_for_slow_handlers() {
    let options = ConnectOptions::new().cancel_timeout(Duration::from_secs(5));
    let (_connection, session, mut agent) = open(Slow, options).await;
    let mut turn = session.prompt("talk").await.unwrap();
    let asked = agent.next().await;
    for _ in 0..20 {
        agent.update("word").await;
    }
    turn.cancel();
    agent.next().await;
    agent.send(json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"stopReason": "cancelled"}})).await;
    let began = Instant::now();
    assert_eq!(soon(turn.finish()).await.unwrap().stop_reason, Some(StopReason::Cancelled));
    assert!(began.elapsed() >= Duration::from_secs(19), "the handlers come first");
}

/// The reader stops while handlers have not taken what came, and the answer stands behind it.
#[tokio::test(start_paused = true)]
async fn the_answer_to_a_cancel_is_read_behind_updates_whose_handlers_are_slow() {
    let options = ConnectOptions::new().cancel_timeout(Duration::from_secs(5)).unread_soft_bytes(1000);
    let (_connection, session, mut agent) = open(Slow, options).await;
    let mut turn = session.prompt("talk").await.unwrap();
    let asked = agent.next().await;
    for _ in 0..20 {
        agent.update(&"word ".repeat(40)).await;
    }
    sleep(Duration::from_millis(1)).await;
    turn.cancel();
    agent.next().await;
    agent.send(json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"stopReason": "cancelled"}})).await;
    assert_eq!(soon(turn.finish()).await.unwrap().stop_reason, Some(StopReason::Cancelled));
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_never_answers_its_cancel_is_blamed_though_handlers_are_slow() {
    let options = ConnectOptions::new().cancel_timeout(Duration::from_secs(5));
    let (_connection, session, mut agent) = open(Slow, options).await;
    let mut turn = session.prompt("talk").await.unwrap();
    agent.next().await;
    for _ in 0..20 {
        agent.update("word").await;
    }
    turn.cancel();
    let error = soon(turn.finish()).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CancelIgnored { .. }), "{error}");
}
