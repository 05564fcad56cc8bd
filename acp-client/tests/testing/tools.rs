//! Tool calls with permissions that last, and work by the client or by the agent, in the test of their author.

use acp_client::{
    testing::{self, Decision, Output, Script},
    values::{SessionUpdate, ToolCallContent, ToolCallStatus},
};
use acp_runtime::prelude::*;
use serde_json::json;

/// Changes notes, and counts them.
#[acp_agent]
#[derive(Clone)]
struct Scribe;

#[acp_agent]
impl Scribe {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let folder = request.text();
        let workspace = turn.client().workspace(&folder);
        let call = turn.tool_call("Note").name("note").kind(ToolKind::Edit).start().await?;
        if !call.permission().remember_tool().ask().await?.is_allowed() {
            call.fail("rejected by the user").await?;
            return Ok(StopReason::EndTurn);
        }
        let notes = workspace.read("NOTES.md").await?;
        workspace.write("NOTES.md", format!("{notes}more\n")).await?;
        let counted = workspace.command("wc").args(["-l", "NOTES.md"]).run().await;
        let call = call.raw_output(json!({ "before": notes.len() })).location_at(workspace.cwd().join("NOTES.md"), 2);
        call.finish(counted.map(|counted| counted.output)).await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_client_with_files_and_terminals_does_the_work() {
    let script = super::version_1()
        .permissions([Decision::AllowAlways])
        .file("/project/NOTES.md", "one\n")
        .terminal("wc -l", Output::new("2 NOTES.md\n"));
    let agent = testing::connect_as(Scribe, script.clone()).await;
    let session = agent.session().await;
    for notes in ["one\nmore\n", "one\nmore\nmore\n"] {
        let turn = session.turn("/project").await;
        let call = turn.tool_call("Note");
        assert_eq!((call.status, &call.content), (ToolCallStatus::Completed, &vec!["2 NOTES.md\n".into()]));
        assert_eq!(call.locations[0].line, Some(2));
        assert_eq!(script.file_text("/project/NOTES.md").as_deref(), Some(notes));
    }
    assert_eq!(script.times_asked("session/request_permission"), 1, "the user said always");
    assert_eq!(script.times_asked("terminal/release"), 2);
    agent.finish().await;
}

/// Shows a command that nobody sees in a terminal.
#[acp_agent]
#[derive(Clone)]
struct Runner;

#[acp_agent]
impl Runner {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        let call = turn.tool_call("Say").content("about to say").start().await?;
        let command = turn.client().workspace("/").command("echo").args(["said"]).start().await?;
        call.show(&command).await?;
        command.finish().await?;
        call.complete(()).await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_command_without_a_terminal_has_nothing_to_show() {
    // In version 2, the workspace shows it by itself.
    let agent = testing::connect_as(Runner, super::version_1()).await;
    let turn = agent.session().await.turn("Go on").await;
    assert_eq!(turn.tool_call("Say").content, vec!["about to say".into()]);
    let told = turn.updates().iter().filter_map(|update| update.known());
    let updates: Vec<_> = told.filter(|update| matches!(update, SessionUpdate::ToolCallUpdate(_))).collect();
    assert_eq!(updates.len(), 1, "only the end: {updates:?}");
    agent.finish().await;
}

#[tokio::test]
async fn a_client_that_offers_nothing_gets_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("NOTES.md");
    std::fs::write(&path, "one\n").expect("a file");
    let script = Script::new().permissions([Decision::AllowAlways]);
    let agent = testing::connect_as(Scribe, script.clone()).await;
    let session = agent.session().await;
    for lines in [2, 3] {
        let turn = session.turn(folder.path().to_str().expect("a path in UTF-8")).await;
        let call = turn.tool_call("Note");
        let counted = ToolCallContent::from(format!("{lines} NOTES.md\n"));
        assert_eq!((call.status, &call.content), (ToolCallStatus::Completed, &vec![counted]));
    }
    assert_eq!(std::fs::read_to_string(path).expect("the file"), "one\nmore\nmore\n");
    assert_eq!(script.times_asked("session/request_permission"), 1);
    agent.finish().await;
}

#[tokio::test]
async fn a_rejection_that_lasts_stops_each_call() {
    let script = Script::new().permissions([Decision::RejectAlways]).file("/project/NOTES.md", "one\n");
    let agent = testing::connect_as(Scribe, script.clone()).await;
    let session = agent.session().await;
    for _ in 0..2 {
        assert_eq!(session.turn("/project").await.tool_call("Note").status, ToolCallStatus::Failed);
    }
    assert_eq!(script.times_asked("session/request_permission"), 1);
    assert_eq!(script.file_text("/project/NOTES.md").as_deref(), Some("one\n"));
    agent.finish().await;
}
