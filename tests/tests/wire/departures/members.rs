//! Members that the schema lacks.

use acp_client::testing;
use acp_runtime::{prelude::*, schema::Member, values::AuthMethodAgent};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};

/// What version 1 had before there were options.
const MODELS: Member = Member::new("models").version(1);
/// What version 2 would have.
const LATER: Member = Member::new("later").version(2);
const TASK: Member = Member::new("task");
const BUDGET: Member = Member::new("budget");
const TYPE: Member = Member::new("type");
const VARS: Member = Member::new("vars");
const REGION: Member = Member::new("region");

/// Where the members stand in this test.
const PLACES: &[&str] =
    &["/models", "/budget", "/region", "/update/models", "/update/task", "/authMethods/*/type", "/authMethods/*/vars"];

#[derive(ConfigOptions, Clone)]
#[config_option(members = older)]
struct Config {
    #[config_option(category = "model", values("fast", "smart"), default = "smart")]
    model: String,
    #[config_option(default = false)]
    brave: bool,
}

fn older(config: &Config) -> [(Member, Value); 2] {
    let models = json!({
        "availableModels": [{ "modelId": "fast", "name": "fast" }, { "modelId": "smart", "name": "smart" }],
        "currentModelId": config.model,
    });
    [(MODELS, models), (LATER, json!(1))]
}

#[acp_agent(config = Config)]
#[derive(Clone)]
struct Older;

#[acp_agent]
impl Older {
    async fn initialize(&self) -> Initialized {
        let way = AuthMethodAgent::new("key", "Use a key");
        Initialized::new()
            .auth_method_with(way, [(TYPE, json!("env_var")), (VARS, json!([{ "name": "KEY" }]))])
            .auth_method(AuthMethodAgent::new("browser", "Sign in"))
            .member(REGION, "eu")
            .member(LATER, 1)
    }

    async fn authenticate(&self, request: AuthenticateRequest) -> Result<()> {
        if request.method_id.as_ref() == "key" { Ok(()) } else { Err(Error::internal_error("only the key")) }
    }

    async fn new_session(&self, request: NewSessionRequest) -> OpenedSession<(), Config> {
        let opened = OpenedSession::new(()).member(BUDGET, 10).in_updates(TASK, 7);
        if request.cwd.ends_with("twice") { opened.member(Member::new("configOptions"), 1) } else { opened }
    }

    async fn resume_session(&self) {}

    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        match request.text().as_str() {
            "fast" => turn.update_config(|config| config.model.replace_range(.., "fast")).await?,
            "none" => turn.add_to_updates(TASK, Value::Null),
            "content" => turn.add_to_updates(Member::new("content"), "x"),
            _ => {}
        }
        turn.message("done").await?;
        Ok(StopReason::EndTurn)
    }
}

fn current(message: &Value) -> &Value {
    &message["models"]["currentModelId"]
}

#[tokio::test]
async fn a_member_of_the_options_stands_beside_them_wherever_they_stand() {
    let mut peer = Peer::serve(Older).knowing(PLACES);
    peer.initialize(all_capabilities()).await;
    let opened = peer.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await.unwrap();
    let id = opened["sessionId"].as_str().expect("an id").to_owned();
    assert_eq!((current(&opened), &opened["budget"], opened.get("later")), (&json!("smart"), &json!(10), None));
    let brave = json!({ "sessionId": id, "configId": "brave", "value": true, "type": "boolean" });
    assert_eq!(current(&peer.call("session/set_config_option", brave).await.unwrap()), "smart");
    let turn = peer.prompt(&id, "fast").await;
    let update = peer.update().await;
    assert_eq!((&update["sessionUpdate"], current(&update)), (&json!("config_option_update"), &json!("fast")));
    let said = peer.update().await;
    assert_eq!((said.get("models"), &said["task"]), (None, &json!(7)));
    peer.stop_reason(turn).await;
    // The handler's own member is of one answer. That of the options is true at every time.
    let resumed = peer.call("session/resume", json!({ "sessionId": id, "cwd": "/", "mcpServers": [] })).await.unwrap();
    assert_eq!((current(&resumed), resumed.get("budget")), (&json!("fast"), None));
}

#[tokio::test]
async fn each_update_has_the_member_until_it_is_taken_away() {
    let mut peer = Peer::serve(Older).knowing(PLACES);
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    for (text, task) in [("one", Some(&json!(7))), ("fast", Some(&json!(7))), ("none", None), ("one", None)] {
        let turn = peer.prompt(&id, text).await;
        if text == "fast" {
            assert_eq!(peer.update().await.get("task"), task, "of the options");
        }
        let update = peer.update().await;
        assert_eq!((update.get("task"), &update["content"]["text"]), (task, &json!("done")), "{text}");
        assert_eq!(peer.stop_reason(turn).await, "end_turn");
    }
}

#[tokio::test]
async fn a_way_to_authenticate_has_any_shape_and_is_carried_out_by_its_id() {
    let mut peer = Peer::serve(Older).knowing(PLACES);
    let initialized = peer.initialize(all_capabilities()).await;
    let key = json!({ "id": "key", "name": "Use a key", "type": "env_var", "vars": [{ "name": "KEY" }] });
    assert_eq!(initialized["authMethods"], json!([key, { "id": "browser", "name": "Sign in" }]));
    assert_eq!((&initialized["region"], initialized.get("later")), (&json!("eu"), None));
    peer.call("authenticate", json!({ "methodId": "key" })).await.unwrap();
    assert_eq!(super::refused(&mut peer, "authenticate", json!({ "methodId": "vars" })).await, -32602);
}

#[tokio::test]
async fn a_member_that_the_schema_has_is_an_error() {
    let mut peer = Peer::serve(Older).knowing(PLACES);
    peer.initialize(all_capabilities()).await;
    assert_eq!(super::refused(&mut peer, "session/new", json!({ "cwd": "/twice", "mcpServers": [] })).await, -32603);
}

#[tokio::test]
async fn a_member_of_an_update_that_the_schema_has_is_an_error_of_the_author() {
    let mut peer = Peer::serve(Older).knowing(PLACES);
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    let turn = peer.prompt(&id, "content").await;
    let refusal = peer.answer(turn).await.unwrap_err();
    assert!(refusal.message.contains("`content`"), "{refusal:?}");
    assert!(peer.updates().is_empty());
}

/// The judge of the kit reports a member that nobody declares.
#[tokio::test]
async fn the_judge_is_told_by_the_same_declaration() {
    let talk = async |members: &[Member]| {
        let agent = members.iter().fold(testing::connect(Older).await, |agent, member| agent.member(*member));
        agent.session().await.turn("fast").await;
        let found: Vec<_> = agent.findings().into_iter().map(|finding| finding.text).collect();
        agent.allow("own-fields", "the test has looked at them").finish().await;
        found
    };
    assert_eq!(talk(&[MODELS, TASK, BUDGET, TYPE, VARS, REGION]).await, [""; 0]);
    let found = talk(&[MODELS, TASK, BUDGET, TYPE, VARS]).await;
    assert!(found.len() == 1 && found[0].contains("`/region`"), "{found:?}");
    let found = talk(&[MODELS.version(2), TASK, BUDGET, TYPE, VARS, REGION]).await;
    assert!(found.iter().all(|text| text.contains("/models`")) && !found.is_empty(), "{found:?}");
}
