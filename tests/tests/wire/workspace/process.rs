//! The agent as a process: its commands end with it, and their output does not fill its memory.

use std::{fs, process::Command};

use acp_tests::peer::Peer;
use serde_json::json;

use super::{TWO, done, gone, lives, opened};

const WORKSHOP: &str = env!("CARGO_BIN_EXE_workshop");

async fn spawned() -> (tempfile::TempDir, Peer, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut peer = Peer::spawn(WORKSHOP, &[]);
    peer.initialize(json!({})).await;
    let id = opened(&mut peer, folder.path()).await;
    let process = done(&mut peer, &id, "pid", json!({})).await;
    (folder, peer, id, process)
}

/// The peak of the agent's memory, in KiB.
fn peak(process: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[tokio::test]
async fn commands_end_with_an_agent_that_is_killed() {
    let (_folder, mut peer, id, agent) = spawned().await;
    let processes = done(&mut peer, &id, "start", json!({ "shell": TWO })).await;
    assert_eq!(processes.split_whitespace().filter(|process| lives(process)).count(), 2, "{processes}");
    assert!(Command::new("kill").args(["-KILL", &agent]).status().unwrap().success());
    gone(&processes).await;
}

#[tokio::test]
async fn commands_end_with_an_agent_whose_client_hangs_up() {
    let (_folder, mut peer, id, _) = spawned().await;
    let processes = done(&mut peer, &id, "start", json!({ "shell": TWO })).await;
    assert!(peer.hang_up().await.well());
    gone(&processes).await;
}

#[tokio::test]
async fn fifty_megabytes_of_output_stay_out_of_the_memory() {
    let (_folder, mut peer, id, agent) = spawned().await;
    done(&mut peer, &id, "measure", json!({ "shell": "echo warm" })).await;
    let before = peak(&agent);
    let shell = "head -c 50000000 /dev/zero | tr '\\0' x";
    assert_eq!(done(&mut peer, &id, "measure", json!({ "shell": shell })).await, (1024 * 1024).to_string());
    let grown = peak(&agent) - before;
    assert!(grown < 6 * 1024, "{grown} KiB for 1 MiB that is kept");
}
