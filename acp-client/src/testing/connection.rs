//! An agent in this process, the connection to it, and the checks at the end of the connection.

use std::{ops::Deref, path::Path, time::Duration};

use acp_runtime_core::agent::{self, Serve, ServeOptions, Serving};
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};

use super::{
    EndedTurn, Party, Recorder, Script, Tape,
    conversation::{Names, conversation},
    golden::assert_golden,
    judge::{self, Finding, Level},
};
use crate::{ConnectOptions, Connection, Endpoint, NewSession, Prompt, Session, contract::Handlers, transport::memory};

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
    agent: JoinHandle<acp_runtime_core::Result<()>>,
    script: Option<Script>,
    recorder: Recorder,
    allowed: Vec<&'static judge::Rule>,
}

/// A session of an agent under test. It also has all functions of [`Session`].
#[derive(Clone, Debug)]
pub struct TestSession(Session);

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
pub async fn connect<A: agent::Handlers>(agent: A) -> TestConnection
where
    Serving<A::Threading>: Send + 'static,
{
    connect_as(agent, Script::new()).await
}

/// As [`connect`], with a client that follows a script.
///
/// # Panics
///
/// As those of [`connect`].
pub async fn connect_as<A: agent::Handlers>(agent: A, script: Script) -> TestConnection
where
    Serving<A::Threading>: Send + 'static,
{
    let mut connection = connect_with(agent, script.clone()).await;
    connection.script = Some(script);
    connection
}

/// As [`connect`], with a client of your own.
///
/// # Panics
///
/// As those of [`connect`].
pub async fn connect_with<A: agent::Handlers, C: Handlers>(agent: A, client: C) -> TestConnection
where
    Serving<A::Threading>: Send + 'static,
{
    let (recorder, near, far) = ends();
    let agent = tokio::spawn(agent.serve(recorder.record(Party::Agent, far.into_stream()), ServeOptions::new()));
    open(agent, near, client, recorder, None).await
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
pub async fn connect_local<A: agent::Handlers>(agent: A, script: Script) -> TestConnection
where
    Serving<A::Threading>: 'static,
{
    let (recorder, near, far) = ends();
    let transport = recorder.record(Party::Agent, far.into_stream());
    let agent = tokio::task::spawn_local(agent.serve(transport, ServeOptions::new()));
    open(agent, near, script.clone(), recorder, Some(script)).await
}

fn ends() -> (Recorder, memory::Memory, memory::Memory) {
    let (near, far) = memory::pair();
    (Recorder::new(), near, far)
}

async fn open<C: Handlers>(
    agent: JoinHandle<acp_runtime_core::Result<()>>,
    near: memory::Memory,
    client: C,
    recorder: Recorder,
    script: Option<Script>,
) -> TestConnection {
    match Endpoint::over(near).options(ConnectOptions::new()).connect_as(client).await {
        Ok(connection) => TestConnection { connection: Some(connection), agent, script, recorder, allowed: Vec::new() },
        Err(error) => panic!("the agent under test does not connect: {error}\n{}", told(&recorder.tape())),
    }
}

fn told(tape: &Tape) -> String {
    conversation(tape, Names::default())
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
    pub async fn session(&self) -> TestSession {
        self.session_with(FOLDER).await
    }

    /// Opens a session in a folder. Or give a request of your own.
    ///
    /// # Panics
    ///
    /// Panics if the agent refuses. To test a refusal, use [`new_session`](Connection::new_session).
    pub async fn session_with(&self, request: impl Into<NewSession>) -> TestSession {
        match self.new_session(request).await {
            Ok(session) => TestSession(session),
            Err(error) => panic!("no session: {error}"),
        }
    }

    /// The messages so far.
    pub fn tape(&self) -> Tape {
        self.recorder.tape()
    }

    /// The messages so far as text, one message a line: `>` from the client, `<` from the agent. Requests have numbers,
    /// and an answer has the number of its request. Names replace ids, times, versions and the folders of sessions.
    pub fn conversation(&self) -> String {
        told(&self.tape())
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

    /// The broken rules so far. Notes and allowed rules are left out.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = judge::judge(&self.tape());
        findings.retain(|Finding { rule, .. }| rule.level != Level::Note && !self.allowed.contains(rule));
        findings
    }

    /// Closes the connection, waits for the agent's end, and judges all messages. First, it waits up to five seconds
    /// for the answers to open requests.
    ///
    /// # Panics
    ///
    /// Panics if rules of the protocol were broken, or if the agent asked a question without a scripted answer. Also
    /// panics if the agent does not end, panicked or failed.
    pub async fn finish(mut self) -> Tape {
        let _ = timeout(PATIENCE, async {
            while judge::is_waiting(&self.tape()) {
                sleep(Duration::from_millis(10)).await;
            }
        })
        .await;
        if let Some(connection) = self.connection.take()
            && let Err(error) = connection.close().await
        {
            panic!("the connection could not be closed: {error}");
        }
        match timeout(PATIENCE, &mut self.agent).await {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(error))) => panic!("serving the agent failed: {error}"),
            Ok(Err(error)) => panic!("the agent ended: {error}"),
            Err(_) => panic!("the agent did not end within {PATIENCE:?} of its input"),
        }
        self.verdict();
        self.tape()
    }

    fn verdict(&self) {
        let unanswered = self.script.as_ref().map(Script::unanswered).unwrap_or_default();
        let findings = self.findings();
        if unanswered.is_empty() && findings.is_empty() {
            return;
        }
        let mut text = String::new();
        for question in unanswered {
            text.push_str(&format!("the script has no answer to {question}\n"));
        }
        for finding in findings {
            text.push_str(&format!("{finding}\n    {}\n    {}\n", finding.rule.sentence, finding.rule.place));
        }
        panic!("the test passed, and the conversation did not:\n{text}\nwhat was said:\n{}", self.conversation());
    }
}

impl Drop for TestConnection {
    fn drop(&mut self) {
        // A finished connection has been judged already. A failing test needs no second report.
        if self.connection.take().is_some() && !std::thread::panicking() {
            self.verdict();
        }
    }
}

impl Deref for TestSession {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.0
    }
}

impl From<Session> for TestSession {
    fn from(session: Session) -> Self {
        Self(session)
    }
}

impl TestSession {
    /// Runs a whole turn.
    ///
    /// # Panics
    ///
    /// Panics if the turn fails. To test a failure, or the middle of a turn, use [`prompt`](Session::prompt).
    pub async fn turn(&self, prompt: impl Into<Prompt>) -> EndedTurn {
        let ended = match self.prompt(prompt).await {
            Ok(turn) => EndedTurn::of(turn).await,
            Err(error) => Err(error),
        };
        ended.unwrap_or_else(|error| panic!("the turn failed: {error}"))
    }
}
