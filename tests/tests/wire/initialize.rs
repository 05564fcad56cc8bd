//! `initialize`: it negotiates versions and capabilities, and it must be the first request.

use acp_runtime::agent::ServeOptions;
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};

use crate::wire::agents::{Bare, Scripted};

fn initialize(version: Value) -> Value {
    json!({ "protocolVersion": version, "clientCapabilities": {} })
}

// INIT-12
#[tokio::test]
async fn whatever_comes_before_initialize_is_refused() {
    let mut peer = Peer::serve(Scripted::default());
    for (method, params) in [
        ("session/new", json!({ "cwd": "/", "mcpServers": [] })),
        ("session/prompt", acp_tests::peer::prompt("s", "hello")),
        ("_acp-tests.dev/add", json!({ "a": 1, "b": 2 })),
        ("no/such_method", json!({})),
    ] {
        let refused = peer.call(method, params).await.unwrap_err();
        assert_eq!(refused.code, -32600, "{method}: {refused:?}");
    }
    peer.notify("session/cancel", json!({ "sessionId": "s" })).await;
    peer.initialize(all_capabilities()).await;
    peer.new_session().await;
    assert_eq!(peer.unread(), []);
}

// INIT-04
#[tokio::test]
async fn every_version_is_answered_with_the_agents_own() {
    for version in [0, 1, 2, 99, 65535] {
        let mut peer = Peer::serve_within(Bare, ServeOptions::new().versions(1..=1));
        let answer = peer.call("initialize", initialize(json!(version))).await.unwrap();
        assert_eq!(answer["protocolVersion"], 1, "asked for {version}");
    }
}

// INIT-04
#[tokio::test]
async fn an_agent_of_two_versions_answers_the_highest_that_the_client_speaks() {
    // The peer reads answers of version 1 alone, so these are read as they are.
    for (asked, expected) in [(0, None), (1, Some(1)), (2, Some(2)), (3, Some(2)), (99, Some(2)), (65535, Some(2))] {
        let mut peer = Peer::serve(Bare);
        let info = json!({ "name": "acp-tests", "version": "1" });
        let params = json!({ "protocolVersion": asked, "capabilities": {}, "info": info });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        peer.send_line(message.to_string()).await;
        let answer: Value = serde_json::from_str(&peer.next_line().await).unwrap();
        assert_eq!(answer["result"]["protocolVersion"].as_u64(), expected, "asked for {asked}");
        let refused = json!({ "requested": 0, "supported": [1, 2] });
        assert_eq!((answer["error"]["code"] == -32022, answer["error"]["data"] == refused), (asked == 0, asked == 0));
    }
}

// INIT-06
#[tokio::test]
async fn what_is_no_version_is_refused_and_can_be_tried_again() {
    let mut peer = Peer::serve(Bare);
    for version in
        [json!("1"), json!("1.0.0"), json!(true), json!(65536), json!(-1), json!(1.5), Value::Null, json!([1])]
    {
        let refused = peer.call("initialize", initialize(version.clone())).await.unwrap_err();
        assert_eq!(refused.code, -32602, "{version}");
    }
    assert_eq!(peer.call("initialize", json!({ "clientCapabilities": {} })).await.unwrap_err().code, -32602);
    peer.initialize(all_capabilities()).await;
}

// INIT-02, INIT-03, INIT-08
#[tokio::test]
async fn capabilities_follow_the_handlers() {
    let mut peer = Peer::serve(Scripted::default());
    let answer = peer.initialize(all_capabilities()).await;
    assert_eq!(answer["agentInfo"]["name"], "scripted");
    assert_eq!(answer["agentInfo"]["version"], env!("CARGO_PKG_VERSION"));
    let can = &answer["agentCapabilities"];
    assert_eq!(can["loadSession"], true);
    let sessions = json!({ "list": {}, "delete": {}, "resume": {}, "close": {} });
    assert_eq!(can["sessionCapabilities"], sessions);
    assert_eq!(can["promptCapabilities"]["audio"], true);
    assert_ne!(can["promptCapabilities"]["image"], true);

    let mut peer = Peer::serve(Bare);
    let can = peer.initialize(all_capabilities()).await["agentCapabilities"].take();
    assert_ne!(can["loadSession"], true);
    assert_eq!(can["sessionCapabilities"].as_object().map_or(0, |sessions| sessions.len()), 0, "{can}");
}

