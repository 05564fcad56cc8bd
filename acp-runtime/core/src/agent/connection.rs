//! The connection to one client. It passes the client's messages to the agent's handlers, and sends the handlers'
//! messages.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tracing::Instrument;

use super::{options::ServeOptions, shutdown};
use crate::{
    TARGET,
    agent::{
        handshake::Handshake,
        held::Held,
        model::{Connection, Handlers, Hosted, KeptAgent, Part, SessionOf},
    },
    client::line::Line,
    dialect::{self, Dialects},
    rpc::{self, CancellationToken, Dispatcher, Peer},
    session::{Ended, OpenedBy},
    transport::{Source, Transport},
    wire::{Error, Result},
};

impl<A: Handlers> Connection<A> {
    /// The client has been told of a session that was opened.
    pub(super) fn tell_opened(self: &Arc<Self>, session: &Arc<SessionOf<A>>, how: OpenedBy) {
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

    /// An active session that this connection has.
    ///
    /// # Errors
    ///
    /// No session with this id is active, or another connection has it.
    pub(super) fn session(&self, id: &str) -> Result<Arc<SessionOf<A>>> {
        let session = self.host.sessions.get(id)?;
        if self.has(&session) { Ok(session) } else { Err(Error::session_not_found(id)) }
    }

    /// Whether the session is one of this connection.
    pub(super) fn has(&self, session: &SessionOf<A>) -> bool {
        !self.is_one_of_many || Arc::ptr_eq(&session.handle.output().line(), &self.line)
    }

    /// The sessions that end with this connection.
    pub(super) fn ending_sessions(&self) -> Vec<Arc<SessionOf<A>>> {
        if self.is_one_of_many { Vec::new() } else { self.host.sessions.active() }
    }

    /// Nothing is read any more: cancels the turns, and what waits.
    pub(super) fn cancel_all(&self) {
        for session in self.host.sessions.active().iter().filter(|session| self.has(session)) {
            session.cancel();
        }
    }

    /// The client is gone. So are its sessions, unless the host has them for other connections.
    pub(super) fn part(self: &Arc<Self>) {
        self.is_parting.store(!self.is_one_of_many, Ordering::SeqCst);
        for session in self.ending_sessions() {
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
    run::<A>((Hosted::new(agent), false), transport, options, shutdown, dialect::ALL).instrument(span).await
}

/// Serves one of the clients of a host.
pub(crate) async fn serve_one<A: Handlers>(
    host: Arc<Hosted<A>>,
    transport: impl Transport + Send,
    options: ServeOptions,
    shutdown: CancellationToken,
) -> Result<()> {
    let span = tracing::debug_span!(target: TARGET, "connection");
    run::<A>((host, true), transport, options, shutdown, dialect::ALL).instrument(span).await
}

pub(crate) async fn run<A: Handlers>(
    (host, is_one_of_many): (Arc<Hosted<A>>, bool),
    transport: impl Transport + Send,
    options: ServeOptions,
    shutdown: CancellationToken,
    dialects: Dialects,
) -> Result<()> {
    let ServeOptions { limits, shutdown_timeout } = options;
    let context = transport.context();
    let (source, outbox) = transport.open(&limits)?;
    tracing::debug!(target: TARGET, "connection open");
    let line = Line::new(Peer::new(outbox.clone(), &limits));
    let max = limits.line_bytes;
    let connection = Arc::new(Connection::<A> {
        host,
        line,
        parts: Default::default(),
        limits,
        context,
        is_one_of_many,
        is_parting: AtomicBool::new(false),
        dialects,
        handshake: Handshake::default(),
        held: Held::default(),
    });
    let mut dispatcher = Dispatcher::new(connection.clone(), max);
    let read = Box::pin(source.run(&mut dispatcher, &outbox));
    rpc::serve(&connection, shutdown::read_until(shutdown, read), shutdown_timeout).await
}
