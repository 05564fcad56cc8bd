//! The page `from_the_official_sdk` lists the messages that an agent refuses. Each row is played here, and has the code that the page says.

use std::collections::BTreeMap;

use acp_runtime::prelude::*;
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};

use super::read;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "mode", values("ask", "code"), default = "ask")]
    mode: String,
}

#[acp_agent(config = Config)]
struct Agent;

#[acp_agent]
impl Agent {
    /// Works until it is cancelled.
    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        turn.message("I work.").await?;
        turn.cancelled().await;
        Ok(StopReason::EndTurn)
    }
}

/// The messages as the page calls them, each with the code of its answer.
fn told() -> BTreeMap<String, i32> {
    let page = read("acp-runtime/src/guide/from_the_official_sdk.md");
    let table = page.split("| of the client | answer |").nth(1).expect("the table").split("\n\n").next().unwrap();
    let rows = table.lines().skip(2).map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    rows.map(|row| (row[1].to_owned(), row[2].trim_matches('`').parse().expect("a code"))).collect()
}

#[tokio::test]
async fn each_message_of_the_table_is_refused_with_its_code() {
    let mut peer = Peer::serve(Agent);
    peer.initialize(all_capabilities()).await;
    let session = peer.new_session().await;
    peer.prompt(&session, "Work").await;
    peer.update().await;
    let opening = |more: Value| {
        let mut params = json!({ "cwd": "/project", "mcpServers": [] });
        params.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
        ("session/new", params)
    };
    let prompt = |session: &str, block: Value| ("session/prompt", json!({ "sessionId": session, "prompt": [block] }));
    let set = |option, value| {
        ("session/set_config_option", json!({ "sessionId": session, "configId": option, "value": value }))
    };
    let text = json!({ "type": "text", "text": "Hi" });
    let audio = json!({ "type": "audio", "data": "aGk=", "mimeType": "audio/wav" });
    let sse = json!([{ "type": "sse", "name": "a", "url": "https://example.com", "headers": [] }]);
    let messages = [
        ("a second `initialize`", ("initialize", json!({ "protocolVersion": 1 }))),
        ("params that are a list", ("session/new", json!(["/project", []]))),
        ("a relative `cwd`", opening(json!({ "cwd": "project" }))),
        ("further directories that were not advertised", opening(json!({ "additionalDirectories": ["/other"] }))),
        ("an MCP server over HTTP or SSE that was not advertised", opening(json!({ "mcpServers": sse }))),
        ("an image, audio or a file with its content that was not advertised", prompt(&session, audio)),
        ("a session that is not open", prompt("unknown", text.clone())),
        ("a prompt during a turn", prompt(&session, text)),
        ("an option that there is not", set("unknown", "ask")),
        ("a value that the option does not offer", set("mode", "unknown")),
        ("a mode that there is not", ("session/set_mode", json!({ "sessionId": session, "modeId": "unknown" }))),
    ];
    let mut refused = BTreeMap::new();
    for (name, (method, params)) in messages {
        let answer = peer.call(method, params).await;
        refused.insert(name.to_owned(), answer.expect_err(name).code);
    }
    assert_eq!(told(), refused);
    peer.cancel(&session).await;
}
