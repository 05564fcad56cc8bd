//! One client: what it sends goes to the agent's handlers, what they say goes out.

pub(crate) mod admission;
pub(crate) mod calls;
mod dispatch;
mod initialize;
pub(crate) mod link;
pub(crate) mod outbox;
pub(crate) mod pending;
pub(crate) mod place;
pub(crate) mod tasks;

use std::{sync::Arc, time::Duration};

use calls::Calls;
use dispatch::Dispatcher;
use link::Link;
use tasks::Tasks;

use crate::{
    agent::Handlers,
    session::table::Sessions,
    transport::{Limits, Source, Transport},
    wire::Result,
};

/// How long turns may take to end once the client has hung up. Clients kill the process after a second or two.
const PATIENCE: Duration = Duration::from_millis(800);

/// An agent and the client it serves.
pub(crate) struct Connection<A: Handlers> {
    pub(crate) agent: Arc<A>,
    pub(crate) sessions: Sessions<A>,
    pub(crate) link: Arc<Link>,
    pub(crate) calls: Calls,
    pub(crate) tasks: Tasks,
}

/// Serves a client until it hangs up.
pub(crate) async fn serve<A: Handlers>(
    agent: A,
    transport: impl Transport + Send + 'static,
    limits: Limits,
) -> Result<()> {
    // A task of its own: in `block_on` of a multi-thread runtime each message would cross threads.
    match tokio::spawn(run(Arc::new(agent), transport, limits)).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime is shutting down.
        Err(_) => Ok(()),
    }
}

async fn run<A: Handlers>(agent: Arc<A>, transport: impl Transport + Send, limits: Limits) -> Result<()> {
    let (source, outbox) = transport.open(&limits)?;
    tracing::debug!("connection open");
    let connection = Arc::new(Connection {
        agent,
        sessions: Sessions::default(),
        link: Link::new(outbox.clone()),
        calls: Calls::default(),
        tasks: Tasks::new(outbox.clone()),
    });
    let mut dispatcher = Dispatcher { connection: connection.clone(), line_limit: limits.line_bytes };
    let read = source.run(&mut dispatcher, &outbox).await;
    // Nobody is left to answer the agent's questions, and nobody wants the turns' work.
    connection.link.pending.close();
    connection.sessions.cancel_all();
    connection.tasks.drain(PATIENCE).await;
    // A client that neither reads nor hangs up does not keep the process.
    if tokio::time::timeout(PATIENCE, outbox.finish()).await.is_err() {
        tracing::warn!("the client did not read the last messages");
        outbox.close();
    }
    tracing::debug!("connection closed");
    read.map_err(Into::into)
}
