//! An agent whose sessions last.

use std::sync::Arc;

use acp_runtime::{prelude::*, values::SessionInfoUpdate};
use acp_tests::peer::{Peer, all_capabilities};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::store::Store;

#[derive(SelectValue, Clone, Copy, PartialEq, Debug, Default)]
pub(crate) enum Model {
    #[default]
    Fast,
    Smart,
}

#[derive(ConfigOptions, Clone)]
pub(crate) struct Config {
    model: Model,
    #[config_option(default = false)]
    brave: bool,
}

#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Session {
    history: Vec<String>,
}

#[acp_agent(config = Config, session = Session, store = store)]
pub(crate) struct Keeper {
    store: Arc<Store>,
}

impl Keeper {
    pub(crate) fn on(store: &Store) -> Self {
        Self { store: Arc::new(store.clone()) }
    }
}

/// Sets the model for a client.
#[derive(Deserialize)]
struct SetModel {
    model: String,
}

#[acp_agent]
impl Keeper {
    #[ext("_tests/clear")]
    async fn clear(&self, session: SessionHandle<Config>) {
        session.clear_history();
    }

    #[ext("_tests/set")]
    async fn set_model(&self, asked: SetModel, session: SessionHandle<Config>) -> Result<()> {
        session.set_for_client(Config::MODEL, asked.model).await
    }

    async fn prompt(&self, session: &mut Session, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        let text = request.text();
        session.history.push(text.clone());
        match text.as_str() {
            "history" => turn.message(session.history.join("|")).await?,
            "options" => {
                let config = turn.config();
                turn.message(format!("{:?} {}", config.model, config.brave)).await?;
            }
            "wait" => {
                turn.message("I wait.").await?;
                turn.cancelled().await;
            }
            "fail" => {
                turn.message("It goes wrong.").await?;
                return Err(Error::internal_error("it went wrong"));
            }
            "panic" => {
                turn.message("It breaks.").await?;
                panic!("as it was told");
            }
            "think" => {
                turn.thought("Let me ").await?;
                turn.thought("see.").await?;
                turn.message("Done.").await?;
            }
            "read" => {
                let call = turn.tool_call("Read main.rs").start().await?;
                call.complete("fn main() {}").await?;
            }
            "name" => {
                let title = SessionInfoUpdate::new().title("a\0b".to_owned());
                turn.info(title).await?;
            }
            "long" => {
                turn.update_config(|config| config.brave = true).await?;
                let _build = turn.tool_call("Build").start().await?;
                for _ in 0..300 {
                    turn.message("x".repeat(1000)).await?;
                }
                turn.cancelled().await;
            }
            "clear" => {
                session.history.clear();
                turn.clear_history();
                let mut left = turn.history().expect("a store keeps it");
                turn.message(format!("{} left.", left.read_all().await?.len())).await?;
            }
            "clear, and wait" => {
                session.history.clear();
                turn.clear_history();
                turn.message("I wait.").await?;
                turn.cancelled().await;
            }
            "clear, and work" => {
                turn.clear_history();
                turn.message("x".repeat(300_000)).await?;
                turn.cancelled().await;
            }
            "clear unkeepable" => turn.clear_history(),
            "mumble" => {
                turn.thought("unkeepable").await?;
                turn.message("But this is.").await?;
            }
            "for client fast" => turn.update_config_for_client(|config| config.model = Model::Fast).await?,
            "dare" => turn.update_config(|config| config.brave = true).await?,
            "later" => {
                let session = turn.session().clone();
                tokio::spawn(async move {
                    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                    session.message("By the way.").await?;
                    session.update_config(|config| config.brave = true).await
                });
            }
            text => {
                turn.message("You said ").await?;
                turn.message(text).await?;
            }
        }
        Ok(StopReason::EndTurn)
    }
}

/// An agent on a store, initialized.
pub(crate) async fn connect(store: &Store) -> Peer {
    let mut peer = Peer::serve(Keeper::on(store));
    peer.initialize(all_capabilities()).await;
    peer
}

/// An agent on a new store, with one session.
pub(crate) async fn session() -> (Peer, Store, String) {
    let store = Store::default();
    let mut peer = connect(&store).await;
    let id = peer.new_session().await;
    (peer, store, id)
}

pub(crate) fn opening(id: &str) -> Value {
    json!({ "sessionId": id, "cwd": "/", "mcpServers": [] })
}

pub(crate) fn set(id: &str, model: &str) -> Value {
    json!({ "sessionId": id, "configId": "model", "value": model })
}

/// The text of the agent's answer to a prompt.
pub(crate) async fn told(peer: &mut Peer, id: &str, text: &str) -> String {
    peer.updates();
    assert_eq!(peer.turn(id, text).await, "end_turn");
    let updates = peer.updates();
    updates.iter().filter_map(|update| update["content"]["text"].as_str()).collect()
}

/// The updates as kinds and texts.
pub(crate) fn shown(updates: &[Value]) -> Vec<String> {
    let told = |update: &Value| {
        let kind = update["sessionUpdate"].as_str().unwrap_or_default();
        let text = update["content"]["text"].as_str().or(update["title"].as_str()).unwrap_or_default();
        format!("{kind}: {text}")
    };
    updates.iter().map(told).collect()
}
