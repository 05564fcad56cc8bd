//! The agent's own tools, permissions and modes.

use acp_client::{
    testing::{Decision, Output, Script},
    values::{ToolCallContent, ToolCallStatus, ToolKind},
};
use serde_json::json;

use super::{
    connect, connect_as,
    fake::{Fake, calls, says},
};

fn names(asked: &serde_json::Value) -> Vec<&str> {
    asked["tools"].as_array().unwrap().iter().map(|tool| tool["function"]["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_model_knows_each_tool_with_its_parameters() {
    let fake = Fake::new([says("Hi.")]).await;
    let agent = connect(&fake.url).await;
    agent.session().await.turn("Hi").await;
    let asked = fake.asked();
    assert_eq!(names(&asked), ["read_file", "search", "write_file", "run_command"]);
    let read = &asked["tools"][0]["function"];
    assert_eq!(
        read["description"],
        "Reads a text file: at most 2000 lines, or as many as you say, beginning with a line."
    );
    let (kind, required) = (&read["parameters"]["properties"]["path"]["type"], &read["parameters"]["required"]);
    assert_eq!((kind, required), (&json!("string"), &json!(["path"])));
    agent.finish().await;
}

#[tokio::test]
async fn files_of_the_editor_are_read_and_written() {
    let fake = Fake::new([
        calls("read_file", json!({ "path": "notes.md" })),
        calls("read_file", json!({ "path": "/project/notes.md", "line": 2, "limit": 1 })),
        calls("write_file", json!({ "path": "notes.md", "content": "new\n" })),
        says("Done."),
    ])
    .await;
    let script = Script::new().file("/project/notes.md", "one\n```\ntwo\n").permissions([Decision::AllowOnce]);
    let agent = connect_as(&fake.url, &script).await;
    let turn = agent.session().await.turn("Edit my notes").await;
    assert_eq!(fake.messages("tool"), ["one\n```\ntwo\n", "```\n", "written"]);
    assert_eq!(script.file_text("/project/notes.md").as_deref(), Some("new\n"));
    let read = serde_json::to_value(&turn.tool_call("Read notes.md").content).unwrap();
    assert_eq!(read[0]["content"]["text"], "````\none\n```\ntwo\n````", "a text with a fence of its own is one block");
    let call = turn.tool_call("Write notes.md");
    assert_eq!((call.status, call.kind), (ToolCallStatus::Completed, ToolKind::Edit));
    assert_eq!(
        call.raw_input,
        Some(json!({ "path": "notes.md", "content": "new\n" })),
        "an object, as editors show it"
    );
    let [ToolCallContent::Diff(diff)] = &*call.content else { panic!("{call:?}") };
    assert_eq!((diff.old_text.as_deref(), &*diff.new_text), (Some("one\n```\ntwo\n"), "new\n"));
    agent.finish().await;
}

#[tokio::test]
async fn commands_run_in_a_terminal_of_the_editor() {
    let fake = Fake::new([calls("run_command", json!({ "command": "make" })), says("It fails.")]).await;
    let script =
        Script::new().terminal("sh -c make", Output::new("no rule").exit_code(2)).permissions([Decision::AllowOnce]);
    let agent = connect_as(&fake.url, &script).await;
    agent.session().await.turn("Build it").await;
    assert_eq!(fake.messages("tool"), ["no rule\n(exit code 2)"]);
    agent.finish().await;
}

#[tokio::test]
async fn without_an_editor_the_agent_works_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "needle\nhay\n").unwrap();
    let fake = Fake::new([
        calls("search", json!({ "pattern": "ne+dle" })),
        calls("write_file", json!({ "path": "sub/b.txt", "content": "b" })),
        calls("run_command", json!({ "command": "cat sub/b.txt; exit 3" })),
        calls("read_file", json!({ "path": "missing.txt" })),
        says("Done."),
    ])
    .await;
    let script = Script::new().permissions([Decision::AllowOnce, Decision::AllowOnce]);
    let agent = connect_as(&fake.url, &script).await;
    let turn = agent.session_with(folder.path()).await.turn("Work").await;
    let told = fake.messages("tool");
    assert_eq!(told[..3], ["./a.txt:1:needle\n(exit code 0)", "written", "b\n(exit code 3)"]);
    assert!(told[3].as_str().unwrap().contains("missing.txt"), "{told:?}");
    assert_eq!(turn.tool_call("missing.txt").status, ToolCallStatus::Failed);
    agent.finish().await;
}

#[tokio::test]
async fn an_answer_for_good_is_not_asked_again() {
    let write = |path: &str| calls("write_file", json!({ "path": path, "content": "x" }));
    let run = || calls("run_command", json!({ "command": "true" }));
    let fake = Fake::new([write("a"), write("b"), write("../c"), run(), run(), says("Done.")]).await;
    let decisions = [Decision::AllowAlways, Decision::RejectOnce, Decision::RejectAlways];
    let script = Script::new().files().permissions(decisions);
    let agent = connect_as(&fake.url, &script).await;
    let folder = tempfile::tempdir().unwrap();
    agent.session_with(folder.path()).await.turn("Work").await;
    let rejected = "it failed: rejected by the user";
    assert_eq!(fake.messages("tool"), ["written", "written", rejected, rejected, rejected]);
    assert_eq!(script.times_asked("session/request_permission"), 3);
    agent.finish().await;
}

#[tokio::test]
async fn only_the_mode_code_changes_something() {
    for mode in ["ask", "plan"] {
        let fake = Fake::new([calls("write_file", json!({ "path": "a", "content": "x" })), says("I may not.")]).await;
        let script = Script::new().files();
        let agent = connect_as(&fake.url, &script).await;
        let session = agent.session().await;
        session.set_mode(mode).await.expect("a mode");
        let turn = session.turn("Write").await;
        assert_eq!(names(&fake.asked()), ["read_file", "search"]);
        assert_eq!((turn.tool_calls()[0].status, script.written().len()), (ToolCallStatus::Failed, 0));
        assert_eq!(fake.messages("tool"), ["it failed: not in this mode: ask the user to select the mode `code`"]);
        agent.finish().await;
    }
}
