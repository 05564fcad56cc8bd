//! The testing kit, used in the way of an agent's author.

mod agent;
mod beside;
mod commands;
mod failures;
mod identity;
mod methods;
mod options;
mod outside;
mod schema;
mod state;
mod steer;
mod tools;
#[cfg(feature = "v2")]
mod versions;

use std::{
    future::Future,
    panic::AssertUnwindSafe,
    path::PathBuf,
    task::Poll,
    time::{Duration, Instant},
};

use acp_client::{
    testing::{self, Decision, EndedTurn, Form, Output, Script, TestConnection, judge},
    values::{PlanEntryStatus, StopReason, ToolCallStatus},
};
use agent::Subject;
use serde_json::json;

/// The text of a future's panic.
async fn panic_of<T>(future: impl Future<Output = T>) -> String {
    let mut future = Box::pin(future);
    let caught =
        std::future::poll_fn(|cx| match std::panic::catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(_)) => Poll::Ready(None),
            Err(panic) => Poll::Ready(Some(panic)),
        });
    let panic = caught.await.expect("it panics");
    panic
        .downcast_ref::<String>()
        .cloned()
        .unwrap_or_else(|| (*panic.downcast_ref::<&str>().expect("a text")).to_owned())
}

/// A client of version 1, for what only this version has.
fn version_1() -> Script {
    Script::new().versions(1..=1)
}

async fn with(script: &Script) -> TestConnection {
    testing::connect_as(Subject, script.clone()).await
}

#[tokio::test]
async fn a_turn_is_there_to_look_at() {
    let agent = testing::connect(Subject).await;
    let session = agent.session().await;
    let turn = session.turn("Hello").await;
    let texts = turn.updates().iter().filter(|update| update.text().is_some()).count();
    assert_eq!((&*turn.text(), turn.stop_reason(), texts), ("Hello", StopReason::EndTurn, 1));
    turn.assert_told("agent_message_chunk \"Hello\"\n= end_turn");
    turn.assert_text("Hello");
    let told = panic_of(async { turn.assert_told("agent_message_chunk \"Goodbye\"\n= end_turn") }).await;
    assert!(
        told.contains("- agent_message_chunk \"Goodbye\"\n+ agent_message_chunk \"Hello\"\n  = end_turn"),
        "{told}"
    );
    let turn = session.turn("plan").await;
    assert_eq!(turn.plan().unwrap()[0].status, PlanEntryStatus::Completed, "the last one");
    assert_eq!((&*turn.thoughts(), turn.plan().unwrap().len(), &*turn.text()), ("Let me see.", 1, ""));
    agent.finish().await;
}

#[tokio::test]
async fn permissions_are_answered_in_order_by_title_and_otherwise() {
    let script = Script::new().permissions([Decision::AllowOnce, Decision::RejectOnce, Decision::Cancelled]);
    let agent = with(&script).await;
    let session = agent.session().await;
    let mut statuses = Vec::new();
    for _ in 0..3 {
        let turn = session.turn("ask").await;
        statuses.push(turn.tool_call("Delete").status);
    }
    assert_eq!(statuses, [ToolCallStatus::Completed, ToolCallStatus::Failed, ToolCallStatus::Failed]);
    assert_eq!(script.times_asked("session/request_permission"), 3);
    assert_eq!(script.asked()[0].params["toolCall"]["title"], "Delete everything");
    agent.finish().await;

    let script = Script::new().permission_otherwise(Decision::AllowOnce).permission_for("Delete", Decision::RejectOnce);
    let agent = with(&script).await;
    assert_eq!(agent.session().await.turn("ask").await.tool_calls()[0].status, ToolCallStatus::Failed);
    agent.finish().await;
}

