//! `session/fork`: a new session from another one, with its options and, in a store, its history.

use std::sync::Arc;

use acp_runtime::{
    agent::Restored,
    prelude::*,
    schema::v1::ForkSessionRequest,
    store::{MemoryStore, SessionStore},
    transport::{Context, Principal},
    values::SessionId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Client;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(values("low", "high"), default = "low")]
    effort: String,
}

#[derive(Clone, Default)]
struct Core {
    words: Arc<std::sync::Mutex<Vec<String>>>,
}

#[acp_agent(config = Config, shared = Core)]
struct Memory;

#[acp_agent]
impl Memory {
    async fn prompt(
        &self,
        request: PromptRequest,
        Shared(core): Shared<Core>,
        turn: Turn<Config>,
    ) -> Result<StopReason> {
        core.words.lock().unwrap().push(request.text());
        let said = core.words.lock().unwrap().join(" ");
        turn.message(said).await?;
        Ok(StopReason::EndTurn)
    }

    #[draft]
    async fn fork_session(&self, _: ForkSessionRequest, Shared(core): Shared<Core>) -> Result<((), Core)> {
        let words = core.words.lock().unwrap().clone();
        Ok(((), Core { words: Arc::new(words.into()) }))
    }
}

/// Its handler takes nothing of the other session.
#[acp_agent]
#[derive(Clone)]
struct Forgetful;

#[acp_agent]
impl Forgetful {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[draft]
    async fn fork_session(&self, _: ForkSessionRequest) {}
}

#[derive(Default, Serialize, Deserialize)]
struct Session {
    words: Vec<String>,
}

