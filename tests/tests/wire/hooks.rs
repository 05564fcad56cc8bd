//! `#[on_change]` hooks as a client sees them. The answer to a change also shows the changes of its hooks. If a hook
//! refuses a change, the client gets an error. While a hook waits, its session still serves other requests.

use std::sync::Arc;
use std::time::Duration;

use acp_runtime::prelude::*;
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};
use tokio::sync::Notify;

#[derive(SelectValue, Clone, Copy, PartialEq, Debug, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
    Broken,
    Locked,
}

#[derive(ConfigOptions, Clone)]
struct Shared {
    #[config_option(default = false)]
    loud: bool,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    #[config_option(default = false)]
    brave: bool,
    #[config_option(default = Choice::new(["none"]))]
    tool: Choice,
    #[config_option(flatten)]
    shared: Shared,
}

#[acp_agent(config = Config)]
struct Hooked {
    /// The hook for the model waits for this signal.
    loaded: Arc<Notify>,
}

#[acp_agent]
impl Hooked {
    async fn prompt(&self, turn: Turn<Config>, request: PromptRequest) -> Result<StopReason> {
        match request.text().as_str() {
            "smart" => turn.set(Config::MODEL, Model::Smart).await?,
            "locked" => turn.set(Config::MODEL, Model::Locked).await?,
            _ => {
                let mut loud = turn.watch(Config::SHARED.then(Shared::LOUD));
                let change = turn.until_cancelled(loud.changed()).await?;
                turn.message(format!("loud: {:?}", change.map(|change| (change.old, change.new)))).await?;
            }
        }
        Ok(StopReason::EndTurn)
    }

    #[on_change(Config::MODEL)]
    async fn load(&self, change: Change<Model>, config: &mut Config, id: &SessionId, client: Client) -> Result<()> {
        assert!(id.as_ref().starts_with("sess_") && client.can_read_files());
        if change.new == Model::Smart {
            self.loaded.notified().await;
            config.tool.offer(["hammer", "saw"]);
        }
        match change.new {
            Model::Broken => panic!("a bug in a hook"),
            Model::Locked => Err(Error::auth_required()),
            Model::Fast | Model::Smart => Ok(()),
        }
    }

    #[on_change(Config::TOOL)]
    async fn tell(&self, config: &mut Config) {
        config.brave = true;
    }

    #[on_change(Config::SHARED.then(Shared::LOUD))]
    async fn hush(&self, change: Change<bool>) -> std::io::Result<()> {
        assert_ne!(change.old, change.new);
        Ok(())
    }
}

async fn session() -> (Peer, String, Arc<Notify>) {
    let loaded = Arc::new(Notify::new());
    let (peer, id) = Peer::session_with(Hooked { loaded: loaded.clone() }, all_capabilities()).await;
    (peer, id, loaded)
}

fn set(session: &str, option: &str, value: &Value) -> Value {
    json!({ "sessionId": session, "configId": option, "value": value })
}

fn values(options: &Value) -> Vec<&Value> {
    options.as_array().expect("a list of options").iter().map(|option| &option["currentValue"]).collect()
}

#[tokio::test]
async fn what_hooks_change_is_in_the_one_answer() {
    let (mut peer, id, loaded) = session().await;
    let request = peer.request("session/set_config_option", set(&id, "model", &json!("smart"))).await;
    // While the hook waits, the session serves other requests, and they show the state before the change.
    assert_eq!(peer.settled().await, []);
    let refused = peer.call("session/set_mode", json!({ "sessionId": id, "modeId": "x" })).await;
    assert_eq!(refused.map_err(|refusal| refusal.code), Err(-32601));
    loaded.notify_one();
    let answer = peer.answer(request).await.expect("an answer");
    assert_eq!(values(&answer["configOptions"]), [&json!("smart"), &json!(true), &json!("hammer"), &json!(false)]);
    assert_eq!(peer.settled().await, []);
}

#[tokio::test]
async fn what_a_hook_refuses_is_refused() {
    let (mut peer, id, _) = session().await;
    let refused = peer.call("session/set_config_option", set(&id, "model", &json!("locked"))).await.unwrap_err();
    assert_eq!(refused.code, -32000);
    let refused = peer.call("session/set_config_option", set(&id, "model", &json!("broken"))).await.unwrap_err();
    assert_eq!(refused.code, -32603);
    let answer = peer.call("session/set_config_option", set(&id, "brave", &json!(true))).await.expect("an answer");
    assert_eq!(values(&answer["configOptions"])[0], "fast", "everything as it was, and the next change goes through");
    let refused = peer.call("session/prompt", acp_tests::peer::prompt(&id, "locked")).await.unwrap_err();
    assert_eq!(refused.code, -32000, "to the agent's own change, too");
    assert_eq!(peer.settled().await, []);
}

#[tokio::test]
async fn a_change_of_the_agent_is_published_after_its_hooks() {
    let (mut peer, id, loaded) = session().await;
    loaded.notify_one();
    assert_eq!(peer.turn(&id, "smart").await, "end_turn");
    let updates = peer.updates();
    assert_eq!(updates.len(), 1, "{updates:?}");
    assert_eq!(values(&updates[0]["configOptions"])[..3], [&json!("smart"), &json!(true), &json!("hammer")]);
}

#[tokio::test]
async fn a_turn_watches_what_the_client_changes() {
    let (mut peer, id, _) = session().await;
    let prompt = peer.prompt(&id, "watch").await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    peer.call("session/set_config_option", set(&id, "loud", &json!(true))).await.expect("an answer");
    assert_eq!(peer.stop_reason(prompt).await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "loud: Some((false, true))");
}
