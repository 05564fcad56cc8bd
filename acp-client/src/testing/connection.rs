//! An agent in this process, the connection to it, and the checks at the end of the connection.

use std::{ops::Deref, path::Path, time::Duration};

use acp_handlers::PANICKED as HANDLER_PANICKED;
use acp_judge::{self as judge, Departures, Finding, Level, assert_golden, conversation};
use acp_runtime_core::agent::{self, Serve, ServeOptions, Serving};
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};

use super::{Party, Recorder, Script, Tape, TestSession, patience::Caller, raw_calls::RawCalls};
use crate::{
    ConnectOptions, Connection, Endpoint, NewSession, contract::Handlers, dialect::messages::session_of,
    schema::Member, transport::memory,
};

/// The folder of a session without a folder of its own.
const FOLDER: &str = "/project";
/// The time at the end of a test for open answers, and for the agent to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection to an agent under test. When it is [finished](Self::finish) or dropped, its messages are judged.
///
/// It also has all functions of [`Connection`].
#[derive(Debug)]
#[must_use = "a connection that is dropped is closed"]
pub struct TestConnection {
    /// `None` once the connection is finished.
    connection: Option<Connection>,
    agent: JoinHandle<acp_peer::Result<()>>,
    script: Option<Script>,
    recorder: Recorder,
    allowed: Vec<&'static judge::Rule>,
    pub(super) raw: RawCalls,
    departures: Departures,
}

/// Serves an agent in this process, and connects to it with a client that offers nothing and permits nothing.
///
/// # Panics
///
/// Panics if the agent refuses `initialize` or does not answer it.
///
/// ```
/// use acp_client::testing;
/// use acp_runtime::prelude::*;
///
/// #[acp_agent]
/// #[derive(Clone)]
/// struct Echo;
///
/// #[acp_agent]
/// impl Echo {
///     async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
///         turn.message(request.text()).await?;
///         Ok(StopReason::EndTurn)
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let agent = testing::connect(Echo).await;
/// let turn = agent.session().await.turn("Hello").await;
/// assert_eq!((turn.text().as_str(), turn.stop_reason()), ("Hello", StopReason::EndTurn));
/// agent.finish().await;
/// # }
/// ```
#[track_caller]
pub fn connect<A: agent::Handlers>(agent: A) -> impl Future<Output = TestConnection> + Send
where
    Serving<A::Threading>: Send + 'static,
{
    connect_as(agent, Script::new())
}

/// As [`connect`], with a client that follows a script.
///
/// # Panics
///
/// As those of [`connect`].
#[track_caller]
pub fn connect_as<A: agent::Handlers>(agent: A, script: Script) -> impl Future<Output = TestConnection> + Send
where
    Serving<A::Threading>: Send + 'static,
{
    connect_by(agent, script.clone(), script.connect_options(), Some(script))
}

/// As [`connect`], with a client of your own.
///
/// # Panics
///
/// As those of [`connect`].
#[track_caller]
pub fn connect_with<A: agent::Handlers, C: Handlers>(agent: A, client: C) -> impl Future<Output = TestConnection> + Send
where
    Serving<A::Threading>: Send + 'static,
{
    connect_by(agent, client, ConnectOptions::new(), None)
}

/// As [`connect_with`], with bounds of your own, or a version of the protocol.
///
/// ```no_run
/// use acp_client::{ConnectOptions, parts::{Permissions, Workspace}, testing::{self, TestConnection}};
/// # use acp_runtime::prelude::*;
/// #
/// # #[acp_agent]
/// # #[derive(Clone)]
/// # struct Echo;
/// #
/// # #[acp_agent]
/// # impl Echo {
/// #     async fn prompt(&self) -> StopReason { StopReason::EndTurn }
/// # }
///
/// async fn connect() -> TestConnection {
///     let client = Workspace::new(Permissions::reject());
///     testing::connect_with_options(Echo, client, ConnectOptions::new().versions(1..=1)).await
/// }
/// # let _ = connect;
/// ```
///
/// # Panics
///
/// As those of [`connect`].
#[track_caller]
pub fn connect_with_options<A: agent::Handlers, C: Handlers>(
    agent: A,
    client: C,
    options: ConnectOptions,
) -> impl Future<Output = TestConnection> + Send
where
    Serving<A::Threading>: Send + 'static,
{
    connect_by(agent, client, options, None)
}

#[track_caller]
fn connect_by<A: agent::Handlers, C: Handlers>(
    agent: A,
    client: C,
    options: ConnectOptions,
    script: Option<Script>,
) -> impl Future<Output = TestConnection> + Send
where
    Serving<A::Threading>: Send + 'static,
{
    let caller = Caller::here();
    let (recorder, near, far) = ends();
    // The future of an agent may be `Send` where the bounds do not say it of the agent.
    let serving = agent.serve(recorder.record(Party::Agent, far.into_stream()), ServeOptions::new());
    async move { open(tokio::spawn(serving), near, client, options, recorder, script, caller).await }
}

