//! The agent, as its clients see it, against a scripted server. The judge of the testing kit checks every message.

mod chat;
mod fake;
mod faults;
mod kept;
mod mcp;
mod second;
mod tools;

use std::{path::Path, sync::Arc, time::Duration};

use acp_client::testing::{self, Script, TestConnection};
use acp_runtime::store::{MemoryStore, SessionStore};

use crate::{Llm, server::Server};

/// An agent without sessions on a server.
fn llm(url: &str) -> Llm {
    llm_with(url, Some("secret"), Path::new("/nowhere/sessions.db"), Arc::new(MemoryStore::new()))
}

fn llm_with(url: &str, key: Option<&str>, sessions: &Path, store: Arc<dyn SessionStore>) -> Llm {
    let server = Server::new(Some(url.to_owned()), key.map(str::to_owned), sessions.to_owned()).expect("HTTP");
    Llm { server: Arc::new(server), model: String::new(), store }
}

async fn connect(url: &str) -> TestConnection {
    testing::connect(llm(url)).await
}

async fn connect_as(url: &str, script: &Script) -> TestConnection {
    testing::connect_as(llm(url), script.clone()).await
}

/// The reason to break the rule `option-offered`: no client can know that an option is open.
const OPEN: &str = "the option takes models that the server does not list";

/// Selects a model that the list does not have. `set_option` sends only values that are listed.
async fn select_unlisted(agent: &TestConnection, session: &acp_client::Session, model: &str) {
    let params = serde_json::json!({ "sessionId": session.id(), "configId": "model", "value": model });
    let _: serde_json::Value = agent.raw_request("session/set_config_option", &params).await.expect("an open option");
}

/// Waits for a state that follows a message.
async fn until(what: &str, mut is_there: impl FnMut() -> bool) {
    let waits = async {
        while !is_there() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), waits).await.expect(what);
}

/// The error of a session that does not open.
async fn refusal(agent: &TestConnection) -> acp_client::Error {
    agent.new_session("/project").await.expect_err("no session opens")
}

/// The error of a turn that fails.
async fn failure(session: &acp_client::Session, prompt: impl Into<acp_client::Prompt>) -> String {
    match session.prompt(prompt).await.expect("a prompt").finish().await {
        Ok(end) => panic!("the turn ended: {end:?}"),
        Err(error) => error.to_string(),
    }
}
