//! The coder, as its clients see it. The judge of the testing kit also checks every test's messages.

use std::{fs, sync::Arc, time::Duration};

use acp_client::{
    CurrentValue, Session as ClientSession, Update,
    testing::{self, Decision, EndedTurn, Script, TestConnection},
    values::{ListSessionsRequest, PlanEntryStatus, StopReason, ToolCallContent, ToolCallStatus},
};
use acp_runtime::store::{MemoryStore, SessionStore};
use acp_store_sqlite::SqliteStore;
use tempfile::TempDir;

use super::Coder;

const EDITED: &str = "# Notes\n\n- edited by coder\n";

/// A place for the sessions of a coder, and a folder for its work.
struct Desk {
    /// `None`: in memory, for tests with a clock that they move. Such a clock does not wait for the threads of a file.
    file: Option<TempDir>,
    memory: MemoryStore,
    work: TempDir,
}

impl Desk {
    fn new() -> Self {
        Self { file: None, memory: MemoryStore::new(), work: tempfile::tempdir().expect("a folder") }
    }

    /// Its sessions are kept in a file.
    fn lasting() -> Self {
        Self { file: Some(tempfile::tempdir().expect("a folder")), ..Self::new() }
    }

    /// Starts the coder as an editor does.
    async fn start(&self, script: &Script) -> TestConnection {
        let store: Arc<dyn SessionStore> = match &self.file {
            None => Arc::new(self.memory.clone()),
            Some(folder) => Arc::new(SqliteStore::open(folder.path().join("sessions.db")).await.expect("a store")),
        };
        testing::connect_as(Coder { store }, script.clone()).await
    }

    fn notes(&self) -> Option<String> {
        fs::read_to_string(self.work.path().join("NOTES.md")).ok()
    }
}

fn is_brave(session: &ClientSession) -> Option<bool> {
    match session.options().get("brave")?.current() {
        Some(CurrentValue::Boolean(brave)) => Some(brave),
        _ => None,
    }
}

fn selected(session: &ClientSession, option: &str) -> Option<String> {
    match session.options().get(option)?.current() {
        Some(CurrentValue::Id(value)) => Some(value.to_string()),
        _ => None,
    }
}

#[tokio::test(start_paused = true)]
async fn it_answers_and_its_plan_is_done() {
    let desk = Desk::new();
    let agent = desk.start(&Script::new()).await;
    let turn = agent.session().await.turn("hello there").await;
    assert_eq!((&*turn.text(), turn.stop_reason()), ("You said: hello there\n", StopReason::EndTurn));
    assert_eq!(turn.thoughts(), "The user wants something.");
    let plan = turn.plan().expect("a plan");
    assert!(plan.iter().all(|entry| entry.status == PlanEntryStatus::Completed), "{plan:?}");
    agent.finish().await;
}

#[tokio::test]
async fn it_edits_what_the_user_allows() {
    let desk = Desk::new();
    let script = Script::new().permissions([Decision::AllowOnce, Decision::RejectOnce, Decision::Cancelled]);
    let agent = desk.start(&script).await;
    let session = agent.session_with(desk.work.path()).await;
    let turn = session.turn("edit").await;
    assert_eq!(desk.notes().as_deref(), Some(EDITED));
    let call = turn.tool_call("NOTES.md");
    assert_eq!(call.status, ToolCallStatus::Completed);
    let [ToolCallContent::Diff(diff)] = &*call.content else { panic!("{call:?}") };
    assert_eq!((&diff.old_text, &*diff.new_text), (&None, EDITED));
    for _ in 0..2 {
        let turn = session.turn("edit").await;
        assert_eq!(turn.tool_call("NOTES.md").status, ToolCallStatus::Failed);
        assert!(turn.text().ends_with("Without permission I left the file alone."), "{turn:?}");
        assert_eq!(desk.notes().as_deref(), Some(EDITED));
    }
    agent.finish().await;
}

#[tokio::test]
async fn it_edits_what_the_client_has_open() {
    let desk = Desk::new();
    let path = desk.work.path().join("NOTES.md");
    fs::write(&path, "on disk\n").expect("a file");
    let script = Script::new().file(&path, "unsaved\n").permission_otherwise(Decision::AllowOnce);
    let agent = desk.start(&script).await;
    agent.session_with(desk.work.path()).await.turn("edit").await;
    assert_eq!(script.file_text(&path).as_deref(), Some("unsaved\n- edited by coder\n"));
    assert_eq!(desk.notes().as_deref(), Some("on disk\n"), "the client saves it");
    agent.finish().await;
}

