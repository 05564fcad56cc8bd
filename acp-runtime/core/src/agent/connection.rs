//! The connection to one client. It passes the client's messages to the agent's handlers, and sends the handlers'
//! messages.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tracing::Instrument;

use super::{forget::Unfollowed, options::ServeOptions, shutdown};
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
    transport::{Principal, Source, Transport},
    wire::{Error, Result},
};

impl<A: Handlers> Connection<A> {
    /// The client has been told of a session that was opened.
    pub(super) fn tell_opened(self: &Arc<Self>, session: &Arc<SessionOf<A>>, how: OpenedBy) {
        self.host.parts.opened_for((session.parts(), &self.parts), self, session, how);
    }

    /// A session stands in the table. If the client is gone, the session ends at once.
    pub(super) fn has_opened(self: &Arc<Self>, session: &Arc<SessionOf<A>>) {
        if self.is_departing.load(Ordering::SeqCst) {
            self.host.parts.disconnects((session.parts(), &self.parts), self, session);
        }
        if self.is_over.load(Ordering::SeqCst) {
            session.handle.output().part_from(&self.line);
            if self.ends_sessions() {
                self.host.end(session);
            }
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
        !self.is_one_of_many || session.handle.output().is_told_to(&self.line)
    }

    /// Whether the session may be one of this connection: both have the same principal, or none.
    pub(super) fn may_open(&self, session: &SessionOf<A>) -> bool {
        session.handle.output().principal() == self.context.get::<Principal>()
    }

    /// Whether no client has the session any more, and this one may open it.
    pub(super) fn finds_left(&self, session: &SessionOf<A>) -> bool {
        session.handle.output().is_left() && self.may_open(session)
    }

    /// Whether other clients follow the session, and this one may come to them.
    pub(super) fn may_follow(&self, session: &SessionOf<A>) -> bool {
        let others = session.handle.output().followers().is_some_and(|followers| followers.count() > 0);
        others && !self.has(session) && self.may_open(session)
    }

    /// The client follows a session that others have. If the client is gone, it follows nothing.
    pub(super) fn has_followed(&self, session: &SessionOf<A>) {
        if self.is_over.load(Ordering::SeqCst) {
            session.handle.output().part_from(&self.line);
        }
    }

    /// The sessions of this connection.
    pub(super) fn sessions(&self) -> impl Iterator<Item = Arc<SessionOf<A>>> {
        self.host.sessions.active().into_iter().filter(|session| self.has(session))
    }

    /// Whether the sessions of this connection end with it. In a host of many, other clients may open them again.
    fn ends_sessions(&self) -> bool {
        !self.is_one_of_many || !const { Hosted::<A>::REOPENS }
    }

    /// The sessions that end with this connection.
    pub(super) fn ending_sessions(&self) -> impl Iterator<Item = Arc<SessionOf<A>>> {
        self.sessions().filter(|_| self.ends_sessions())
    }

    /// Nothing is read any more: cancels the turns, and what waits. What other clients follow goes on.
    pub(super) fn cancel_all(&self) {
        self.sessions()
            .filter(|session| !session.handle.output().has_others_than(&self.line))
            .for_each(|session| session.cancel());
    }

    /// The client is gone. So are its sessions, unless another client may open them again.
    pub(super) fn depart(self: &Arc<Self>) {
        self.is_departing.store(self.ends_sessions(), Ordering::SeqCst);
        for session in self.ending_sessions() {
            #[cfg(feature = "v2")]
            session.handle.output().cancel_background();
            self.host.parts.disconnects((session.parts(), &self.parts), self, &session);
        }
        self.host.parts.departs(&self.parts, self);
    }
}

/// The connection to one client of a host with many. Its drop ends the sessions that nobody can open again.
struct Departed<'c, A: Handlers>(&'c Connection<A>);

impl<A: Handlers> Drop for Departed<'_, A> {
    fn drop(&mut self) {
        let Self(connection) = self;
        if !connection.is_one_of_many {
            return;
        }
        connection.is_over.store(true, Ordering::SeqCst);
        if connection.ends_sessions() {
            for session in connection.ending_sessions() {
                connection.host.end(&session);
            }
        }
        connection.sessions().for_each(|session| session.handle.output().part_from(&connection.line));
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
    run::<A>((Hosted::new(agent), None), transport, options, shutdown, dialect::ALL).instrument(span).await
}

/// Serves one of the clients of a host.
pub(crate) async fn serve_one<A: Handlers>(
    host: Arc<Hosted<A>>,
    transport: impl Transport + Send,
    options: ServeOptions,
    unfollowed: Arc<Unfollowed>,
    shutdown: CancellationToken,
) -> Result<()> {
    let span = tracing::debug_span!(target: TARGET, "connection");
    let leaves: Leaves<A> = Box::new(|connection, time| connection.forget_behind(time, unfollowed));
    run::<A>((host, Some(leaves)), transport, options, shutdown, dialect::ALL).instrument(span).await
}

/// What a connection leaves behind it in a host of many. A program without such a host has no code of it.
pub(crate) type Leaves<A> = Box<dyn FnOnce(&Arc<Connection<A>>, Duration) + Send>;

/// `leaves` is given for one of the clients of a host of many.
pub(crate) async fn run<A: Handlers>(
    (host, leaves): (Arc<Hosted<A>>, Option<Leaves<A>>),
    transport: impl Transport + Send,
    options: ServeOptions,
    shutdown: CancellationToken,
    dialects: Dialects,
) -> Result<()> {
    let ServeOptions { limits, shutdown_timeout, versions, unfollowed_timeout, hand_over_timeout } = options;
    let dialects = dialect::among(dialects, &versions)?;
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
        hand_over_timeout,
        context,
        is_one_of_many: leaves.is_some(),
        is_departing: AtomicBool::new(false),
        is_over: AtomicBool::new(false),
        dialects,
        handshake: Handshake::default(),
        held: Held::default(),
    });
    let mut dispatcher = Dispatcher::new(connection.clone(), max);
    let read = Box::pin(source.run(&mut dispatcher, &outbox));
    let served = {
        let _departed = Departed(&connection);
        rpc::serve(&connection, shutdown::read_until(shutdown, read), shutdown_timeout).await
    };
    if let Some(leaves) = leaves
        && !connection.ends_sessions()
    {
        leaves(&connection, unfollowed_timeout);
    }
    served
}
