//! Messages with an odd envelope, or at an odd place in the conversation.

use acp_tests::peer::{Message, Peer, all_capabilities, prompt};
use serde_json::{Value, json};

use crate::hostile::agents::{MARK, endurer};

/// The next message, which must be an error: its id and code.
async fn refused(peer: &mut Peer) -> (Value, i32) {
    let Message::Answer { id, outcome: Err(refusal) } = peer.next().await else { panic!("no error") };
    assert!(!format!("{refusal:?}").contains(MARK), "{refusal:?}");
    (id, refusal.code)
}

#[tokio::test]
async fn a_readable_id_is_used_in_errors_of_the_envelope() {
    let (mut peer, _) = Peer::session(endurer()).await;
    for (rest, used) in [
        (r#""method":"session/list""#, true),
        (r#""jsonrpc":"1.0","method":"tell-nobody-7f3a""#, true),
        (r#""jsonrpc":2.0,"method":"m""#, true),
        (r#""jsonrpc":"2.0","method":7"#, true),
        (r#""jsonrpc":"2.0","method":"\ud800""#, true),
        (r#""jsonrpc":"2.0","method":"m","params":"tell-nobody-7f3a""#, true),
        (r#""jsonrpc":"2.0","params":{"tell-nobody-7f3a":1}"#, true),
        (r#""jsonrpc":"2.0""#, true),
    ] {
        for id in ["7", "\"seven\"", "-1", "9007199254740993", "1.5"] {
            peer.send_line(format!("{{\"id\":{id},{rest}}}")).await;
            let expected: Value = if used { serde_json::from_str(id).unwrap() } else { Value::Null };
            assert_eq!(refused(&mut peer).await, (expected, -32600), "{id} {rest}");
        }
    }
}

#[tokio::test]
async fn ids_of_no_legal_type_are_refused() {
    let (mut peer, _) = Peer::session(endurer()).await;
    for id in ["{}", "[1]", "true", "false", "{\"tell-nobody-7f3a\":1}"] {
        peer.send_line(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"_unknown"}}"#)).await;
        assert_eq!(refused(&mut peer).await, (Value::Null, -32600), "{id}");
    }
}

/// The agent returns the exact bytes of an id, so every client recognises its own id.
#[tokio::test]
async fn ids_keep_their_very_text() {
    let (mut peer, _) = Peer::session(endurer()).await;
    for id in ["1.50", "1e3", "123456789012345678901234567890", "-0", "\"\\u0061\"", "\"\\ud800\"", "\"\""] {
        peer.send_line(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"_unknown"}}"#)).await;
        let line = peer.next_line().await;
        assert!(line.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"error":"#)), "{line}");
    }
}

#[tokio::test]
async fn of_duplicate_keys_the_last_counts_in_the_envelope_and_params_are_refused() {
    let (mut peer, session) = Peer::session(endurer()).await;
    peer.send_line(r#"{"jsonrpc":"2.0","id":"a","id":"b","method":"_x","method":"_hostile.dev/panic"}"#).await;
    assert_eq!(refused(&mut peer).await, (json!("b"), -32603));
    let twice = format!(r#"{{"sessionId":"{session}","sessionId":"{session}","prompt":[]}}"#);
    peer.send_line(format!(r#"{{"jsonrpc":"2.0","id":"c","method":"session/prompt","params":{twice}}}"#)).await;
    assert_eq!(refused(&mut peer).await, (json!("c"), -32602));
}

#[tokio::test]
async fn requests_with_one_id_are_each_answered() {
    let (mut peer, first) = Peer::session(endurer()).await;
    let second = peer.new_session().await;
    let id = json!("the same");
    for session in [&first, &second] {
        let message =
            json!({ "jsonrpc": "2.0", "id": id, "method": "session/prompt", "params": prompt(session, "hang") });
        peer.send_line(message.to_string()).await;
    }
    assert_eq!(peer.settled().await, [], "both run");
    // The id fits two requests. The cancellation can only mean the later one.
    peer.notify("$/cancel_request", json!({ "requestId": id })).await;
    assert_eq!(peer.answer_to(&id).await.unwrap()["stopReason"], "cancelled");
    assert_eq!(peer.turn(&second, "hello").await, "end_turn");
    peer.cancel(&first).await;
    assert_eq!(peer.answer_to(&id).await.unwrap()["stopReason"], "cancelled");
}

#[tokio::test]
async fn lone_surrogates_are_refused_where_they_are_read_and_skipped_where_not() {
    let (mut peer, session) = Peer::session(endurer()).await;
    let text = r#"[{"type":"text","text":"\ud800 tell-nobody-7f3a"}]"#;
    let params = format!(r#"{{"sessionId":"{session}","prompt":{text}}}"#);
    peer.send_line(format!(r#"{{"jsonrpc":"2.0","id":"a","method":"session/prompt","params":{params}}}"#)).await;
    assert_eq!(refused(&mut peer).await, (json!("a"), -32602));
    let params = format!(r#"{{"sessionId":"{session}","prompt":[],"unknown":"\udfff\ud800"}}"#);
    let line = format!(r#"{{"jsonrpc":"2.0","id":"b","method":"session/prompt","params":{params},"more":"\ud800"}}"#);
    peer.send_line(line).await;
    assert_eq!(peer.answer_to(&json!("b")).await.unwrap()["stopReason"], "end_turn");
}

#[tokio::test]
async fn requests_before_initialize_and_pipelined_with_it() {
    let mut peer = Peer::serve(endurer());
    let (before, new) = peer.request_message("session/new", json!({ "cwd": "/", "mcpServers": [] }));
    let (first, initialize) = peer.request_message("initialize", json!({ "protocolVersion": 1 }));
    let (after, again) = peer.request_message("session/new", json!({ "cwd": "/", "mcpServers": [] }));
    let (second, twice) = peer.request_message("initialize", json!({ "protocolVersion": 1 }));
    peer.send_together(&[new, initialize, again, twice]).await;
    assert_eq!(peer.answer(before).await.unwrap_err().code, -32600);
    assert!(peer.answer(first).await.is_ok());
    assert!(peer.answer(after).await.is_ok());
    assert_eq!(peer.answer(second).await.unwrap_err().code, -32600, "a connection is initialized once");
}

#[tokio::test]
async fn errors_do_not_carry_names_of_any_length_back() {
    let mut peer = Peer::serve(endurer());
    peer.initialize(all_capabilities()).await;
    let long = "n".repeat(100_000);
    for (method, params) in [
        (long.as_str(), json!({})),
        ("session/prompt", prompt(&long, "hello")),
        ("session/set_config_option", json!({ "sessionId": long, "configId": "loud", "value": true })),
        ("session/new", json!({ "cwd": long, "mcpServers": [] })),
    ] {
        let refused = peer.call(method, params).await.unwrap_err();
        assert!(format!("{refused:?}").len() < 1000, "{} bytes", format!("{refused:?}").len());
    }
    let session = peer.new_session().await;
    for (option, value) in [(long.as_str(), json!(true)), ("loud", json!(long))] {
        let params = json!({ "sessionId": session, "configId": option, "value": value });
        let refused = peer.call("session/set_config_option", params).await.unwrap_err();
        assert!(format!("{refused:?}").len() < 1000, "{} bytes", format!("{refused:?}").len());
    }
}
