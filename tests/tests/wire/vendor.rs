//! A vendor's own methods, with the types of the vendor's schema.

use acp_runtime::schema::{Method, MethodKind, Side};
use acp_tests::peer::Peer;
use acp_vendor::Reviewer;
use acp_vendor::schema::{AGENT_METHOD_NAMES, methods};
use serde_json::{Value, json};

#[tokio::test]
async fn a_vendors_request_is_read_and_answered_by_its_schema() {
    let (mut peer, _) = Peer::session(Reviewer::default()).await;
    let review = methods::Review::NAME;
    let answer = peer.call(review, json!({ "path": "/src/lib.rs", "depth": "thorough" })).await;
    let content = json!({ "type": "text", "text": "looks fine, line by line" });
    let location = json!({ "path": "/src/lib.rs", "line": 1 });
    assert_eq!(answer, Ok(json!({ "findings": [{ "content": content, "location": location }] })));
    let quick = peer.call(review, json!({ "path": "/src/lib.rs" })).await.unwrap();
    assert_eq!(quick["findings"][0]["content"]["text"], "looks fine");
    for wrong in [json!({}), json!({ "path": 1 }), json!({ "path": "/a", "depth": "deep" })] {
        assert_eq!(peer.call(review, wrong).await.unwrap_err().code, -32602);
    }
}

#[tokio::test]
async fn a_vendors_notification_is_handled() {
    let (mut peer, _) = Peer::session(Reviewer::default()).await;
    peer.notify(methods::Dismiss::NAME, json!({ "path": "/src/lib.rs" })).await;
    assert_eq!(peer.settled().await, []);
    let answer = peer.call(methods::Review::NAME, json!({ "path": "/src/lib.rs" })).await;
    assert_eq!(answer, Ok(json!({ "findings": [] })));
}

#[test]
fn a_vendors_methods_stand_in_the_tables_like_those_of_the_protocol() {
    assert_eq!((methods::Review::SIDE, methods::Review::KIND), (Side::Agent, MethodKind::Request));
    assert_eq!((methods::Dismiss::SIDE, methods::Dismiss::KIND), (Side::Agent, MethodKind::Notification));
    assert_eq!(methods::Review::HANDLER, "review");
    assert_eq!(AGENT_METHOD_NAMES.acme_dev_review, "_acme.dev/review");
    assert_eq!(AGENT_METHOD_NAMES.session_prompt, acp_runtime::schema::v1::AGENT_METHOD_NAMES.session_prompt);
}

/// The methods of the vendor are the same in each version of the protocol.
#[tokio::test]
async fn a_vendors_agent_serves_version_2_too() {
    // The peer knows version 1 alone, so the messages are read as they are.
    let mut peer = Peer::serve(Reviewer::default());
    let hello = json!({ "protocolVersion": 2, "capabilities": {}, "info": { "name": "acp-tests", "version": "1" } });
    assert_eq!(asked(&mut peer, 1, "initialize", hello).await["result"]["protocolVersion"], 2);
    let opened = asked(&mut peer, 2, "session/new", json!({ "cwd": "/" })).await;
    let review = asked(&mut peer, 3, methods::Review::NAME, json!({ "path": "/src/lib.rs" })).await;
    assert_eq!(review["result"]["findings"][0]["content"]["text"], "looks fine");
    let words = json!([{ "type": "text", "text": "which file?" }]);
    let prompt = json!({ "sessionId": opened["result"]["sessionId"], "prompt": words });
    assert!(asked(&mut peer, 4, "session/prompt", prompt).await["result"]["messageId"].is_string());
    let mut told = Vec::new();
    while told.last().is_none_or(|last| last != "idle") {
        let update = read(&mut peer).await["params"]["update"].take();
        let what = if update["state"].is_string() { &update["state"] } else { &update["sessionUpdate"] };
        told.push(what.as_str().expect("a text").to_owned());
    }
    assert_eq!(told, ["user_message", "running", "agent_message_chunk", "idle"]);
}

async fn read(peer: &mut Peer) -> Value {
    serde_json::from_str(&peer.next_line().await).expect("a line is JSON")
}

/// Sends a request, and reads its answer, which is the next message.
async fn asked(peer: &mut Peer, id: u64, method: &str, params: Value) -> Value {
    let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    peer.send_line(request.to_string()).await;
    let answer = read(peer).await;
    assert_eq!(answer["id"], id, "{answer}");
    answer
}
