//! The end of the agent's own commands: no process is left.

use serde_json::json;

use super::{TWO, alone, done, gone, lives};

/// Starts a command with a process in the background. Returns their numbers.
async fn started(peer: &mut acp_tests::peer::Peer, id: &str) -> String {
    let processes = done(peer, id, "start", json!({ "shell": TWO })).await;
    assert_eq!(processes.split_whitespace().filter(|process| lives(process)).count(), 2, "{processes}");
    processes
}

#[tokio::test]
async fn the_end_of_the_handle_kills_all_processes() {
    for how in ["drop", "release"] {
        let (_folder, mut peer, id) = alone().await;
        let processes = started(&mut peer, &id).await;
        done(&mut peer, &id, how, json!({})).await;
        gone(&processes).await;
    }
}

#[tokio::test]
async fn a_kill_kills_all_processes_and_the_output_stays() {
    let (_folder, mut peer, id) = alone().await;
    let processes = started(&mut peer, &id).await;
    assert_eq!(done(&mut peer, &id, "kill", json!({})).await, format!("Some(\"SIGKILL\") {processes}"));
    gone(&processes).await;
    done(&mut peer, &id, "drop", json!({})).await;
}

#[tokio::test]
async fn a_cancel_kills_all_processes_though_the_handle_lives() {
    let (_folder, mut peer, id) = alone().await;
    let turn = peer.prompt(&id, &format!("hold {}", json!({ "shell": TWO }))).await;
    let processes = peer.update().await["content"]["text"].as_str().unwrap().to_owned();
    assert_eq!(processes.split_whitespace().filter(|process| lives(process)).count(), 2, "{processes}");
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    gone(&processes).await;
}

#[tokio::test]
async fn a_cancel_ends_the_wait_and_the_command() {
    let (_folder, mut peer, id) = alone().await;
    let turn = peer.prompt(&id, &format!("run {}", json!({ "shell": "echo $$ > pid; sleep 1000" }))).await;
    let path = _folder.path().join("pid");
    let process = loop {
        match std::fs::read_to_string(&path) {
            Ok(process) if process.ends_with('\n') => break process,
            _ => tokio::time::sleep(std::time::Duration::from_millis(5)).await,
        }
    };
    assert!(lives(process.trim()));
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    gone(&process).await;
}

/// As in a terminal: the end of a command does not end what it has left in the background.
#[tokio::test]
async fn processes_in_the_background_go_on_until_the_release() {
    let (_folder, mut peer, id) = alone().await;
    let process = done(&mut peer, &id, "start", json!({ "shell": "sleep 1000 & echo $!" })).await;
    done(&mut peer, &id, "wait", json!({})).await;
    assert!(lives(process.trim()));
    done(&mut peer, &id, "release", json!({})).await;
    gone(&process).await;
}

/// A group whose command has ended can still be killed, and no other group has its number.
#[tokio::test]
async fn a_kill_after_the_end_meets_the_background() {
    let (_folder, mut peer, id) = alone().await;
    let process = done(&mut peer, &id, "start", json!({ "shell": "sleep 1000 & echo $!" })).await;
    done(&mut peer, &id, "wait", json!({})).await;
    done(&mut peer, &id, "kill", json!({})).await;
    gone(&process).await;
    done(&mut peer, &id, "drop", json!({})).await;
}
