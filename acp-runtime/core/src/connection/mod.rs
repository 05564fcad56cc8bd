//! One client: what it sends goes to the agent's handlers, what they say goes out.

pub(crate) mod admission;
pub(crate) mod calls;
mod dispatch;
mod initialize;
pub(crate) mod link;
pub(crate) mod outbox;
pub(crate) mod params;
pub(crate) mod pending;
pub(crate) mod place;
pub(crate) mod tasks;

use std::sync::Arc;

use calls::Calls;
use dispatch::Dispatcher;
use link::Link;
use tasks::Tasks;
use tracing::Instrument;

use crate::{
    TARGET,
    agent::{Handlers, ServeOptions},
    session::table::Sessions,
    transport::{Outbox, Source, Transport},
    wire::Result,
};

/// An agent and the client it serves.
pub(crate) struct Connection<A: Handlers> {
    pub(crate) agent: Arc<A>,
    pub(crate) sessions: Sessions<A>,
    pub(crate) link: Arc<Link>,
    pub(crate) calls: Calls,
    pub(crate) tasks: Tasks,
}

impl<A: Handlers> Connection<A> {
    fn abandon(&self) {
        self.link.pending.close();
        self.sessions.cancel_all();
    }
}

/// What holds also where serving is given up in the middle.
struct AtEnd<'c, A: Handlers> {
    connection: &'c Connection<A>,
    outbox: &'c Outbox,
}

impl<A: Handlers> Drop for AtEnd<'_, A> {
    fn drop(&mut self) {
        self.connection.abandon();
        self.outbox.close();
    }
}

/// Serves a client until it hangs up.
pub(crate) async fn serve<A: Handlers>(
    agent: A,
    transport: impl Transport + Send,
    options: ServeOptions,
) -> Result<()> {
    let span = tracing::debug_span!(target: TARGET, "connection");
    run(Arc::new(agent), transport, options).instrument(span).await
}

async fn run<A: Handlers>(agent: Arc<A>, transport: impl Transport + Send, options: ServeOptions) -> Result<()> {
    let ServeOptions { limits, patience } = options;
    let (source, outbox) = transport.open(&limits)?;
    tracing::debug!(target: TARGET, "connection open");
    let connection = Arc::new(Connection {
        agent,
        sessions: Sessions::default(),
        link: Link::new(outbox.clone()),
        calls: Calls::default(),
        tasks: Tasks::new(outbox.clone(), limits.handlers),
    });
    let _end = AtEnd { connection: &connection, outbox: &outbox };
    let mut dispatcher = Dispatcher { connection: connection.clone(), line_limit: limits.line_bytes };
    let read = source.run(&mut dispatcher, &outbox).await;
    // Nobody is left to answer the agent's questions, and nobody wants the turns' work.
    connection.abandon();
    let deadline = tokio::time::Instant::now() + patience;
    connection.tasks.drain(deadline).await;
    // A client that neither reads nor hangs up does not keep the process. One that reads is not slow to take what is
    // left, so handlers that use up all the time do not cost it the last messages.
    let deadline = deadline.max(tokio::time::Instant::now() + patience / 8);
    if tokio::time::timeout_at(deadline, outbox.finish()).await.is_err() {
        tracing::warn!(target: TARGET, "the client did not read the last messages");
        outbox.close();
    }
    tracing::debug!(target: TARGET, "connection closed");
    // Answers that nobody gets are worse than a bad end of the input.
    match outbox.failure() {
        Some(unwritable) => Err(unwritable.into()),
        None => read.map_err(Into::into),
    }
}
