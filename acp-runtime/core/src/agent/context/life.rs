//! The life of a session beyond its calls: `session_opened` begins behind the answer that opens the session, and is dropped
//! with the session. `session_ended` runs once for each session.
//!
//! The call that takes a session out of the table runs `session_ended`, so no second one can. When the client is gone, each
//! session that is left is ended as by a call: behind the calls that open or end it, and behind its turn.

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::time::Instant;

use super::{CallContext, Kept};
use crate::{
    agent::{
        commands,
        connection::Connection,
        contract::{AgentDeclaration, Handlers, SessionEvent},
        methods::Handled,
    },
    client::line::Line,
    rpc::CancellationToken,
    session::{Ended, Opened, Session},
    wire::{Error, Result},
};

/// What runs beside the calls of one connection. An agent whose sessions have no such functions has no such value.
pub(crate) struct Life<A: Handlers> {
    beside: Mutex<Beside>,
    /// Sessions whose end nobody was there to tell of. They are told of when the client is gone.
    late: Mutex<Vec<Late<A>>>,
    /// Set when the time for the ends of sessions is over.
    over: CancellationToken,
}

/// A session that has ended, and how.
type Late<A> = (Arc<Session<<A as AgentDeclaration>::Config, <A as AgentDeclaration>::Session>>, Ended);

#[derive(Default)]
struct Beside {
    /// The client is gone: nothing begins any more.
    gone: bool,
    /// The sessions that are left are ending.
    parting: bool,
    /// The running `session_opened`s, by the addresses of their sessions.
    opened: HashMap<usize, Running>,
}

/// The `session_opened`s of one session: the one that runs, and earlier ones that are being dropped.
#[derive(Default)]
struct Running {
    alive: usize,
    /// Drops the one that runs.
    stop: CancellationToken,
    /// Set when all are dropped.
    stopped: CancellationToken,
}

/// Whether the agent has one of these functions. In `const { .. }`, it keeps their code out of the programs of others.
pub(crate) const fn has_life<A: Handlers>() -> bool {
    A::SESSION_OPENED.is_some() || A::SESSION_ENDED.is_some()
}

impl<A: Handlers> Life<A> {
    pub(crate) fn of() -> Option<Arc<Self>> {
        if const { !has_life::<A>() } {
            return None;
        }
        let life = Self { beside: Mutex::default(), late: Mutex::default(), over: CancellationToken::new() };
        Some(Arc::new(life))
    }

    /// Registers the `session_opened` of a session, in the place of an earlier one, which ends. `None` if the client is gone.
    fn begin(self: &Arc<Self>, session: &Arc<Session<A::Config, A::Session>>) -> Option<Begun<A>> {
        let (key, stop) = (Arc::as_ptr(session).addr(), CancellationToken::new());
        let mut beside = self.lock();
        if beside.gone {
            return None;
        }
        let running = beside.opened.entry(key).or_default();
        running.alive += 1;
        let earlier = mem::replace(&mut running.stop, stop.clone());
        drop(beside);
        earlier.cancel();
        // The end of the session may have come before: then it did not see the entry.
        if session.handle.options_in_force().is_over() {
            stop.cancel();
        }
        Some(Begun { life: self.clone(), key, stop })
    }

    /// Drops the `session_opened` of a session that has ended.
    fn end(&self, session: &Arc<Session<A::Config, A::Session>>) {
        let stop = self.lock().opened.get(&Arc::as_ptr(session).addr()).map(|running| running.stop.clone());
        if let Some(stop) = stop {
            stop.cancel();
        }
    }

    /// Waits until no `session_opened` of a session is left.
    async fn ended(&self, session: &Arc<Session<A::Config, A::Session>>) {
        let stopped = self.lock().opened.get(&Arc::as_ptr(session).addr()).map(|running| running.stopped.clone());
        if let Some(stopped) = stopped {
            stopped.cancelled().await;
        }
    }

    /// The client is gone: drops every `session_opened`.
    pub(crate) fn abandon(&self) {
        let mut beside = self.lock();
        beside.gone = true;
        let stops: Vec<_> = beside.opened.values().map(|running| running.stop.clone()).collect();
        drop(beside);
        for stop in stops {
            stop.cancel();
        }
    }

