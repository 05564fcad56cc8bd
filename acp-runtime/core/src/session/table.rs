//! The active sessions of an agent, by id, and the calls that open or end them.
//!
//! Calls that open or end one session (load, resume, close, delete) run one after the other, in the order of their
//! arrival. Each such call has a [`Transition`]. While a session has a transition, no turn can begin in the session. So
//! a load ends the session's turn, and no other turn runs beside the load. If a load arrives before a close, the close
//! also ends the loaded session.

use std::{
    borrow::Borrow,
    collections::{HashMap, HashSet},
    hash::{Hash, Hasher},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::live::{Session, TurnSlot};
use crate::{
    config::ConfigOptions,
    values::SessionId,
    wire::{Error, Result},
};

pub(crate) struct Sessions<C: ConfigOptions, S, P>(Arc<Mutex<Table<C, S, P>>>);

struct Table<C: ConfigOptions, S, P> {
    active: HashSet<ById<C, S, P>>,
    transitions: HashMap<SessionId, Queue>,
}

/// The calls that are opening or ending one session.
#[derive(Default)]
struct Queue {
    /// A fair lock: the calls get it in the order in which they wait.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// The number of these calls.
    calls: usize,
    /// The number of calls that are not concluded. While this number is not 0, no turn can begin.
    open: usize,
    /// The number of calls that end the session.
    ends: usize,
}

/// A call that opens or ends a session, active or not.
pub(crate) struct Transition<C: ConfigOptions, S, P> {
    sessions: Sessions<C, S, P>,
    id: SessionId,
    turn: Arc<tokio::sync::Mutex<()>>,
    ends: bool,
    concluded: bool,
}

/// The turn of a [`Transition`]: its drop gives the turn to the next transition.
pub(crate) type TransitionTurn = tokio::sync::OwnedMutexGuard<()>;

/// A session under its own id. A table with separate keys would take more than twice the memory.
struct ById<C: ConfigOptions, S, P>(Arc<Session<C, S, P>>);

impl<C: ConfigOptions, S, P> Borrow<str> for ById<C, S, P> {
    fn borrow(&self) -> &str {
        self.0.handle.id().as_ref()
    }
}

impl<C: ConfigOptions, S, P> Hash for ById<C, S, P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Borrow::<str>::borrow(self).hash(state);
    }
}

impl<C: ConfigOptions, S, P> PartialEq for ById<C, S, P> {
    fn eq(&self, other: &Self) -> bool {
        Borrow::<str>::borrow(self) == Borrow::<str>::borrow(other)
    }
}

impl<C: ConfigOptions, S, P> Eq for ById<C, S, P> {}

impl<C: ConfigOptions, S, P> Default for Sessions<C, S, P> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Table { active: HashSet::new(), transitions: HashMap::new() })))
    }
}

impl<C: ConfigOptions, S, P> Clone for Sessions<C, S, P> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<C: ConfigOptions, S, P> Sessions<C, S, P> {
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Session<C, S, P>>> {
        self.lock().get(id)
    }

    /// Gives a prompt its hold on an active session. No call that opens or ends the session comes between.
    ///
    /// # Errors
    ///
    /// The session is not active, or it is being opened or ended; or `arrive` refuses the prompt. If an end `rejects` prompts, the
    /// prompt of a session that is being ended is cancelled.
    pub(crate) fn prompted(
        &self,
        id: &SessionId,
        rejects: bool,
        arrive: impl FnOnce(TurnSlot<C, S, P>) -> Result<TurnSlot<C, S, P>>,
    ) -> Result<TurnSlot<C, S, P>> {
        let table = self.lock();
        arrive(TurnSlot::waiting(table.to_prompt(id, rejects)?))
    }

    /// Announces a call that opens a session, or ends it if `ends` is set. From here on, no turn can begin in the
    /// session.
    pub(crate) fn announce(&self, id: &SessionId, ends: bool) -> Transition<C, S, P> {
        let mut table = self.lock();
        let queue = table.transitions.entry(id.clone()).or_default();
        queue.calls += 1;
        queue.open += 1;
        queue.ends += usize::from(ends);
        Transition { sessions: self.clone(), id: id.clone(), turn: queue.turn.clone(), ends, concluded: false }
    }