#[tokio::test]
async fn a_question_without_an_answer_fails_the_test() {
    let agent = with(&Script::new()).await;
    agent.session().await.turn("ask").await;
    let told = panic_of(agent.finish()).await;
    assert!(told.contains("no answer to the permission request for `Delete everything`"), "{told}");
    let agent = with(&Script::new().permissions([Decision::Select("no such".into())])).await;
    agent.session().await.turn("ask").await;
    let told = panic_of(agent.finish()).await;
    assert!(told.contains("without an option with the id `no such`; it offers"), "{told}");
}

#[tokio::test]
async fn a_question_that_waits_is_answered_when_the_turn_is_cancelled() {
    let script = Script::new().permission_otherwise(Decision::Wait);
    let agent = with(&script).await;
    let session = agent.session().await;
    let mut turn = session.prompt("ask").await.unwrap();
    turn.next().await.unwrap();
    while script.asked().is_empty() {
        tokio::task::yield_now().await;
    }
    turn.cancel();
    assert_eq!(EndedTurn::of(turn).await.unwrap().stop_reason(), StopReason::Cancelled);
    agent.finish().await;
}

#[tokio::test]
async fn files_are_in_memory() {
    let script = version_1().file("/project/a.txt", "one\ntwo\n");
    let agent = with(&script).await;
    let session = agent.session().await;
    assert_eq!(session.turn("read").await.text(), "one\ntwo\n");
    session.turn("write").await;
    assert_eq!(script.written(), [(PathBuf::from("/project/b.txt"), "new".to_owned())]);
    assert_eq!(script.file_text("/project/b.txt").as_deref(), Some("new"));
    agent.finish().await;
    // A client without files does not offer them. A client with read-only files refuses a write.
    let agent = with(&version_1()).await;
    assert!(agent.session().await.prompt("read").await.unwrap().finish().await.is_err());
    agent.finish().await;
    let agent = with(&version_1().files().capabilities(|client| client.fs.write_text_file = false)).await;
    let session = agent.session().await;
    assert!(session.prompt("write").await.unwrap().finish().await.is_err());
    let missing = session.prompt("read").await.unwrap().finish().await.unwrap_err();
    assert_eq!(missing.refusal().unwrap().code(), -32002, "{missing}");
    agent.finish().await;
}

#[tokio::test]
async fn commands_print_and_end_as_scripted() {
    let script = version_1()
        .terminal("cargo build", Output::new("gr\u{fc}n ok").exit_code(3))
        .terminal("cargo build", Output::new("ok"))
        .terminal("server", Output::new("listening").runs_until_killed());
    let agent = with(&script).await;
    let session = agent.session().await;
    // The terminal keeps the last five bytes.
    assert_eq!(session.turn("build").await.text(), "Some(3) n ok true");
    assert_eq!(session.turn("build").await.text(), "Some(0) ok false");
    assert_eq!(session.turn("build").await.text(), "Some(0) ok false", "the last one again");
    assert_eq!(session.turn("serve").await.text(), "true Some(\"SIGKILL\")");
    agent.finish().await;
}

#[tokio::test]
async fn forms_and_extensions_are_scripted() {
    let script = Script::new()
        .form(Form::accept(json!({ "branch": "main" })))
        .form(Form::decline())
        .ext("_vendor/name", json!("Ada"));
    let agent = with(&script).await;
    let session = agent.session().await;
    assert!(session.turn("form").await.text().contains("main"));
    assert_eq!(session.turn("form").await.text(), "Declined");
    assert_eq!(session.turn("ext").await.text(), "Ada");
    agent.finish().await;
}

#[tokio::test]
async fn questions_of_a_struct_are_answered_by_the_script() {
    let script = Script::new()
        .form(Form::accept(json!({ "branch": "main", "push": true })))
        .form(Form::accept(json!({ "branch": "main" })))
        .form(Form::decline())
        .form(Form::cancel())
        .form(Form::accept(json!({ "branch": 5 })));
    let agent = with(&script).await;
    let session = agent.session().await;
    for said in ["main true", "main false", "Declined", "Cancelled"] {
        assert_eq!(session.turn("questions").await.text(), said);
    }
    let failed = session.prompt("questions").await.unwrap().finish().await.unwrap_err();
    assert!(failed.to_string().contains("the question `branch`, which must be a text"), "{failed}");
    let form = &script.asked()[0].params["requestedSchema"];
    assert_eq!(form["required"], json!(["branch"]));
    agent.finish().await;
}

