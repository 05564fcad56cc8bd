//! The link to one agent. Connections, sessions and turns send their requests through it, and the reader hands messages
//! to it.

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use acp_peer::{Address, rpc::Then, wire::decode::from_json};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use tokio::{
    sync::{oneshot, watch},
    time::{Instant, timeout},
};

use crate::{
    ConnectOptions, Error, ErrorKind, Result,
    dialect::{gates::Gates, line::Line, messages::supported_versions, params::object_text},
    error::End,
    gauge::Gauge,
    inbox::{intake::Intake, table::Table},
    opened::{Opened, Watcher},
    process::Tail,
    schema::Method,
    values::{InitializeResponse, SessionId, methods},
};

/// An error waits this long for the end of the agent's process, after the end of the agent's output.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// The limits for kept lines of stdout that are no messages: their number, and the bytes of each.
const JUNK: (usize, usize) = (16, 200);

/// A future whose code is compiled once, and not once more in each function that awaits it.
pub(crate) type Boxed<'f, T> = Pin<Box<dyn Future<Output = T> + Send + 'f>>;

/// A function that gets a result on the reader's thread, before the reader takes any later message.
pub(crate) type Keep = Box<dyn FnOnce(&RawValue) + Send>;

/// The link to one agent.
pub(crate) struct Link {
    pub(crate) line: Line,
    pub(crate) gauge: Arc<Gauge>,
    options: ConnectOptions,
    pub(crate) sessions: Table,
    agent: OnceLock<InitializeResponse>,
    end: watch::Sender<Option<End>>,
    /// This client closed or dropped the connection.
    has_hung_up: AtomicBool,
    /// The other side has asked this client to initialize: it sends back what it reads.
    is_echo: AtomicBool,
    junk: Mutex<Vec<String>>,
    stderr: Option<Arc<Tail>>,
    client: Arc<Opened>,
}

impl Link {
    pub(crate) fn new(
        line: Line,
        options: ConnectOptions,
        stderr: Option<Arc<Tail>>,
        client: Arc<dyn Watcher>,
        intake: Option<Arc<dyn Intake>>,
    ) -> Arc<Self> {
        let gauge = Arc::new(Gauge::new(options.unread_soft_bytes, options.unread_hard_bytes));
        let sessions = Table::new(gauge.clone(), intake);
        let (agent, junk) = Default::default();
        let (end, client) = (watch::Sender::new(None), Opened::new(client));
        let (has_hung_up, is_echo) = Default::default();
        Arc::new(Self { line, gauge, options, sessions, agent, end, has_hung_up, is_echo, junk, stderr, client })
    }

    pub(crate) fn options(&self) -> &ConnectOptions {
        &self.options
    }

    /// Keeps the agent's answer to `initialize`.
    pub(crate) fn introduce(&self, agent: InitializeResponse) {
        let _ = self.agent.set(agent);
    }

    /// The agent's answer to `initialize`; an error before it has come.
    pub(crate) fn agent(&self) -> Result<&InitializeResponse> {
        self.agent.get().ok_or_else(|| Error::invalid("the agent is not initialized"))
    }

