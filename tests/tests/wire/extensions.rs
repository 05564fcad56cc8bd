//! Extension methods of both sides.

use acp_tests::peer::Peer;
use serde_json::{Value, json};

use crate::wire::agents::Scripted;

// EXT-02
#[tokio::test]
async fn an_extension_request_is_answered() {
    let (mut peer, _) = Peer::session(Scripted::default()).await;
    let sum = peer.call("_acp-tests.dev/add", json!({ "a": 2, "b": 3, "_meta": { "x": 1 }, "more": [] })).await;
    assert_eq!(sum, Ok(json!({ "sum": 5 })));
    assert_eq!(peer.call("_acp-tests.dev/subtract", json!({})).await.unwrap_err().code, -32601);
}

// EXT-03, EXT-06
#[tokio::test]
async fn an_extension_notification_is_handled_and_not_answered() {
    let agent = Scripted::default();
    let pokes = agent.pokes.clone();
    let (mut peer, _) = Peer::session(agent).await;
    peer.notify("_acp-tests.dev/poke", json!([1, 2, 3])).await;
    assert_eq!(peer.settled().await, []);
    assert_eq!(pokes.get(), 3);
    assert_eq!(peer.call("_acp-tests.dev/poke", json!([1])).await.unwrap_err().code, -32601, "it is no request");
    peer.notify("_acp-tests.dev/add", json!({ "a": 1, "b": 2 })).await;
    assert_eq!(peer.settled().await, [], "a request without an id is no request");
}

// EXT-06
#[tokio::test]
async fn an_extension_of_the_client_is_called() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    for answer in [json!({ "deep": [1, { "a": null }] }), Value::Null, json!("text"), json!(1.5)] {
        let turn = peer.prompt(&id, "call").await;
        let asked = peer.asked("_acp-tests.dev/call").await;
        assert_eq!(asked.params, json!({ "question": 1 }));
        peer.reply(&asked, answer.clone()).await;
        assert_eq!(peer.stop_reason(turn).await, "end_turn");
        let told = peer.updates()[0]["content"]["text"].as_str().unwrap().to_owned();
        assert_eq!(serde_json::from_str::<Value>(&told).unwrap(), answer);
    }
}

#[tokio::test]
async fn extensions_are_listed_with_their_docs() {
    let mut peer = Peer::serve(Scripted::default());
    let initialized = peer.initialize(json!({})).await;
    let listed = initialized["_meta"]["_acp-tests.dev/extensions"].as_array().unwrap();
    let first = json!({ "name": "_acp-tests.dev/add", "kind": "request", "description": "Adds two numbers." });
    assert_eq!(listed[0], first);
    let last = json!({ "name": "_acp-tests.dev/poke", "kind": "notification", "description": "Is counted." });
    assert_eq!(listed.last(), Some(&last));
    assert_eq!(initialized["_meta"].as_object().unwrap().len(), 1);
}

#[tokio::test]
async fn an_extension_has_the_session_that_its_params_name() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let dared = peer.call("_acp-tests.dev/dare", json!({ "sessionId": id, "brave": true })).await;
    assert_eq!(dared, Ok(json!({ "sessionId": id })));
    let published = peer.updates();
    assert_eq!(published.len(), 1, "the change is told once");
    assert_eq!(published[0]["sessionUpdate"], "config_option_update");
    for params in
        [json!({ "sessionId": "unknown" }), json!({ "sessionId": 5 }), json!({}), json!([id, {}]), Value::Null]
    {
        let refused = peer.call("_acp-tests.dev/dare", params.clone()).await.unwrap_err();
        assert_eq!(refused.code, -32602, "{params}");
    }
    let named = json!({ "sessionId": id, "_meta": 1 });
    assert_eq!(peer.call("_acp-tests.dev/dare", named).await, Ok(json!({ "sessionId": id })));
}

#[tokio::test]
async fn an_error_inside_anyhow_keeps_its_code() {
    let (mut peer, _) = Peer::session(Scripted::default()).await;
    let refused = peer.call("_acp-tests.dev/locked", json!({})).await.unwrap_err();
    assert_eq!((refused.code, refused.message.as_str()), (-32000, "authentication required"));
}
