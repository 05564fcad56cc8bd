//! The `_meta` of what an agent asks of its client.

use acp_runtime::{
    prelude::*,
    values::{ElicitationSchema, Meta, PermissionOption, PermissionOptionKind},
};
use acp_tests::peer::{Asked, Peer, all_capabilities};
use serde_json::{Value, json};

/// Asks the client for what the prompt says.
#[acp_agent]
#[derive(Clone)]
struct Asking;

fn meta() -> Meta {
    Meta::from_iter([("trace".to_owned(), json!([1, { "a": null }]))])
}

#[acp_agent]
impl Asking {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let plain = turn.client();
        let client = plain.with_meta(meta());
        match request.text().as_str() {
            "read" => drop(client.read_text_file("/a").await?),
            "write" => client.write_text_file("/a", "text").await?,
            "form" => drop(client.elicit_form("What?", ElicitationSchema::new()).await?),
            "page" => {
                client.elicit_url("Where?", "errand", "https://acp-tests.dev").await?;
                client.elicitation_complete("errand").await?;
            }
            "permission" => {
                let call = turn.tool_call("Run").start().await?;
                call.permission().meta(meta()).ask().await?;
                let once = PermissionOption::new("yes", "Yes", PermissionOptionKind::AllowOnce);
                call.permission().options(vec![once]).ask().await?;
                call.complete("done").await?;
            }
            "terminal" => {
                let terminal = client.terminal("make").start().await?;
                terminal.output().await?;
                terminal.wait_for_exit().await?;
                terminal.kill().await?;
                terminal.release().await?;
            }
            "one request" => plain.terminal("make").meta(meta()).start().await?.release().await?,
            "dropped" => drop(client.terminal("make").start().await?),
            _ => drop(plain.read_text_file("/a").await?),
        }
        Ok(StopReason::EndTurn)
    }
}

/// Answers what a prompt asks, each with its answer, and returns the questions.
async fn asked(text: &str, answers: &[(&str, Value)]) -> Vec<Asked> {
    let mut capabilities = all_capabilities();
    capabilities["elicitation"] = json!({ "form": {}, "url": {} });
    let (mut peer, id) = Peer::session_with(Asking, capabilities).await;
    let turn = peer.prompt(&id, text).await;
    let mut all = Vec::new();
    for (method, answer) in answers {
        let asked = peer.asked(method).await;
        peer.reply(&asked, answer.clone()).await;
        all.push(asked);
    }
    assert_eq!(peer.stop_reason(turn).await, "end_turn", "{text}");
    all
}

async fn metas(text: &str, answers: &[(&str, Value)]) -> Vec<Value> {
    asked(text, answers).await.iter().map(|asked| asked.params["_meta"].clone()).collect()
}

#[tokio::test]
async fn every_request_to_the_client_can_have_a_meta() {
    let own = json!({ "trace": [1, { "a": null }] });
    let created = || ("terminal/create", json!({ "terminalId": "t" }));
    let released = || ("terminal/release", json!({}));
    let output = ("terminal/output", json!({ "output": "", "truncated": false }));
    let exited = ("terminal/wait_for_exit", json!({ "exitCode": 0 }));
    let terminal = [created(), output, exited, ("terminal/kill", json!({})), released()];
    for (text, answers) in [
        ("read", &[("fs/read_text_file", json!({ "content": "" }))][..]),
        ("write", &[("fs/write_text_file", json!({}))]),
        ("form", &[("elicitation/create", json!({ "action": "decline" }))]),
        ("page", &[("elicitation/create", json!({ "action": "accept" }))]),
        ("terminal", &terminal),
        ("dropped", &[created(), released()]),
    ] {
        for meta in metas(text, answers).await {
            assert_eq!(meta, own, "{text}");
        }
    }
    assert_eq!(metas("one request", &[created(), released()]).await, [own, Value::Null]);
    assert_eq!(metas("plain", &[("fs/read_text_file", json!({ "content": "" }))]).await, [Value::Null]);
}

#[tokio::test]
async fn a_question_for_permission_can_have_a_meta_and_options_of_its_own() {
    let selected = |id: &str| json!({ "outcome": { "outcome": "selected", "optionId": id } });
    let answers = ["allow", "yes"].map(|id| ("session/request_permission", selected(id)));
    let asked = asked("permission", &answers).await;
    assert_eq!(asked[0].params["_meta"], json!({ "trace": [1, { "a": null }] }));
    assert_eq!(asked[0].params["options"].as_array().unwrap().len(), 2);
    assert_eq!(asked[1].params["_meta"], Value::Null);
    assert_eq!(asked[1].params["options"][0]["optionId"], "yes");
}
