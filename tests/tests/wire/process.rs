//! Agents as processes: stdout carries only messages, and the end is quick and clean.

use std::time::{Duration, Instant};

use acp_tests::peer::{Peer, all_capabilities};
use serde_json::json;

const CODER: &str = env!("CARGO_BIN_EXE_coder-under-test");
const ECHO: &str = env!("CARGO_BIN_EXE_echo-under-test");
const NOISY: &str = env!("CARGO_BIN_EXE_noisy");

/// The shortest time that a known client waits before it kills an agent whose stdin it has closed.
const EXIT_BUDGET: Duration = Duration::from_secs(1);

/// Closes stdin. Returns the time until the end. An agent that stays makes the peer panic.
async fn ends_well(peer: &mut Peer) -> Duration {
    let closed = Instant::now();
    let ended = peer.hang_up().await;
    assert!(ended.well(), "{ended:?}");
    closed.elapsed()
}

// TRANS-07
#[tokio::test]
async fn an_idle_agent_ends_when_stdin_is_closed() {
    let mut peer = Peer::spawn(ECHO, &[]);
    ends_well(&mut peer).await;
    // A busy machine can make one end slow, and not all of them.
    let mut fastest = Duration::MAX;
    for _ in 0..10 {
        let mut peer = Peer::spawn(ECHO, &[]);
        peer.initialize(all_capabilities()).await;
        peer.new_session().await;
        fastest = fastest.min(ends_well(&mut peer).await);
        if fastest < EXIT_BUDGET {
            return;
        }
    }
    panic!("the fastest end took {fastest:?}");
}

#[tokio::test]
async fn an_agent_that_shuts_down_ends_though_stdin_is_open() {
    let mut peer = Peer::spawn(NOISY, &[]);
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    assert_eq!(peer.turn(&id, "print").await, "end_turn");
    let last = peer.prompt(&id, "shut down").await;
    assert!(peer.left().await.well());
    peer.answer(last).await.expect("the last turn is answered");
}

// TRANS-07
#[tokio::test]
async fn an_agent_ends_in_the_middle_of_a_turn() {
    let store = tempfile::tempdir().unwrap();
    let file = store.path().join("sessions.db");
    let mut peer = Peer::spawn(CODER, &["--store", file.to_str().unwrap()]);
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    peer.prompt(&id, "slow").await;
    while peer.update().await["sessionUpdate"] != "agent_message_chunk" {}
    ends_well(&mut peer).await;
}

// TRANS-07
#[tokio::test]
async fn an_agent_ends_while_it_waits_for_its_client() {
    let store = tempfile::tempdir().unwrap();
    let file = store.path().join("sessions.db");
    let mut peer = Peer::spawn(CODER, &["--store", file.to_str().unwrap()]);
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    peer.prompt(&id, "edit").await;
    peer.asked("session/request_permission").await;
    ends_well(&mut peer).await;
}

#[tokio::test]
async fn answers_are_sent_before_the_agent_ends() {
    let mut peer = Peer::spawn(ECHO, &[]);
    let (first, initialize) =
        peer.request_message("initialize", json!({ "protocolVersion": 1, "clientCapabilities": {} }));
    let (second, new) = peer.request_message("session/new", json!({ "cwd": "/", "mcpServers": [] }));
    peer.send_together(&[initialize, new]).await;
    ends_well(&mut peer).await;
    assert!(peer.answer(first).await.is_ok());
    assert!(peer.answer(second).await.is_ok());
}

// TRANS-04
#[tokio::test]
async fn nothing_but_messages_goes_to_stdout_whatever_the_agent_prints() {
    let mut peer = Peer::spawn(NOISY, &[]);
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    // The peer panics if a line is not a message.
    for how in ["print", "child", "panic"] {
        let turn = peer.prompt(&id, how).await;
        let _ = peer.answer(turn).await;
    }
    assert_eq!(peer.turn(&id, "quiet").await, "end_turn");
    ends_well(&mut peer).await;
    assert_eq!(peer.updates().len(), 4, "every turn said so");
}

// TRANS-04: only the runtime reads the client's messages. The agent and its children find nothing on stdin.
#[tokio::test]
async fn the_clients_messages_are_the_runtimes_alone() {
    let mut peer = Peer::spawn(NOISY, &[]);
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    for how in ["read-stdin", "child-reads-stdin"] {
        assert_eq!(peer.turn(&id, how).await, "end_turn", "{how}");
    }
    ends_well(&mut peer).await;
}

#[tokio::test]
async fn the_small_form_serves_an_editor() {
    let mut peer = Peer::spawn(ECHO, &[]);
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    let set = |option: &str, value: serde_json::Value| json!({ "sessionId": id, "configId": option, "value": value });
    peer.call("session/set_config_option", set("shout", json!(true))).await.unwrap();
    peer.call("session/set_config_option", set("times", json!("2"))).await.unwrap();
    assert_eq!(peer.turn(&id, "hello ").await, "end_turn");
    let said = peer.updates();
    assert_eq!(
        said.iter().map(|update| update["content"]["text"].as_str().unwrap()).collect::<String>(),
        "HELLO HELLO "
    );
    ends_well(&mut peer).await;
}
