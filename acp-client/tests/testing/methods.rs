//! An agent of several blocks, with methods that the schema does not know.

use std::sync::Arc;

use acp_client::{
    testing::{self, Decision, Script, judge},
    values::ToolCallStatus,
};
use acp_runtime::{agent::MethodName, prelude::*, values::Meta};
use serde_json::{Value, json};
use tokio::sync::Notify;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(values("fast", "smart"), default = "fast")]
    model: String,
}

#[acp_agent(config = Config)]
struct Large;

#[acp_agent(parts(turns))]
impl Large {
    #[method("_acp-tests.dev/set_model")]
    async fn set_model(&self, params: Value, session: SessionHandle<Config>) -> Result<()> {
        session.set(Config::MODEL, params["modelId"].as_str().unwrap_or_default().to_owned()).await
    }

    #[method(prefix = "_acp-tests.dev/git/")]
    async fn git(&self, method: MethodName) -> Result<String> {
        method.strip_prefix("_acp-tests.dev/git/").map(str::to_owned).ok_or_else(|| Error::method_not_found(&method))
    }

    #[fallback]
    async fn other(&self, method: MethodName, params: Value) -> Value {
        json!([*method, params])
    }
}

mod turns {
    use acp_runtime::prelude::*;

    use super::{Config, Large, Meta};

    #[acp_agent(part = turns)]
    impl Large {
        async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
            let call = turn.tool_call("Delete everything").kind(ToolKind::Delete).start().await?;
            let meta = Meta::from_iter([("rule".to_owned(), "all".into())]);
            match call.permission().meta(meta).ask().await?.is_allowed() {
                true => call.complete(turn.config().model.clone()).await?,
                false => call.fail("not allowed").await?,
            }
            Ok(StopReason::EndTurn)
        }
    }
}

#[tokio::test]
async fn an_agent_of_several_blocks_breaks_no_rule() {
    let agent = testing::connect_as(Large, Script::new().permissions([Decision::AllowOnce])).await;
    let session = agent.session().await;
    let set = json!({ "sessionId": session.id(), "modelId": "smart" });
    agent.ext_request::<Value>("_acp-tests.dev/set_model", &set).await.unwrap();
    let branch: String = agent.ext_request("_acp-tests.dev/git/branch", &json!({})).await.unwrap();
    assert_eq!(branch, "branch");
    let other: Value = agent.ext_request("_acp-tests.dev/other", &json!({ "a": 1 })).await.unwrap();
    assert_eq!(other, json!(["_acp-tests.dev/other", { "a": 1 }]));
    let turn = session.turn("Clean up.").await;
    let call = turn.tool_call("Delete everything");
    assert_eq!((call.status, call.content.len()), (ToolCallStatus::Completed, 1), "the user has allowed it");
    agent.finish().await;
}

/// An agent with methods whose names the protocol reserves.
#[acp_agent]
#[derive(Clone, Default)]
struct Older(Arc<Notify>);

#[acp_agent]
impl Older {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[method("session/set_model")]
    async fn set_model(&self, params: Value) -> Value {
        params["modelId"].clone()
    }

    #[method("$/ping")]
    async fn ping(&self) -> &'static str {
        "pong"
    }

    #[method("vendor/poke", notification)]
    async fn poke(&self) {
        self.0.notify_one();
    }
}

#[tokio::test]
async fn methods_of_any_name_are_called_by_it_and_nobody_is_blamed() {
    let older = Older::default();
    let agent = testing::connect(older.clone()).await;
    let session = agent.session().await;
    let params = json!({ "sessionId": session.id(), "modelId": "smart" });
    let model: String = agent.raw_request("session/set_model", &params).await.unwrap();
    let pong: String = agent.raw_request("$/ping", &json!({})).await.unwrap();
    assert_eq!((&*model, &*pong), ("smart", "pong"));
    agent.raw_notification("vendor/poke", &json!({}));
    older.0.notified().await;
    let refused = agent.raw_request::<Value>("vendor/missing", &json!({})).await.unwrap_err();
    assert_eq!(refused.refusal().unwrap().code(), -32601, "{refused}");
    let mut blamed: Vec<_> = judge::judge(&agent.tape()).iter().map(|finding| finding.rule.id).collect();
    blamed.dedup();
    assert!(blamed.contains(&"method-name") && blamed.contains(&"method-unknown"), "without the kit: {blamed:?}");
    agent.finish().await;
}

#[tokio::test]
async fn a_raw_call_of_a_method_of_the_protocol_is_judged_by_the_schema() {
    let agent = testing::connect(Older::default()).await;
    agent.raw_request::<Value>("session/new", &json!({ "cwd": 1 })).await.unwrap_err();
    let rules: Vec<_> = agent.findings().iter().map(|finding| finding.rule.id).collect();
    assert_eq!(rules, ["schema"]);
    agent.allow("schema", "the test sends it").finish().await;
}