/// As [`connect_as`], for an agent that is `local`: its handlers stay on this thread. The test must run in a
/// [`LocalSet`](tokio::task::LocalSet). The client is a [`Script`], which need not be local.
///
/// ```
/// use acp_client::testing::{self, Script};
/// use acp_runtime::prelude::*;
///
/// #[acp_agent(local)]
/// #[derive(Clone)]
/// struct Echo;
///
/// #[acp_agent]
/// impl Echo {
///     async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
///         turn.message(request.text()).await?;
///         Ok(StopReason::EndTurn)
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let test = async {
///     let agent = testing::connect_local(Echo, Script::new()).await;
///     assert_eq!(agent.session().await.turn("Hello").await.text(), "Hello");
///     agent.finish().await;
/// };
/// tokio::task::LocalSet::new().run_until(test).await;
/// # }
/// ```
///
/// # Panics
///
/// As those of [`connect`]. Also panics if there is no `LocalSet`.
#[track_caller]
pub fn connect_local<A: agent::Handlers>(agent: A, script: Script) -> impl Future<Output = TestConnection>
where
    Serving<A::Threading>: 'static,
{
    let caller = Caller::here();
    async move {
        let (recorder, near, far) = ends();
        let transport = recorder.record(Party::Agent, far.into_stream());
        let agent = tokio::task::spawn_local(agent.serve(transport, ServeOptions::new()));
        open(agent, near, script.clone(), script.connect_options(), recorder, Some(script), caller).await
    }
}

fn ends() -> (Recorder, memory::Memory, memory::Memory) {
    let (near, far) = memory::pair();
    (Recorder::new(), near, far)
}

async fn open<C: Handlers>(
    agent: JoinHandle<acp_peer::Result<()>>,
    near: memory::Memory,
    client: C,
    options: ConnectOptions,
    recorder: Recorder,
    script: Option<Script>,
    caller: Caller,
) -> TestConnection {
    let connecting = Endpoint::over(near).options(options).connect_as(client);
    match caller.wait("the agent did not answer `initialize`", Some(&recorder), connecting).await {
        Ok(connection) => {
            let (allowed, raw, departures) = (Vec::new(), RawCalls::default(), Departures::default());
            TestConnection { connection: Some(connection), agent, script, recorder, allowed, raw, departures }
        }
        Err(error) => {
            caller.fail(&format!("the agent under test does not connect: {error}\n{}", conversation(&recorder.tape())))
        }
    }
}

impl Deref for TestConnection {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("only `finish` takes it, with the whole")
    }
}

impl TestConnection {
    /// Opens a session in `/project`. The folder need not exist, because only the agent gets its name.
    ///
    /// # Panics
    ///
    /// Panics if the agent refuses.
    #[track_caller]
    pub fn session(&self) -> impl Future<Output = TestSession> + Send {
        self.session_with(FOLDER)
    }

    /// Opens a session in a folder. Or give a request of your own.
    ///
    /// # Panics
    ///
    /// Panics if the agent refuses. To test a refusal, use [`new_session`](Connection::new_session).
    #[track_caller]
    pub fn session_with(&self, request: impl Into<NewSession>) -> impl Future<Output = TestSession> + Send {
        let (caller, request) = (Caller::here(), request.into());
        self.opened_with(caller, request)
    }

    /// A session for a call of the test.
    pub(super) async fn opened(&self, caller: Caller) -> TestSession {
        self.opened_with(caller, FOLDER.into()).await
    }

    async fn opened_with(&self, caller: Caller, request: NewSession) -> TestSession {
        let opening = self.new_session(request);
        match caller.wait("the agent did not open a session", Some(&self.recorder), opening).await {
            Ok(session) => TestSession::of(session, self.recorder.clone()),
            Err(error) => caller.fail(&format!("no session: {error}")),
        }
    }

    /// The messages so far.
    pub fn tape(&self) -> Tape {
        self.recorder.tape()
    }

    /// The messages so far as text, one message a line: `>` from the client, `<` from the agent. Requests have numbers,
    /// and an answer has the number of its request. Names replace ids, times, versions and the folders of sessions.
    pub fn conversation(&self) -> String {
        conversation(&self.tape())
    }

    /// Compares the conversation so far with a file; see [`assert_golden`](super::assert_golden).
    ///
    /// # Panics
    ///
    /// Panics if they differ, unless `ACP_GOLDEN=accept` is set.
    #[track_caller]
    pub fn assert_golden(&self, path: impl AsRef<Path>) {
        assert_golden(path, &self.conversation());
    }

    /// Allows the agent to break a rule of the protocol, for the given reason.
    ///
    /// ```no_run
    /// # async fn test(agent: acp_client::testing::TestConnection) {
    /// let agent = agent.allow("tool-call-open", "its builds go on after the turn, by design");
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if there is no such rule, or the reason is empty. The rules are in [`judge::RULES`].
    #[track_caller]
    pub fn allow(mut self, rule: &str, reason: &str) -> Self {
        assert!(!reason.trim().is_empty(), "why may the rule `{rule}` be broken? give a reason");
        match judge::rule(rule) {
            Some(rule) => self.allowed.push(rule),
            None => {
                let ids: Vec<_> = judge::RULES.iter().map(|rule| rule.id).collect();
                panic!("no rule `{rule}`; there are {}", ids.join(", "))
            }
        }
        self
    }

