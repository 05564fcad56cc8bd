//! The drafts of the protocol that a client handles, with the feature `unstable`:
//! `cargo test -p acp-client --features unstable,v2 --test main drafts::`.

use std::sync::{Arc, Mutex};

use acp_client::{
    Connection, Endpoint, Handlers, acp_client,
    transport::memory,
    values::{AuthState, AuthStatusUpdateNotification, MessageMcpRequest, MessageMcpResponse, methods},
};
use acp_runtime::{agent::ServeOptions, prelude::*};
use serde_json::json;

/// An agent that calls both methods, and says what came of the request.
#[acp_agent]
#[derive(Clone)]
struct Agent;

#[acp_agent]
impl Agent {
    async fn prompt(&self, client: Client, turn: Turn<Self>) -> Result<StopReason> {
        let update = AuthStatusUpdateNotification::new(AuthState::Unauthenticated);
        client.notify::<methods::AuthStatusUpdate>(&update).await?;
        let params = json!({ "serverId": "m", "requestId": "1", "method": "tools/list" });
        let request: MessageMcpRequest = serde_json::from_value(params)?;
        let said = match client.call::<methods::MessageMcp>(&request).await {
            Ok(answer) => serde_json::to_string(&answer)?,
            Err(error) => error.code().to_string(),
        };
        turn.message(said).await?;
        Ok(StopReason::EndTurn)
    }
}

#[derive(Clone, Default)]
struct Editor(Arc<Mutex<Vec<AuthState>>>);

#[acp_client]
impl Editor {
    #[draft]
    async fn auth_status_update(&self, update: AuthStatusUpdateNotification) {
        self.0.lock().unwrap_or_else(|error| panic!("{error}")).push(update.state);
    }

    #[draft]
    async fn message_mcp(&self, request: MessageMcpRequest) -> serde_json::Result<MessageMcpResponse> {
        serde_json::from_value(json!({ "result": { "of": request.method } }))
    }
}

struct Bare;

#[acp_client]
impl Bare {}

async fn connect<C: Handlers>(client: C) -> Connection {
    let (near, far) = memory::pair();
    tokio::spawn(Agent.serve(far, ServeOptions::new()));
    Endpoint::over(near).connect_as(client).await.expect("it connects")
}

async fn said(connection: &Connection) -> Option<String> {
    let session = connection.new_session("/tmp").await.expect("it opens");
    session.prompt("go").await.expect("it begins").text().await.expect("it goes on")
}

#[tokio::test]
async fn handlers_of_drafts_take_and_answer_what_the_schema_says() {
    let editor = Editor::default();
    let connection = connect(editor.clone()).await;
    assert_eq!(said(&connection).await.as_deref(), Some(r#"{"result":{"of":"tools/list"}}"#));
    assert_eq!(*editor.0.lock().expect("no panic"), [AuthState::Unauthenticated]);
}

#[tokio::test]
async fn a_draft_without_a_handler_is_not_found() {
    assert_eq!(said(&connect(Bare).await).await.as_deref(), Some("-32601"));
}

/// The agent of version 2 is written by hand.
#[cfg(feature = "v2")]
#[tokio::test]
async fn a_fork_of_version_2_has_the_values_of_version_1() {
    let (near, far) = memory::pair();
    let agent = tokio::spawn(async move {
        let mut lines = far.into_lines();
        let option = json!({
            "configId": "effort", "name": "Effort", "type": "select", "currentValue": "low",
            "options": [{ "value": "low", "name": "low" }]
        });
        let mut forked = None;
        while let Some(line) = lines.next_line().await.expect("a line") {
            let message: serde_json::Value = serde_json::from_str(&line).expect("JSON");
            let result = match message["method"].as_str().expect("a method") {
                "initialize" => json!({
                    "protocolVersion": 2, "info": { "name": "a", "version": "0" }, "capabilities": { "session": { "fork": {} } }
                }),
                _ => json!({ "sessionId": "f", "configOptions": [option] }),
            };
            forked = Some(message["params"].clone());
            let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
            lines.send(&answer.to_string()).await.expect("it is sent");
        }
        forked
    });
    let connection = Endpoint::over(near).connect_as(Bare).await.expect("it connects");
    let params = json!({ "sessionId": "s", "cwd": "/", "mcpServers": [{ "name": "m", "command": "/m", "args": [], "env": [] }] });
    let request: acp_client::values::ForkSessionRequest = serde_json::from_value(params).expect("a request");
    let answer = connection.call::<methods::ForkSession>(&request).await.expect("it forks");
    let options = answer.config_options.expect("options");
    assert_eq!(options.iter().map(|option| option.id.as_ref()).collect::<Vec<_>>(), ["effort"]);
    connection.close().await.expect("it ends");
    assert_eq!(agent.await.expect("no panic").expect("a request")["mcpServers"][0]["type"], "stdio");
}
