//! Fields of drafts: the words of `capabilities(..)`, and what is refused without them.

use acp_runtime::{prelude::*, schema::v1::NewSessionRequest};
use serde_json::{Value, json};

use super::Client;

macro_rules! agent {
    ($name:ident: $($words:ident),*) => {
        #[acp_agent(capabilities(image $(, $words)*))]
        #[derive(Clone)]
        struct $name;

        #[acp_agent]
        impl $name {
            async fn new_session(&self, _: NewSessionRequest) {}

            async fn list_sessions(&self) -> ListSessionsResponse {
                ListSessionsResponse::new(Vec::new())
            }

            async fn prompt(&self) -> StopReason {
                StopReason::EndTurn
            }
        }
    };
}

agent!(Plain:);
agent!(Appends: system_prompt);
agent!(Overrides: system_prompt_override);
agent!(Connects: mcp_acp);

fn new(field: &str, value: Value) -> Value {
    let mut params = json!({ "cwd": "/", "mcpServers": [] });
    params[field] = value;
    params
}

fn prompt(mode: &str, block: Value) -> Value {
    new("systemPrompt", json!({ "mode": mode, "content": [block] }))
}

fn text() -> Value {
    json!({ "type": "text", "text": "Be brief." })
}

#[tokio::test(flavor = "current_thread")]
async fn words_are_advertised() {
    let capability = "/sessionCapabilities/systemPrompt";
    assert_eq!(Client::of(Plain).await.capability(capability), None);
    assert_eq!(Client::of(Appends).await.capability(capability), Some(&json!({})));
    let overrides = Client::of(Overrides).await;
    assert_eq!(overrides.capability(capability), Some(&json!({ "mode": { "override": {} } })));
    let acp = "/mcpCapabilities/acp";
    assert_ne!(Client::of(Plain).await.capability(acp), Some(&json!(true)));
    let connects = Client::of(Connects).await;
    assert_eq!(connects.capability(acp), Some(&json!(true)));
    assert_eq!(
        connects.capability("/mcpCapabilities/http"),
        Client::of(Plain).await.capability("/mcpCapabilities/http")
    );
}

#[tokio::test(flavor = "current_thread")]
async fn a_system_prompt_that_was_not_advertised_is_refused() {
    let mut client = Client::of(Plain).await;
    let answer = client.ask("session/new", prompt("append", text())).await;
    assert_eq!(answer["error"]["code"], -32602);
    let expected = "this agent does not take `systemPrompt`; it does not advertise the capability `sessionCapabilities.systemPrompt`";
    assert_eq!(answer["error"]["message"], expected);
    client.call("session/new", new("systemPrompt", Value::Null)).await;
    client.call("session/new", new("_meta", json!({ "systemPrompt": {} }))).await;
}

/// Each version has its own name of the capability.
#[cfg(feature = "v2")]
#[tokio::test(flavor = "current_thread")]
async fn a_refusal_names_the_capability_of_the_version_that_is_spoken() {
    let (client, transport) = acp_runtime::transport::memory::pair();
    tokio::spawn(Plain.serve(transport, acp_runtime::transport::Limits::default()));
    let mut client = Client { lines: client.into_lines(), agent: Value::Null };
    let info = json!({ "name": "test", "version": "1" });
    client.call("initialize", json!({ "protocolVersion": 2, "info": info, "capabilities": {} })).await;
    let answer = client.ask("session/new", prompt("append", text())).await;
    let expected =
        "this agent does not take `systemPrompt`; it does not advertise the capability `session.systemPrompt`";
    assert_eq!(answer["error"]["message"], expected);
}

#[tokio::test(flavor = "current_thread")]
async fn modes_and_content_that_are_not_supported_are_refused() {
    let mut appends = Client::of(Appends).await;
    appends.call("session/new", prompt("append", text())).await;
    assert_eq!(appends.refused("session/new", prompt("override", text())).await, -32602);
    assert_eq!(appends.refused("session/new", prompt("_mine", text())).await, -32602);
    let image = json!({ "type": "image", "data": "", "mimeType": "image/png" });
    assert_eq!(appends.refused("session/new", prompt("append", image)).await, -32602);
    let mut overrides = Client::of(Overrides).await;
    overrides.call("session/new", prompt("append", text())).await;
    overrides.call("session/new", prompt("override", text())).await;
    assert_eq!(overrides.refused("session/new", prompt("replace", text())).await, -32602);
}

#[tokio::test(flavor = "current_thread")]
async fn a_server_through_the_client_needs_the_word() {
    let server = new("mcpServers", json!([{ "type": "acp", "name": "m", "serverId": "1" }]));
    assert_eq!(Client::of(Plain).await.refused("session/new", server.clone()).await, -32602);
    Client::of(Connects).await.call("session/new", server).await;
    let stdio = new("mcpServers", json!([{ "name": "m", "command": "/bin/m", "args": [], "env": [] }]));
    Client::of(Plain).await.call("session/new", stdio).await;
}

/// A filter that the agent does not support is no filter that it may ignore.
#[tokio::test(flavor = "current_thread")]
async fn a_list_by_archive_state_needs_the_methods() {
    let mut client = Client::of(Plain).await;
    assert_eq!(client.refused("session/list", json!({ "archived": "only" })).await, -32602);
    client.call("session/list", json!({ "archived": null })).await;
}
