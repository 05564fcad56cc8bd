//! A permission for a call that is not reported yet: a core asks first, and begins the call later or never.

use acp_runtime::{
    client::Permission,
    prelude::*,
    session::ToolCallBuilder,
    values::{Meta, SessionUpdate, ToolCall, ToolCallLocation},
};
use acp_tests::peer::{Asked, Message, Peer};
use serde_json::{Value, json};

/// An agent whose core has ids of its own. The first word of a prompt says what the core does, the second is the id.
#[acp_agent]
#[derive(Clone)]
struct Cored;

#[acp_agent]
impl Cored {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let text = request.text();
        let (what, id) = text.split_once(' ').unwrap_or((&text, "core_1"));
        let call = turn.tool_call("cargo test").id(id);
        match what {
            "begins" => begins(call).await?,
            "never" => said(&turn, &call.permission().await?).await?,
            "reports" => call.start().await?.complete(()).await?,
            "twice" => {
                let (first, second) = tokio::join!(call.permission().ask(), call.permission().ask());
                said(&turn, &first?).await?;
                said(&turn, &second?).await?;
                call.start().await?.complete(()).await?;
            }
            "held" => held(&turn, call).await?,
            "moved" => {
                call.permission().await?;
                let moved = call.id("another");
                turn.tool_call("The id is free").id(id).start().await?.complete(()).await?;
                moved.start().await?.complete(()).await?;
            }
            "relative" => drop(call.location("src").permission().ask().await?),
            "line" => drop(call.location_at("/src", 0).permission().ask().await?),
            "remembers" => said(&turn, &call.permission().remember(id).ask().await?).await?,
            "tool" => said(&turn, &call.name("bash").permission().remember_tool().ask().await?).await?,
            _ => drop(call.permission().remember_tool().ask().await?),
        }
        Ok(StopReason::EndTurn)
    }
}

async fn begins(call: ToolCallBuilder) -> Result<()> {
    let meta = |name: &str| Meta::from_iter([(name.to_owned(), json!(1))]);
    let call = call.kind(ToolKind::Execute).name("bash").raw_input(json!({ "command": "cargo test" }));
    let call = call.content("50 tests").locations(["/a"]).locations([ToolCallLocation::new("/b").line(2)]);
    let call = call.meta(meta("call"));
    if call.permission().meta(meta("request")).ask().await?.is_allowed() {
        assert_eq!(call.call_id().to_string(), "core_1");
        let call = call.title("cargo test --all").start().await?;
        call.meta(meta("end")).complete("ok").await?;
    }
    Ok(())
}

/// While it is asked about a call, nothing else has its id.
async fn held(turn: &Turn<Cored>, call: ToolCallBuilder) -> Result<()> {
    call.permission().await?;
    let id = call.call_id().clone();
    let other = || turn.tool_call("Another").id(id.clone());
    assert!(other().start().await.is_err());
    assert!(other().permission().await.is_err());
    assert!(turn.update(SessionUpdate::ToolCall(ToolCall::new(id.clone(), "Another"))).await.is_err());
    drop(call);
    other().start().await?.complete(()).await
}

async fn said(turn: &Turn<Cored>, permission: &Permission) -> Result<()> {
    turn.message(format!("{} {}", permission.is_allowed(), permission.is_remembered())).await
}

async fn select(peer: &mut Peer, asked: &Asked, option: &str) {
    peer.reply(asked, json!({ "outcome": { "outcome": "selected", "optionId": option } })).await;
}

/// A turn whose questions get these options. Returns the kinds of its updates, or the text of a message.
async fn told(peer: &mut Peer, session: &str, prompt: &str, options: &[&str]) -> Vec<String> {
    let turn = peer.prompt(session, prompt).await;
    for option in options {
        let asked = peer.asked("session/request_permission").await;
        select(peer, &asked, option).await;
    }
    assert_eq!(peer.stop_reason(turn).await, "end_turn", "{prompt}");
    let told = |update: Value| update["content"]["text"].as_str().map_or_else(|| kind(&update), str::to_owned);
    peer.updates().into_iter().map(told).collect()
}

fn kind(update: &Value) -> String {
    let (kind, id) = (update["sessionUpdate"].as_str().unwrap_or_default(), update["toolCallId"].as_str());
    format!("{kind} {}", id.unwrap_or_default())
}

