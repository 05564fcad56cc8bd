//! Options that an agent sets for its client, in a method of its own or in a command.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use acp_runtime::prelude::*;
use acp_tests::peer::Peer;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(SelectValue, Clone, Copy, PartialEq, Debug, Default)]
enum Effort {
    #[default]
    Low,
    High,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = Choice::new(["plain", "deep"]))]
    model: Choice,
    #[config_option(depends_on(model), values = efforts)]
    effort: Effort,
    #[config_option(category = "mode", values("ask", "code"), default = "ask")]
    mode: String,
}

fn efforts(model: &str) -> &'static [Effort] {
    if model == "deep" { Effort::ALL } else { &[Effort::Low] }
}

/// The agent of an older protocol, whose clients set models by a method, with the effort behind a slash.
#[acp_agent(config = Config)]
#[derive(Clone, Default)]
struct Older {
    configured: Arc<AtomicUsize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SetModel {
    model_id: String,
}

#[acp_agent]
impl Older {
    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        turn.cancelled().await;
        turn.set_for_client(Config::MODEL, "deep").await?;
        Ok(StopReason::EndTurn)
    }

    #[method("session/set_model")]
    async fn set_model(&self, asked: SetModel, session: SessionHandle<Config>) -> Result<()> {
        let change = session.update_config_for_client(|config| {
            let (model, effort) = asked.model_id.split_once('/').unwrap_or((&asked.model_id, ""));
            config.model.select(model);
            if !effort.is_empty() {
                let unknown = || Error::invalid_params(format!("there is no effort `{effort}`"));
                config.effort = Effort::from_id(effort).ok_or_else(unknown)?;
            }
            Ok(())
        });
        change.await
    }

    /// Selects the mode
    #[command(hint = "the mode")]
    async fn mode(&self, mode: Arguments, turn: Turn<Config>) -> Result<StopReason> {
        turn.set_for_client(Config::MODE, mode.into_inner()).await?;
        Ok(StopReason::EndTurn)
    }

    #[on_change]
    async fn configured(&self) {
        self.configured.fetch_add(1, Ordering::Relaxed);
    }
}

async fn session() -> (Peer, String, Older) {
    let agent = Older::default();
    let (mut peer, id) = Peer::session(agent.clone()).await;
    peer.settled().await;
    peer.updates();
    (peer, id, agent)
}

async fn set_model(peer: &mut Peer, session: &str, model: &str) -> Result<Value, (i32, String)> {
    let answer = peer.call("session/set_model", json!({ "sessionId": session, "modelId": model })).await;
    answer.map_err(|refusal| (refusal.code, refusal.message))
}

/// The values of the options in each update of them.
fn told(peer: &mut Peer) -> Vec<Vec<String>> {
    let updates = peer.updates().into_iter().filter(|update| update["sessionUpdate"] == "config_option_update");
    let values = |update: Value| {
        let options = update["configOptions"].as_array().cloned().unwrap_or_default();
        options.iter().map(|option| option["currentValue"].as_str().unwrap_or_default().to_owned()).collect()
    };
    updates.map(values).collect()
}

// CFG-11, CFG-12
#[tokio::test]
async fn a_method_sets_options_and_the_others_follow_in_one_update() {
    let (mut peer, id, agent) = session().await;
    set_model(&mut peer, &id, "deep/high").await.expect("both");
    assert_eq!(told(&mut peer), [["deep", "high", "ask"]]);
    set_model(&mut peer, &id, "plain").await.expect("the effort is reset");
    assert_eq!(told(&mut peer), [["plain", "low", "ask"]]);
    set_model(&mut peer, &id, "plain").await.expect("the same");
    assert_eq!((told(&mut peer).len(), agent.configured.load(Ordering::Relaxed)), (0, 2), "the hook runs as for a set");
}

// CFG-14
#[tokio::test]
async fn a_wrong_value_is_refused_with_the_text_of_a_set() {
    let (mut peer, id, agent) = session().await;
    let set = json!({ "sessionId": id, "configId": "model", "value": "new" });
    let refusal = peer.call("session/set_config_option", set).await.expect_err("it is not offered");
    assert_eq!(refusal.message, "the config option `model` has no such value; it offers `plain`, `deep`");
    assert_eq!(set_model(&mut peer, &id, "new").await, Err((-32602, refusal.message)));
    let effort = "the config option `effort` has no such value; it offers `low`".to_owned();
    assert_eq!(set_model(&mut peer, &id, "plain/high").await, Err((-32602, effort)));
    let unknown = "there is no effort `most`".to_owned();
    assert_eq!(set_model(&mut peer, &id, "deep/most").await, Err((-32602, unknown)), "the error of the function");
    assert_eq!((told(&mut peer).len(), agent.configured.load(Ordering::Relaxed)), (0, 0), "nothing has changed");
}

#[tokio::test]
async fn a_command_sets_an_option_for_the_user() {
    let (mut peer, id, _) = session().await;
    assert_eq!(peer.turn(&id, "/mode code").await, "end_turn");
    let updates: Vec<_> = peer.updates().into_iter().map(|mut update| update["sessionUpdate"].take()).collect();
    assert_eq!(updates, ["config_option_update", "current_mode_update"]);
    let turn = peer.prompt(&id, "/mode write").await;
    let refusal = peer.answer(turn).await.expect_err("a mode that is not offered");
    assert_eq!(refusal.code, -32602);
    assert_eq!(refusal.message, "the config option `mode` has no such value; it offers `ask`, `code`");
}

#[tokio::test]
async fn a_cancelled_turn_sets_nothing() {
    let (mut peer, id, _) = session().await;
    let turn = peer.prompt(&id, "wait").await;
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    assert_eq!(told(&mut peer), Vec::<Vec<String>>::new());
}