#[tokio::test]
async fn a_brave_one_does_not_ask_and_one_in_the_mode_ask_changes_nothing() {
    let desk = Desk::new();
    let script = Script::new();
    let agent = desk.start(&script).await;
    let session = agent.session_with(desk.work.path()).await;
    session.set_mode("ask").await.expect("a mode");
    assert_eq!(selected(&session, "mode").as_deref(), Some("ask"), "the option follows");
    let turn = session.turn("edit").await;
    assert!(turn.text().ends_with("In this mode I change nothing.") && turn.tool_calls().is_empty(), "{turn:?}");
    assert_eq!(desk.notes(), None);
    session.set_option("mode", "code").await.expect("an option");
    assert_eq!(session.modes().expect("modes").current_mode_id.to_string(), "code", "the mode follows");
    session.set_option("brave", true).await.expect("an option");
    session.turn("edit").await;
    assert_eq!((desk.notes().as_deref(), script.times_asked("session/request_permission")), (Some(EDITED), 0));
    agent.finish().await;
}

#[tokio::test(start_paused = true)]
async fn a_model_that_is_overloaded_is_replaced_in_the_turn() {
    let desk = Desk::new();
    let agent = desk.start(&Script::new()).await;
    let session = agent.session().await;
    assert_eq!(selected(&session, "model").as_deref(), Some("fast"));
    assert!(session.turn("switch").await.told().contains("config_option_update"));
    assert_eq!(selected(&session, "model").as_deref(), Some("smart"));
    agent.finish().await;
}

#[tokio::test(start_paused = true)]
async fn ten_seconds_of_counting_are_cancelled_at_once() {
    let desk = Desk::new();
    let agent = desk.start(&Script::new()).await;
    let session = agent.session().await;
    let mut turn = session.prompt("slow").await.expect("a turn");
    let began = tokio::time::Instant::now();
    assert_eq!(turn.text().await.expect("it counts").as_deref(), Some("1\n"));
    turn.cancel();
    assert_eq!(EndedTurn::of(turn).await.expect("it ends").stop_reason(), StopReason::Cancelled);
    assert!(began.elapsed() < Duration::from_secs(1));
    let turn = session.turn("slow").await;
    assert!(turn.text().ends_with("200\n") && began.elapsed() > Duration::from_secs(10));
    agent.finish().await;
}

#[tokio::test]
async fn sessions_outlive_the_process() {
    let desk = Desk::lasting();
    let agent = desk.start(&Script::new()).await;
    let session = agent.session_with(desk.work.path()).await;
    let id = session.id().clone();
    session.turn("hello").await;
    // The change comes after the last turn.
    session.set_option("brave", true).await.expect("an option");
    session.close().await.expect("it closes");
    agent.finish().await;

    let agent = desk.start(&Script::new()).await;
    let mut listed = agent.list_sessions(ListSessionsRequest::new()).expect("it lists");
    let info = listed.next().await.expect("a page").expect("a session");
    assert_eq!((&info.session_id, info.title.as_deref(), &*info.cwd), (&id, Some("hello"), desk.work.path()));
    assert!(info.updated_at.is_some_and(|at| at.starts_with("20") && at.ends_with('Z')));
    assert!(listed.next().await.expect("a page").is_none());

    let mut loading = agent.load_session(id.clone(), desk.work.path()).await.expect("it loads");
    let mut history = Vec::new();
    while let Some(update) = loading.next().await.expect("history") {
        history.push(update);
    }
    assert_eq!(history.iter().filter_map(Update::text).collect::<Vec<_>>(), ["You said: hello\n"]);
    assert_eq!(history.len(), 4, "a prompt, a thought, the answer and the plan");
    let session = loading.finish().await.expect("a session");
    assert_eq!(is_brave(&session), Some(true));
    session.close().await.expect("it closes");

    let session = agent.resume_session(id.clone(), desk.work.path()).await.expect("it resumes");
    assert_eq!(is_brave(&session), Some(true));
    session.delete().await.expect("it is deleted");
    let gone = agent.resume_session(id, desk.work.path()).await.expect_err("it is gone");
    assert_eq!(gone.refusal().map(|error| error.code()), Some(-32002), "{gone}");
    agent.finish().await;
}

#[tokio::test]
async fn options_outlive_a_client_that_hangs_up() {
    let desk = Desk::lasting();
    let agent = desk.start(&Script::new()).await;
    let session = agent.session_with(desk.work.path()).await;
    let id = session.id().clone();
    session.turn("hello").await;
    session.set_option("brave", true).await.expect("an option");
    let unused = agent.session_with(desk.work.path()).await.id().clone();
    agent.finish().await;

    let agent = desk.start(&Script::new()).await;
    let session = agent.resume_session(id, desk.work.path()).await.expect("it resumes");
    assert_eq!(is_brave(&session), Some(true));
    agent.resume_session(unused, desk.work.path()).await.expect("a session lasts from its begin on");
    agent.finish().await;
}

#[tokio::test(start_paused = true)]
async fn a_conversation_in_a_file() {
    let desk = Desk::new();
    let agent = desk.start(&Script::new().permission_otherwise(Decision::AllowOnce)).await;
    let session = agent.session_with(desk.work.path()).await;
    session.set_option("model", "smart").await.expect("an option");
    session.turn("please edit").await;
    session.close().await.expect("it closes");
    agent.assert_golden("shown/coder-conversation.txt");
    agent.finish().await;
}