#[acp_agent(config = Config, session = Session, store = store)]
#[derive(Clone)]
struct Lasting {
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Lasting {
    async fn prompt(&self, request: PromptRequest, session: &mut Session, turn: Turn<Config>) -> Result<StopReason> {
        session.words.push(request.text());
        if request.text() == "clear" {
            session.words.clear();
            turn.clear_history();
        }
        turn.message(format!("{}!", session.words.concat())).await?;
        if request.text() == "wait" {
            // So much that a part of the turn is kept while it runs.
            for _ in 0..4 {
                turn.thought("?".repeat(100_000)).await?;
                turn.message("!").await?;
            }
            turn.cancelled().await;
        }
        Ok(StopReason::EndTurn)
    }

    #[draft]
    async fn fork_session(&self, _: ForkSessionRequest, Restored(session): Restored<Session>) -> Session {
        session
    }
}

fn prompt(id: &Value, text: &str) -> Value {
    json!({ "sessionId": id, "prompt": [{ "type": "text", "text": text }] })
}

fn fork(id: &Value) -> Value {
    json!({ "sessionId": id, "cwd": "/" })
}

fn effort(answer: &Value) -> &Value {
    &answer["configOptions"][0]["currentValue"]
}

async fn set_effort(client: &mut Client, id: &Value) {
    let set = json!({ "sessionId": id, "configId": "effort", "value": "high" });
    client.call("session/set_config_option", set).await;
}

#[tokio::test(flavor = "current_thread")]
async fn a_fork_has_the_options_and_what_its_handler_takes_of_the_other_session() {
    let mut client = Client::of(Memory).await;
    let id = client.open().await;
    set_effort(&mut client, &id).await;
    client.call("session/prompt", prompt(&id, "one")).await;
    let forked = client.call("session/fork", fork(&id)).await;
    assert_ne!(forked["sessionId"], id);
    assert_eq!(effort(&forked), "high");
    client.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": prompt(&forked["sessionId"], "two") })).await;
    let said = client.message().await;
    assert_eq!(said["params"]["update"]["content"]["text"], "one two");
    assert_eq!(client.message().await["id"], 1);
}

#[tokio::test(flavor = "current_thread")]
async fn a_fork_has_absolute_directories_and_a_session_that_is_there() {
    let mut client = Client::of(Memory).await;
    let id = client.open().await;
    assert_eq!(client.refused("session/fork", json!({ "sessionId": id, "cwd": "here" })).await, -32602);
    let further = json!({ "sessionId": id, "cwd": "/", "additionalDirectories": ["/more"] });
    assert_eq!(client.refused("session/fork", further).await, -32602);
    let server = json!({ "sessionId": id, "cwd": "/", "mcpServers": [{ "type": "http", "name": "m", "url": "http://m", "headers": [] }] });
    assert_eq!(client.refused("session/fork", server).await, -32602);
    assert_eq!(client.refused("session/fork", fork(&json!("unknown"))).await, -32002);
}

#[tokio::test(flavor = "current_thread")]
async fn an_agent_that_keeps_no_sessions_forks_active_ones_only() {
    let mut client = Client::of(Forgetful).await;
    let id = client.open().await;
    assert_ne!(client.call("session/fork", fork(&id)).await["sessionId"], id);
    assert_eq!(client.refused("session/fork", fork(&json!("unknown"))).await, -32002);
}

/// What a store has said of a session, as texts.
async fn said(store: &dyn SessionStore, id: &Value) -> Vec<String> {
    let id = SessionId::from(id.as_str().unwrap());
    let entries = store.replay(&id, 0, 1000).await.unwrap();
    let text = |json: Value| json["content"]["text"].as_str().unwrap_or_default().to_owned();
    entries.iter().map(|entry| text(serde_json::from_str(&entry.to_json().unwrap()).unwrap())).collect()
}

#[tokio::test(flavor = "current_thread")]
async fn a_store_copies_the_history_of_active_and_of_stored_sessions() {
    let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
    let mut client = Client::of(Lasting { store: store.clone() }).await;
    let id = client.open().await;
    set_effort(&mut client, &id).await;
    client.call("session/prompt", prompt(&id, "one")).await;
    let of_active = client.call("session/fork", fork(&id)).await;
    client.call("session/close", json!({ "sessionId": id })).await;
    let of_stored = client.call("session/fork", fork(&id)).await;
    for forked in [of_active, of_stored] {
        assert_eq!(effort(&forked), "high");
        let new = &forked["sessionId"];
        assert_eq!(said(&*store, new).await, ["one", "one!"]);
        client.call("session/prompt", prompt(new, "two")).await;
        assert_eq!(said(&*store, new).await, ["one", "one!", "two", "onetwo!"]);
    }
    assert_eq!(said(&*store, &id).await, ["one", "one!"]);
    assert_eq!(client.refused("session/fork", fork(&json!("unknown"))).await, -32002);
}

#[tokio::test(flavor = "current_thread")]
async fn a_fork_has_the_turns_that_have_ended() {
    let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
    let mut client = Client::of(Lasting { store: store.clone() }).await;
    let id = client.open().await;
    client.call("session/prompt", prompt(&id, "one")).await;
    client.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": prompt(&id, "wait") })).await;
    let of_store = SessionId::from(id.as_str().unwrap());
    for _ in 0..8 {
        client.message().await;
    }
    while store.read(&of_store).await.unwrap().unended.is_none() {
        tokio::task::yield_now().await;
    }
    assert!(said(&*store, &id).await.len() > 2, "a part of the turn is kept");
    let forked = client.call("session/fork", fork(&id)).await;
    assert_eq!(said(&*store, &forked["sessionId"]).await, ["one", "one!"]);
}

/// More than a page of the copy.
#[tokio::test(flavor = "current_thread")]
async fn a_long_history_is_copied_whole() {
    let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
    let mut client = Client::of(Lasting { store: store.clone() }).await;
    let id = client.open().await;
    for number in 0..120 {
        client.call("session/prompt", prompt(&id, &number.to_string())).await;
    }
    let forked = client.call("session/fork", fork(&id)).await;
    assert_eq!(said(&*store, &forked["sessionId"]).await, said(&*store, &id).await);
    let loaded = json!({ "sessionId": forked["sessionId"], "cwd": "/", "mcpServers": [] });
    client.call("session/load", loaded).await;
}

/// The copy has places of its own, from the first one on.
#[tokio::test(flavor = "current_thread")]
async fn what_was_dropped_is_not_copied() {
    let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
    let mut client = Client::of(Lasting { store: store.clone() }).await;
    let id = client.open().await;
    let texts = (0..60).map(|number| number.to_string());
    for text in texts.clone().chain(["clear".to_owned()]).chain(texts) {
        client.call("session/prompt", prompt(&id, &text)).await;
    }
    let all = said(&*store, &id).await;
    assert_eq!((all.len(), &*all[0], &*all[1], &*all[2]), (122, "clear", "!", "0"));
    let forked = client.call("session/fork", fork(&id)).await;
    let new = &forked["sessionId"];
    assert_eq!(said(&*store, new).await, all);
    client.call("session/prompt", prompt(new, "more")).await;
    assert_eq!(said(&*store, new).await.len(), 124);
}

#[tokio::test]
async fn a_session_of_another_principal_is_not_copied() {
    let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
    let of = |name: &str| Context::new().with(Principal::new(name));
    let mut ann = Client::with(Lasting { store: store.clone() }, of("ann")).await;
    let id = ann.open().await;
    ann.call("session/prompt", prompt(&id, "one")).await;
    for context in [of("bob"), Context::new()] {
        let mut other = Client::with(Lasting { store: store.clone() }, context).await;
        let unknown = other.ask("session/fork", fork(&json!("unknown"))).await["error"].to_string();
        let refused = other.ask("session/fork", fork(&id)).await["error"].to_string();
        assert_eq!(refused.replace(id.as_str().unwrap(), "unknown"), unknown);
        assert!(refused.contains("-32002"), "{refused}");
    }
    // A copy is that of who has made it.
    let forked = ann.call("session/fork", fork(&id)).await;
    let kept = store.read(&forked["sessionId"].as_str().unwrap().into()).await.unwrap();
    assert_eq!(kept.principal.as_deref(), Some("ann"));
    assert_eq!(said(&*store, &forked["sessionId"]).await, ["one", "one!"]);
}
