//! Whole conversations with the example agents, byte for byte. A change inside the runtime must not change the
//! messages. Names replace ids, times and the test's folder, in the order of their first use.
//!
//! If a conversation differs, the test overwrites the recording and fails: review the diff.

mod conversation;

use std::{fs, path::Path};

use conversation::Conversation;
use serde_json::{Value, json};

const CODER: &str = env!("CARGO_BIN_EXE_coder-under-test");
const CONFORMANCE: &str = env!("CARGO_BIN_EXE_conformance-under-test");

/// The capabilities of a client that can do everything.
fn able() -> Value {
    json!({
        "fs": { "readTextFile": true, "writeTextFile": true },
        "terminal": true,
        "session": { "configOptions": { "boolean": {} }, "notices": {}, "compaction": {} },
        "elicitation": { "form": {}, "url": {} },
        "auth": { "terminal": true },
    })
}

/// Lines that are not requests, and requests with mistakes.
const MALFORMED: [&str; 9] = [
    "{",
    "[]",
    "42",
    r#"{"jsonrpc":"2.0","id":90}"#,
    r#"{"jsonrpc":"1.0","id":91,"method":"session/new"}"#,
    r#"{"jsonrpc":"2.0","id":"a\u0062c","method":"no/such_method","params":{}}"#,
    r#"{"jsonrpc":"2.0","id":null,"method":"session/list","params":[]}"#,
    r#"{"jsonrpc":"2.0","id":93,"method":"session/prompt","params":{"sessionId":"none","prompt":[]}}"#,
    r#"{"jsonrpc":"2.0","id":94,"method":"session/prompt","params":{"sessionId":7,"prompt":{}}}"#,
];

async fn introduce(client: &mut Conversation) {
    client.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
    client.call("initialize", json!({ "protocolVersion": 7, "clientCapabilities": able() })).await;
    client.call("initialize", json!({ "protocolVersion": 1 })).await;
    for line in MALFORMED {
        client.line(line).await;
    }
}

/// Sets the options that both agents have. `switch` is the id of the agent's boolean option.
async fn set_options(client: &mut Conversation, session: &str, switch: &str) {
    let set = |option: &str, value: Value| json!({ "sessionId": session, "configId": option, "value": value });
    client.call("session/set_config_option", set("model", json!("smart"))).await;
    client.call("session/set_config_option", set("model", json!("no such model"))).await;
    client.call("session/set_config_option", set("no_such_option", json!(true))).await;
    client.call("session/set_config_option", set(switch, json!("yes"))).await;
    client.call("session/set_config_option", set(switch, json!(true))).await;
    client.call("session/set_config_option", set(switch, json!(false))).await;
    client.call("session/set_mode", json!({ "sessionId": session, "modeId": "ask" })).await;
    client.call("session/set_mode", json!({ "sessionId": session, "modeId": "code" })).await;
}

async fn end_sessions(client: &mut Conversation, session: &str) {
    let named = json!({ "sessionId": session });
    let at = json!({ "sessionId": session, "cwd": client.folder(), "mcpServers": [] });
    client.call("session/list", json!({})).await;
    client.call("session/load", at.clone()).await;
    client.call("session/close", named.clone()).await;
    client.call("session/close", named.clone()).await;
    client.call("session/resume", at.clone()).await;
    client.prompt(session, "again").await;
    client.call("session/delete", named).await;
    client.prompt(session, "never again").await;
    client.call("session/load", at).await;
    client.call("session/load", json!({ "sessionId": session, "cwd": "here", "mcpServers": [] })).await;
}

#[tokio::test]
async fn a_conversation_with_the_coder() {
    let store = tempfile::tempdir().expect("a folder");
    let file = store.path().join("sessions.db");
    let mut client = Conversation::with(CODER, &["--store", file.to_str().expect("UTF-8")]);
    introduce(&mut client).await;
    let session = client.new_session().await;
    set_options(&mut client, &session, "brave").await;
    for prompt in ["hello", "please edit", "switch, then edit"] {
        client.prompt(&session, prompt).await;
    }
    // A session of its own: the other one's history does not depend on the moment of the cancellation.
    let cancelled = client.new_session().await;
    client.cancelled_prompt(&cancelled, "slow").await;
    client.call("session/delete", json!({ "sessionId": cancelled })).await;
    end_sessions(&mut client, &session).await;
    check("coder", &client.ended().await);
}

#[tokio::test]
async fn a_conversation_with_the_conformance_agent() {
    let mut client = Conversation::with(CONFORMANCE, &[]);
    introduce(&mut client).await;
    client.call("authenticate", json!({ "methodId": "no such method" })).await;
    let session = client.new_session().await;
    set_options(&mut client, &session, "brave_mode").await;
    for word in [
        "tool",
        "permission",
        "read",
        "write",
        "terminal",
        "plan",
        "usage",
        "commands",
        "mode",
        "config",
        "title",
        "thought",
        "notice",
        "compaction",
        "elicit-form",
        "elicit-url",
        "refuse",
        "max_tokens",
        "max_turn",
        "crash",
        "echo said",
    ] {
        client.prompt(&session, &format!("tck:{word}")).await;
    }
    client.prompt(&session, "stream 3 10").await;
    client.cancelled_prompt(&session, "tck:hang").await;
    end_sessions(&mut client, &session).await;
    client.call("logout", json!({})).await;
    check("conformance", &client.ended().await);
}

fn check(name: &str, conversation: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/recordings/{name}.txt"));
    let kept = fs::read_to_string(&path).unwrap_or_default();
    if kept != conversation {
        fs::write(&path, conversation).expect("the recording can be written");
        panic!("the conversation with `{name}` has changed; it is written, review it in the diff");
    }
}
