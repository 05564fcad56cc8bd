//! The connection to one client. It passes the client's messages to the agent's handlers, and sends the handlers'
//! messages.

use std::{any::Any, sync::Arc};

use tracing::Instrument;

use super::{
    context::Life,
    contract::{Handlers, KeptAgent},
    initialize::Handshake,
    options::ServeOptions,
    shutdown,
};
use crate::{
    TARGET,
    client::line::Line,
    dialect::{self, Dialects},
    rpc::{self, CancellationToken, Dispatcher, Peer},
    session::{WorkingDirectories, table::Sessions, waiting::Waiting},
    transport::{Source, Transport},
    wire::Result,
};

/// An agent and the client that it serves.
pub(crate) struct Connection<A: Handlers> {
    pub(crate) agent: KeptAgent<A>,
    pub(crate) sessions: Sessions<A::Config, A::Session>,
    pub(crate) line: Arc<Line>,
    /// For the functions that run beside calls.
    pub(crate) life: Option<Arc<Life<A>>>,
    /// The [`Waiting`] of an agent whose prompts may wait for their turn. The programs of other agents need not drop one.
    pub(crate) waiting: Option<Box<dyn Any + Send + Sync>>,
    /// The store of an agent that declares one. The programs of other agents need not drop one.
    pub(crate) stored: Option<Box<dyn Any + Send + Sync>>,
    /// The dialects that `initialize` can choose from.
    pub(crate) dialects: Dialects,
    /// Only for an agent with a handler of `initialize`.
    pub(crate) handshake: Handshake,
}

/// Serves a client until it hangs up, or until the agent shuts down.
pub(crate) async fn serve<A: Handlers>(
    agent: KeptAgent<A>,
    transport: impl Transport + Send,
    options: ServeOptions,
    shutdown: CancellationToken,
) -> Result<()> {
    let span = tracing::debug_span!(target: TARGET, "connection");
    run::<A>(agent, transport, options, shutdown, dialect::ALL).instrument(span).await
}

pub(crate) async fn run<A: Handlers>(
    agent: KeptAgent<A>,
    transport: impl Transport + Send,
    options: ServeOptions,
    shutdown: CancellationToken,
    dialects: Dialects,
) -> Result<()> {
    let ServeOptions { limits, shutdown_timeout } = options;
    let (source, outbox) = transport.open(&limits)?;
    tracing::debug!(target: TARGET, "connection open");
    let line = Line::new(Peer::new(outbox.clone(), &limits));
    let life = Life::of();
    if const { A::IDENTITY.resolves_paths() } {
        line.resolve_by(Box::<WorkingDirectories>::default());
    }
    let mut waiting: Option<Box<dyn Any + Send + Sync>> = None;
    if const { A::IDENTITY.queues() } {
        waiting = Some(Box::new(Waiting::new(limits.waiting_prompts)));
    }
    let stored = Connection::<A>::store_of(&agent);
    let (sessions, handshake) = (Sessions::default(), Handshake::default());
    let connection = Arc::new(Connection::<A> { agent, sessions, line, life, waiting, stored, dialects, handshake });
    let mut dispatcher = Dispatcher::new(connection.clone(), limits.line_bytes);
    let read = Box::pin(source.run(&mut dispatcher, &outbox));
    rpc::serve(&connection, shutdown::read_until(shutdown, read), shutdown_timeout).await
}