    /// Waits until every `session_opened` is dropped.
    async fn stopped(&self) {
        let all: Vec<_> = self.lock().opened.values().map(|running| running.stopped.clone()).collect();
        for stopped in all {
            stopped.cancelled().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Beside> {
        self.beside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn late(&self) -> MutexGuard<'_, Vec<Late<A>>> {
        self.late.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A `session_opened`, until it is dropped.
pub(crate) struct Begun<A: Handlers> {
    life: Arc<Life<A>>,
    key: usize,
    stop: CancellationToken,
}

impl<A: Handlers> Drop for Begun<A> {
    fn drop(&mut self) {
        let mut beside = self.life.lock();
        let Some(running) = beside.opened.get_mut(&self.key) else { return };
        running.alive -= 1;
        if running.alive == 0 {
            let running = beside.opened.remove(&self.key);
            drop(beside);
            if let Some(running) = running {
                running.stopped.cancel();
            }
        }
    }
}

impl<A: Handlers> Connection<A> {
    /// `None`, as the compiler knows, for an agent without these functions.
    #[inline]
    pub(crate) fn life(&self) -> Option<&Arc<Life<A>>> {
        if const { has_life::<A>() } { self.life.as_ref() } else { None }
    }

    /// Ends a session; false if another call was first.
    pub(super) fn end(&self, session: &Arc<Session<A::Config, A::Session>>) -> bool {
        let first = self.sessions.end(session);
        if const { has_life::<A>() }
            && let Some(life) = self.life()
        {
            life.end(session);
        }
        first
    }

    /// Ends a session whose ending call is over. Any thread of the author's may call this.
    pub(super) fn end_late(&self, session: &Arc<Session<A::Config, A::Session>>, end: Ended) {
        if self.end(session)
            && const { A::SESSION_ENDED.is_some() }
            && let Some(life) = self.life()
        {
            life.late().push((session.clone(), end));
        }
    }

    /// The client is gone: waits until the handlers have ended, and the sessions with them.
    pub(crate) async fn part(self: &Arc<Self>, life: &Life<A>, deadline: Instant) {
        // Also if this future is dropped.
        let _over = life.over.clone().drop_guard();
        if let Some(run) = A::SESSION_ENDED {
            life.lock().parting = true;
            for session in self.sessions.active() {
                self.disconnect(&session);
            }
            for (session, end) in mem::take(&mut *life.late()) {
                run(SessionEvent::ended(CallContext::of_session(self.clone(), &session), end, life.over.clone()));
            }
        }
        self.line.tasks.drain(deadline).await;
        // They were told to stop. A function that blocks its thread does not keep the process.
        let _ = tokio::time::timeout_at(deadline, life.stopped()).await;
    }

    /// Ends a session that the client has left.
    fn disconnect(self: &Arc<Self>, session: &Arc<Session<A::Config, A::Session>>) {
        let (Some(run), Some(life)) = (A::SESSION_ENDED, self.life()) else { return };
        let mut context = CallContext::new(self.clone());
        context.announce(session.handle.id(), true);
        run(SessionEvent::ended(context, Ended::Disconnected, life.over.clone()));
    }
}

/// The function that runs behind the answer to a call.
pub(crate) enum Follows<A: Handlers> {
    Opened(Arc<Connection<A>>, Opened),
    Ended(Arc<Connection<A>>, Ended),
}

impl<A: Handlers> CallContext<A> {
    /// The context of a function that no message calls.
    fn of_session(connection: Arc<Connection<A>>, session: &Arc<Session<A::Config, A::Session>>) -> Self {
        let mut context = Self::new(connection);
        context.enter(session.handle.id(), session.clone());
        context
    }

    /// The function that runs behind the answer to this call.
    #[inline]
    pub(crate) fn follows<M: Handled<A>>(&self, well: bool) -> Option<Follows<A>> {
        if const { A::SESSION_OPENED.is_some() }
            && let Some(how) = M::OPENS
        {
            let how = if const { A::STORE.is_some() } { self.restored_by().unwrap_or(how) } else { how };
            return well.then(|| Follows::Opened(self.connection.clone(), how));
        }
        if const { A::SESSION_ENDED.is_some() }
            && let Some(end) = M::ENDS
        {
            let is_over = self.kept.ending.is_some() && self.session.is_some();
            return is_over.then(|| Follows::Ended(self.connection.clone(), end));
        }
        None
    }

    /// Keeps a session that was opened, if something follows the answer. A session that opens when the client is gone
    /// ends at once.
    #[inline]
    pub(super) fn opened(&mut self, session: Arc<Session<A::Config, A::Session>>) {
        if const { A::SESSION_ENDED.is_some() } && self.connection.life().is_some_and(|life| life.lock().parting) {
            self.connection.disconnect(&session);
        }
        if A::SESSION_OPENED.is_some() || commands::has_some::<A>() {
            self.session = Some(session);
        }
    }

    /// Another call has ended the session: this one runs nothing behind its answer.
    #[inline]
    pub(super) fn ended_before(&mut self) {
        if A::SESSION_ENDED.is_some() {
            self.session = None;
        }
    }

    /// Waits until `session_ended` may run: the session is over, and nothing else of it runs.
    pub(crate) async fn ended(&mut self) -> Result<()> {
        // A session that the client has left is still in the table.
        if self.session.is_none() {
            self.begin_ending().await;
            if !self.session.as_ref().is_some_and(|session| self.connection.end(session)) {
                return Err(Error::request_cancelled());
            }
        }
        if let (Some(life), Some(session)) = (self.connection.life(), &self.session) {
            life.ended(session).await;
        }
        if self.cancel.is_cancelled() { Err(Error::request_cancelled()) } else { Ok(()) }
    }

    pub(crate) fn line(&self) -> &Arc<Line> {
        &self.connection.line
    }
}

impl<A: Handlers> Follows<A> {
    /// Called when the call is answered.
    pub(crate) fn start(self, kept: &mut Kept<A>) {
        let Some(session) = &kept.session else { return };
        match self {
            Self::Opened(connection, how) => {
                let Some(begun) = connection.life().and_then(|life| life.begin(session)) else { return };
                let mut context = CallContext::of_session(connection, session);
                context.cancel = begun.stop.clone();
                if let Some(run) = A::SESSION_OPENED {
                    run(SessionEvent::opened(context, how, begun));
                }
            }
            Self::Ended(connection, end) => {
                let (Some(run), Some(life)) = (A::SESSION_ENDED, connection.life().cloned()) else { return };
                let mut context = CallContext::of_session(connection, session);
                context.ending = kept.ending.take();
                // Calls that open or end the session wait for its function, too.
                context.transition = kept.transition.take();
                context.kept.turn = kept.turn.take();
                run(SessionEvent::ended(context, end, life.over.clone()));
            }
        }
    }
}