    /// The active session of this id, unless a call opens or ends it.
    pub(crate) fn settled(&self, id: &SessionId) -> Option<Arc<Session<C, S, P>>> {
        let table = self.lock();
        if table.transitions.contains_key(id) { None } else { table.get(id.as_ref()).ok() }
    }

    /// Whether a session of this id is active, or may be soon.
    pub(crate) fn is_known(&self, id: &SessionId) -> bool {
        let table = self.lock();
        table.active.contains::<str>(id.as_ref()) || table.transitions.contains_key(id)
    }

    /// Adds a session that was not active.
    pub(crate) fn insert(&self, session: Arc<Session<C, S, P>>) {
        self.lock().active.insert(ById(session));
    }

    /// Adds a session. Fails if another session has its id.
    pub(crate) fn insert_new(&self, session: Arc<Session<C, S, P>>) -> Result<()> {
        let mut table = self.lock();
        if table.transitions.contains_key(session.handle.id()) || !table.active.insert(ById(session)) {
            return Err(Error::internal_error("the agent chose an id for the session that another session has"));
        }
        Ok(())
    }

    /// Ends a session: it is not found any more, and no update of it is sent. A newer session with the same id stays
    /// active. Returns false if the session had ended before.
    pub(crate) fn end(&self, session: &Arc<Session<C, S, P>>) -> bool {
        let mut table = self.lock();
        let id: &str = session.handle.id().as_ref();
        let is_active = table.active.get(id).is_some_and(|ById(active)| Arc::ptr_eq(active, session));
        if is_active {
            table.active.remove(id);
        }
        drop(table);
        session.handle.end();
        is_active
    }

    /// All active sessions.
    pub(crate) fn active(&self) -> Vec<Arc<Session<C, S, P>>> {
        self.lock().active.iter().map(|session| session.0.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Table<C, S, P>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: ConfigOptions, S, P> Table<C, S, P> {
    fn get(&self, id: &str) -> Result<Arc<Session<C, S, P>>> {
        self.active.get(id).map(|found| found.0.clone()).ok_or_else(|| Error::session_not_found(id))
    }

    #[inline]
    fn to_prompt(&self, id: &SessionId, rejects: bool) -> Result<Arc<Session<C, S, P>>> {
        match self.transitions.get(id).filter(|queue| queue.open > 0) {
            Some(queue) => Err(self.refuse(id, queue, rejects)),
            None => self.get(id.as_ref()),
        }
    }

    /// The error of a prompt that comes behind calls which open or end its session.
    #[cold]
    fn refuse(&self, id: &SessionId, queue: &Queue, rejects: bool) -> Error {
        // No call that ends a session is concluded before it is dropped.
        let is_only_ended = queue.open == queue.ends;
        if is_only_ended && !self.active.contains::<str>(id.as_ref()) {
            return Error::session_not_found(id.as_ref());
        }
        if is_only_ended && rejects {
            return Error::request_cancelled();
        }
        Error::invalid_request("the session is busy: it is being opened or ended; prompt it when that is answered")
    }
}

impl<C: ConfigOptions, S, P> Transition<C, S, P> {
    /// Waits until the earlier calls are answered.
    pub(crate) async fn turn(&self) -> TransitionTurn {
        self.turn.clone().lock_owned().await
    }

    /// Whether a later call waits to end the session.
    pub(crate) fn is_before_an_end(&self) -> bool {
        self.sessions.lock().transitions.get(&self.id).is_some_and(|queue| queue.ends > usize::from(self.ends))
    }

    /// Called just before the answer, because the client may prompt as soon as it has the answer. Later calls still
    /// wait.
    pub(crate) fn conclude(&mut self) {
        if !std::mem::replace(&mut self.concluded, true) {
            self.with_queue(|queue| queue.open -= 1);
        }
    }

    fn with_queue(&self, change: impl FnOnce(&mut Queue)) {
        let mut table = self.sessions.lock();
        let Some(queue) = table.transitions.get_mut(&self.id) else { return };
        change(queue);
        if queue.calls == 0 {
            table.transitions.remove(&self.id);
        }
    }
}

impl<C: ConfigOptions, S, P> Drop for Transition<C, S, P> {
    fn drop(&mut self) {
        let (open, ends) = (usize::from(!self.concluded), usize::from(self.ends));
        self.with_queue(|queue| {
            queue.calls -= 1;
            queue.open -= open;
            queue.ends -= ends;
        });
    }
}