#[tokio::test]
async fn a_conversation_against_the_rules_fails_the_test_unless_that_is_allowed() {
    let agent = with(&version_1()).await;
    agent.session().await.turn("stray").await;
    assert_eq!(agent.findings().len(), 1);
    let told = panic_of(agent.finish()).await;
    for part in ["tool-call-first must the agent", "a tool call is reported before", "protocol/v1/tool-calls", "stray"]
    {
        assert!(told.contains(part), "`{part}` is missing: {told}");
    }
    let agent = with(&version_1()).await;
    agent.session().await.turn("stray").await;
    let told = panic_of(async { drop(agent) }).await;
    assert!(told.contains("tool-call-first"), "{told}");
    let agent = with(&version_1()).await.allow("tool-call-first", "history of another program");
    agent.session().await.turn("stray").await;
    assert!(agent.findings().is_empty());
    agent.finish().await;
    let agent = testing::connect(Subject).await;
    let told = panic_of(async { agent.allow("no-such-rule", "because") }).await;
    assert!(told.contains("no rule `no-such-rule`") && told.contains("tool-call-first"), "{told}");
    assert!(judge::rule("tool-call-first").is_some());
}

#[tokio::test]
async fn a_conversation_is_kept_as_text() {
    // The file is the same with each set of features, and modes are of version 1.
    let script = Script::new().versions(1..=1).permissions([Decision::AllowOnce]);
    let agent = with(&script).await;
    let session = agent.session_with("/home/somebody/work").await;
    session.turn("ask").await;
    session.set_mode("code").await.unwrap();
    agent.assert_golden("tests/testing/conversation.txt");
    agent.finish().await;
}

// Trap 6: the clock can stand still only if agent and client are in one process.
#[tokio::test(start_paused = true)]
async fn hours_pass_in_no_time() {
    let began = (Instant::now(), tokio::time::Instant::now());
    let agent = testing::connect(Subject).await;
    let session = agent.session().await;
    assert_eq!(session.turn("slow").await.text(), "1 2 3 ");
    assert!(began.1.elapsed() >= Duration::from_secs(3 * 3600));
    // The cancel comes in the middle, so the rest of the hour does not pass.
    let mut turn = session.prompt("slow").await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("1 "));
    turn.cancel();
    assert_eq!(EndedTurn::of(turn).await.unwrap().stop_reason(), StopReason::Cancelled);
    assert!(began.1.elapsed() < Duration::from_secs(5 * 3600));
    agent.finish().await;
    assert!(began.0.elapsed() < Duration::from_secs(10), "of the wall's clock");
}

mod local {
    use std::{cell::RefCell, rc::Rc};

    use acp_client::testing::{self, Script};
    use acp_runtime::prelude::*;

    #[acp_agent(local)]
    #[derive(Clone)]
    struct Gatherer;

    #[acp_agent]
    impl Gatherer {
        async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
            let said = Rc::new(RefCell::new(request.text()));
            let teller = Rc::clone(&said);
            let task = tokio::task::spawn_local(async move { teller.borrow_mut().push('!') });
            turn.until_cancelled(task).await?.map_err(|_| Error::internal_error("the task panicked"))?;
            turn.message(said.take()).await?;
            Ok(StopReason::EndTurn)
        }
    }

    #[tokio::test]
    async fn an_agent_that_stays_on_its_thread_is_tested_there() {
        let test = async {
            let agent = testing::connect_local(Gatherer, Script::new()).await;
            assert_eq!(agent.session().await.turn("x").await.text(), "x!");
            agent.finish().await;
        };
        tokio::task::LocalSet::new().run_until(test).await;
    }
}
