//! Calls of version 2, compared with the types of both versions and with both schemas.

use std::{collections::BTreeSet, fs};

use acp_schema::{v1, v2};
use serde_json::{Value, json};

use super::{super::V2, *};
use crate::dialect::Dialect;

/// A call as the runtime gets it, or the refusal.
fn translated(method: &str, params: &Value) -> Result<(String, Value), Error> {
    let sent = to_raw_value(params).unwrap();
    let call = call(method, Some(&sent)).map_err(|no| no.refuse(method, Some(&sent)))?;
    let params = call.params.map_or_else(|| params.clone(), |params| serde_json::from_str(params.get()).unwrap());
    Ok((call.method.to_owned(), params))
}

/// The methods of one side in a schema.
fn methods(version: &str, side: &str) -> BTreeSet<String> {
    let path = format!("{}/../../schema/{version}/schema.json", env!("CARGO_MANIFEST_DIR"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let of_side = schema["$defs"].as_object().unwrap().values().filter(|definition| definition["x-side"] == side);
    of_side.map(|definition| definition["x-method"].as_str().unwrap().to_owned()).collect()
}

/// A method with its params, and what they become.
type Case = (&'static str, Value, &'static str, Value);

fn cases() -> Vec<Case> {
    let same = |method, params: Value| (method, params.clone(), method, params);
    let info = json!({ "name": "c", "version": "1", "title": "C" });
    let shown = json!({ "compaction": {}, "configOptions": { "boolean": {} }, "notices": {} });
    let start = json!({ "type": "start", "_meta": {} });
    let stdio = json!({ "type": "stdio", "name": "s", "command": "/s", "env": [{ "name": "A", "value": "1" }] });
    let http = json!({ "type": "http", "name": "h", "url": "https://a.b", "_meta": { "a": 1 } });
    let servers = json!([
        { "name": "s", "command": "/s", "env": [{ "name": "A", "value": "1" }], "args": [] },
        { "name": "h", "url": "https://a.b", "_meta": { "a": 1 }, "type": "http", "headers": [] },
    ]);
    vec![
        (
            "initialize",
            json!({ "protocolVersion": 2, "info": info }),
            "initialize",
            json!({
                "protocolVersion": 2,
                "clientInfo": info,
                "clientCapabilities": { "session": shown, "auth": { "terminal": false } },
            }),
        ),
        (
            "initialize",
            json!({
                "protocolVersion": 3,
                "info": info,
                "capabilities": {
                    "auth": { "terminal": {} },
                    "elicitation": { "form": {} },
                    "_meta": { "a": 1 },
                    "fs": { "readTextFile": true },
                },
                "_meta": { "b": 2 },
            }),
            "initialize",
            json!({
                "protocolVersion": 3,
                "clientInfo": info,
                "clientCapabilities": {
                    "session": shown,
                    "auth": { "terminal": true },
                    "elicitation": { "form": {} },
                    "_meta": { "a": 1 },
                },
                "_meta": { "b": 2 },
            }),
        ),
        ("auth/login", json!({ "methodId": "m" }), "authenticate", json!({ "methodId": "m" })),
        ("auth/logout", json!({}), "logout", json!({})),
        (
            "session/new",
            json!({ "cwd": "/", "_meta": { "a": 1 } }),
            "session/new",
            json!({ "cwd": "/", "_meta": { "a": 1 }, "mcpServers": [] }),
        ),
        (
            "session/new",
            json!({ "cwd": "/", "mcpServers": [stdio, http], "draft": [1] }),
            "session/new",
            json!({ "cwd": "/", "mcpServers": servers, "draft": [1] }),
        ),
        same("session/new", json!({ "cwd": "/", "mcpServers": [] })),
        (
            "session/resume",
            json!({ "sessionId": "s", "cwd": "/", "replayFrom": start, "additionalDirectories": ["/a"] }),
            "session/load",
            json!({ "sessionId": "s", "cwd": "/", "additionalDirectories": ["/a"], "mcpServers": [] }),
        ),
        (
            "session/resume",
            json!({ "sessionId": "s", "cwd": "/", "replayFrom": null, "mcpServers": [] }),
            "session/resume",
            json!({ "sessionId": "s", "cwd": "/", "mcpServers": [] }),
        ),
        (
            "session/resume",
            json!({ "sessionId": "s", "cwd": "/", "mcpServers": [stdio] }),
            "session/resume",
            json!({ "sessionId": "s", "cwd": "/", "mcpServers": [servers[0]] }),
        ),
        same("session/list", json!({ "cwd": "/", "cursor": "c" })),
        same("session/delete", json!({ "sessionId": "s" })),
        same("session/close", json!({ "sessionId": "s" })),
        same("session/set_config_option", json!({ "sessionId": "s", "configId": "c", "type": "id", "value": "v" })),
        same(
            "session/set_config_option",
            json!({ "sessionId": "s", "configId": "c", "type": "boolean", "value": true }),
        ),
        same("session/prompt", json!({ "sessionId": "s", "prompt": [{ "type": "text", "text": "hi" }] })),
    ]
}

#[test]
fn calls_become_those_of_version_1() {
    for (method, sent, of_1, expected) in cases() {
        assert!(v2::ClientRequest::parse(method, &sent).expect(method).is_ok(), "{method} {sent}");
        let (to, params) = translated(method, &sent).unwrap();
        assert_eq!((&*to, &params), (of_1, &expected));
        assert!(v1::ClientRequest::parse(&to, &params).expect(&to).is_ok(), "{to} {params}");
    }
}

#[test]
fn the_methods_are_those_of_the_schema() {
    let (of_2, of_1) = (methods("v2", "agent"), methods("v1", "agent"));
    let mut tested: BTreeSet<_> = cases().into_iter().map(|(method, ..)| method.to_owned()).collect();
    tested.extend([CANCEL_TOOL_CALL, CANCEL_TERMINAL, "session/cancel"].map(str::to_owned));
    assert_eq!(tested, of_2);
    for method in of_1.union(&of_2) {
        let is_none = matches!(call(method, None), Err(NoCall::NoMethod));
        assert_eq!(is_none, !of_2.contains(method), "{method}");
    }
    for method in methods("v1", "client") {
        assert_eq!(V2.has_client_method(&method), methods("v2", "client").contains(&method), "{method}");
    }
}

#[test]
fn what_version_2_demands_is_checked() {
    let resume = |from: Value| json!({ "sessionId": "s", "cwd": "/", "replayFrom": from });
    let new = |server: Value| json!({ "cwd": "/", "mcpServers": [server] });
    let cases = [
        ("initialize", json!({ "protocolVersion": 2 }), "missing field `info`"),
        ("initialize", json!({ "protocolVersion": 2, "info": { "name": "c" } }), "missing field `version`"),
        ("initialize", json!({ "protocolVersion": 2, "info": null }), "invalid params: expected"),
        ("session/resume", resume(json!({ "type": "message" })), "`replayFrom` must be `{\"type\":\"start\"}`"),
        ("session/resume", resume(json!({})), "`replayFrom` must be"),
        ("session/resume", resume(json!("start")), "`replayFrom` must be"),
        ("session/resume", resume(json!(["start"])), "`replayFrom` must be"),
        (
            "session/new",
            new(json!({ "type": "sse", "name": "s", "url": "a:" })),
            "`stdio` or `http` at `/mcpServers/0`",
        ),
        ("session/new", new(json!({ "name": "s", "command": "/s", "args": [], "env": [] })), "`type` must be"),
        ("session/new", new(json!({ "type": 1 })), "`type` must be"),
        ("session/new", new(json!("s")), "expected an object at `/mcpServers/0`"),
        ("session/prompt", json!({ "sessionId": "s", "prompt": [] }), "`prompt` is empty"),
    ];
    for (method, params, expected) in cases {
        let error = translated(method, &params).expect_err(method);
        assert_eq!(error.code(), Error::INVALID_PARAMS, "{method} {params}");
        assert!(error.message().contains(expected), "{method} {params}: {}", error.message());
    }
}

#[test]
fn a_prompt_is_empty_if_its_list_is_and_not_if_another_list_is() {
    let refused = |prompt: &str| {
        let params = RawValue::from_string(format!(r#"{{"sessionId":"s","prompt":{prompt}}}"#)).unwrap();
        super::call("session/prompt", Some(&params)).is_err()
    };
    for prompt in ["[]", "[ \n ]", r#"[],"_meta":{"a":[1]}"#] {
        assert!(refused(prompt), "{prompt}");
    }
    let text = |text| format!(r#"[{{"type":"text","text":"{text}","_meta":{{"a":[]}}}}]"#);
    for prompt in [text("hi"), text("[]"), text("[ ] prompt")] {
        assert!(!refused(&prompt), "{prompt}");
    }
}

#[test]
fn what_cannot_be_read_is_left_to_the_decoders_of_the_values() {
    let odd = [
        ("session/new", json!(["/", []])),
        ("session/new", json!({ "cwd": "/", "mcpServers": "none" })),
        ("session/prompt", json!({ "sessionId": "s" })),
        ("session/prompt", json!({ "sessionId": "s", "prompt": [{ "type": "_video" }] })),
        ("session/set_config_option", json!({ "sessionId": "s", "configId": "c", "type": "id" })),
        ("session/set_config_option", json!({ "sessionId": "s", "configId": "c", "type": "boolean", "value": 1 })),
    ];
    for (method, params) in odd {
        assert_eq!(translated(method, &params).unwrap(), (method.to_owned(), params.clone()));
        let is_refused = v1::ClientRequest::parse(method, &params).expect(method).is_err();
        assert!(is_refused || method == "session/set_config_option", "{method} {params}");
    }
    assert!(call("session/new", None).unwrap().params.is_none());
    assert!(v2::ClientNotification::parse("session/cancel", json!({ "sessionId": "s" })).unwrap().is_ok());
    assert!(call("session/cancel", None).unwrap().params.is_none());
}

#[test]
fn capabilities_that_cannot_be_read_are_not_offered() {
    for capabilities in
        [json!("all"), json!({ "auth": { "terminal": true } }), json!({ "auth": ["terminal"] }), json!(null)]
    {
        let info = json!({ "name": "c", "version": "1" });
        let sent = json!({ "protocolVersion": 2, "info": info, "capabilities": capabilities });
        let (_, params) = translated("initialize", &sent).unwrap();
        assert_eq!(params["clientCapabilities"]["auth"], json!({ "terminal": false }), "{capabilities}");
    }
}

#[test]
fn members_are_found_by_their_names_however_they_are_written() {
    let sent = r#" {"replay\u0046rom" : {"typ\u0065": "st\u0061rt"}, "a" : "\"\\", "cwd": "/" } "#;
    let sent: Box<RawValue> = serde_json::from_str(sent).unwrap();
    let call = call("session/resume", Some(&sent)).unwrap();
    assert_eq!(
        (call.method, call.params.unwrap().get()),
        ("session/load", r#"{"a":"\"\\","cwd":"/","mcpServers":[]}"#)
    );
}

#[test]
fn ids_are_texts_or_integers() {
    for (id, is_taken) in [
        ("\"a\"", true),
        ("0", true),
        ("-7", true),
        ("9223372036854775807", true),
        ("9223372036854775808", false),
        ("1.5", false),
        ("1e3", false),
        ("null", false),
    ] {
        let raw: Box<RawValue> = serde_json::from_str(id).unwrap();
        assert_eq!(V2.takes_id(&raw), is_taken, "{id}");
        assert!(!is_taken || serde_json::from_str::<v2::RequestId>(id).is_ok(), "{id}");
    }
}
