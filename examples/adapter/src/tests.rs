//! The adapter, as its clients see it.

use std::time::Duration;

use acp_client::{
    CurrentValue, Session,
    testing::{self, Decision, EndedTurn, Script, TestConnection},
    values::{ListSessionsRequest, SessionUpdate, StopReason, ToolCallStatus},
};
use acp_runtime::{
    agent::{Serve, ServeOptions},
    transport::memory,
};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use crate::agent::Adapter;

async fn signed_in(adapter: &Adapter, script: &Script) -> TestConnection {
    let agent = testing::connect_as(adapter.clone(), script.clone()).await;
    agent.authenticate("browser").await.expect("an account");
    agent
}

fn selected(session: &Session, option: &str) -> Option<String> {
    match session.options().get(option)?.current() {
        Some(CurrentValue::Id(value)) => Some(value.to_string()),
        _ => None,
    }
}

/// Waits for a state that follows an update.
async fn until(what: &str, mut is_there: impl FnMut() -> bool) {
    let waits = async {
        while !is_there() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), waits).await.expect(what);
}

#[tokio::test]
async fn nobody_works_without_an_account() {
    let agent = testing::connect(Adapter::default()).await;
    let refused = agent.new_session("/work").await.expect_err("nobody is signed in").to_string();
    assert!(refused.contains("authenticate first"), "{refused}");
    agent.authenticate("browser").await.expect("an account");
    let session = agent.session().await;
    assert_eq!(session.turn("/logout").await.text(), "You are signed out.");
    let refused = session.set_option("approval", "auto").await.expect_err("nobody is signed in").to_string();
    assert!(refused.contains("authenticate first"), "{refused}");
    agent.finish().await;
}

#[tokio::test]
async fn tools_run_at_once_and_each_waits_for_its_own_permission() {
    let script = Script::new().permissions([Decision::AllowOnce, Decision::RejectOnce]);
    let agent = signed_in(&Adapter::default(), &script).await;
    let session = agent.session().await;
    let turn = session.turn("run build, test").await;
    assert_eq!(turn.stop_reason(), StopReason::EndTurn);
    assert_eq!(turn.text(), "swift (low) read: run build, test\n");
    let mut ends: Vec<_> = turn.tool_calls().iter().map(|call| call.status).collect();
    ends.sort_by_key(|status| format!("{status:?}"));
    assert_eq!(ends, [ToolCallStatus::Completed, ToolCallStatus::Failed]);
    assert!(turn.told().contains("usage_update"), "{}", turn.told());
    session.set_option("approval", "auto").await.expect("an option");
    let turn = session.turn("run build").await;
    assert_eq!(turn.tool_call("build").status, ToolCallStatus::Completed);
    assert_eq!(script.times_asked("session/request_permission"), 2);
    agent.finish().await;
}

#[tokio::test]
async fn commands_are_announced_and_called() {
    let agent = signed_in(&Adapter::default(), &Script::new()).await;
    let session = agent.session().await;
    until("the commands that are known at run time", || Session::commands(&session).len() == 6).await;
    let turn = session.turn("/review the tests").await;
    assert_eq!(turn.text(), "swift (low) read: Review the changes: the tests\n");
    assert_eq!(session.turn("/standup").await.text(), "swift (low) read: Say what happened yesterday\n");
    assert_eq!(session.turn("/undo").await.text(), "");
    assert_eq!(session.turn("/usr/bin").await.text(), "swift (low) read: /usr/bin\n");
    agent.finish().await;
}

#[tokio::test(start_paused = true)]
async fn a_prompt_during_a_task_is_read_by_the_task() {
    let agent = signed_in(&Adapter::default(), &Script::new().permission_otherwise(Decision::AllowOnce)).await;
    let session = agent.session().await;
    let mut turn = session.prompt("run slow").await.expect("a turn");
    turn.next().await.expect("it begins");
    let beside = session.prompt_beside("and then rest").await.expect("it is sent");
    let turn = EndedTurn::of(turn).await.expect("it ends");
    assert_eq!(turn.text(), "swift (low) read: run slow\nswift (low) read: and then rest\n");
    assert_eq!(beside.end().await.expect("it is answered").stop_reason, Some(StopReason::EndTurn));
    agent.finish().await;
}

#[tokio::test(start_paused = true)]
async fn a_cancel_interrupts_the_core_and_leaves_nothing_for_the_next_turn() {
    let agent = signed_in(&Adapter::default(), &Script::new().permission_otherwise(Decision::AllowOnce)).await;
    let session = agent.session().await;
    for _ in 0..3 {
        let mut turn = session.prompt("run slow, quick").await.expect("a turn");
        turn.next().await.expect("it begins");
        turn.cancel();
        assert_eq!(EndedTurn::of(turn).await.expect("it ends").stop_reason(), StopReason::Cancelled);
        assert_eq!(session.turn("hello").await.text(), "swift (low) read: hello\n");
    }
    agent.finish().await;
}

