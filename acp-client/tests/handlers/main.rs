//! The handlers of a client, called by agents of this workspace, in memory.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};
use std::time::Duration;

use acp_client::{
    ConnectOptions, Connection, Endpoint, ErrorKind, Session, Update, acp_client,
    handlers::{Error, RequestMeta},
    transport::memory,
    values::{
        AvailableCommandsUpdate, ClientCapabilities, CompactionUpdate, CompleteElicitationNotification, ContentBlock,
        ContentChunk, CreateElicitationRequest, CreateTerminalRequest, ElicitationAcceptAction, ElicitationAction,
        ElicitationMode, ElicitationSchema, KillTerminalRequest, Notice, PermissionOptionId, ReadTextFileRequest,
        ReleaseTerminalRequest, RequestPermissionOutcome, RequestPermissionRequest, SessionId, SessionNotification,
        SessionUpdate, StopReason, TerminalExitStatus, TerminalId, TerminalOutputRequest, TerminalOutputResponse,
        ToolCall, ToolCallUpdate, WaitForTerminalExitRequest, WriteTextFileRequest,
    },
};
use acp_runtime::{
    agent::ServeOptions,
    prelude::{PromptRequest, Serve, Turn, acp_agent},
};
use tokio::sync::Notify;

/// An agent that does what its prompt says, and reports the result.
#[acp_agent]
#[derive(Clone)]
struct Subject;

#[acp_agent]
impl Subject {
    async fn prompt(
        &self,
        request: PromptRequest,
        client: acp_runtime::prelude::Client,
        turn: Turn<Self>,
    ) -> acp_runtime::prelude::Result<acp_runtime::prelude::StopReason> {
        let text = request.text().to_string();
        let (what, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let came = match what {
            "read" => client.read_text_file(rest).await?,
            "write" => {
                client.write_text_file("/tmp/note", rest).await?;
                "written".to_owned()
            }
            "terminal" => {
                let terminal = client.terminal("make").args([rest]).start().await?;
                let output = terminal.output().await?.output;
                let status = terminal.wait_for_exit().await?;
                terminal.kill().await?;
                terminal.release().await?;
                format!("{output}{:?}", status.exit_code)
            }
            "permit" => {
                let call = turn.tool_call("dangerous").start().await?;
                let permission = call.ask_permission().await?;
                format!("{:?}", permission.selected().map(|option| &option.name))
            }
            "form" => {
                let answer = client.elicit_form("Which one?", ElicitationSchema::new()).await?;
                format!("{answer:?}")
            }
            "page" => {
                let answer = client.elicit_url("Log in", "login-1", "https://example.com/").await?;
                client.elicitation_complete("login-1").await?;
                format!("{answer:?}")
            }
            "ext" => {
                let sum: u32 = client.ext_request("_acme.dev/add", &[1, 2, 39]).await?;
                client.ext_notification("_acme.dev/seen", &serde_json::json!({ "what": rest })).await?;
                sum.to_string()
            }
            "refused" => match client.ext_request::<u32>("_acme.dev/refuse", &serde_json::json!({})).await {
                Err(error) => format!("{}: {}", error.code(), error.message()),
                Ok(_) => "taken".to_owned(),
            },
            "words" => {
                for word in rest.split(' ') {
                    turn.message(word).await?;
                    turn.thought(word).await?;
                }
                return Ok(StopReason::EndTurn);
            }
            "impatient" => {
                // The drop of the future withdraws the request.
                let asked = client.read_text_file("/slow");
                let _ = tokio::time::timeout(Duration::from_millis(50), asked).await;
                "withdrew".to_owned()
            }
            _ => "nothing".to_owned(),
        };
        turn.message(came).await?;
        Ok(StopReason::EndTurn)
    }
}

async fn connect_as(client: impl acp_client::Handlers) -> Connection {
    let (near, far) = memory::pair();
    tokio::spawn(Subject.serve(far, ServeOptions::new()));
    Endpoint::over(near).connect_as(client).await.unwrap()
}

async fn ask(session: &Session, prompt: &str) -> String {
    let mut turn = session.prompt(prompt).await.unwrap();
    let mut text = String::new();
    while let Some(piece) = turn.text().await.unwrap() {
        text += &piece;
    }
    text
}

/// A client with all handlers.
#[derive(Default)]
struct Editor(Arc<Told>);

#[derive(Default)]
struct Told {
    lines: Mutex<Vec<String>>,
    dropped: Notify,
}

impl Told {
    fn add(&self, line: impl Into<String>) {
        self.lines.lock().unwrap().push(line.into());
    }

    fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }
}

struct OnDrop(Arc<Told>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.dropped.notify_one();
    }
}

#[derive(serde::Deserialize)]
struct Seen {
    what: String,
}

