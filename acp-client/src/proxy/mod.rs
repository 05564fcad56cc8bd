//! A proxy between a client and an agent: it passes messages on unchanged, and lets you read or change them.
//!
//! A short proxy that writes each prompt to stderr:
//!
//! ```no_run
//! use acp_client::{proxy::{Pass, Proxy}, transport::Stdio};
//! use tokio::process::Command;
//!
//! # async fn run() -> std::io::Result<()> {
//! let proxy = Proxy::new().from_client("session/prompt", |message| {
//!     eprintln!("{}", message.text());
//!     Pass::On
//! });
//! proxy.run_program(Stdio::take()?, Command::new("coder")).await?;
//! # Ok(())
//! # }
//! ```
//!
//! # Messages
//!
//! The proxy passes a message on byte by byte, including parts that neither this crate nor the protocol knows. Only the
//! `id` changes: when the proxy passes a request on, it replaces the request's `id` by a number of its own. For an
//! answer, and for the id in `$/cancel_request`, the proxy restores the original id. The proxy decodes a message only
//! if a hook reads it.
//!
//! The proxy does not pass on a line that is no message. A client gets an error for such a line, as from an agent.
//! Banners and log lines of an agent are ignored.
//!
//! If a hook panics, the proxy goes on. The request, or the answer, becomes an error (-32603), and a notification is
//! dropped.
//!
//! # Backpressure
//!
//! If one side does not read, the proxy keeps up to [`Limits::unsent_soft_bytes`](crate::transport::Limits) and one
//! message for this side. Then the proxy stops reading from the other side until there is room. The two directions do
//! not wait for each other.
//!
//! # The end
//!
//! When one side has ended, the other side first gets all its messages. Then the proxy closes the other side. Some
//! clients first write all requests, close their output, and then read. For these, open requests are still answered
//! within [`grace`](Proxy::grace).
//!
//! [`run_program`](Proxy::run_program) also ends the agent's process, in the same steps as an
//! [`Endpoint`](crate::Endpoint): it closes the agent's input, then tells the agent to end, then kills it, with a grace
//! after each of the first two steps. Each step concerns all processes that the agent has started. If you start the
//! agent yourself and call [`run`](Proxy::run), its end is your part. In particular, tokio's `kill_on_drop` gives the
//! agent no time to save its work.

mod hook;
mod open;
mod side;
mod splice;

