//! An agent, and the connection of the SDK's version 2 to it.

use std::{
    fs,
    path::PathBuf,
    process::Command,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use agent_client_protocol::{
    self as acp, Client, JsonRpcRequest, JsonRpcResponse, on_receive_notification, on_receive_request,
    schema::ProtocolVersion,
    v2::{ConnectionTo, InitializeOutcome, SentRequest, schema::*},
};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::{sync::oneshot, time::timeout};

use crate::{
    person::{Person, Seen},
    process::Process,
    updates::{of, text_of, to, values},
};

/// The error of a request that was cancelled.
pub(crate) const CANCELLED: i64 = -32800;
pub(crate) const UNKNOWN_METHOD: i64 = -32601;
pub(crate) const INVALID_PARAMS: i64 = -32602;
pub(crate) const UNKNOWN_SESSION: i64 = -32002;

/// How long anything may take that is expected to come soon.
const SOON: Duration = Duration::from_secs(5);

/// Starts the agents of one check. All of them have the same store.
#[derive(Clone)]
pub(crate) struct Start {
    pub(crate) program: PathBuf,
    pub(crate) stores: bool,
    pub(crate) folder: PathBuf,
    pub(crate) started: Arc<Mutex<Vec<Arc<Process>>>>,
}

impl Start {
    /// The working directory of the agents.
    pub(crate) fn cwd(&self) -> PathBuf {
        let cwd = self.folder.join("project");
        fs::create_dir_all(&cwd).expect("a folder");
        cwd
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        if self.stores {
            command.arg("--store").arg(self.folder.join("store"));
        }
        command
    }

    pub(crate) fn keep(&self, process: &Arc<Process>) {
        self.started.lock().unwrap_or_else(PoisonError::into_inner).push(process.clone());
    }

    /// An agent that has not heard anything yet.
    pub(crate) async fn agent(&self) -> Agent {
        let (process, lines) = Process::start(self.command()).expect("the agent starts");
        self.keep(&process);
        let person = Arc::new(Person::default());
        let [p1, p2, p3, p4] = std::array::from_fn(|_| person.clone());
        let client = Client
            .v2()
            .name("acp-tests")
            .on_receive_notification(
                async move |told: UpdateSessionNotification, _: ConnectionTo<acp::Agent>| {
                    p1.sees(|seen| seen.updates.push(of(&told)));
                    Ok(())
                },
                on_receive_notification!(),
            )
            .on_receive_notification(
                async move |told: CompleteElicitationNotification, _: ConnectionTo<acp::Agent>| {
                    p2.sees(|seen| seen.completed.push(of(&told.elicitation_id)));
                    Ok(())
                },
                on_receive_notification!(),
            )
            .on_receive_request(
                async move |request: RequestPermissionRequest, responder, cx: ConnectionTo<acp::Agent>| {
                    p3.sees(|seen| seen.permissions.push(of(&request)));
                    let outcome = |option: &str| json!({ "outcome": { "outcome": "selected", "optionId": option } });
                    let answer = p3.wishes().option.map(outcome);
                    let cancelled = json!({ "outcome": { "outcome": "cancelled" } });
                    p3.clone().answers(responder, answer, cancelled, &cx)
                },
                on_receive_request!(),
            )
            .on_receive_request(
                async move |request: CreateElicitationRequest, responder, cx: ConnectionTo<acp::Agent>| {
                    p4.sees(|seen| seen.elicitations.push(of(&request)));
                    let answer = p4.wishes().fill.clone();
                    p4.clone().answers(responder, answer, json!({ "action": "cancel" }), &cx)
                },
                on_receive_request!(),
            );
        let (give, given) = oneshot::channel();
        tokio::spawn(client.connect_with(lines, async move |cx| {
            let _ = give.send(cx);
            std::future::pending::<acp::Result<()>>().await
        }));
        let cx = soon(given, "the connection").await.expect("a connection");
        Agent { cwd: self.cwd(), process, person, cx }
    }

    /// An initialized agent with one session: its answer, and its id.
    pub(crate) async fn session(&self) -> (Agent, Value, String) {
        self.session_as(all_capabilities()).await
    }

    pub(crate) async fn session_as(&self, capabilities: Value) -> (Agent, Value, String) {
        let agent = self.agent().await;
        agent.initialize_as(capabilities, 2).await;
        let session = agent.new_session().await;
        let id = text_of(&session["sessionId"]);
        (agent, session, id)
    }
}

/// The capabilities of a client that can do everything the checks need.
pub(crate) fn all_capabilities() -> Value {
    json!({ "auth": { "terminal": {} }, "elicitation": { "form": {}, "url": {} } })
}

/// Fails with `what` unless it comes soon.
pub(crate) async fn soon<T>(coming: impl Future<Output = T>, what: &str) -> T {
    timeout(SOON, coming).await.unwrap_or_else(|_| panic!("{what} did not come within {SOON:?}"))
}

/// Expects the error of a request.
pub(crate) async fn refused<T: JsonRpcResponse + std::fmt::Debug>(sent: SentRequest<T>, code: i64) {
    let error = soon(sent.block_task(), "the refusal").await.expect_err("an error");
    assert_eq!(of(&error)["code"], code, "{error}");
    assert!(!error.message.is_empty(), "the error has a message");
}

pub(crate) struct Agent {
    pub(crate) cwd: PathBuf,
    pub(crate) process: Arc<Process>,
    person: Arc<Person>,
    cx: ConnectionTo<acp::Agent>,
}

impl Agent {
    /// The id of the option that the person chooses from now on.
    pub(crate) fn decides(&self, option: Option<&'static str>) {
        self.person.wishes().option = option;
    }

    /// The person's answer to each form from now on.
    pub(crate) fn fills(&self, fill: Option<Value>) {
        self.person.wishes().fill = fill;
    }

    pub(crate) fn seen(&self) -> Seen {
        self.person.seen.borrow().clone()
    }

    /// The number of updates so far.
    pub(crate) fn told(&self) -> usize {
        self.person.seen.borrow().updates.len()
    }

    pub(crate) fn updates_of(&self, session: &str) -> Vec<Value> {
        self.person.seen.borrow().updates_of(session, 0)
    }

    pub(crate) fn connection(&self) -> &ConnectionTo<acp::Agent> {
        &self.cx
    }

    /// Waits until `look` finds something.
    pub(crate) async fn until<T>(&self, what: &str, look: impl Fn(&Seen) -> Option<T>) -> T {
        let mut seen = self.person.seen.subscribe();
        let found = async { look(&seen.wait_for(|seen| look(seen).is_some()).await.expect("the person is there")) };
        soon(found, what).await.expect("it was there")
    }

    pub(crate) fn request<R: JsonRpcRequest>(&self, request: R) -> SentRequest<R::Response> {
        self.cx.send_request(request)
    }

    /// Sends a request, and returns its result.
    async fn result<R: JsonRpcRequest<Response: Serialize>>(&self, request: R) -> Value {
        let method = request.method().to_owned();
        let answer = soon(self.request(request).block_task(), &method).await;
        of(&answer.unwrap_or_else(|error| panic!("{method}: {error}")))
    }

    pub(crate) async fn initialize(&self) -> Value {
        self.initialize_as(all_capabilities(), 2).await
    }

    pub(crate) async fn initialize_as(&self, capabilities: Value, version: u16) -> Value {
        let request = InitializeRequest::new(ProtocolVersion::from(version), Implementation::new("acp-tests", "1.0.0"))
            .capabilities(to::<ClientCapabilities>(capabilities));
        match soon(self.cx.send_initialize(request).block_task(), "initialize").await {
            Ok(InitializeOutcome::Initialized(response)) => of(&response),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn login(&self, method: &str) -> SentRequest<LoginAuthResponse> {
        self.request(LoginAuthRequest::new(method.to_owned()))
    }

    pub(crate) async fn logout(&self) {
        self.result(LogoutAuthRequest::new()).await;
    }

    pub(crate) async fn new_session(&self) -> Value {
        self.result(NewSessionRequest::new(&*self.cwd)).await
    }

    pub(crate) fn resume_request(&self, id: &str) -> ResumeSessionRequest {
        ResumeSessionRequest::new(id.to_owned(), &*self.cwd)
    }

    /// The same request with a replay of everything.
    pub(crate) fn replay_request(&self, id: &str) -> ResumeSessionRequest {
        self.resume_request(id).replay_from(ReplayFrom::from(ReplayFromStart::new()))
    }

    pub(crate) async fn resume(&self, id: &str) -> Value {
        self.result(self.resume_request(id)).await
    }

    pub(crate) async fn replay(&self, id: &str) -> Value {
        self.result(self.replay_request(id)).await
    }

    pub(crate) async fn close(&self, id: &str) {
        self.result(CloseSessionRequest::new(id.to_owned())).await;
    }

    pub(crate) async fn delete(&self, id: &str) {
        self.result(DeleteSessionRequest::new(id.to_owned())).await;
    }

    pub(crate) async fn list(&self, request: ListSessionsRequest) -> Vec<Value> {
        let answer = self.result(request).await;
        assert!(answer["nextCursor"].is_null(), "one page");
        answer["sessions"].as_array().expect("a list").clone()
    }

    pub(crate) fn setting(
        &self,
        id: &str,
        option: &str,
        value: impl Into<SessionConfigOptionValue>,
    ) -> SentRequest<SetSessionConfigOptionResponse> {
        self.request(SetSessionConfigOptionRequest::new(id.to_owned(), option.to_owned(), value))
    }

    /// Sets an option, and returns the values of all.
    pub(crate) async fn set(&self, id: &str, option: &str, value: impl Into<SessionConfigOptionValue>) -> Value {
        let answer = soon(self.setting(id, option, value).block_task(), "session/set_config_option").await;
        values(&of(&answer.expect("an answer")))
    }

    pub(crate) fn prompt(&self, id: &str, words: &str) -> SentRequest<PromptResponse> {
        self.request(PromptRequest::new(id.to_owned(), vec![words.to_owned().into()]))
    }

    /// Sends a prompt, and returns the id of its message.
    pub(crate) async fn inserted(&self, id: &str, words: &str) -> String {
        inserted(self.prompt(id, words)).await
    }

    pub(crate) fn cancel(&self, id: &str) {
        self.cx.send_notification(CancelSessionNotification::new(id.to_owned())).expect("the agent is there");
    }

    /// The updates from an inserted message up to `idle`.
    pub(crate) async fn worked(&self, id: &str, message: &str) -> Vec<Value> {
        let look = |seen: &Seen| {
            let updates = seen.updates_of(id, 0);
            let is_message =
                |update: &Value| update["sessionUpdate"] == "user_message" && update["messageId"] == message;
            let begin = updates.iter().position(is_message)?;
            let end = updates.iter().skip(begin).position(|update| update["state"] == "idle")?;
            Some(updates[begin..=begin + end].to_vec())
        };
        self.until("the end of the turn", look).await
    }

    /// Sends a prompt, and returns the updates of its turn.
    pub(crate) async fn turn(&self, id: &str, words: &str) -> Vec<Value> {
        let message = self.inserted(id, words).await;
        self.worked(id, &message).await
    }

    /// Closes stdin; the agent has to end by itself.
    pub(crate) async fn end(&self) {
        self.process.end().await;
    }
}

/// The id of the message of a prompt.
pub(crate) async fn inserted(sent: SentRequest<PromptResponse>) -> String {
    soon(sent.block_task(), "the answer to session/prompt").await.expect("an answer").message_id.to_string()
}
