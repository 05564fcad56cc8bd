//! The end of a connection, at the worst of times. Whatever it is, the exit code is 0, within a second.

use std::time::Duration;

use acp_tests::peer::{prompt, soon};
use serde_json::json;
use tokio::io::AsyncBufReadExt;

use crate::process::Agent;

#[tokio::test]
async fn stdin_closed_in_the_middle_of_a_line() {
    let (mut agent, _) = Agent::with_session().await;
    agent.send(br#"{"jsonrpc":"2.0","id":"half","method":"session/l"#).await;
    agent.ends_well().await;
    let last = agent.next().await.expect("half a line is answered");
    assert_eq!((&last["id"], &last["error"]["code"]), (&json!(null), &json!(-32700)));
    assert_eq!(agent.next().await, None);
}

#[tokio::test]
async fn stdin_closed_after_a_line_without_an_end() {
    let (mut agent, _) = Agent::with_session().await;
    agent.send(br#"{"jsonrpc":"2.0","id":"whole","method":"session/list"}"#).await;
    agent.ends_well().await;
    assert_eq!(agent.next().await.unwrap()["id"], "whole");
}

#[tokio::test]
async fn stdin_closed_in_the_middle_of_a_turn() {
    let (mut agent, session) = Agent::with_session().await;
    agent.request("turn", "session/prompt", prompt(&session, "tck:hang")).await;
    agent.ends_well().await;
    assert_eq!(agent.answer("turn").await["result"]["stopReason"], "cancelled");
}

/// A handler that does not look at cancellation has its time, and no more.
#[tokio::test]
async fn stdin_closed_in_the_middle_of_a_handler_that_waits() {
    let (mut agent, _) = Agent::with_session().await;
    agent.request("slow", "_tck/slow", json!({})).await;
    agent.ends_well().await;
}

#[tokio::test]
async fn stdin_closed_while_nothing_is_read() {
    let (mut agent, session) = Agent::with_session().await;
    agent.request("turn", "session/prompt", prompt(&session, "stream 1000000 1000")).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    agent.ends_well().await;
}

/// The end of stdin is then behind requests that the agent does not read, since their answers would find no room.
#[tokio::test]
async fn stdin_closed_while_too_much_is_unread_to_read_on() {
    let (mut agent, _) = Agent::with_session().await;
    agent.flood().await;
    agent.ends_well().await;
}

/// Slow is not gone: who reads on gets every answer, also after it has closed stdin.
#[tokio::test]
async fn stdin_closed_by_a_client_that_reads_late() {
    let (mut agent, _) = Agent::with_session().await;
    let sent = agent.flood().await;
    let mut answers = agent.stdout.take().unwrap().lines();
    agent.stdin = None;
    let mut received = 0;
    while soon("an answer", answers.next_line()).await.unwrap().is_some() {
        received += 1;
        if received % 10_000 == 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    assert_eq!(received, sent);
    let status = agent.ended().await;
    assert!(status.success(), "{status}");
}

#[tokio::test]
async fn stdin_closed_before_initialize() {
    Agent::spawn().ends_well().await;
}

#[tokio::test]
async fn stdout_closed_in_the_middle_of_a_turn() {
    let (mut agent, session) = Agent::with_session().await;
    agent.request("turn", "session/prompt", prompt(&session, "stream 1000000 1000")).await;
    agent.next().await.expect("it streams");
    agent.stdout = None;
    let status = agent.ended().await;
    assert!(status.success(), "{status}");
}

#[tokio::test]
async fn stdout_closed_while_the_agent_is_idle() {
    let (mut agent, _) = Agent::with_session().await;
    agent.stdout = None;
    agent.request("list", "session/list", json!({})).await;
    let status = agent.ended().await;
    assert!(status.success(), "{status}");
}
