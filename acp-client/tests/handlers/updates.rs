//! Updates that a function of the client handles.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};
use std::time::Duration;

use acp_client::{
    Endpoint, Session, Update, acp_client,
    handlers::Error,
    transport::memory,
    values::{
        AvailableCommandsUpdate, CompactionUpdate, ContentBlock, ContentChunk, SessionId, SessionNotification,
        SessionUpdate, StopReason, ToolCall, ToolCallUpdate,
    },
};
use acp_runtime::{
    agent::ServeOptions,
    prelude::{Serve, Turn, acp_agent},
};
use tokio::sync::Notify;

use super::{Subject, Told, connect_as, version_1};

/// A client that handles the agent's messages slowly. The turn gets the agent's thoughts.
struct Slow {
    told: Arc<Told>,
    pause: Duration,
}

fn text_of(chunk: &ContentChunk) -> &str {
    match &chunk.content {
        ContentBlock::Text(text) => &text.text,
        _ => "",
    }
}

#[acp_client]
impl Slow {
    async fn agent_message_chunk(&self, session: &SessionId, chunk: ContentChunk) {
        assert!(!(session.as_ref() as &str).is_empty());
        if !self.pause.is_zero() {
            tokio::time::sleep(self.pause).await;
        }
        self.told.add(text_of(&chunk));
    }
}

async fn thoughts(session: &Session, prompt: &str) -> Vec<String> {
    let mut turn = session.prompt(prompt).await.unwrap();
    let mut thoughts = Vec::new();
    while let Some(update) = turn.next().await.unwrap() {
        let Some(SessionUpdate::AgentThoughtChunk(chunk)) = update.known() else { panic!("{update:?}") };
        thoughts.push(text_of(chunk).to_owned());
    }
    thoughts
}

#[tokio::test]
async fn an_update_goes_to_its_handler_alone_and_before_the_end_of_its_turn() {
    for pause in [Duration::ZERO, Duration::from_millis(5)] {
        let told = Arc::new(Told::default());
        let connection = connect_as(Slow { told: told.clone(), pause }).await;
        let session = connection.new_session("/tmp").await.unwrap();
        let words = ["one", "two", "three", "four"];
        for turns in 1..4 {
            assert_eq!(thoughts(&session, "words one two three four").await, words);
            assert_eq!(told.lines(), words.repeat(turns), "with {pause:?}");
        }
    }
}

#[tokio::test]
async fn a_turn_that_is_dropped_still_reports_to_the_handlers() {
    let told = Arc::new(Told::default());
    let connection = connect_as(Slow { told: told.clone(), pause: Duration::from_millis(2) }).await;
    let session = connection.new_session("/tmp").await.unwrap();
    drop(session.prompt("words a b c").await.unwrap());
    assert_eq!(thoughts(&session, "words d").await, ["d"]);
    assert_eq!(told.lines().last().unwrap(), "d");
}

#[tokio::test(start_paused = true)]
async fn a_slow_handler_is_no_silence_of_the_agent() {
    let told = Arc::new(Told::default());
    let (near, far) = memory::pair();
    tokio::spawn(Subject.serve(far, ServeOptions::new()));
    let options = version_1().turn_silence(Some(Duration::from_secs(2)));
    let client = Slow { told: told.clone(), pause: Duration::from_secs(5) };
    let connection = Endpoint::over(near).options(options).connect_as(client).await.unwrap();
    let session = connection.new_session("/tmp").await.unwrap();
    assert_eq!(thoughts(&session, "words a b").await, ["a", "b"]);
}

/// While a handler runs, waiting updates count as unread, so the agent has to stop.
#[tokio::test]
async fn a_slow_handler_holds_the_agent_back() {
    struct Stuck(Arc<Notify>, AtomicUsize);
    #[acp_client]
    impl Stuck {
        async fn session_update(&self, notification: SessionNotification) {
            assert!(matches!(notification.update, SessionUpdate::AgentMessageChunk(_)));
            if self.1.fetch_add(1, Ordering::Relaxed) == 0 {
                self.0.notified().await;
            }
        }
    }
    #[acp_agent]
    #[derive(Clone)]
    struct Flood(Arc<AtomicUsize>);
    #[acp_agent]
    impl Flood {
        async fn prompt(&self, turn: Turn<Self>) -> acp_runtime::prelude::Result<StopReason> {
            for _ in 0..5_000 {
                turn.message("x".repeat(1_000)).await?;
                self.0.fetch_add(1, Ordering::Relaxed);
            }
            Ok(StopReason::EndTurn)
        }
    }
    let (go, sent) = (Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
    let (near, far) = memory::pair();
    tokio::spawn(Flood(sent.clone()).serve(far, ServeOptions::new()));
    let options = version_1().unread_soft_bytes(64 * 1024);
    let client = Stuck(go.clone(), AtomicUsize::new(0));
    let connection = Endpoint::over(near).options(options).connect_as(client).await.unwrap();
    let session = connection.new_session("/tmp").await.unwrap();
    let mut turn = session.prompt("").await.unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(500), turn.next()).await.is_err(), "the handler holds all");
    let held = sent.load(Ordering::Relaxed);
    assert!(held < 4_000, "{held} of 5000 updates were sent to a client that took none");
    go.notify_one();
    assert!(turn.next().await.unwrap().is_none());
    assert_eq!(sent.load(Ordering::Relaxed), 5_000);
}

#[tokio::test]
async fn a_handler_that_panics_ends_its_call_alone() {
    struct Clumsy(Arc<Told>);
    #[acp_client]
    impl Clumsy {
        async fn agent_message_chunk(&self, chunk: ContentChunk) {
            tokio::task::yield_now().await;
            assert_ne!(text_of(&chunk), "b");
            self.0.add(text_of(&chunk));
        }
        async fn read_text_file(&self) -> String {
            panic!("as asked")
        }
    }
    let told = Arc::new(Told::default());
    let connection = connect_as(Clumsy(told.clone())).await;
    let session = connection.new_session("/tmp").await.unwrap();
    assert_eq!(thoughts(&session, "words a b c").await, ["a", "b", "c"]);
    assert_eq!(told.lines(), ["a", "c"]);
    let error = session.prompt("read /tmp/a").await.unwrap().finish().await.unwrap_err();
    assert!(error.to_string().contains("panicked"), "{error}");
}

/// `session_update` gets the updates that have no handler of their own kind. The session gets the updates that the
/// protocol does not define.
#[tokio::test]
async fn all_other_updates_have_one_handler() {
    struct Rest(Arc<Told>);
    #[acp_client]
    impl Rest {
        async fn agent_thought_chunk(&self, _chunk: ContentChunk) {
            self.0.add("thought");
        }
        async fn session_update(&self, notification: SessionNotification, session: &SessionId) {
            assert_eq!(*session, notification.session_id);
            self.0.add("other");
        }
        async fn tool_call(&self, _call: ToolCall) -> Result<(), Error> {
            Err(Error::internal_error("is logged"))
        }
        async fn tool_call_update(&self, _: ToolCallUpdate) {}
        async fn available_commands_update(&self, _: AvailableCommandsUpdate) {}
        async fn compaction_update(&self, _: CompactionUpdate) {}
    }
    let told = Arc::new(Told::default());
    let connection = connect_as(Rest(told.clone())).await;
    let session = connection.new_session("/tmp").await.unwrap();
    let mut turn = session.prompt("words a b").await.unwrap();
    assert!(turn.next().await.unwrap().is_none());
    assert_eq!(told.lines(), ["other", "thought", "other", "thought"]);
    let none: Option<Update> = session.try_update();
    assert!(none.is_none(), "{none:?}");
}
