//! Descriptions that are not simple doc comments: from a macro, and under a condition.

use acp_runtime::prelude::*;
use acp_tests::peer::Peer;
use serde_json::{Value, json};

/// The `macro_rules!` of an author passes a text on in its own group.
macro_rules! config {
    ($text:expr) => {
        #[derive(ConfigOptions, Clone)]
        struct Config {
            /// Which model
            /// answers:
            #[doc = include_str!("descriptions.md")]
            ///
            /// No other.
            model: Model,
            #[doc = $text]
            #[config_option(default = false)]
            brave: bool,
            #[doc = include_str!("descriptions.md")]
            #[config_option(default = false)]
            loud: bool,
            #[cfg_attr(all(), doc = "By a condition.")]
            #[config_option(default = false)]
            careful: bool,
        }
    };
}
config!("Ask nobody.");

#[derive(SelectValue, Clone, Copy, Default)]
enum Model {
    #[doc = concat!("Quick", " answers.")]
    #[default]
    Fast,
}

#[acp_agent(config = Config, ext_listing = "_acp-tests.dev/extensions")]
struct Describer;

#[acp_agent]
impl Describer {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[doc = concat!("Written by ", "a macro.")]
    #[ext("_acp-tests.dev/computed")]
    async fn computed(&self) {}

    /// Always.
    #[cfg_attr(all(), doc = "Here,", cfg_attr(any(), doc = "not here,"))]
    #[cfg_attr(any(), doc = "Nowhere.")]
    #[cfg_attr(not(any()), doc = "and here.")]
    #[ext("_acp-tests.dev/conditional")]
    async fn conditional(&self) {}
}

#[tokio::test]
async fn descriptions_are_those_that_the_compiler_sees() {
    let mut peer = Peer::serve(Describer);
    let client = json!({ "session": { "configOptions": { "boolean": {} } } });
    let initialized = peer.initialize(client).await;
    let listed = said(&initialized["_meta"]["_acp-tests.dev/extensions"]);
    assert_eq!(listed, ["Written by a macro.", "Always. Here, and here."]);
    let opened = peer.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await.unwrap();
    let model = "Which model answers: One of those\nin the *list*.\n\n\nNo other.";
    let expected = [model, "Ask nobody.", "One of those\nin the *list*.", "By a condition."];
    assert_eq!(said(&opened["configOptions"]), expected);
    assert_eq!(said(&opened["configOptions"][0]["options"]), ["Quick answers."]);
}

fn said(described: &Value) -> Vec<&str> {
    described.as_array().into_iter().flatten().filter_map(|one| one["description"].as_str()).collect()
}
