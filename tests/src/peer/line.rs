//! Lines to and from an agent, which is in memory or in a child process.

use std::{process::Stdio, time::Duration};

use acp_runtime::{
    __private::Threaded,
    agent::{Handlers, Host, Serve, ServeOptions},
    hooks::{Hooked, Hooks},
    transport::{
        Context, Limits, Transport,
        memory::{self, Memory},
    },
};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    process::{Child, Command},
    task::JoinHandle,
};

use super::ClosedSession;

/// The time limit for events that should come soon.
pub const SOON: Duration = Duration::from_secs(10);

/// Waits for an event that should come soon, and panics if it does not.
pub async fn soon<F: Future>(what: &str, work: F) -> F::Output {
    match tokio::time::timeout(SOON, work).await {
        Ok(output) => output,
        Err(_) => panic!("{what} did not come within {} s", SOON.as_secs()),
    }
}

enum Agent {
    Process(Child),
    Served(JoinHandle<acp_runtime::Result<()>>),
}

/// The two ends of an agent's pipes.
pub(super) struct Line {
    reader: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    /// `None` after the writer is closed.
    writer: Option<Box<dyn AsyncWrite + Send + Unpin>>,
    agent: Agent,
}

impl Line {
    pub(super) fn serve<A: Handlers<Threading = Threaded>>(agent: A, options: ServeOptions) -> Self {
        let (ours, theirs) = memory::pair();
        Self::served(ours, tokio::spawn(agent.serve(theirs, options)))
    }

    pub(super) fn serve_by<A: Handlers<Threading = Threaded> + Send + Sync>(
        host: &Host<A>,
        context: Context,
        options: ServeOptions,
    ) -> Self {
        let (ours, theirs) = memory::pair();
        Self::served(ours, tokio::spawn(host.serve(theirs.with_context(context), options)))
    }

    pub(super) fn serve_hooked<A: Handlers<Threading = Threaded>>(agent: A, hooks: impl Hooks, limits: Limits) -> Self {
        let (ours, theirs) = memory::pair();
        Self::served(ours, tokio::spawn(agent.serve(Hooked::new(theirs, hooks), limits)))
    }

    pub(super) fn serve_until<A: Handlers<Threading = Threaded>>(
        agent: A,
        signal: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        let (ours, theirs) = memory::pair();
        let serving = agent.serve(theirs, Limits::default()).with_graceful_shutdown(signal);
        Self::served(ours, tokio::spawn(serving))
    }

    pub(super) fn serve_local<A: Handlers>(agent: A) -> Self {
        let (ours, theirs) = memory::pair();
        Self::served(ours, tokio::task::spawn_local(agent.serve(theirs, Limits::default())))
    }

    fn served(ours: Memory, served: JoinHandle<acp_runtime::Result<()>>) -> Self {
        let (reader, writer) = tokio::io::split(ours.into_stream());
        Self { reader: BufReader::new(Box::new(reader)), writer: Some(Box::new(writer)), agent: Agent::Served(served) }
    }

    pub(super) fn spawn(program: &str, args: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child = command.spawn().unwrap_or_else(|error| panic!("`{program}` does not start: {error}"));
        let (reader, writer) = (child.stdout.take().expect("piped"), child.stdin.take().expect("piped"));
        Self { reader: BufReader::new(Box::new(reader)), writer: Some(Box::new(writer)), agent: Agent::Process(child) }
    }

    /// Sends bytes unchanged.
    pub(super) async fn send(&mut self, bytes: &[u8]) {
        let writer = self.writer.as_mut().expect("the line is open");
        let write = async {
            writer.write_all(bytes).await?;
            writer.flush().await
        };
        soon("room for a message", write).await.expect("the agent reads");
    }

    /// One line without its end; `None` when the agent has hung up.
    pub(super) async fn receive(&mut self) -> Option<String> {
        let mut line = Vec::new();
        let read = soon("a message", self.reader.read_until(b'\n', &mut line)).await.expect("the agent writes");
        if read == 0 {
            return None;
        }
        assert_eq!(line.pop(), Some(b'\n'), "the last line has no end");
        Some(String::from_utf8(line).expect("lines are UTF-8"))
    }

    pub(super) fn close(&mut self) {
        if let (Some(mut writer), Agent::Served(_)) = (self.writer.take(), &self.agent) {
            // Both halves share one stream, so a drop of this half does not end the stream.
            tokio::spawn(async move { writer.shutdown().await });
        }
    }

    pub(super) async fn ended(&mut self) -> ClosedSession {
        match &mut self.agent {
            Agent::Process(child) => {
                ClosedSession::Process(soon("the process's end", child.wait()).await.expect("a status"))
            }
            Agent::Served(served) => {
                ClosedSession::Served(soon("the end", served).await.expect("serving does not panic"))
            }
        }
    }
}
