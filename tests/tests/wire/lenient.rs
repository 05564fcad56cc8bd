//! Agents that are lenient about what they did not advertise, and about relative paths.

use acp_runtime::{
    prelude::*,
    values::{McpServer, SessionUpdate, ToolCall, ToolCallLocation, ToolCallUpdate},
};
use acp_tests::peer::{Peer, prompt};
use serde_json::{Value, json};

/// The names of a session's MCP servers.
struct Servers(String);

impl Servers {
    fn of(servers: &[McpServer]) -> Self {
        let names = servers.iter().map(|server| json!(server)["name"].to_string());
        Self(names.collect::<Vec<_>>().join(" "))
    }
}

/// Tells what it was given.
#[acp_agent(session = Servers, lenient(mcp_servers, content, paths), capabilities(mcp_http, image))]
#[derive(Clone)]
struct Lenient;

#[acp_agent]
impl Lenient {
    async fn new_session(&self, request: NewSessionRequest) -> Servers {
        Servers::of(&request.mcp_servers)
    }

    async fn load_session(&self, request: LoadSessionRequest, replay: Replay) -> Result<Servers> {
        let call = ToolCall::new("replayed", "Look").locations(vec![ToolCallLocation::new("old/src")]);
        replay.update(SessionUpdate::ToolCall(call)).await?;
        Ok(Servers::of(&request.mcp_servers))
    }

    async fn close_session(&self) {}

    async fn prompt(&self, request: PromptRequest, servers: &mut Servers, turn: Turn<Self>) -> Result<StopReason> {
        match request.text().as_str() {
            "servers" => turn.message(servers.0.as_str()).await?,
            "paths" => {
                let call = turn.tool_call("Edit").location("src/a.rs").location("/b").content(Diff::new("c", "x"));
                let call = call.start().await?;
                call.ask_permission().await?;
                call.show(Diff::new("d", "x")).await?;
                let mut update = ToolCallUpdate::new("raw");
                update.locations = Some(vec![ToolCallLocation::new("e")]);
                turn.update(SessionUpdate::ToolCallUpdate(update)).await?;
                call.complete(()).await?;
            }
            "line" => {
                let mut place = ToolCallLocation::new("src");
                place.line = Some(0);
                let call = ToolCall::new("raw", "Look").locations(vec![place]);
                turn.update(SessionUpdate::ToolCall(call)).await?;
            }
            _ => {
                let kinds = request.prompt.iter().map(|block| json!(block)["type"].to_string());
                turn.message(kinds.collect::<String>()).await?;
            }
        }
        Ok(StopReason::EndTurn)
    }
}

fn servers() -> Value {
    json!([
        { "name": "stdio", "command": "/bin/mcp", "args": [], "env": [] },
        { "type": "http", "name": "http", "url": "https://example.com", "headers": [] },
        { "type": "sse", "name": "sse", "url": "https://example.com", "headers": [] },
    ])
}

async fn opened(method: &str, mut params: Value) -> (Peer, String) {
    let mut peer = Peer::serve(Lenient);
    peer.initialize(json!({})).await;
    params["cwd"] = json!("/work");
    let answer = peer.call(method, params.clone()).await.expect("a session");
    let id = answer["sessionId"].as_str().or(params["sessionId"].as_str()).expect("an id").to_owned();
    (peer, id)
}

#[tokio::test]
async fn mcp_servers_that_were_not_advertised_are_left_out() {
    for (method, params) in [
        ("session/new", json!({ "mcpServers": servers() })),
        ("session/load", json!({ "sessionId": "s", "mcpServers": servers() })),
    ] {
        let (mut peer, id) = opened(method, params).await;
        peer.updates();
        assert_eq!(peer.turn(&id, "servers").await, "end_turn");
        assert_eq!(peer.updates()[0]["content"]["text"], r#""stdio" "http""#, "{method}");
    }
}

#[tokio::test]
async fn content_that_was_not_advertised_is_left_out() {
    let (mut peer, id) = opened("session/new", json!({ "mcpServers": [] })).await;
    let data = json!({ "data": "AAAA", "mimeType": "any/thing" });
    let block = |kind: &str| {
        let mut block = data.clone();
        block["type"] = json!(kind);
        block
    };
    let mut params = prompt(&id, "look");
    let blocks = params["prompt"].as_array_mut().expect("a list");
    blocks.extend([block("image"), block("audio")]);
    blocks.push(json!({ "type": "resource", "resource": { "uri": "file:///a", "text": "x" } }));
    peer.call("session/prompt", params).await.expect("a turn");
    assert_eq!(peer.updates()[0]["content"]["text"], r#""text""image""#);
    let nothing = json!({ "sessionId": id, "prompt": [block("audio")] });
    peer.call("session/prompt", nothing).await.expect("a turn without content");
}

#[tokio::test]
async fn relative_paths_are_those_of_the_working_directory() {
    let (mut peer, id) = opened("session/new", json!({ "mcpServers": [] })).await;
    let turn = peer.prompt(&id, "paths").await;
    let asked = peer.asked("session/request_permission").await;
    let paths = |call: &Value| {
        let locations = call["locations"].as_array().into_iter().flatten();
        let diffs = call["content"].as_array().into_iter().flatten();
        locations.chain(diffs).map(|one| one["path"].as_str().expect("a path").to_owned()).collect::<Vec<_>>()
    };
    let all = ["/work/src/a.rs", "/b", "/work/c"];
    assert_eq!(paths(&asked.params["toolCall"]), all, "the user is asked about the same file");
    peer.reply(&asked, json!({ "outcome": { "outcome": "selected", "optionId": "allow" } })).await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    let told: Vec<_> = peer.updates().iter().map(paths).filter(|paths| !paths.is_empty()).collect();
    assert_eq!(told, [all.to_vec(), vec!["/work/d"], vec!["/work/e"]]);

    let turn = peer.prompt(&id, "line").await;
    assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603, "a line counts from 1 nevertheless");
}

#[tokio::test]
async fn a_replay_and_a_session_that_is_opened_again_have_the_new_working_directory() {
    let (mut peer, id) = opened("session/load", json!({ "sessionId": "s", "mcpServers": [] })).await;
    assert_eq!(peer.updates()[0]["locations"][0]["path"], "/work/old/src");
    peer.call("session/load", json!({ "sessionId": id, "cwd": "/moved", "mcpServers": [] })).await.expect("a session");
    assert_eq!(peer.updates()[0]["locations"][0]["path"], "/moved/old/src");
    let turn = peer.prompt(&id, "paths").await;
    let asked = peer.asked("session/request_permission").await;
    assert_eq!(asked.params["toolCall"]["locations"][0]["path"], "/moved/src/a.rs");
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");

    peer.call("session/close", json!({ "sessionId": id })).await.expect("an end");
    peer.updates();
    peer.call("session/load", json!({ "sessionId": id, "cwd": "/again", "mcpServers": [] })).await.expect("a session");
    assert_eq!(peer.updates()[0]["locations"][0]["path"], "/again/old/src");
}
