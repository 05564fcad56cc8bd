//! The handlers of a client, called by agents of this workspace, in memory.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod local;
mod requests;
mod updates;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use acp_client::{
    ConnectOptions, Connection, Endpoint, Session,
    transport::memory,
    values::{ElicitationSchema, StopReason},
};
use acp_runtime::{
    agent::ServeOptions,
    prelude::{PromptRequest, Serve, Turn, acp_agent},
};
use tokio::sync::Notify;

/// An agent that does what its prompt says, and reports the result.
#[acp_agent]
#[derive(Clone)]
struct Subject;

#[acp_agent]
impl Subject {
    async fn prompt(
        &self,
        request: PromptRequest,
        client: acp_runtime::prelude::Client,
        turn: Turn<Self>,
    ) -> acp_runtime::prelude::Result<acp_runtime::prelude::StopReason> {
        let text = request.text().to_string();
        let (what, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let came = match what {
            "read" => client.read_text_file(rest).await?,
            "write" => {
                client.write_text_file("/tmp/note", rest).await?;
                "written".to_owned()
            }
            "terminal" => {
                let terminal = client.terminal("make").args([rest]).start().await?;
                let output = terminal.output().await?.output;
                let status = terminal.wait_for_exit().await?;
                terminal.kill().await?;
                terminal.release().await?;
                format!("{output}{:?}", status.exit_code)
            }
            "permit" => {
                let call = turn.tool_call("dangerous").start().await?;
                let permission = call.ask_permission().await?;
                format!("{:?}", permission.selected().map(|option| &option.name))
            }
            "form" => {
                let answer = client.elicit_form("Which one?", ElicitationSchema::new()).await?;
                format!("{answer:?}")
            }
            "page" => {
                let answer = client.elicit_url("Log in", "login-1", "https://example.com/").await?;
                client.elicitation_complete("login-1").await?;
                format!("{answer:?}")
            }
            "ext" => {
                let sum: u32 = client.ext_request("_acme.dev/add", &[1, 2, 39]).await?;
                client.ext_notification("_acme.dev/seen", &serde_json::json!({ "what": rest })).await?;
                sum.to_string()
            }
            "refused" => match client.ext_request::<u32>("_acme.dev/refuse", &serde_json::json!({})).await {
                Err(error) => format!("{}: {}", error.code(), error.message()),
                Ok(_) => "taken".to_owned(),
            },
            "words" => {
                for word in rest.split(' ') {
                    turn.message(word).await?;
                    turn.thought(word).await?;
                }
                return Ok(StopReason::EndTurn);
            }
            "impatient" => {
                // The drop of the future withdraws the request.
                let asked = client.read_text_file("/slow");
                let _ = tokio::time::timeout(Duration::from_millis(50), asked).await;
                "withdrew".to_owned()
            }
            _ => "nothing".to_owned(),
        };
        turn.message(came).await?;
        Ok(StopReason::EndTurn)
    }
}

/// Version 1 has files and terminals, and tells only what its agent says.
fn version_1() -> ConnectOptions {
    ConnectOptions::new().versions(1..=1)
}

async fn connect_as(client: impl acp_client::Handlers) -> Connection {
    let (near, far) = memory::pair();
    tokio::spawn(Subject.serve(far, ServeOptions::new()));
    Endpoint::over(near).options(version_1()).connect_as(client).await.unwrap()
}

async fn ask(session: &Session, prompt: &str) -> String {
    let mut turn = session.prompt(prompt).await.unwrap();
    let mut text = String::new();
    while let Some(piece) = turn.text().await.unwrap() {
        text += &piece;
    }
    text
}

#[derive(Default)]
struct Told {
    lines: Mutex<Vec<String>>,
    dropped: Notify,
}

impl Told {
    fn add(&self, line: impl Into<String>) {
        self.lines.lock().unwrap().push(line.into());
    }

    fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }
}

struct OnDrop(Arc<Told>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.dropped.notify_one();
    }
}
