//! Wrong input, and handlers that fail. Each request gets an answer, and the connection continues.

use acp_tests::peer::{Message, Peer, all_capabilities, prompt};
use serde_json::{Value, json};

use crate::wire::agents::Scripted;

/// The next message, which must be an error. Returns its id and its code.
async fn refused(peer: &mut Peer) -> (Value, i32) {
    match peer.next().await {
        Message::Answer { id, outcome: Err(refusal) } => (id, refusal.code),
        other => panic!("not an error: {other:?}"),
    }
}

// TRANS-01, RPC-01, RPC-09, TRANS-09
#[tokio::test]
async fn lines_that_are_no_request_are_answered_and_the_connection_lives_on() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let cases: [(&[u8], Value, i32); 14] = [
        (b"{not json", Value::Null, -32700),
        (b"hello", Value::Null, -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/new\"", Value::Null, -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}", Value::Null, -32700),
        (b"\xc3\x28", Value::Null, -32700),
        (b"[]", Value::Null, -32600),
        (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/new\"}]", Value::Null, -32600),
        (b"5", Value::Null, -32600),
        (b"{}", Value::Null, -32600),
        (b"{\"id\":7,\"method\":\"session/list\"}", json!(7), -32600),
        (b"{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"session/list\"}", json!("a"), -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":8}", json!(8), -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"session/list\",\"params\":\"x\"}", json!(9), -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"session/list\"}", Value::Null, -32600),
    ];
    for (line, expected_id, code) in cases {
        peer.send_line(line).await;
        let shown = String::from_utf8_lossy(line);
        assert_eq!(refused(&mut peer).await, (expected_id, code), "{shown}");
        assert_eq!(peer.settled().await, [], "after {shown}");
    }
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
}

// RPC-10
#[tokio::test]
async fn params_of_the_wrong_shape_are_refused_before_the_handler_runs() {
    let agent = Scripted::default();
    let handled = agent.handled.clone();
    let (mut peer, id) = Peer::session(agent).await;
    let before = handled.get();
    for (method, params) in [
        ("session/new", json!({})),
        ("session/new", json!({ "cwd": 5, "mcpServers": [] })),
        ("session/new", json!({ "cwd": "/", "mcpServers": {} })),
        ("session/new", json!({ "cwd": "/" })),
        ("session/new", json!(["/", []])),
        ("session/prompt", json!({ "sessionId": id })),
        ("session/prompt", json!({ "sessionId": id, "prompt": "hello" })),
        ("session/prompt", json!({ "sessionId": 5, "prompt": [] })),
        ("session/prompt", json!({ "prompt": [{ "type": "text", "text": "hello" }] })),
        ("session/load", json!({ "sessionId": "stored", "cwd": "/" })),
        ("session/resume", json!({ "cwd": "/" })),
        ("session/list", json!({ "cwd": 5 })),
        ("session/set_mode", json!({ "sessionId": id, "modeId": 5 })),
        ("session/set_config_option", json!({ "sessionId": id, "configId": "model", "value": 5 })),
        ("session/set_config_option", json!({ "sessionId": id, "configId": "model" })),
        ("session/set_config_option", json!({ "sessionId": id, "value": "fast" })),
        ("session/close", json!({ "sessionId": null })),
        ("session/delete", json!({})),
        ("_acp-tests.dev/add", json!({ "a": "one", "b": 2 })),
        ("_acp-tests.dev/add", json!({ "a": 1 })),
    ] {
        let refused = peer.call(method, params.clone()).await.unwrap_err();
        assert_eq!(refused.code, -32602, "{method} {params}: {refused:?}");
    }
    assert_eq!(handled.get(), before, "a handler ran");
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
}

#[tokio::test]
async fn refusals_say_which_of_the_params_is_wrong() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let servers = json!([{ "name": "b", "command": 5 }, { "name": "a", "command": "/a", "args": [], "env": [] }]);
    let [http, typo] = [
        json!({ "type": "http", "name": "a", "url": 5, "headers": [] }),
        json!({ "type": "http", "name": "a", "url": "http://a", "haeders": [] }),
    ];
    let blocks = json!([{ "type": "text" }, { "type": "text", "text": "hello" }]);
    for (method, params, place) in [
        ("session/prompt", json!({ "sessionId": id, "prompt": "hello" }), "expected a sequence at `/prompt`"),
        ("session/prompt", json!({ "sessionId": id, "prompt": blocks }), "missing field `text` at `/prompt/0`"),
        ("session/new", json!({ "cwd": 5, "mcpServers": [] }), "at `/cwd`"),
        (
            "session/new",
            json!({ "cwd": "/", "mcpServers": servers }),
            "expected path string at `/mcpServers/0/command`",
        ),
        (
            "session/new",
            json!({ "cwd": "/", "mcpServers": [servers[1], {}] }),
            "missing field `name` at `/mcpServers/1`",
        ),
        ("session/new", json!({ "cwd": "/", "mcpServers": [http] }), "expected a string at `/mcpServers/0/url`"),
        ("session/new", json!({ "cwd": "/", "mcpServers": [typo] }), "missing field `headers` at `/mcpServers/0`"),
        ("session/set_config_option", json!({ "sessionId": id, "configId": 5, "value": "fast" }), "at `/configId`"),
        ("_acp-tests.dev/add", json!({ "a": 1, "b": "two" }), "at `/b`"),
        ("session/prompt", json!({ "prompt": [] }), "missing field `sessionId`"),
    ] {
        let refused = peer.call(method, params.clone()).await.unwrap_err();
        assert!(refused.message.contains(place), "{method} {params}: {refused:?}");
    }
}

