//! Requests of the agent, and the capabilities that their handlers imply.

use std::sync::Arc;
use std::time::Duration;

use acp_client::{
    acp_client,
    handlers::{Error, RequestMeta},
    values::{
        ClientCapabilities, CompleteElicitationNotification, CreateElicitationRequest, CreateTerminalRequest,
        ElicitationAcceptAction, ElicitationAction, ElicitationMode, KillTerminalRequest, Notice, PermissionOptionId,
        ReadTextFileRequest, ReleaseTerminalRequest, RequestPermissionOutcome, RequestPermissionRequest, SessionId,
        StopReason, TerminalExitStatus, TerminalId, TerminalOutputRequest, TerminalOutputResponse,
        WaitForTerminalExitRequest, WriteTextFileRequest,
    },
};

use super::{OnDrop, Told, ask, connect_as};

/// A client with all handlers.
#[derive(Default)]
struct Editor(Arc<Told>);

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
    // The question comes when the update before it is taken, and the loop waits for the next one.
    let asked = async {
        while told.lines().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        () = asked => {}
        _ = async { while turn.next().await.unwrap().is_some() {} } => panic!("the turn waits for permission"),
    }
    turn.cancel();
    let end = turn.finish().await.unwrap();
    assert_eq!(end.stop_reason, Some(StopReason::Cancelled));
    tokio::time::timeout(Duration::from_secs(10), told.dropped.notified()).await.unwrap();
}
