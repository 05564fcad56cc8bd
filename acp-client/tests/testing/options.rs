//! The walk over an agent's options, with its hooks.

use acp_client::testing;
use acp_runtime::prelude::*;
use serde_json::{Value, json};

use super::panic_of;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "model", default = Choice::new(["small", "large"]))]
    model: Choice,
    #[config_option(default = Choice::default())]
    effort: Choice,
    #[config_option(default = false)]
    fast: bool,
}

/// The mistake of the hook.
#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    None,
    Fails,
    Refuses,
}

#[acp_agent(config = Config)]
struct Coder(Mistake);

#[acp_agent]
impl Coder {
    #[on_change(Config::MODEL)]
    async fn efforts(&self, change: Change<Choice>, config: &mut Config) {
        config.effort.offer(if change.new.id() == "large" { vec!["low", "high"] } else { Vec::new() });
    }

    #[on_change]
    async fn configure(&self, changes: Changes<Config>) -> Result<()> {
        let after = changes.after();
        match self.0 {
            Mistake::Fails if after.effort.id() == "high" && after.fast => Err(Error::internal_error("overloaded")),
            Mistake::Refuses if after.fast => Err(Error::invalid_params("log in first")),
            _ => Ok(()),
        }
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[tokio::test]
async fn the_walk_runs_the_hooks() {
    let agent = testing::connect(Coder(Mistake::None)).await;
    let report = agent.check_options().await;
    // Three states of model and effort: only the large model has efforts. Each of them fast and slow.
    assert_eq!((report.states, report.refused, report.cut_off), (6, 0, false));
    agent.finish().await;
}

#[tokio::test]
async fn a_hook_that_fails_is_a_fault_with_the_values_that_lead_to_it() {
    let agent = testing::connect(Coder(Mistake::Fails)).await;
    let text = panic_of(agent.check_options()).await;
    assert!(text.contains("the options of the agent have faults:\n- after "), "{text}");
    assert!(text.contains("model=`large`, fast=true, effort=`high`: the agent refused"), "{text}");
    assert!(text.contains("overloaded") && text.contains("tests/testing/options.rs"), "{text}");
}

#[tokio::test]
async fn a_hook_may_refuse_what_is_offered() {
    let agent = testing::connect(Coder(Mistake::Refuses)).await;
    let report = agent.check_options().await;
    assert_eq!((report.states, report.refused), (3, 3));
    agent.finish().await;
}

#[derive(ConfigOptions, Clone)]
struct Open {
    #[config_option(category = "model", default = Choice::new(["listed"]), open)]
    model: Choice,
}

#[acp_agent(config = Open)]
struct AnyModel;

#[acp_agent]
impl AnyModel {
    async fn prompt(&self, turn: Turn<Open>) -> Result<StopReason> {
        turn.message(turn.config().model.id()).await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn an_agent_may_take_a_value_that_it_did_not_list() {
    let agent = testing::connect(AnyModel).await;
    let session = agent.session().await;
    let params = json!({ "sessionId": session.id(), "configId": "model", "value": "brand-new" });
    let answer: Value = agent.raw_request("session/set_config_option", &params).await.unwrap();
    assert_eq!(answer["configOptions"][0]["currentValue"], "brand-new");
    assert_eq!(session.turn("Who answers?").await.text(), "brand-new");
    let mut broken: Vec<_> = agent.findings().iter().map(|finding| finding.rule.id).collect();
    // Version 2 has no options that are open.
    broken.retain(|rule| *rule != "option-invalid" || agent.version() == 1);
    assert_eq!(broken, ["option-offered"], "a mistake of the client, and none of the agent");
    let agent = agent.allow("option-invalid", "the option is open");
    let agent = agent.allow("option-offered", "this test sets the value as a client of another kind does");
    agent.finish().await;
}
