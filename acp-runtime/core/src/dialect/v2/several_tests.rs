//! Clients of both versions that follow one session: each is told it in its version.

use std::sync::Arc;

use serde_json::{Value, json};

use super::client_of_both::Client;
use crate::{
    agent::{Host, OpenedSession},
    session::Turn,
    store::{MemoryStore, SessionStore},
    values::{PromptRequest, StopReason},
    wire::Result,
};

#[derive(acp_macros::ConfigOptions, Clone)]
#[config_option(crate = crate)]
struct Config {
    /// Tools need not ask.
    #[config_option(default = false)]
    brave: bool,
}

#[acp_macros::acp_agent(crate = crate, config = Config, store = store, clients = "many", turns = "queue")]
struct Pair {
    store: Arc<dyn SessionStore>,
}

#[acp_macros::acp_agent(crate = crate)]
impl Pair {
    async fn new_session(&self) -> OpenedSession<(), Config> {
        OpenedSession::new(()).id("s")
    }

    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        match request.text().as_str() {
            "ask" => {
                let call = turn.tool_call("Write").start().await?;
                let allowed = call.ask_permission().await?.is_allowed();
                call.complete(if allowed { "written" } else { "left alone" }).await?;
            }
            "wait" => {
                turn.message("begun").await?;
                turn.cancelled().await;
            }
            text => turn.message(format!("{text}?")).await?,
        }
        Ok(StopReason::EndTurn)
    }
}

fn host() -> Host<Pair> {
    Host::new(Pair { store: Arc::new(MemoryStore::new()) })
}

fn reopening(version: u16) -> (&'static str, Value) {
    match version {
        1 => ("session/load", json!({ "sessionId": "s", "cwd": "/", "mcpServers": [] })),
        _ => ("session/resume", json!({ "sessionId": "s", "cwd": "/", "replayFrom": { "type": "start" } })),
    }
}

async fn follow(host: &Host<Pair>, version: u16) -> Client {
    let mut client = Client::on(host, version).await;
    let (method, params) = reopening(version);
    client.ask(method, params).await;
    client
}

/// The kinds of updates, with their texts or states.
fn told(client: &mut Client) -> Vec<String> {
    let text = |update: &Value| {
        let content = if update["content"].is_array() { &update["content"][0] } else { &update["content"] };
        let what = update["state"].as_str().or(content["text"].as_str()).unwrap_or_default().to_owned();
        let why = update["stopReason"].as_str().map(|why| format!(" {why}")).unwrap_or_default();
        format!("{} {what}{why}", update["sessionUpdate"].as_str().unwrap())
    };
    std::mem::take(&mut client.updates).iter().map(text).collect()
}

async fn until(client: &mut Client, last: &str) -> Vec<String> {
    let mut all = Vec::new();
    loop {
        all.append(&mut told(client));
        if all.last().is_some_and(|update| update == last) {
            return all;
        }
        client.next().await;
    }
}

#[tokio::test]
async fn a_client_of_each_version_is_told_the_turns_of_the_other() {
    let host = host();
    let mut first = Client::on(&host, 1).await;
    first.open().await;
    let mut second = follow(&host, 2).await;
    assert_eq!(told(&mut second), ["state_update idle"]);

    assert_eq!(first.turn("one").await["stopReason"], "end_turn");
    assert_eq!(told(&mut first), ["agent_message_chunk one?"], "a client of version 1 knows its own prompt");
    let turn = until(&mut second, "state_update idle end_turn").await;
    assert_eq!(
        turn,
        ["user_message one", "state_update running", "agent_message_chunk one?", "state_update idle end_turn"]
    );

    assert!(second.turn("two").await["messageId"].is_string());
    let turn = told(&mut second);
    assert_eq!(
        turn,
        ["user_message two", "state_update running", "agent_message_chunk two?", "state_update idle end_turn"]
    );
    assert_eq!(
        until(&mut first, "agent_message_chunk two?").await,
        ["user_message_chunk two", "agent_message_chunk two?"]
    );
}

#[tokio::test]
async fn a_client_of_version_2_that_comes_in_a_turn_of_version_1_is_told_that_it_runs() {
    let host = host();
    let mut first = Client::on(&host, 1).await;
    first.open().await;
    let turn = first.prompt("wait").await;
    until(&mut first, "agent_message_chunk begun").await;
    let mut second = follow(&host, 2).await;
    assert_eq!(told(&mut second), ["user_message_chunk wait", "agent_message_chunk begun", "state_update running"]);

    // Its prompt waits for the turn of the other, and its cancel ends both.
    let held = second.prompt("then").await;
    second.notify("session/cancel", json!({ "sessionId": "s" })).await;
    assert_eq!(first.answer(turn).await["stopReason"], "cancelled");
    assert_eq!(second.outcome(held).await, Err(-32800));
    assert_eq!(until(&mut second, "state_update idle cancelled").await, ["state_update idle cancelled"]);
}

#[tokio::test]
async fn a_question_is_asked_in_the_words_of_each_version_and_answered_once() {
    let host = host();
    let mut first = Client::on(&host, 2).await;
    first.open().await;
    let mut second = follow(&host, 1).await;
    let prompt = first.prompt("ask").await;
    first.answer(prompt).await;
    let asked = async |client: &mut Client| loop {
        let message = client.next().await;
        if message["method"] == "session/request_permission" {
            return message;
        }
    };
    let (new, old) = (asked(&mut first).await, asked(&mut second).await);
    assert_eq!(new["params"]["subject"]["type"], "tool_call", "{new}");
    assert_eq!(old["params"]["toolCall"]["title"], "Write", "{old}");
    assert_eq!(old["params"]["title"], Value::Null);
    let allow = json!({ "outcome": { "outcome": "selected", "optionId": "allow" } });
    second.respond(&old["id"], allow).await;
    let withdrawn = loop {
        let message = first.next().await;
        if message["method"] == "$/cancel_request" {
            break message;
        }
    };
    assert_eq!(withdrawn["params"]["requestId"], new["id"]);
    let all = until(&mut first, "state_update idle end_turn").await;
    let states: Vec<_> = all.iter().filter(|update| update.starts_with("state_update")).collect();
    assert_eq!(
        states,
        ["state_update running", "state_update requires_action", "state_update running", "state_update idle end_turn"]
    );
}

#[tokio::test]
async fn a_close_tells_the_others_the_end_of_the_turn() {
    let host = host();
    let mut first = Client::on(&host, 2).await;
    first.open().await;
    let mut second = follow(&host, 1).await;
    first.prompt("wait").await;
    until(&mut second, "agent_message_chunk begun").await;
    second.ask("session/close", json!({ "sessionId": "s" })).await;
    until(&mut first, "state_update idle cancelled").await;
    assert_eq!(first.try_ask("session/resume", json!({ "sessionId": "none", "cwd": "/" })).await, Err(-32002));
    let prompt = json!({ "sessionId": "s", "prompt": [{ "type": "text", "text": "more" }] });
    assert_eq!(first.try_ask("session/prompt", prompt).await, Err(-32002));
}

#[tokio::test]
async fn booleans_are_for_who_sees_them() {
    let host = host();
    let mut first = Client::on(&host, 2).await;
    first.open().await;
    let mut second = follow(&host, 1).await;
    let set = json!({ "sessionId": "s", "configId": "brave", "type": "boolean", "value": true });
    first.ask("session/set_config_option", set).await;
    // Its next update is one of the turn.
    second.turn("go").await;
    assert_eq!(told(&mut second), ["agent_message_chunk go?"]);
    let third = follow(&host, 2).await;
    drop(third);
}
