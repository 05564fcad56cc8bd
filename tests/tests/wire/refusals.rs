//! A refusal may repeat the names of a method, an option or a session, and never a value. These tests make each part of
//! a request wrong, and put content at its place.

use std::collections::HashMap;

use acp_runtime::prelude::*;
use acp_tests::peer::Peer;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::wire::agents::Scripted;

const SECRET: &str = "secret";

/// The wrong values. Each contains the secret.
fn wrong() -> [Value; 5] {
    [json!(SECRET), json!({ SECRET: SECRET }), json!([SECRET]), json!({ SECRET: { SECRET: [SECRET] } }), json!(-0.5)]
}

/// Copies of a value. In each copy, another part is wrong.
fn spoilt(value: &Value) -> Vec<Value> {
    let mut all = wrong().to_vec();
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                let with = |key: &str, inner: Value| {
                    let mut object = object.clone();
                    object.insert(key.to_owned(), inner);
                    object
                };
                all.extend(spoilt(inner).into_iter().map(|inner| Value::Object(with(key, inner))));
                all.extend(wrong().map(|inner| Value::Object(with(SECRET, inner))));
                let mut renamed = with(SECRET, inner.clone());
                renamed.remove(key);
                all.push(Value::Object(renamed));
            }
        }
        Value::Array(list) => {
            for (position, inner) in list.iter().enumerate() {
                all.extend(spoilt(inner).into_iter().map(|inner| {
                    let mut list = list.clone();
                    list[position] = inner;
                    Value::Array(list)
                }));
            }
        }
        _ => {}
    }
    all
}

/// Sends each request with each mistake, and reads the refusals. Returns their number.
async fn check(peer: &mut Peer, requests: &[(&str, Value)]) -> usize {
    let mut refused = 0;
    for (method, params) in requests {
        for params in spoilt(params) {
            // A string or number is never valid as params in JSON-RPC, so the agent refuses it by another rule.
            let Err(refusal) = peer.call(method, params.clone()).await else { continue };
            refused += 1;
            // An error may repeat these names.
            let named = ["sessionId", "configId"].iter().any(|name| params[*name] == SECRET);
            let told = format!("{} {:?}", refusal.message, refusal.data);
            assert!(named || !told.contains(SECRET), "{method} {params} is refused with {told}");
        }
    }
    refused
}

// RPC-10
#[tokio::test]
async fn a_refusal_repeats_names_and_never_a_value() {
    let (mut peer, id) = Peer::session(Scripted::default()).await;
    let server = json!({ "name": "n", "command": "/c", "args": ["a"], "env": [{ "name": "n", "value": "v" }] });
    let blocks = json!([
        { "type": "text", "text": "hello", "annotations": { "audience": ["user"], "priority": 1 } },
        { "type": "resource_link", "uri": "file:///a", "name": "a", "size": 1 },
        { "type": "resource", "resource": { "uri": "file:///a", "text": "t" } },
        { "type": "image", "data": "AA==", "mimeType": "image/png" },
    ]);
    let requests = [
        ("session/new", json!({ "cwd": "/", "mcpServers": [server], "additionalDirectories": ["/a"] })),
        ("session/load", json!({ "sessionId": "stored", "cwd": "/", "mcpServers": [server] })),
        ("session/resume", json!({ "sessionId": "stored", "cwd": "/", "mcpServers": [server] })),
        ("session/list", json!({ "cwd": "/", "cursor": "c" })),
        ("session/set_mode", json!({ "sessionId": id, "modeId": "ask" })),
        ("session/set_config_option", json!({ "sessionId": id, "configId": "model", "value": "fast" })),
        (
            "session/set_config_option",
            json!({ "sessionId": id, "configId": "brave", "type": "boolean", "value": true }),
        ),
        ("session/prompt", json!({ "sessionId": id, "prompt": blocks })),
        ("authenticate", json!({ "methodId": "key" })),
        ("initialize", json!({ "protocolVersion": 1, "clientCapabilities": { "fs": { "readTextFile": true } } })),
        ("_acp-tests.dev/add", json!({ "a": 1, "b": 2 })),
        ("session/close", json!({ "sessionId": id })),
        ("session/delete", json!({ "sessionId": id })),
    ];
    let refused = check(&mut peer, &requests).await;
    assert!(refused > 300, "{refused} refusals");
}

/// An agent whose extension takes names from the client.
#[acp_agent]
#[derive(Clone)]
struct Vendor;

#[derive(Deserialize)]
#[expect(dead_code, reason = "only whether it decodes is looked at")]
struct Filed {
    by_name: HashMap<String, u32>,
    #[serde(default)]
    kinds: Vec<Kind>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
#[expect(dead_code, reason = "only whether it decodes is looked at")]
enum Kind {
    Small,
    Sized { bytes: u32 },
}

#[acp_agent]
impl Vendor {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext("_acp-tests.dev/file")]
    async fn file(&self, _: Filed) {}

    #[ext("_acp-tests.dev/names")]
    async fn names(&self, _: HashMap<String, HashMap<String, u32>>) {}
}

// RPC-10
#[tokio::test]
async fn the_place_in_an_extensions_params_is_told_in_the_names_of_its_type() {
    let (mut peer, _) = Peer::session(Vendor).await;
    let requests = [
        ("_acp-tests.dev/file", json!({ "by_name": { "a": 1 }, "kinds": ["small", { "sized": { "bytes": 7 } }] })),
        ("_acp-tests.dev/names", json!({ "a": { "b": 1 } })),
    ];
    let refused = check(&mut peer, &requests).await;
    assert!(refused > 50, "{refused} refusals");
    for (params, told) in [
        (json!({ "by_name": { "secret": -1 } }), "invalid params: expected u32 at `/by_name/…`"),
        (
            json!({ "by_name": {}, "kinds": [{ "sized": { "bytes": -1 } }] }),
            "invalid params: expected u32 at `/kinds/0/sized/bytes`",
        ),
    ] {
        assert_eq!(peer.call("_acp-tests.dev/file", params).await.unwrap_err().message, told);
    }
    let nested = peer.call("_acp-tests.dev/names", json!({ "secret": { "secret": -1 } })).await.unwrap_err();
    assert_eq!(nested.message, "invalid params: expected u32 at `/…/…`");
}
