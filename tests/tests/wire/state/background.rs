//! Options that tasks change at any time: the list of a provider arrives while the client sets options and a turn runs.

use std::{collections::HashMap, time::Duration};

use acp_runtime::{config::ChoiceValue, prelude::*};
use acp_tests::peer::{Message, Peer, all_capabilities};
use serde_json::{Value, json};

/// The number of lists that the provider sends.
const LISTS: usize = 60;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "model", default = Choice::new(["local"]))]
    model: Choice,
    #[config_option(default = false)]
    brave: bool,
    #[config_option(values("0", "1", "2"), default = "0")]
    step: String,
}

#[acp_agent(config = Config)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn close_session(&self) {}

    async fn session_opened(&self, session: SessionHandle<Config>) -> Result<()> {
        // The function itself is a task, which the runtime drops with the session.
        for list in 0..LISTS {
            tokio::time::sleep(Duration::from_micros(200)).await;
            let models = (0..=list).map(|model| ChoiceValue::new(format!("m{model}"), format!("Model {model}")));
            let models: Vec<_> = std::iter::once(ChoiceValue::from("local")).chain(models).collect();
            session.update_config(|config| config.model.offer(models)).await?;
        }
        Ok(())
    }

    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        for step in 0..LISTS {
            turn.set(Config::STEP, (step % 3).to_string()).await?;
            turn.message(step.to_string()).await?;
            tokio::task::yield_now().await;
        }
        Ok(StopReason::EndTurn)
    }
}

/// The number of models in a full state.
fn models(options: &Value) -> usize {
    options[0]["options"].as_array().map_or(0, Vec::len)
}

/// The full states in the order in which the client got them. An answer says the state at its time, as an update does.
fn states(messages: &[Message], sets: &HashMap<i64, Value>) -> Vec<Value> {
    let state = |message: &Message| match message {
        Message::Notification { params, .. } => {
            let update = &params["update"];
            (update["sessionUpdate"] == "config_option_update").then(|| update["configOptions"].clone())
        }
        Message::Answer { id, outcome } => {
            let _set = sets.get(&id.as_i64()?)?;
            outcome.as_ref().ok().map(|answer| answer["configOptions"].clone())
        }
        Message::Request { .. } => None,
    };
    messages.iter().filter_map(state).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_older_state_never_stands_behind_a_newer_one() {
    let (mut peer, id) = Peer::session_with(Coder, all_capabilities()).await;
    let turn = peer.prompt(&id, "work").await;
    let mut sets = HashMap::new();
    for number in 0..LISTS {
        let brave = json!({ "sessionId": id, "configId": "brave", "value": number % 2 == 0 });
        sets.insert(peer.request("session/set_config_option", brave).await, json!(number % 2 == 0));
        if number == LISTS / 2 {
            let model = json!({ "sessionId": id, "configId": "model", "value": "local" });
            sets.insert(peer.request("session/set_config_option", model).await, Value::Null);
        }
    }
    let mut seen = Vec::new();
    let (mut answered, mut last) = (0, 0);
    while answered < sets.len() + 1 || last <= LISTS {
        let message = tokio::time::timeout(Duration::from_secs(20), peer.next()).await.expect("all of it comes");
        if let Message::Answer { id, outcome: answer } = &message {
            assert!(answer.is_ok(), "{answer:?}");
            answered += 1;
            if let Some(brave) = id.as_i64().and_then(|id| sets.get(&id)).filter(|brave| brave.is_boolean()) {
                assert_eq!(&answer.as_ref().unwrap()["configOptions"][1]["currentValue"], brave, "its own change");
            }
        }
        seen.push(message);
        last = states(&seen[seen.len() - 1..], &sets).first().map_or(last, models);
    }
    let states = states(&seen, &sets);
    let lists: Vec<_> = states.iter().map(models).collect();
    assert!(lists.is_sorted(), "the lists only grow: {lists:?}");
    assert_eq!(lists.last(), Some(&(LISTS + 1)), "the last state has the last list");
    assert!(states.iter().all(|state| state[0]["currentValue"] == "local"));
    let _ = turn;
}