    /// Tells the judge of a member that the agent adds to its messages although the schema lacks it. The judge reports all others.
    ///
    /// ```no_run
    /// use acp_client::testing::Member;
    ///
    /// const MODELS: Member = Member::new("models").version(1);
    ///
    /// # async fn test(agent: acp_client::testing::TestConnection) {
    /// let agent = agent.member(MODELS);
    /// # }
    /// ```
    pub fn member(mut self, member: Member) -> Self {
        self.departures = std::mem::take(&mut self.departures).member(member);
        self
    }

    /// Tells the judge that the agent opens sessions when a prompt or a change of options names them: it declares `on_demand`.
    pub fn on_demand(mut self) -> Self {
        self.departures = std::mem::take(&mut self.departures).on_demand();
        self
    }

    /// The broken rules so far. Notes and allowed rules are left out.
    pub fn findings(&self) -> Vec<Finding> {
        let departures = self.raw.methods().into_iter().fold(self.departures.clone(), Departures::method);
        let mut findings = judge::judge_with(&self.tape(), &departures);
        findings.retain(|Finding { rule, .. }| rule.level != Level::Note && !self.allowed.contains(rule));
        findings
    }

    /// Closes the connection, waits for the agent's end, and judges all messages. First, it waits up to five seconds
    /// for the answers to open requests.
    ///
    /// # Panics
    ///
    /// Panics if rules of the protocol were broken, if one of the agent's handlers panicked, or if the agent asked a
    /// question without a scripted answer. Also panics if the agent does not end or failed, or if the script has
    /// permissions, forms or outputs of commands that the agent did not ask for.
    #[track_caller]
    pub fn finish(mut self) -> impl Future<Output = Tape> + Send {
        let caller = Caller::here();
        async move {
            let recorder = self.recorder.clone();
            caller.wait("the connection did not end", Some(&recorder), self.end(caller)).await;
            self.verdict(caller, true);
            self.tape()
        }
    }

    async fn end(&mut self, caller: Caller) {
        let _ = timeout(PATIENCE, async {
            while judge::is_waiting(&self.tape()) {
                sleep(Duration::from_millis(10)).await;
            }
        })
        .await;
        if let Some(connection) = self.connection.take()
            && let Err(error) = connection.close().await
        {
            caller.fail(&format!("the connection could not be closed: {error}"));
        }
        match timeout(PATIENCE, &mut self.agent).await {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(error))) => caller.fail(&format!("serving the agent failed: {error}")),
            Ok(Err(error)) => caller.fail(&format!("the agent ended: {error}")),
            Err(_) => caller.fail(&format!("the agent did not end within {PATIENCE:?} of its input")),
        }
    }

    /// Fails the test if the conversation was not right. Only the end of a whole test shows which answers of the script
    /// are unused.
    fn verdict(&self, caller: Caller, is_whole: bool) {
        let mut text = String::new();
        if let Some(script) = &self.script {
            for question in script.unanswered() {
                text.push_str(&format!("the script has no answer to {question}\n"));
            }
            for answer in is_whole.then(|| script.unused()).into_iter().flatten() {
                text.push_str(&format!("the agent did not ask for {answer}, which the script answers\n"));
            }
        }
        for place in panicked(&self.tape()) {
            text.push_str(&format!("a handler of the agent panicked, in {place}\n"));
        }
        for finding in self.findings() {
            text.push_str(&format!("{finding}\n    {}\n    {}\n", finding.rule.sentence, finding.rule.place));
        }
        if text.is_empty() {
            return;
        }
        let said = self.conversation();
        caller.fail(&format!("the test passed, and the conversation did not:\n{text}\nwhat was said:\n{said}"));
    }
}

/// The requests whose handlers panicked. In version 2, a prompt is answered before its work ends: then the session.
fn panicked(tape: &Tape) -> Vec<String> {
    let answers = tape.entries().iter().filter(|entry| entry.from == Party::Agent).filter_map(|entry| entry.text());
    let panicked = answers.filter(|line| line.contains(HANDLER_PANICKED)).filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(&line).ok()?;
        if message["error"]["message"] == HANDLER_PANICKED {
            return Some(format!("the request with the id {}", message["id"]));
        }
        let params = &message["params"];
        let is_of_work = params["update"]["error"]["message"] == HANDLER_PANICKED;
        is_of_work.then(|| {
            let params = params.to_string();
            format!("the work of the session `{}`", session_of(&params).unwrap_or_default())
        })
    });
    panicked.collect()
}

impl Drop for TestConnection {
    fn drop(&mut self) {
        // A finished connection has been judged already. A failing test needs no second report.
        if self.connection.take().is_some() && !std::thread::panicking() {
            self.verdict(Caller::here(), false);
        }
    }
}
