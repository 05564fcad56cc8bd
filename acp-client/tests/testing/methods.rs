//! An agent of several blocks, with methods that the schema does not know.

use acp_client::{
    testing::{self, Decision, Script},
    values::ToolCallStatus,
};
use acp_runtime::{prelude::*, values::Meta};
use serde_json::{Value, json};

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