    /// The agent's capabilities.
    pub(crate) fn gates(&self) -> Result<Gates<'_>> {
        Ok(Gates { agent: &self.agent()?.agent_capabilities, version: self.line.version() })
    }

    /// The client, to tell it of sessions.
    pub(crate) fn client(&self) -> &Arc<Opened> {
        &self.client
    }

    /// Removes a session that is over, and tells the client.
    pub(crate) fn forget(&self, id: &SessionId) {
        self.sessions.forget(id);
        self.line.dialect().forget(id.as_str());
        self.client.closed(id);
    }

    /// Keeps a line of the agent's stdout that is no message, or was lost for the reason `why`.
    pub(crate) fn keep_junk(&self, line: &[u8], why: &str) {
        let (lines, bytes) = JUNK;
        let mut junk = self.junk.lock().unwrap_or_else(PoisonError::into_inner);
        if junk.len() < lines {
            let mut text = String::from_utf8_lossy(&line[..line.len().min(bytes)]).into_owned();
            if !why.is_empty() {
                text.push_str("… (");
                text.push_str(why);
                text.push(')');
            }
            junk.push(text);
        }
    }

    /// Ends the connection: every waiting call returns. Errors report the first cause.
    pub(crate) fn close(&self, how: End) {
        self.end.send_if_modified(|end| match end {
            None => {
                *end = Some(how);
                true
            }
            Some(_) => false,
        });
        self.line.dialect().close();
        self.sessions.close();
        self.client.close();
    }

    /// Sends all queued messages, and then closes the agent's input, because this client closes the connection.
    pub(crate) async fn finish(&self) {
        // Before the agent sees the end of its input, and ends.
        self.has_hung_up.store(true, Ordering::Relaxed);
        let _ = timeout(self.options.grace, self.line.peer.finish()).await;
        self.line.peer.hang_up();
    }

    /// Closes the agent's input, because this client drops the connection.
    pub(crate) fn hang_up(&self) {
        self.has_hung_up.store(true, Ordering::Relaxed);
        self.line.peer.hang_up();
    }

    pub(crate) fn has_hung_up(&self) -> bool {
        self.has_hung_up.load(Ordering::Relaxed)
    }

    /// Remembers that the other side has sent the client's own first request.
    pub(crate) fn hears_itself(&self) {
        self.is_echo.store(true, Ordering::Relaxed);
    }

    /// Waits for the end of the connection.
    pub(crate) async fn closed(&self) -> End {
        let mut end = self.end.subscribe();
        match end.wait_for(Option::is_some).await {
            Ok(end) => end.clone().unwrap_or(End::HungUp),
            Err(_) => End::HungUp,
        }
    }

    /// Makes an error, with the agent's output outside of the protocol.
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        let stderr = self.stderr.as_ref().map(|tail| tail.text()).unwrap_or_default();
        Error::with(kind, stderr, self.junk.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// The error of a request that will get no answer. Waits a moment for the agent's exit and its last output.
    pub(crate) fn ended<'l>(&'l self, method: &'l str) -> Boxed<'l, Error> {
        Box::pin(async move {
            // Before the connection closes, the handlers at work have some time: see `Connection::open`.
            let bound = LAST_WORDS + self.options.grace / 2;
            let how = timeout(bound, self.closed()).await.unwrap_or(End::HungUp);
            if let Some(tail) = &self.stderr {
                let _ = timeout(LAST_WORDS, tail.ended()).await;
            }
            self.error(ErrorKind::Ended { method: method.to_owned(), how })
        })
    }

    /// The error of a request about a session that this client has closed or deleted.
    pub(crate) fn session_over(&self, method: &str) -> Error {
        self.error(ErrorKind::SessionOver { method: method.to_owned() })
    }

    pub(crate) fn unreadable(&self, method: &str, error: &serde_json::Error) -> Error {
        self.error(ErrorKind::Unreadable { method: method.to_owned(), problem: error.to_string() })
    }

    /// Reads the answer to `method`. The answer `null` counts as an empty object.
    pub(crate) fn read<T: DeserializeOwned>(&self, method: &str, answer: &RawValue) -> Result<T> {
        from_json(object_text(Some(answer))).map_err(|error| self.unreadable(method, &error))
    }

    pub(crate) fn timed_out(&self, method: &str, after: Duration) -> Error {
        self.error(ErrorKind::TimedOut { method: method.to_owned(), after })
    }

    /// The error of a request that the agent answered with an error, or with what cannot be read.
    pub(crate) fn refused(&self, method: &str, error: acp_peer::Error) -> Error {
        if method == methods::Initialize::NAME
            && let Some(supported) = supported_versions(&error)
        {
            return self.error(ErrorKind::Unsupported { supported, error });
        }
        let method = method.to_owned();
        // The refusal is this client's own, too.
        if method == methods::Initialize::NAME && self.is_echo.load(Ordering::Relaxed) {
            let problem = "it is the request itself: the program sends back what it reads, and is no agent".to_owned();
            return self.error(ErrorKind::Unreadable { method, problem });
        }
        if error.is_unreadable_answer() {
            return self.error(ErrorKind::Unreadable { method, problem: error.message().to_owned() });
        }
        if error.code() == acp_peer::Error::AUTH_REQUIRED {
            let methods = self.agent.get().map(|agent| agent.auth_methods.clone()).unwrap_or_default();
            return self.error(ErrorKind::AuthRequired { method, methods, error });
        }
        if error.is_in_doubt() {
            return self.error(ErrorKind::InDoubt { method, error });
        }
        self.error(ErrorKind::Refused { method, error })
    }

    /// Calls a method of the protocol if the agent offers it, and reads the answer.
    pub(crate) async fn call<M: Method>(&self, params: &M::Params) -> Result<M::Response>
    where
        M::Params: Sync,
    {
        self.gates()?.method(M::NAME)?;
        let answer = self.request(M::NAME, params).await?;
        self.read(M::NAME, &answer)
    }

    /// Sends a request, and waits for its answer within the time limit of the method.
    pub(crate) async fn request(&self, method: &str, params: &(impl Serialize + Sync)) -> Result<Box<RawValue>> {
        self.request_then(method, params, None).await
    }

    /// As [`Self::request`]. The reader gives the result to `keep` before it reads any later message.
    pub(crate) async fn request_then(
        &self,
        method: &str,
        params: &(impl Serialize + Sync),
        keep: Option<Keep>,
    ) -> Result<Box<RawValue>> {
        let send = |then: Then| self.line.request(method, params, then);
        self.answered(method, &send, keep).await
    }

    /// Sends a request when there is room for it, and waits for its answer.
    fn answered<'l>(
        &'l self,
        method: &'l str,
        send: &'l (dyn Fn(Then) -> u64 + Sync),
        keep: Option<Keep>,
    ) -> Boxed<'l, Result<Box<RawValue>>> {
        Box::pin(async move {
            let began = Instant::now();
            let _asking = self.gauge.ask();
            let (sender, answer) = oneshot::channel();
            let then: Then = Box::new(move |answer| {
                if let (Ok(result), Some(keep)) = (&answer, keep) {
                    keep(result);
                }
                let _ = sender.send(answer.map(ToOwned::to_owned));
            });
            self.room(method).await?;
            let bound = self.options.timeout(method);
            let id = send(then);
            let _withdraw = Withdraw { line: &self.line, id };
            match timeout(bound.saturating_sub(began.elapsed()), answer).await {
                Ok(Ok(Ok(result))) => Ok(result),
                Ok(Ok(Err(error))) => Err(self.refused(method, error)),
                Ok(Err(_)) => Err(self.ended(method).await),
                Err(_) => Err(self.timed_out(method, bound)),
            }
        })
    }

    /// Waits until there is room for a request, within the time limit of its method.
    pub(crate) async fn room(&self, method: &str) -> Result<()> {
        let after = self.options.timeout(method);
        match timeout(after, self.line.peer.room(Address::Connection)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(self.ended(method).await),
            Err(_) => Err(self.error(ErrorKind::Unsent { method: method.to_owned(), after })),
        }
    }
}

/// Withdraws a request if it is dropped before the answer.
struct Withdraw<'l> {
    line: &'l Line,
    id: u64,
}

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        self.line.give_up(self.id);
    }
}
