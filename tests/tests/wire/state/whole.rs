//! `#[on_change]` without an option: a function that sees each change as a whole.

use std::sync::{Arc, Mutex};

use acp_runtime::prelude::*;
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};

#[derive(SelectValue, Clone, Copy, Debug, Default, PartialEq)]
enum Model {
    #[default]
    Fast,
    Smart,
    /// The core has no key for it.
    Locked,
}

#[derive(SelectValue, Clone, Copy, Debug, Default, PartialEq)]
enum Effort {
    #[default]
    Low,
    High,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    effort: Effort,
    #[config_option(default = false)]
    brave: bool,
    #[config_option(default = false)]
    loud: bool,
}

/// The calls of the hooks.
type Notes = Arc<Mutex<Vec<String>>>;

#[acp_agent(config = Config, shared = Notes)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn load_session(&self, request: LoadSessionRequest) -> Result<OpenedSession<(), Config>> {
        let mut config = Config::with_default_options();
        if request.cwd.ends_with("smart") {
            (config.model, config.effort) = (Model::Smart, Effort::High);
        }
        Ok(OpenedSession::new(()).config(config))
    }

    async fn prompt(
        &self,
        request: PromptRequest,
        turn: Turn<Config>,
        Shared(notes): Shared<Notes>,
    ) -> Result<StopReason> {
        let text = request.text();
        match text.as_str() {
            "both" => {
                turn.update_config(|config| (config.model, config.effort) = (Model::Smart, Effort::High)).await?;
            }
            "same" => turn.update_config(|config| config.model = Model::Fast).await?,
            _ => {
                let notes = std::mem::take(&mut *notes.lock().unwrap());
                turn.message(notes.join("; ")).await?;
            }
        }
        Ok(StopReason::EndTurn)
    }

    // It stands first, and runs last.
    #[on_change]
    async fn configure(
        &self,
        changes: Changes<Config>,
        config: &mut Config,
        Shared(notes): Shared<Notes>,
    ) -> Result<()> {
        let effort = changes.changed(Config::EFFORT).map(|change| (change.old, change.new));
        let ids: Vec<_> = changes.ids().collect();
        let (before, after) = (changes.before().model, changes.after().model);
        notes.lock().unwrap().push(format!("{} {before:?} {after:?} {effort:?}", ids.join("+")));
        // A dependent of its own, without a hook.
        config.loud = after == Model::Smart;
        match after {
            Model::Locked => {
                config.effort = Effort::High;
                Err(Error::auth_required())
            }
            _ => Ok(()),
        }
    }

    #[on_change(Config::MODEL)]
    async fn calm(&self, config: &mut Config, Shared(notes): Shared<Notes>) {
        notes.lock().unwrap().push("model".to_owned());
        config.brave = false;
    }
}

async fn coder() -> (Peer, String) {
    Peer::session_with(Coder, all_capabilities()).await
}

fn set(session: &str, option: &str, value: &Value) -> Value {
    json!({ "sessionId": session, "configId": option, "value": value })
}

fn values(options: &Value) -> Vec<&Value> {
    options.as_array().unwrap().iter().map(|option| &option["currentValue"]).collect()
}

/// What the hooks noted.
async fn noted(peer: &mut Peer, session: &str) -> String {
    assert_eq!(peer.turn(session, "notes").await, "end_turn");
    peer.updates()[0]["content"]["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn one_function_sees_a_whole_change_behind_the_functions_of_single_options() {
    let (mut peer, id) = coder().await;
    peer.call("session/set_config_option", set(&id, "brave", &json!(true))).await.unwrap();
    assert_eq!(noted(&mut peer, &id).await, "brave Fast Fast None");
    assert_eq!(peer.turn(&id, "both").await, "end_turn");
    let updates = peer.updates();
    assert_eq!(updates.len(), 1, "{updates:?}");
    let expected = [&json!("smart"), &json!("high"), &json!(false), &json!(true)];
    assert_eq!(values(&updates[0]["configOptions"]), expected, "one change, with what both functions added");
    assert_eq!(noted(&mut peer, &id).await, "model; model+effort+brave Fast Smart Some((Low, High))");
    assert_eq!(peer.turn(&id, "same").await, "end_turn");
}

#[tokio::test]
async fn a_change_of_nothing_runs_no_function() {
    let (mut peer, id) = coder().await;
    assert_eq!(peer.turn(&id, "same").await, "end_turn");
    peer.call("session/set_config_option", set(&id, "model", &json!("fast"))).await.unwrap();
    assert_eq!(noted(&mut peer, &id).await, "");
}

#[tokio::test]
async fn an_error_of_the_whole_change_undoes_all_of_it() {
    let (mut peer, id) = coder().await;
    peer.call("session/set_config_option", set(&id, "brave", &json!(true))).await.unwrap();
    let refused = peer.call("session/set_config_option", set(&id, "model", &json!("locked"))).await.unwrap_err();
    assert_eq!(refused.code, -32000);
    let answer = peer.call("session/set_config_option", set(&id, "brave", &json!(true))).await.unwrap();
    let expected = [&json!("fast"), &json!("low"), &json!(true), &json!(false)];
    assert_eq!(values(&answer["configOptions"]), expected, "also what the function of the model did");
}

#[tokio::test]
async fn a_load_tells_the_whole_difference() {
    let (mut peer, id) = coder().await;
    let load = |cwd: &str| json!({ "sessionId": id, "cwd": cwd, "mcpServers": [] });
    peer.call("session/load", load("/smart")).await.unwrap();
    assert_eq!(noted(&mut peer, &id).await, "model; model+effort Smart Fast Some((High, Low))");
    peer.call("session/load", load("/")).await.unwrap();
    assert_eq!(noted(&mut peer, &id).await, "");
}
