//! The agent's requests to its client. The agent asks only for what the client offers, and it releases its terminals.

use acp_tests::peer::{Asked, Peer};
use serde_json::{Value, json};

use crate::wire::agents::Scripted;

// FS-01, TERM-01: the peer itself refuses to read such a request.
#[tokio::test]
async fn what_the_client_does_not_offer_is_not_asked_for() {
    for capabilities in [
        json!({}),
        json!({ "fs": { "readTextFile": false, "writeTextFile": false }, "terminal": false }),
        json!({ "fs": {}, "terminal": null }),
    ] {
        let (mut peer, id) = Peer::session_with(Scripted::default(), capabilities.clone()).await;
        for command in ["read /a", "write /a", "terminal"] {
            let turn = peer.prompt(&id, command).await;
            assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603, "{command} with {capabilities}");
            assert_eq!(peer.updates(), Vec::<Value>::new());
        }
    }
    let (mut peer, id) = Peer::session_with(Scripted::default(), json!({ "fs": { "readTextFile": true } })).await;
    let turn = peer.prompt(&id, "write /a").await;
    assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603);
    peer.prompt(&id, "read /a").await;
    peer.asked("fs/read_text_file").await;
}

// FS-02, FS-03
#[tokio::test]
async fn files_are_read_and_written_by_the_client() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let turn = peer.prompt(&id, "read /a/b").await;
    let asked = peer.asked("fs/read_text_file").await;
    assert_eq!(asked.params, json!({ "sessionId": id, "path": "/a/b" }));
    peer.reply(&asked, json!({ "content": "from the editor" })).await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "from the editor");

    for result in [json!({}), Value::Null, json!({ "_meta": { "a": 1 } })] {
        let turn = peer.prompt(&id, "write /a/b").await;
        let asked = peer.asked("fs/write_text_file").await;
        assert_eq!(asked.params, json!({ "sessionId": id, "path": "/a/b", "content": "written" }));
        peer.reply(&asked, result.clone()).await;
        assert_eq!(peer.stop_reason(turn).await, "end_turn", "{result}");
    }
}

// FS-04
#[tokio::test]
async fn an_error_of_the_client_reaches_the_handler() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let turn = peer.prompt(&id, "read /a").await;
    let asked = peer.asked("fs/read_text_file").await;
    peer.refuse(&asked, -32002, "no such file").await;
    assert_eq!(peer.answer(turn).await.unwrap_err().code, -32002, "the handler passed it on");
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
}

#[tokio::test]
async fn an_answer_of_another_shape_is_an_error_and_no_hang() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    for result in [json!({}), json!({ "content": 5 }), json!([]), Value::Null] {
        let turn = peer.prompt(&id, "read /a").await;
        let asked = peer.asked("fs/read_text_file").await;
        peer.reply(&asked, result.clone()).await;
        assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603, "{result}");
    }
}

/// RPC-04. A program in JavaScript leaves out a result that is `undefined`.
#[tokio::test]
async fn an_answer_without_an_outcome_is_an_error_and_no_hang() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let turn = peer.prompt(&id, "read /a").await;
    let asked = peer.asked("fs/read_text_file").await;
    let bare = json!({ "jsonrpc": "2.0", "id": asked.id }).to_string();
    peer.send_line(&bare).await;
    assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603);
    // If nobody waits for an answer with this id, the same line is a broken request.
    peer.send_line(&bare).await;
    assert_eq!(peer.answer_to(&asked.id).await.unwrap_err().code, -32600);
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
}

// RPC-14, FS-02
#[tokio::test]
async fn the_agents_own_relative_path_does_not_leave_it() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    for command in ["read notes", "write ./notes"] {
        let turn = peer.prompt(&id, command).await;
        assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603, "{command}");
    }
    assert_eq!(peer.unread(), []);
}

/// A turn that has made a terminal.
async fn with_terminal(how: &str) -> (Peer, String, i64) {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let turn = peer.prompt(&id, &format!("terminal {how}")).await;
    let created = peer.asked("terminal/create").await;
    assert_eq!(created.params["command"], "make");
    assert_eq!(created.params["args"], json!(["all"]));
    peer.reply(&created, json!({ "terminalId": "t1" })).await;
    (peer, id, turn)
}

/// Waits for the terminal's release and answers it.
async fn released(peer: &mut Peer) -> Asked {
    let release = peer.asked("terminal/release").await;
    assert_eq!(release.params["terminalId"], "t1");
    peer.reply(&release, json!({})).await;
    release
}

// TERM-02, TERM-03, TERM-06
#[tokio::test]
async fn a_terminal_is_shown_waited_for_read_and_released() {
    let (mut peer, _, turn) = with_terminal("whole").await;
    let call = peer.update().await;
    assert_eq!(call["content"], json!([{ "type": "terminal", "terminalId": "t1" }]));
    let waited = peer.asked("terminal/wait_for_exit").await;
    peer.reply(&waited, json!({ "exitCode": 0 })).await;
    let output = peer.asked("terminal/output").await;
    peer.reply(&output, json!({ "output": "built", "truncated": false })).await;
    released(&mut peer).await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "built Completed");
    assert_eq!(peer.settled().await, [], "released once");
}

// TERM-03
#[tokio::test]
async fn a_dropped_terminal_is_released() {
    for how in ["dropped", "failing"] {
        let (mut peer, id, turn) = with_terminal(how).await;
        released(&mut peer).await;
        let _ = peer.answer(turn).await;
        assert_eq!(peer.settled().await, [], "{how}: released once");
        assert_eq!(peer.turn(&id, "hello").await, "end_turn");
    }
}

// TERM-03
#[tokio::test]
async fn a_terminal_of_a_cancelled_turn_is_released() {
    let (mut peer, id, turn) = with_terminal("waiting").await;
    peer.asked("terminal/wait_for_exit").await;
    peer.cancel(&id).await;
    released(&mut peer).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
}

// TERM-03: the client makes the terminal before it reads that the turn was cancelled. The agent must release it.
#[tokio::test]
async fn a_terminal_that_comes_after_the_cancel_is_released() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let turn = peer.prompt(&id, "terminal waiting").await;
    let created = peer.asked("terminal/create").await;
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    peer.reply(&created, json!({ "terminalId": "t1" })).await;
    released(&mut peer).await;
}