#[tokio::test]
async fn refusals_do_not_repeat_what_was_sent() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    for (method, params) in [
        ("session/new", json!({ "cwd": { "tell nobody": 1 }, "mcpServers": [] })),
        ("session/prompt", json!({ "sessionId": id, "prompt": [{ "type": "tell nobody" }] })),
        ("session/prompt", json!({ "sessionId": id, "prompt": "tell nobody" })),
        ("session/prompt", json!({ "sessionId": id, "prompt": [{ "type": "text", "text": ["tell nobody"] }] })),
        ("_acp-tests.dev/add", json!({ "a": "tell nobody", "b": 2 })),
    ] {
        let refused = peer.call(method, params.clone()).await.unwrap_err();
        assert!(!format!("{refused:?}").contains("tell nobody"), "{method} {params}: {refused:?}");
    }
}

// RPC-02, RPC-03
#[tokio::test]
async fn ids_come_back_as_they_were() {
    let (mut peer, _) = Peer::session(Scripted::default()).await;
    for id in
        [json!(0), json!(-5), json!(9_007_199_254_740_993_i64), json!("1"), json!(""), json!("ü\n\"x\""), Value::Null]
    {
        let message =
            json!({ "jsonrpc": "2.0", "id": id, "method": "_acp-tests.dev/add", "params": { "a": 1, "b": 2 } });
        peer.send_line(message.to_string()).await;
        assert_eq!(peer.answer_to(&id).await, Ok(json!({ "sum": 3 })), "{id}");
    }
}

// RPC-06, RPC-08, EXT-03
#[tokio::test]
async fn notifications_are_never_answered() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    for (method, params) in [
        ("no/such_method", json!({})),
        ("$/no_such_method", json!({})),
        ("_acp-tests.dev/unknown", json!({})),
        ("_acp-tests.dev/poke", json!({ "not": "a list" })),
        ("session/prompt", prompt(&id, "hello")),
        ("session/new", json!({})),
        ("session/cancel", json!({})),
        ("session/cancel", json!({ "sessionId": "no such session" })),
        ("$/cancel_request", json!({ "requestId": 999 })),
        ("$/cancel_request", json!({})),
    ] {
        peer.notify(method, params).await;
    }
    peer.send_line(r#"{"method":"no version"}"#).await;
    peer.send_line(r#"{"jsonrpc":"2.0","method":"m","params":"x"}"#).await;
    assert_eq!(peer.settled().await, []);
}

/// A client that cannot read a line of the agent answers with an error whose id is null. An answer to this error would
/// start an endless exchange.
#[tokio::test]
async fn answers_are_never_answered() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    for line in [
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}"#,
        r#"{"jsonrpc":"2.0","id":12345,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"nobody asked","error":{"code":1,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":12345,"result":{},"error":5}"#,
    ] {
        peer.send_line(line).await;
    }
    assert_eq!(peer.settled().await, []);
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
}

// RPC-07
#[tokio::test]
async fn unknown_methods_are_refused() {
    let (mut peer, _) = Peer::session(Scripted::default()).await;
    for method in ["session/nonsense", "sessionnew", "", "session/update", "fs/read_text_file", "_unknown", "$/unknown"]
    {
        let refused = peer.call(method, json!({})).await.unwrap_err();
        assert_eq!(refused.code, -32601, "{method}: {refused:?}");
    }
}

// RPC-11, ERR-01, ERR-02
#[tokio::test]
async fn a_failing_handler_is_answered_and_the_session_lives_on() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    for (command, code) in [("panic", -32603), ("error", -32603), ("code -32000", -32000), ("code 77", 77)] {
        let request = peer.prompt(&id, command).await;
        let refused = peer.answer(request).await.unwrap_err();
        assert_eq!(refused.code, code, "{command}: {refused:?}");
        assert!(!format!("{refused:?}").contains("secret"), "{refused:?}");
        assert_eq!(peer.turn(&id, "hello").await, "end_turn", "after {command}");
    }
}

// TRANS-10
#[tokio::test]
async fn long_lines_are_read() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let audio = json!({ "type": "audio", "data": "A".repeat(3 << 20), "mimeType": "audio/wav" });
    let text = json!({ "type": "text", "text": "history" });
    let params = json!({ "sessionId": id, "prompt": [audio, text] });
    assert_eq!(peer.call("session/prompt", params).await.unwrap()["stopReason"], "end_turn");
}

// TRANS-03, RPC-15
#[tokio::test]
async fn lines_may_end_in_carriage_returns_and_params_may_be_missing() {
    let mut peer = Peer::serve(Scripted::default());
    peer.initialize(all_capabilities()).await;
    for (id, message) in [
        (100, "{\"jsonrpc\":\"2.0\",\"id\":100,\"method\":\"session/list\"}\r"),
        (101, "{\"jsonrpc\":\"2.0\",\"id\":101,\"method\":\"session/list\",\"params\":null}"),
        (102, " {\"jsonrpc\":\"2.0\",\"id\":102,\"method\":\"session/list\",\"params\":{}} "),
        (103, "\n\r\n{\"jsonrpc\":\"2.0\",\"id\":103,\"method\":\"session/list\",\"more\":1}"),
    ] {
        peer.send_line(message).await;
        assert!(peer.answer(id).await.is_ok(), "{message}");
    }
    assert_eq!(peer.settled().await, []);
}
