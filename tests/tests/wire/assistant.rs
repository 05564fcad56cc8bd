//! The example agent of the page "from the official SDK". It has as many lines as the page says, and the behaviour that
//! the page describes.

use std::{fs, path::Path};

use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};

const ASSISTANT: &str = env!("CARGO_BIN_EXE_assistant-under-test");
const LINES: usize = 60;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn it_has_as_many_lines_as_the_page_says() {
    let source = read("examples/src/bin/assistant.rs");
    let page = read("acp-runtime/src/guide/from_the_official_sdk.md");
    let lines = source.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    assert!(lines <= LINES, "{lines} lines");
    assert!(page.contains(&format!("Here is the same agent in {lines} lines:")), "the page does not say {lines}");
    let shown: String =
        source.lines().filter(|line| !line.starts_with("//!")).map(|line| format!("{line}\n")).collect();
    assert!(page.contains(&format!("```\n{shown}```\n")), "the page shows another agent");
}

async fn start(capabilities: Value) -> (Peer, Value, Value) {
    let mut peer = Peer::spawn(ASSISTANT, &[]);
    let initialized = peer.initialize(capabilities).await;
    let opened = peer.call("session/new", json!({ "cwd": "/work", "mcpServers": [] })).await.expect("a session");
    (peer, initialized, opened)
}

fn values(options: &Value) -> Vec<Value> {
    options.as_array().expect("options").iter().map(|option| option["currentValue"].clone()).collect()
}

#[tokio::test]
async fn options_are_checked_answered_in_full_and_gated() {
    let (mut peer, _, opened) = start(all_capabilities()).await;
    assert_eq!(opened["sessionId"], "sess-0");
    assert_eq!(values(&opened["configOptions"]), [json!("smart"), json!("medium"), json!(false)]);
    let model = &opened["configOptions"][0];
    assert_eq!(model["options"], json!([{ "value": "fast", "name": "Fast" }, { "value": "smart", "name": "Smart" }]));
    assert_eq!(opened["configOptions"][2]["name"], "Brave mode");

    let set = |id: &str, value: Value| json!({ "sessionId": "sess-0", "configId": id, "value": value });
    let high = peer.call("session/set_config_option", set("effort", json!("high"))).await.unwrap();
    assert_eq!(values(&high["configOptions"]), [json!("smart"), json!("high"), json!(false)]);
    for (id, value) in [("effort", json!("highest")), ("brave", json!("yes")), ("colour", json!("red"))] {
        assert_eq!(peer.call("session/set_config_option", set(id, value)).await.unwrap_err().code, -32602, "{id}");
    }

    let (_, _, plain) = start(json!({})).await;
    assert_eq!(
        values(&plain["configOptions"]),
        [json!("smart"), json!("medium")],
        "a switch is for who knows switches"
    );
}

#[tokio::test]
async fn a_turn_streams_changes_an_option_and_is_cancelled() {
    let (mut peer, ..) = start(all_capabilities()).await;
    assert_eq!(peer.turn("sess-0", "/fast").await, "end_turn");
    let updates = peer.updates();
    assert_eq!(updates[0]["sessionUpdate"], "config_option_update");
    assert_eq!(values(&updates[0]["configOptions"]), [json!("fast"), json!("medium"), json!(false)]);
    let said: Vec<_> = updates[1..].iter().map(|update| update["content"]["text"].as_str().unwrap()).collect();
    assert_eq!(said, ["one ", "two ", "three"]);

    let (turn, prompt) = peer.request_message("session/prompt", acp_tests::peer::prompt("sess-0", "stop"));
    let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": "sess-0" } });
    peer.send_together(&[prompt, cancel]).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
}

#[tokio::test]
async fn sessions_are_listed_and_loaded() {
    let (mut peer, initialized, _) = start(all_capabilities()).await;
    assert_eq!(initialized["agentCapabilities"]["loadSession"], true);
    assert_eq!(peer.turn("sess-0", "hello").await, "end_turn");
    let told = peer.updates();
    let listed = peer.call("session/list", json!({})).await.unwrap();
    assert_eq!(listed["sessions"], json!([{ "sessionId": "sess-0", "cwd": "/work" }]));
    let load = |id: &str| json!({ "sessionId": id, "cwd": "/work", "mcpServers": [] });
    peer.call("session/load", load("sess-0")).await.unwrap();
    let replayed = peer.updates();
    assert_eq!(replayed[0]["sessionUpdate"], "user_message_chunk");
    assert_eq!(replayed[0]["content"]["text"], "hello");
    assert_eq!(replayed[1..], told);
    assert_eq!(peer.call("session/load", load("sess-9")).await.unwrap_err().code, -32002);
}