#[tokio::test]
async fn model_and_effort_are_one_operation_and_the_catalogue_may_change() {
    let adapter = Adapter::default();
    let agent = signed_in(&adapter, &Script::new()).await;
    let session = agent.session().await;
    session.set_option("effort", "high").await.expect("an option");
    assert_eq!(session.turn("hi").await.text(), "swift (high) read: hi\n");
    let params = json!({ "sessionId": session.id(), "modelId": "plain" });
    let _: Value = agent.raw_request("session/set_model", &params).await.expect("a model");
    assert_eq!(session.turn("hi").await.text(), "plain (low) read: hi\n");
    adapter.core.models.send_replace(vec![("new", &["deep"][..])]);
    until("the catalogue", || selected(&session, "model").as_deref() == Some("new")).await;
    assert_eq!(session.turn("hi").await.text(), "new (deep) read: hi\n");
    agent.finish().await;
}

#[tokio::test]
async fn a_conversation_comes_back_with_its_tools() {
    let adapter = Adapter::default();
    let agent = signed_in(&adapter, &Script::new().permission_otherwise(Decision::AllowOnce)).await;
    let session = agent.session().await;
    session.set_option("effort", "high").await.expect("an option");
    session.turn("run build").await;
    let id = session.id().clone();
    session.close().await.expect("it closes");
    agent.finish().await;

    let agent = signed_in(&adapter, &Script::new()).await;
    let mut listed = agent.list_sessions(ListSessionsRequest::new()).expect("it lists");
    let info = listed.next().await.expect("a page").expect("a session");
    assert_eq!((&info.session_id, info.title.as_deref()), (&id, Some("run build")));
    let mut loading = agent.load_session(id, "/work").await.expect("it loads");
    let mut told = Vec::new();
    while let Some(update) = loading.next().await.expect("history") {
        told.push(match update.known() {
            Some(SessionUpdate::ToolCall(call)) => format!("{}: {:?}", call.title, call.status),
            Some(SessionUpdate::UserMessageChunk(chunk)) => format!("{:?}", chunk.content),
            Some(SessionUpdate::AgentThoughtChunk(_)) => "a thought".to_owned(),
            _ => update.text().unwrap_or_default().to_owned(),
        });
    }
    assert!(told.remove(0).contains("run build"), "the prompt comes first");
    assert_eq!(told, ["a thought", "build: Completed", "swift (high) read: run build\n"]);
    loading.finish().await.expect("a session");
    agent.finish().await;
}

#[tokio::test]
async fn the_core_goes_on_where_the_conversation_was_left() {
    let adapter = Adapter::default();
    let agent = signed_in(&adapter, &Script::new()).await;
    let session = agent.session().await;
    session.set_option("effort", "high").await.expect("an option");
    session.turn("hello").await;
    session.turn("a slip").await;
    session.turn("/undo").await;
    let id = session.id().clone();
    agent.finish().await;

    let agent = signed_in(&adapter, &Script::new()).await;
    let session = agent.resume_session(id, "/work").await.expect("it is kept");
    let mut turn = session.prompt("hello").await.expect("a turn");
    let mut told = Vec::new();
    while let Some(update) = turn.next().await.expect("an update") {
        match update.known() {
            Some(SessionUpdate::UsageUpdate(usage)) => told.push(usage.used.to_string()),
            _ => told.extend(update.text().map(str::to_owned)),
        }
    }
    let said = "swift (high) read: hello\n";
    assert_eq!(told, [said.to_owned(), (2 * said.len()).to_string()], "the options and the context are as before");
    agent.finish().await;
}

/// The adapter has no line for version 2.
#[tokio::test]
async fn it_serves_version_2_too() {
    let (client, agent) = memory::pair();
    let served = tokio::spawn(Adapter::default().serve(agent, ServeOptions::default()));
    let (reader, mut writer) = tokio::io::split(client.into_stream());
    let mut lines = BufReader::new(reader).lines();
    let mut said = Vec::new();
    let mut session = Value::Null;
    let who = json!({ "name": "adapter-tests", "version": "1" });
    for (method, params) in [
        ("initialize", json!({ "protocolVersion": 2, "capabilities": {}, "info": who })),
        ("auth/login", json!({ "methodId": "browser" })),
        ("session/new", json!({ "cwd": "/work" })),
        ("session/prompt", json!({ "prompt": [{ "type": "text", "text": "hello" }] })),
    ] {
        let mut request = json!({ "jsonrpc": "2.0", "id": method, "method": method, "params": params });
        if method == "session/prompt" {
            request["params"]["sessionId"] = session.clone();
        }
        writer.write_all(format!("{request}\n").as_bytes()).await.expect("it reads");
        loop {
            let line = lines.next_line().await.expect("it writes").expect("a line");
            let message: Value = serde_json::from_str(&line).expect("a message");
            let update = &message["params"]["update"];
            said.extend(update["state"].as_str().or(update["content"]["text"].as_str()).map(str::to_owned));
            if message["id"] == method {
                assert!(message["result"].is_object(), "{method}: {line}");
                if method == "session/new" {
                    session = message["result"]["sessionId"].clone();
                }
                if method != "session/prompt" {
                    break;
                }
            }
            if update["state"] == "idle" {
                assert_eq!(update["stopReason"], "end_turn", "{line}");
                break;
            }
        }
    }
    assert_eq!(said, ["running", "The user wants something.", "swift (low) read: hello\n", "idle"]);
    drop((writer, lines));
    served.await.expect("no panic").expect("an end");
}
