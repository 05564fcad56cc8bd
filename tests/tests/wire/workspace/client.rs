//! Files and commands by a client that offers them.

use std::{fs, path::Path};

use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};

use super::workshop;

/// A turn in the folder `/work`, which is not there: so nothing is done on disk.
async fn turn(prompt: &str) -> (Peer, String, i64) {
    let (mut peer, id) = workshop(Path::new("/work"), all_capabilities()).await;
    let turn = peer.prompt(&id, prompt).await;
    (peer, id, turn)
}

// FS-02
#[tokio::test]
async fn files_are_the_clients_with_absolute_paths() {
    for (prompt, method, params) in [
        (r#"read {"path":"./src//a.rs"}"#, "fs/read_text_file", json!({ "path": "/work/src/a.rs" })),
        (r#"read {"path":"/etc/hosts"}"#, "fs/read_text_file", json!({ "path": "/etc/hosts" })),
        (
            r#"lines {"path":"a","line":3,"limit":2}"#,
            "fs/read_text_file",
            json!({ "path": "/work/a", "line": 3, "limit": 2 }),
        ),
        (r#"write {"path":"a","content":"b"}"#, "fs/write_text_file", json!({ "path": "/work/a", "content": "b" })),
    ] {
        let (mut peer, id, turn) = turn(prompt).await;
        let asked = peer.asked(method).await;
        let mut params = params;
        params["sessionId"] = Value::from(id);
        assert_eq!(asked.params, params, "{prompt}");
        peer.reply(&asked, json!({ "content": "" })).await;
        assert_eq!(peer.stop_reason(turn).await, "end_turn", "{prompt}");
    }
}

/// A client may have a reason to refuse.
// FS-04
#[tokio::test]
async fn a_refusal_of_the_client_is_final() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes"), "on disk").unwrap();
    let (mut peer, id) = workshop(folder.path(), all_capabilities()).await;
    for (prompt, method) in [
        (r#"read {"path":"notes"}"#, "fs/read_text_file"),
        (r#"write {"path":"notes","content":"new"}"#, "fs/write_text_file"),
        (r#"run {"shell":"echo new > notes"}"#, "terminal/create"),
    ] {
        let turn = peer.prompt(&id, prompt).await;
        let asked = peer.asked(method).await;
        peer.refuse(&asked, -32001, "not here").await;
        assert_eq!(peer.answer(turn).await.unwrap_err().code, -32001, "{prompt}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("notes")).unwrap(), "on disk");
}

/// Answers the next request of this method.
async fn reply(peer: &mut Peer, method: &str, result: Value) -> Value {
    let asked = peer.asked(method).await;
    peer.reply(&asked, result).await;
    asked.params
}

// TERM-01, TERM-03, TERM-06
#[tokio::test]
async fn a_command_is_a_terminal_of_the_client_and_is_shown() {
    let (mut peer, id, turn) =
        turn(r#"show {"program":"make","args":["all"],"env":["CI","1"],"cwd":"sub","limit":100}"#).await;
    let created = reply(&mut peer, "terminal/create", json!({ "terminalId": "t" })).await;
    let expected = json!({
        "sessionId": id, "command": "make", "args": ["all"], "env": [{ "name": "CI", "value": "1" }],
        "cwd": "/work/sub", "outputByteLimit": 100,
    });
    assert_eq!(created, expected);
    reply(&mut peer, "terminal/wait_for_exit", json!({ "exitCode": 0 })).await;
    reply(&mut peer, "terminal/output", json!({ "output": "built", "truncated": false })).await;
    reply(&mut peer, "terminal/release", json!({})).await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    let shown: Vec<_> = peer.updates().into_iter().map(|mut update| update["content"].take()).collect();
    assert_eq!(shown[1], json!([{ "type": "terminal", "terminalId": "t" }]));
    assert_eq!(shown[2][0]["content"]["text"], "built");
}

#[tokio::test]
async fn a_line_of_the_shell_needs_no_shell_of_the_agent() {
    let (mut peer, _, _) = turn(r#"run {"shell":"make | tail"}"#).await;
    let created = peer.asked("terminal/create").await.params;
    assert_eq!((&created["command"], &created["args"]), (&json!("sh"), &json!(["-c", "make | tail"])));
    assert_eq!((&created["cwd"], &created["outputByteLimit"]), (&json!("/work"), &json!(1024 * 1024)));
}

// TERM-03
#[tokio::test]
async fn a_command_whose_time_is_over_is_killed_and_released() {
    let (mut peer, _, turn) = turn(r#"run {"program":"make","milliseconds":20}"#).await;
    reply(&mut peer, "terminal/create", json!({ "terminalId": "t" })).await;
    peer.asked("terminal/wait_for_exit").await;
    reply(&mut peer, "terminal/kill", json!({})).await;
    reply(&mut peer, "terminal/wait_for_exit", json!({ "signal": "SIGKILL" })).await;
    reply(&mut peer, "terminal/output", json!({ "output": "so far", "truncated": true })).await;
    reply(&mut peer, "terminal/release", json!({})).await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    let told = peer.updates()[0]["content"]["text"].as_str().unwrap().to_owned();
    let expected = json!({
        "output": "so far", "truncated": true, "code": null, "signal": "SIGKILL", "late": true, "success": false,
    });
    assert_eq!(serde_json::from_str::<Value>(&told).unwrap(), expected);
}

// TERM-03
#[tokio::test]
async fn a_cancelled_turn_releases_the_terminal() {
    let (mut peer, id, turn) = turn(r#"run {"program":"make"}"#).await;
    reply(&mut peer, "terminal/create", json!({ "terminalId": "t" })).await;
    peer.asked("terminal/wait_for_exit").await;
    peer.cancel(&id).await;
    reply(&mut peer, "terminal/release", json!({})).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
}
