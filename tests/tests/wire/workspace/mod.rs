//! Files and commands: by the client if it offers them, or else by the agent itself, with the same rules.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client;
mod commands;
mod ends;
mod files;
mod process;

use std::{fs, path::Path, time::Duration};

use acp_tests::{
    peer::{Answer, Peer},
    workshop::Workshop,
};
use serde_json::{Value, json};

/// An agent with a session in this folder. The client has these capabilities.
async fn workshop(cwd: &Path, capabilities: Value) -> (Peer, String) {
    let mut peer = Peer::serve(Workshop);
    peer.initialize(capabilities).await;
    let id = opened(&mut peer, cwd).await;
    (peer, id)
}

async fn opened(peer: &mut Peer, cwd: &Path) -> String {
    let opened = peer.call("session/new", json!({ "cwd": cwd, "mcpServers": [] })).await;
    opened.unwrap()["sessionId"].as_str().unwrap().to_owned()
}

/// A client that offers nothing, so the agent does the work itself.
async fn alone() -> (tempfile::TempDir, Peer, String) {
    let folder = tempfile::tempdir().unwrap();
    let (peer, id) = workshop(folder.path(), json!({})).await;
    (folder, peer, id)
}

async fn work(peer: &mut Peer, session: &str, what: &str, arguments: &Value) -> Answer {
    let turn = peer.prompt(session, &format!("{what} {arguments}")).await;
    peer.answer(turn).await
}

/// The text of a turn that succeeds.
async fn done(peer: &mut Peer, session: &str, what: &str, arguments: Value) -> String {
    work(peer, session, what, &arguments).await.unwrap_or_else(|error| panic!("{what} {arguments}: {error:?}"));
    peer.updates().iter().filter_map(|update| update["content"]["text"].as_str()).collect()
}

/// Whether a process is there, and has not ended.
fn lives(process: &str) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z"))
}

/// Waits until these processes have ended.
async fn gone(processes: &str) {
    for process in processes.split_whitespace() {
        let mut looks = 0;
        while lives(process) {
            looks += 1;
            assert!(looks < 1000, "process {process} goes on");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// A line that starts a process in the background, tells the numbers of both, and goes on.
const TWO: &str = "sleep 1000 & echo $! $$; sleep 1000; true";