// PERM-01, TOOL-02
#[tokio::test]
async fn the_question_has_the_fields_of_the_call_that_begins_later_under_the_same_id() {
    let (mut peer, id) = Peer::session(Cored).await;
    let turn = peer.prompt(&id, "begins core_1").await;
    let asked = peer.asked("session/request_permission").await;
    assert_eq!(peer.updates(), Vec::<Value>::new(), "nothing is reported before");
    let mut call = json!({
        "toolCallId": "core_1", "title": "cargo test", "kind": "execute", "status": "pending", "name": "bash",
        "content": [{ "type": "content", "content": { "type": "text", "text": "50 tests" } }],
        "locations": [{ "path": "/a" }, { "path": "/b", "line": 2 }],
        "rawInput": { "command": "cargo test" }, "_meta": { "call": 1 },
    });
    assert_eq!(asked.params["toolCall"], call);
    assert_eq!(asked.params["_meta"], json!({ "request": 1 }));
    select(&mut peer, &asked, "allow").await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    let mut updates = peer.updates();
    let end = json!({
        "sessionUpdate": "tool_call_update", "toolCallId": "core_1", "status": "completed", "_meta": { "end": 1 },
        "content": [{ "type": "content", "content": { "type": "text", "text": "ok" } }],
    });
    assert_eq!(updates.pop().unwrap(), end);
    call["title"] = json!("cargo test --all");
    call["sessionUpdate"] = json!("tool_call");
    // The schema's default, which the agent leaves out.
    call.as_object_mut().unwrap().remove("status");
    let mut begun = updates.pop().unwrap();
    begun.as_object_mut().unwrap().remove("status");
    assert_eq!((begun, updates), (call, vec![]));
}

// PERM-05
#[tokio::test]
async fn a_call_that_never_begins_is_never_reported_and_its_id_is_free() {
    let (mut peer, id) = Peer::session(Cored).await;
    assert_eq!(told(&mut peer, &id, "begins core_1", &["reject"]).await, Vec::<String>::new());
    assert_eq!(told(&mut peer, &id, "never core_1", &["allow"]).await, ["true false"]);
    assert_eq!(told(&mut peer, &id, "reports core_1", &[]).await, ["tool_call core_1", "tool_call_update core_1"]);
}

#[tokio::test]
async fn an_id_that_another_call_has_is_refused_before_the_user_is_asked() {
    let (mut peer, id) = Peer::session(Cored).await;
    told(&mut peer, &id, "reports core_1", &[]).await;
    let mut refused = Vec::new();
    for prompt in ["reports core_1", "never core_1"] {
        let turn = peer.prompt(&id, prompt).await;
        refused.push(peer.answer(turn).await.expect_err(prompt));
    }
    assert_eq!((refused[0].code, &refused[0].message), (-32603, &refused[1].message));
    let others = peer.settled().await;
    assert!(!others.iter().any(|other| matches!(other, Message::Request { .. })), "{others:?}");
}

// TOOL-02
#[tokio::test]
async fn while_a_call_is_asked_about_no_other_has_its_id() {
    let (mut peer, id) = Peer::session(Cored).await;
    assert_eq!(told(&mut peer, &id, "held core_1", &["allow"]).await, ["tool_call core_1", "tool_call_update core_1"]);
    let expected = ["tool_call core_2", "tool_call_update core_2", "tool_call another", "tool_call_update another"];
    assert_eq!(told(&mut peer, &id, "moved core_2", &["allow"]).await, expected);
}

#[tokio::test]
async fn the_user_may_be_asked_several_times_about_one_call() {
    let (mut peer, id) = Peer::session(Cored).await;
    let told = told(&mut peer, &id, "twice core_1", &["allow", "reject"]).await;
    assert_eq!(told, ["true false", "false false", "tool_call core_1", "tool_call_update core_1"]);
}

// TOOL-05
#[tokio::test]
async fn what_could_not_be_reported_is_not_asked() {
    let (mut peer, id) = Peer::session(Cored).await;
    for prompt in ["relative a", "line b", "any-tool c"] {
        let turn = peer.prompt(&id, prompt).await;
        assert_eq!(peer.answer(turn).await.expect_err(prompt).code, -32603, "{prompt}");
    }
}

#[tokio::test]
async fn an_answer_lasts_for_calls_that_are_not_reported() {
    let (mut peer, id) = Peer::session(Cored).await;
    assert_eq!(told(&mut peer, &id, "remembers make", &["allow_always"]).await, ["true false"]);
    assert_eq!(told(&mut peer, &id, "remembers make", &[]).await, ["true true"]);
    assert_eq!(told(&mut peer, &id, "tool a", &["reject_always"]).await, ["false false"]);
    assert_eq!(told(&mut peer, &id, "tool b", &[]).await, ["false true"]);
}

/// A core keeps builders in a table, and begins their calls on other threads.
#[test]
fn a_builder_is_a_value_of_any_thread() {
    fn is<T: Send + Sync + 'static>() {}
    is::<ToolCallBuilder>();
}
