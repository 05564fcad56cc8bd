//! Bytes that are not lines, and lines that are not messages.

use acp_tests::peer::{Message, Peer};
use serde_json::{Value, json};

use crate::hostile::agents::{MARK, endurer};

/// Sends lines that the agent must refuse with this code and without an id. Checks that the errors do not quote the
/// lines.
async fn refuses(lines: &[&[u8]], code: i32) {
    let (mut peer, session) = Peer::session(endurer()).await;
    for line in lines {
        peer.send_line(line).await;
        let Message::Answer { id, outcome: Err(refusal) } = peer.next().await else { panic!("no error") };
        assert_eq!((id, refusal.code), (Value::Null, code), "{}", String::from_utf8_lossy(line));
        assert!(!format!("{refusal:?}").contains(MARK), "{refusal:?}");
    }
    assert_eq!(peer.turn(&session, "hello").await, "end_turn");
}

/// `line` with a marker in place of `@`.
fn marked(line: &[u8]) -> Vec<u8> {
    line.split(|&byte| byte == b'@').collect::<Vec<_>>().join(MARK.as_bytes())
}

#[tokio::test]
async fn invalid_utf8_is_answered() {
    let lines = [
        marked(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"@\xff\"}"),
        marked(b"\xc0\xaf@"),
        marked(b"@\xed\xa0\x80"),
        marked(b"\xf4\x90\x80\x80@"),
    ];
    refuses(&lines.each_ref().map(Vec::as_slice), -32700).await;
}

#[tokio::test]
async fn what_is_no_json_is_answered() {
    let lines = [
        marked(b"@"),
        marked(b"{\"@\""),
        marked(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/new\",\"params\":{\"cwd\":\"@\"}"),
        marked(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"@\"}}"),
        marked(b"{'jsonrpc':'2.0','method':'@'}"),
        marked(b"\0\0@\0"),
        marked(b"{\"jsonrpc\":\"2.0\",\"id\":01,\"method\":\"@\"}"),
        marked(b"Content-Length: 12@\r"),
    ];
    refuses(&lines.each_ref().map(Vec::as_slice), -32700).await;
}

#[tokio::test]
async fn what_is_no_object_is_answered_and_a_batch_once() {
    let lines = [
        marked(b"\"@\""),
        marked(b"7"),
        marked(b"null"),
        marked(b"true"),
        marked(b"[]"),
        marked(b"[\"@\",1]"),
        marked(b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"@\"},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"@\"}]"),
        marked(b"  \t[{\"jsonrpc\":\"2.0\",\"method\":\"@\"}]"),
    ];
    refuses(&lines.each_ref().map(Vec::as_slice), -32600).await;
}

#[tokio::test]
async fn blank_lines_and_carriage_returns_are_no_messages() {
    let (mut peer, session) = Peer::session(endurer()).await;
    for blank in ["", "\r", " ", "\t \r", "\n\n\r\n \n"] {
        peer.send_line(blank).await;
    }
    peer.send_line("{\"jsonrpc\":\"2.0\",\"id\":\"crlf\",\"method\":\"session/list\"}\r").await;
    assert_eq!(peer.answer_to(&json!("crlf")).await.unwrap_err().code, -32601);
    assert_eq!(peer.settled().await, []);
    assert_eq!(peer.turn(&session, "hello").await, "end_turn");
}

#[tokio::test]
async fn a_byte_order_mark_at_the_start_is_skipped() {
    let mut peer = Peer::serve(endurer());
    let (id, message) = peer.request_message("initialize", json!({ "protocolVersion": 1 }));
    peer.send_line(format!("\u{feff}{message}")).await;
    assert_eq!(peer.answer(id).await.unwrap()["protocolVersion"], 1);
    // A byte order mark at any other place is not JSON.
    peer.send_line("\u{feff}{}").await;
    assert_eq!(peer.answer_to(&Value::Null).await.unwrap_err().code, -32700);
}

#[tokio::test]
async fn messages_may_arrive_byte_by_byte_and_many_at_once() {
    let (mut peer, session) = Peer::session(endurer()).await;
    let lines: Vec<String> = (0..100)
        .map(|id| json!({ "jsonrpc": "2.0", "id": format!("many-{id}"), "method": "_unknown" }).to_string())
        .collect();
    peer.send_line(lines.join("\n")).await;
    for id in 0..100 {
        assert_eq!(peer.answer_to(&json!(format!("many-{id}"))).await.unwrap_err().code, -32601);
    }
    let (id, message) = peer.request_message("session/prompt", acp_tests::peer::prompt(&session, "hello"));
    for byte in message.to_string().bytes() {
        peer.send_bytes(&[byte]).await;
        tokio::task::yield_now().await;
    }
    peer.send_line("").await;
    assert_eq!(peer.stop_reason(id).await, "end_turn");
}
