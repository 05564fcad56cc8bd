//! The connection to one client. It passes the client's messages to the agent's handlers, and sends the handlers'
//! messages.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tracing::Instrument;

use super::{
    contract::{Handlers, KeptAgent},
    host::{Host, PartsOfConnection, SessionOf},
    initialize::Handshake,
    options::ServeOptions,
    parts::Part,
    shutdown,
};
use crate::{
    TARGET,
    client::line::Line,
    dialect::{self, Dialects},
    rpc::{self, CancellationToken, Dispatcher, Peer},
    session::{Ended, Opened},
    transport::{Limits, Source, Transport},
    wire::Result,
};

/// A client, and the host that serves it.
pub struct Connection<A: Handlers> {
    pub(crate) host: Arc<Host<A>>,
    pub(crate) line: Arc<Line>,
    /// What the agent's parts have of this connection.
    pub(crate) parts: PartsOfConnection<A>,
    pub(crate) limits: Limits,
    /// The client is gone.
    is_parting: AtomicBool,
    /// The dialects that `initialize` can choose from.
    pub(crate) dialects: Dialects,
    /// Only for an agent with a handler of `initialize`.
    pub(crate) handshake: Handshake,
}

impl<A: Handlers> Connection<A> {
    /// The client has been told of a session that was opened.
    pub(super) fn tell_opened(self: &Arc<Self>, session: &Arc<SessionOf<A>>, how: Opened) {
        self.host.parts.opened_for((session.parts(), &self.parts), self, session, how);
    }

    /// A session stands in the table. If the client is gone, the session ends at once.
    pub(super) fn has_opened(self: &Arc<Self>, session: &Arc<SessionOf<A>>) {
        if self.is_parting.load(Ordering::SeqCst) {
            self.host.parts.disconnects((session.parts(), &self.parts), self, session);
        }
    }

    /// A session ends late: the call that ended it has failed, and its state was taken nevertheless.
    pub(super) fn end_late(&self, session: &Arc<SessionOf<A>>, end: Ended) {
        if self.host.end(session) {
            A::Parts::ended_late((session.parts(), &self.parts), session, end);
        }
    }

    /// The client is gone, and so are its sessions.
    pub(super) fn part(self: &Arc<Self>) {
        self.is_parting.store(true, Ordering::SeqCst);
        for session in self.host.sessions.active() {
            self.host.parts.disconnects((session.parts(), &self.parts), self, &session);
        }
        self.host.parts.parts(&self.parts, self);
    }
}

/// Serves a client until it hangs up, or until the agent shuts down.
pub(crate) async fn serve<A: Handlers>(
    agent: KeptAgent<A>,
    transport: impl Transport + Send,
    options: ServeOptions,
    shutdown: CancellationToken,
) -> Result<()> {
    let span = tracing::debug_span!(target: TARGET, "connection");
    run::<A>(Host::new(agent), transport, options, shutdown, dialect::ALL).instrument(span).await
}

pub(crate) async fn run<A: Handlers>(
    host: Arc<Host<A>>,
    transport: impl Transport + Send,
    options: ServeOptions,
    shutdown: CancellationToken,
    dialects: Dialects,
) -> Result<()> {
    let ServeOptions { limits, shutdown_timeout } = options;
    let (source, outbox) = transport.open(&limits)?;
    tracing::debug!(target: TARGET, "connection open");
    let line = Line::new(Peer::new(outbox.clone(), &limits));
    let max = limits.line_bytes;
    let connection = Arc::new(Connection::<A> {
        host,
        line,
        parts: Default::default(),
        limits,
        is_parting: AtomicBool::new(false),
        dialects,
        handshake: Handshake::default(),
    });
    let mut dispatcher = Dispatcher::new(connection.clone(), max);
    let read = Box::pin(source.run(&mut dispatcher, &outbox));
    rpc::serve(&connection, shutdown::read_until(shutdown, read), shutdown_timeout).await
}