#[acp_client(elicitation(form, url), auth(terminal))]
impl Editor {
    async fn read_text_file(&self, request: ReadTextFileRequest, session: &SessionId) -> std::io::Result<String> {
        if request.path.ends_with("slow") {
            let _dropped = OnDrop(self.0.clone());
            std::future::pending::<()>().await;
        }
        if request.path.ends_with("gone") {
            return Err(std::io::ErrorKind::NotFound.into());
        }
        assert_eq!(*session, request.session_id);
        Ok(format!("<{}>", request.path.display()))
    }

    async fn write_text_file(&self, request: WriteTextFileRequest, RequestMeta(meta): RequestMeta) {
        assert!(meta.is_none());
        self.0.add(request.content);
    }

    async fn create_terminal(&self, request: CreateTerminalRequest) -> TerminalId {
        TerminalId::from(format!("{} {}", request.command, request.args.join(" ")))
    }

    async fn terminal_output(&self, request: TerminalOutputRequest) -> TerminalOutputResponse {
        TerminalOutputResponse::new(format!("{:?} ", request.terminal_id.as_ref() as &str), false)
    }

    async fn wait_for_terminal_exit(&self, _: WaitForTerminalExitRequest) -> TerminalExitStatus {
        TerminalExitStatus::new().exit_code(7)
    }

    async fn kill_terminal(&self, request: KillTerminalRequest) {
        self.0.add(format!("kill {}", request.terminal_id));
    }

    async fn release_terminal(&self, request: ReleaseTerminalRequest) -> Result<(), Error> {
        self.0.add(format!("release {}", request.terminal_id));
        Ok(())
    }

    async fn request_permission(&self, request: RequestPermissionRequest) -> Option<PermissionOptionId> {
        request.options.first().map(|option| option.option_id.clone())
    }

    async fn create_elicitation(&self, request: CreateElicitationRequest) -> Result<ElicitationAction, Error> {
        let is_page = matches!(request.mode, ElicitationMode::Url(_));
        self.0.add(request.message);
        // If the user declines the page, the agent must not complete the elicitation.
        Ok(if is_page { ElicitationAction::Accept(ElicitationAcceptAction::new()) } else { ElicitationAction::Decline })
    }

    async fn complete_elicitation(&self, notification: CompleteElicitationNotification) {
        self.0.add(format!("complete {}", notification.elicitation_id));
    }

    #[ext("_acme.dev/add")]
    async fn add(&self, numbers: Vec<u32>) -> u32 {
        numbers.iter().sum()
    }

    #[ext("_acme.dev/refuse")]
    async fn refuse(&self) -> Result<u32, Error> {
        Err(Error::new(-32099, "not today"))
    }

    #[ext(notification = "_acme.dev/seen")]
    async fn seen(&self, seen: Seen) {
        self.0.add(format!("seen {}", seen.what));
    }
}

#[tokio::test]
async fn an_agent_is_answered_by_the_handlers() {
    let told = Arc::new(Told::default());
    let connection = connect_as(Editor(told.clone())).await;
    let session = connection.new_session("/tmp").await.unwrap();
    assert_eq!(ask(&session, "read /tmp/a").await, "</tmp/a>");
    assert_eq!(ask(&session, "write down").await, "written");
    assert_eq!(ask(&session, "terminal test").await, "\"make test\" Some(7)");
    assert_eq!(ask(&session, "permit").await, "Some(\"Allow\")");
    assert!(ask(&session, "form").await.contains("Decline"));
    assert!(ask(&session, "page").await.contains("Accept"));
    assert_eq!(ask(&session, "ext me").await, "42");
    let lines = told.lines();
    let expected =
        ["down", "kill make test", "release make test", "Which one?", "Log in", "complete login-1", "seen me"];
    assert_eq!(lines, expected);
}

#[tokio::test]
async fn the_error_of_a_handler_is_the_agents() {
    let connection = connect_as(Editor::default()).await;
    let session = connection.new_session("/tmp").await.unwrap();
    assert_eq!(ask(&session, "refused").await, "-32099: not today");
    let error = session.prompt("read /tmp/gone").await.unwrap().finish().await.unwrap_err();
    assert!(error.refusal().unwrap().message().contains("not found"), "{error}");
}

#[tokio::test]
async fn a_request_that_is_withdrawn_drops_its_handler() {
    let told = Arc::new(Told::default());
    let connection = connect_as(Editor(told.clone())).await;
    let session = connection.new_session("/tmp").await.unwrap();
    assert_eq!(ask(&session, "impatient").await, "withdrew");
    tokio::time::timeout(Duration::from_secs(10), told.dropped.notified()).await.unwrap();
}

fn capabilities<C: acp_client::Handlers>() -> serde_json::Value {
    serde_json::to_value(C::capabilities()).unwrap()
}

