//! Clients that are slow, or break the rules.

use std::time::Duration;

use acp_tests::peer::{Peer, prompt};
use serde_json::json;

use crate::hostile::{agents::endurer, process::Agent};

/// The client does not read a long stream for this time. The agent's memory must not grow, and no update may be lost.
#[cfg(target_os = "linux")]
async fn stall(time: Duration) {
    let (mut agent, session) = Agent::with_session().await;
    let before = agent.memory("VmHWM:");
    agent.request("turn", "session/prompt", prompt(&session, "stream 200000 1000")).await;
    tokio::time::sleep(time).await;
    let grown = agent.memory("VmHWM:") - before;
    assert!(grown < 6 * 1024, "grew by {grown} KiB");
    let mut updates = 0;
    loop {
        let message = agent.next().await.expect("it streams");
        if message["id"] == "turn" {
            assert_eq!(message["result"]["stopReason"], "end_turn");
            break;
        }
        updates += usize::from(message["method"] == "session/update");
    }
    assert_eq!(updates, 200_000);
    agent.ends_well().await;
}

/// A few seconds show the same as a minute. The agent reaches its limit within milliseconds, and then waits only for
/// the client; no timer is involved.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_client_that_does_not_read_for_a_while_costs_no_memory() {
    stall(Duration::from_secs(2)).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "takes a minute: `cargo test -p acp-tests --test main hostile:: -- --ignored`"]
async fn a_client_that_does_not_read_for_a_minute_costs_no_memory() {
    stall(Duration::from_secs(60)).await;
}

/// A client sends requests without end, and reads no answers.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_client_that_asks_and_does_not_listen_costs_no_memory() {
    use tokio::io::AsyncWriteExt;
    let (mut agent, _) = Agent::with_session().await;
    let before = agent.memory("VmHWM:");
    let line = format!("{}\n", json!({ "jsonrpc": "2.0", "id": "x".repeat(500), "method": "_unknown" })).repeat(100);
    let mut stdin = agent.stdin.take().unwrap();
    let flood = async { while stdin.write_all(line.as_bytes()).await.is_ok() {} };
    assert!(tokio::time::timeout(Duration::from_secs(2), flood).await.is_err(), "the agent has ended");
    let grown = agent.memory("VmHWM:") - before;
    assert!(grown < 16 * 1024, "grew by {grown} KiB");
}

#[tokio::test]
async fn a_client_that_never_answers_a_permission_request_can_still_cancel() {
    let (mut peer, session) = Peer::session(endurer()).await;
    for _ in 0..3 {
        let turn = peer.prompt(&session, "ask").await;
        let asked = peer.asked("session/request_permission").await;
        // The agent must still serve other connections.
        let other = peer.new_session().await;
        assert_eq!(peer.turn(&other, "hello").await, "end_turn");
        peer.cancel(&session).await;
        assert_eq!(peer.stop_reason(turn).await, "cancelled");
        assert_eq!(peer.notified("$/cancel_request").await["requestId"], asked.id);
    }
}

#[tokio::test]
async fn a_client_that_never_answers_a_permission_request_can_leave() {
    let (mut peer, session) = Peer::session(endurer()).await;
    peer.prompt(&session, "ask").await;
    peer.asked("session/request_permission").await;
    assert!(peer.hang_up().await.well());
}

#[tokio::test]
async fn another_session_is_served_while_one_floods() {
    let (mut peer, session) = Peer::session(endurer()).await;
    let other = peer.new_session().await;
    let flood = peer.request("session/prompt", prompt(&session, "flood 20000")).await;
    assert_eq!(peer.turn(&other, "hello").await, "end_turn");
    peer.cancel(&session).await;
    let reason = peer.stop_reason(flood).await;
    assert!(["cancelled", "end_turn"].contains(&reason.as_str()), "{reason}");
}