// SESS-05, CFG-18: a method exists only if the agent declared a handler for it.
#[tokio::test]
async fn methods_without_a_handler_are_unknown() {
    let mut peer = Peer::serve(Bare);
    peer.initialize(all_capabilities()).await;
    let opened = peer.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await.unwrap();
    assert_eq!(opened.as_object().unwrap().keys().collect::<Vec<_>>(), ["sessionId"]);
    let id = &opened["sessionId"];
    for (method, params) in [
        ("session/load", json!({ "sessionId": id, "cwd": "/", "mcpServers": [] })),
        ("session/resume", json!({ "sessionId": id, "cwd": "/" })),
        ("session/list", json!({})),
        ("session/close", json!({ "sessionId": id })),
        ("session/delete", json!({ "sessionId": id })),
        ("session/set_mode", json!({ "sessionId": id, "modeId": "m" })),
        ("session/set_config_option", json!({ "sessionId": id, "configId": "c", "value": "v" })),
        ("authenticate", json!({ "methodId": "m" })),
        ("logout", json!({})),
    ] {
        let refused = peer.call(method, params).await.unwrap_err();
        assert_eq!(refused.code, -32601, "{method}: {refused:?}");
    }
}

// INIT-09: a malformed capability counts as not advertised.
#[tokio::test]
async fn malformed_capabilities_are_none() {
    for capabilities in [
        json!({ "fs": 5, "terminal": "yes", "session": { "configOptions": { "boolean": true } } }),
        json!({ "session": { "configOptions": { "boolean": null } } }),
        json!({ "session": "all of it" }),
        Value::Null,
    ] {
        let mut peer = Peer::serve(Scripted::default());
        peer.initialize(capabilities.clone()).await;
        let opened = peer.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await.unwrap();
        let options = opened["configOptions"].as_array().unwrap();
        assert_eq!(options.len(), 2, "no boolean for {capabilities}: {options:?}");
        let id = opened["sessionId"].as_str().unwrap().to_owned();
        let request = peer.prompt(&id, "read /etc/hostname").await;
        assert_eq!(peer.answer(request).await.unwrap_err().code, -32603, "no file for {capabilities}");
    }
}

// INIT-08
#[tokio::test]
async fn an_empty_object_is_a_capability() {
    let mut peer = Peer::serve(Scripted::default());
    peer.initialize(json!({ "session": { "configOptions": { "boolean": {} } } })).await;
    let opened = peer.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await.unwrap();
    assert_eq!(opened["configOptions"].as_array().unwrap().len(), 3);
}

// INIT-15
#[tokio::test]
async fn a_second_initialize_is_refused_and_changes_nothing() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    assert_eq!(peer.call("initialize", initialize(json!(1))).await.unwrap_err().code, -32600);
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
    let opened = peer.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await.unwrap();
    assert_eq!(opened["configOptions"].as_array().unwrap().len(), 3, "the capabilities are still the first ones");
}

/// Some clients send `session/new` before they have the answer to `initialize`.
#[tokio::test]
async fn a_session_may_be_asked_for_right_behind_initialize() {
    let mut peer = Peer::serve(Scripted::default());
    let (first, initialize) = peer.request_message("initialize", initialize(json!(1)));
    let (second, new) = peer.request_message("session/new", json!({ "cwd": "/", "mcpServers": [] }));
    peer.send_together(&[initialize, new]).await;
    assert!(peer.answer(first).await.is_ok());
    assert!(peer.answer(second).await.is_ok());
}