use std::{
    collections::HashMap,
    fmt,
    future::pending,
    io,
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use acp_peer::{Peer, rpc::after};
use tokio::{
    process::Command,
    time::{Instant, sleep, timeout_at},
};

pub use self::hook::{Pass, Passing, Side};
use self::side::{Half, Reader, Shared};
use crate::{
    ErrorKind, Signals, Stderr,
    process::Process,
    transport::{Limits, Source, Transport},
};

type Hook = Box<dyn Fn(&Passing<'_>) -> Pass + Send + Sync>;
type Watch = Box<dyn Fn(Side, &[u8]) + Send + Sync>;

/// The rules of a proxy: hooks and bounds. See [the module](self).
#[must_use = "a proxy does nothing before it runs"]
pub struct Proxy {
    client: HashMap<String, Hook>,
    agent: HashMap<String, Hook>,
    answers: HashMap<String, Hook>,
    watch: Option<Watch>,
    limits: Limits,
    grace: Duration,
}

impl Default for Proxy {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { client, agent, answers, watch, limits, grace } = self;
        f.debug_struct("Proxy")
            .field("client", &client.keys())
            .field("agent", &agent.keys())
            .field("answers", &answers.keys())
            .field("watch", &watch.is_some())
            .field("limits", limits)
            .field("grace", grace)
            .finish()
    }
}

impl Proxy {
    /// A proxy without hooks, which passes every message on.
    pub fn new() -> Self {
        let (client, agent, answers) = Default::default();
        Self { client, agent, answers, watch: None, limits: Limits::new(), grace: Duration::from_secs(2) }
    }

    /// Adds a hook for the client's requests and notifications of a method. The hook runs in the reader of messages, so
    /// it must not wait.
    ///
    /// ```
    /// use acp_client::proxy::{Pass, Proxy};
    /// use acp_client::handlers::Error;
    ///
    /// // Nobody logs out through here.
    /// let proxy = Proxy::new().from_client("logout", |_| Pass::Refuse(Error::method_not_found("logout")));
    /// # let _ = proxy;
    /// ```
    pub fn from_client(
        mut self,
        method: impl Into<String>,
        hook: impl Fn(&Passing<'_>) -> Pass + Send + Sync + 'static,
    ) -> Self {
        self.client.insert(method.into(), Box::new(hook));
        self
    }

    /// Adds a hook for the agent's requests and notifications of a method. The hook runs in the reader of messages, so
    /// it must not wait.
    pub fn from_agent(
        mut self,
        method: impl Into<String>,
        hook: impl Fn(&Passing<'_>) -> Pass + Send + Sync + 'static,
    ) -> Self {
        self.agent.insert(method.into(), Box::new(hook));
        self
    }

    /// Adds a hook for the answers to a method, from either side: results and errors. [`Pass::As`] changes a result and leaves an
    /// error as it is; [`Pass::Answer`] replaces both. The hook runs in the reader of messages, so it must not wait.
    pub fn answers(
        mut self,
        method: impl Into<String>,
        hook: impl Fn(&Passing<'_>) -> Pass + Send + Sync + 'static,
    ) -> Self {
        self.answers.insert(method.into(), Box::new(hook));
        self
    }

    /// Adds a function that sees every line before it is parsed, for example to record a conversation.
    pub fn watch(mut self, watch: impl Fn(Side, &[u8]) + Send + Sync + 'static) -> Self {
        self.watch = Some(Box::new(watch));
        self
    }

    /// Sets the bounds of both connections. `concurrent_handlers` limits the unanswered requests of each side; further requests
    /// are refused.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the time limits at the end: for the open answers, for a side to read its last messages, and for each step of
    /// the end of a program. The default of each is 2 s.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Passes messages on until one side has ended. Returns that side after the other one is closed.
    ///
    /// # Errors
    ///
    /// A transport could not be opened, or reading from it failed. The other side was closed properly.
    pub async fn run(self, client: impl Transport, agent: impl Transport) -> io::Result<Side> {
        self.pass(client, agent, pending()).await
    }

    /// Starts an agent's program, and passes messages on until one side has ended. Returns that side when no process of
    /// the agent is left: see [the end](self#the-end).
    ///
    /// The agent's stderr goes to the stderr of this program, as with [`Stderr::Forward`].
    ///
    /// # Errors
    ///
    /// The program cannot be started, or as those of [`run`](Self::run).
    pub async fn run_program(self, client: impl Transport, agent: impl Into<Command>) -> io::Result<Side> {
        let grace = self.grace;
        let started = Process::spawn(agent.into(), Stderr::Forward, Signals::default(), grace);
        let (mut process, pipes) = started.map_err(|error| match error.kind() {
            ErrorKind::Start { error: cause, .. } => io::Error::new(cause.kind(), error.to_string()),
            _ => io::Error::other(error.to_string()),
        })?;
        process.supervise_for_proxy();
        let mut watch = process.watch();
        let gone = async move {
            watch.ended().await;
            // Another process may hold the agent's output open.
            sleep(grace).await;
        };
        let passed = self.pass(client, pipes, gone).await;
        // The caller of a proxy needs no exit status.
        let _ = process.end().await;
        passed
    }

    /// Passes messages on until one side has ended, or until the agent is `gone`.
    async fn pass(
        self,
        client: impl Transport,
        agent: impl Transport,
        gone: impl Future<Output = ()>,
    ) -> io::Result<Side> {
        let Self { client: of_client, agent: of_agent, answers, watch, limits, grace } = self;
        let (client_source, client_outbox) = client.open(&limits)?;
        let (agent_source, agent_outbox) = agent.open(&limits)?;
        let shared = Arc::new(Shared {
            client: Half::new(Peer::new(client_outbox.clone(), &limits), of_client),
            agent: Half::new(Peer::new(agent_outbox.clone(), &limits), of_agent),
            answers,
            watch,
            next: AtomicU64::default(),
            limits,
        });
        // Both sides are also closed if the caller drops this future.
        let _end = HangUp(&shared);
        let (mut client_reader, mut agent_reader) =
            (Reader::new(&shared, Side::Client), Reader::new(&shared, Side::Agent));
        let mut client_read = std::pin::pin!(client_source.run(&mut client_reader, &client_outbox));
        let mut agent_read = std::pin::pin!(agent_source.run(&mut agent_reader, &agent_outbox));
        let (first, read) = tokio::select! {
            read = &mut client_read => (Side::Client, read),
            read = &mut agent_read => (Side::Agent, read),
            () = gone => (Side::Agent, Ok(())),
        };
        tracing::debug!(from = ?first, "one side of the proxy has ended");
        let deadline = after(Instant::now(), grace);
        if first == Side::Client {
            let finish = async {
                // If the client's output is closed, no answer can reach the client.
                let unwanted = client_outbox.closed();
                tokio::select! {
                    () = shared.agent.open.is_empty() => {}
                    () = unwanted => {}
                    () = tokio::time::sleep_until(deadline) => {}
                }
                let deadline = after(Instant::now(), grace);
                let _ = timeout_at(deadline, shared.agent.peer.finish()).await;
            };
            // Meanwhile, the agent's messages are still passed on.
            tokio::select! {
                () = finish => {}
                _ = &mut agent_read => {}
            }
        }
        let _ = timeout_at(after(Instant::now(), grace), shared.client.peer.finish()).await;
        read.map(|()| first)
    }
}

/// Closes both sides when it is dropped.
struct HangUp<'s>(&'s Shared);

impl Drop for HangUp<'_> {
    fn drop(&mut self) {
        self.0.client.peer.hang_up();
        self.0.agent.peer.hang_up();
    }
}