#[test]
fn capabilities_are_what_handlers_imply_and_keys_state() {
    struct Reader;
    #[acp_client]
    impl Reader {
        async fn read_text_file(&self) -> String {
            String::new()
        }
        #[cfg(any())]
        async fn write_text_file(&self) {}
        async fn notice(&self, _notice: Notice) {}
    }
    struct Shown;
    #[acp_client(notices, compaction, elicitation(form))]
    impl Shown {
        async fn create_elicitation(&self) -> ElicitationAction {
            ElicitationAction::Decline
        }
    }
    let switches = serde_json::json!({ "boolean": {} });
    let all = capabilities::<Editor>();
    assert_eq!(all["fs"], serde_json::json!({ "readTextFile": true, "writeTextFile": true }));
    assert_eq!((&all["terminal"], &all["auth"]["terminal"]), (&true.into(), &true.into()));
    assert_eq!(all["elicitation"], serde_json::json!({ "form": {}, "url": {} }));
    assert_eq!(all["session"], serde_json::json!({ "configOptions": switches }));
    let reader = capabilities::<Reader>();
    assert_eq!(reader["fs"]["readTextFile"], true);
    assert_ne!(reader["fs"]["writeTextFile"], true, "its handler is not configured");
    assert_ne!(reader["terminal"], true);
    assert_eq!(reader["session"], serde_json::json!({ "configOptions": switches, "notices": {} }));
    assert!(reader.get("elicitation").is_none_or(serde_json::Value::is_null));
    let shown = capabilities::<Shown>();
    assert_eq!(shown["elicitation"], serde_json::json!({ "form": {} }));
    assert_eq!(shown["session"], serde_json::json!({ "configOptions": switches, "notices": {}, "compaction": {} }));
    let _: ClientCapabilities = <Shown as acp_client::Handlers>::capabilities();
}

/// A client whose user does not decide about permission.
struct Hesitant(Arc<Told>);

#[acp_client]
impl Hesitant {
    async fn request_permission(&self, _request: RequestPermissionRequest) -> RequestPermissionOutcome {
        let _dropped = OnDrop(self.0.clone());
        self.0.add("asked");
        std::future::pending().await
    }
}

#[tokio::test]
async fn permission_of_a_cancelled_turn_is_cancelled_while_its_handler_waits() {
    let told = Arc::new(Told::default());
    let connection = connect_as(Hesitant(told.clone())).await;
    let session = connection.new_session("/tmp").await.unwrap();
    let mut turn = session.prompt("permit").await.unwrap();
    while told.lines().is_empty() {
        turn.next().await.unwrap().expect("the turn waits for permission");
        tokio::task::yield_now().await;
    }
    turn.cancel();
    let end = turn.finish().await.unwrap();
    assert_eq!(end.stop_reason, Some(StopReason::Cancelled));
    tokio::time::timeout(Duration::from_secs(10), told.dropped.notified()).await.unwrap();
}

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
    let options = ConnectOptions::new().turn_silence(Some(Duration::from_secs(2)));
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
    let options = ConnectOptions::new().unread_soft_bytes(64 * 1024);
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

#[tokio::test]
async fn handlers_of_a_local_client_need_not_be_send() {
    struct Local;
    #[acp_client(local)]
    impl Local {
        async fn read_text_file(&self, request: ReadTextFileRequest) -> String {
            let path = std::rc::Rc::new(request.path);
            tokio::task::yield_now().await;
            path.display().to_string()
        }
        async fn agent_thought_chunk(&self, chunk: ContentChunk) {
            let chunk = std::rc::Rc::new(chunk);
            tokio::task::yield_now().await;
            drop(chunk);
        }
    }
    tokio::task::LocalSet::new()
        .run_until(async {
            let connection = connect_as(Local).await;
            let session = connection.new_session("/tmp").await.unwrap();
            assert_eq!(ask(&session, "read /tmp/a").await, "/tmp/a");
            assert_eq!(ask(&session, "words a b").await, "ab");
        })
        .await;
}

#[tokio::test]
async fn a_local_client_without_a_local_set_is_told_so_before_an_agent_starts() {
    struct Local;
    #[acp_client(local)]
    impl Local {
        async fn agent_thought_chunk(&self, _chunk: ContentChunk) {}
    }
    let error = Endpoint::program("no-such-agent").connect_as(Local).await.unwrap_err();
    assert!(error.to_string().contains("`local` connects within a `tokio::task::LocalSet`"), "{error}");
    let error = Endpoint::over(memory::pair().0).connect_as(Local).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid(_)), "{error}");
    let within = tokio::task::LocalSet::new();
    let error = within.run_until(Endpoint::program("no-such-agent").connect_as(Local)).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Start { .. }), "{error}");
}
