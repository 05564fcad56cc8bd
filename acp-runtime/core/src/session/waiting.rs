//! The prompts that wait while their session has a turn, for agents that do not refuse them.
//!
//! A prompt gets its place when it arrives, and keeps it until it is answered or its turn begins. The places of a session are
//! in the order of arrival. Each waiting call looks at its place again whenever something has changed ([`Waiting::next`]), and
//! goes on only if the place allows it. So turns begin in the order of arrival, and nothing has to hand a turn over.
//!
//! The handler `steer` is asked in the same order, and only beside a turn that has begun: the first step of the turn's own handler
//! is over. Before this, the turn takes no text in, because its author has had no chance to say that it does.
//!
//! The lock of this table is taken before the lock of a session's turn, and never while a message is written.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

use super::live::{Session, TurnSlot};
use crate::{
    config::ConfigOptions,
    rpc::CancellationToken,
    values::StopReason,
    wire::{Error, Result},
};

/// The answer of the handler `steer`: what becomes of a prompt that arrived during a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Steered {
    /// The running turn has taken the prompt in. The prompt is answered with the turn's own end, directly behind it: with the
    /// same stop reason, or with its error. If the turn has ended before, it is answered with that end at once.
    Joined,
    /// The prompt waits, and becomes a turn of its own. So do the prompts that arrive behind it while it waits: none overtakes it.
    Queued,
}

/// The waiting prompts of one connection, by the addresses of their sessions.
pub(crate) struct Waiting {
    /// The bound of each session.
    most: usize,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    sessions: HashMap<usize, Queue>,
    /// The sessions whose turn has begun, if a prompt could go to this turn.
    begun: HashSet<usize>,
}

/// The waiting prompts of one session: at least one.
#[derive(Default)]
struct Queue {
    places: VecDeque<Place>,
    /// Set when the last prompt has left.
    emptied: CancellationToken,
}

struct Place {
    /// The call of the prompt. Set when its request is withdrawn.
    call: CancellationToken,
    state: State,
    /// The cancellation of the turn that the prompt went to.
    beside: Option<CancellationToken>,
    /// Drops the handler `steer`, while it runs.
    steering: Option<CancellationToken>,
    /// The end of the turn that the prompt went to, once it has ended.
    end: Option<End>,
    /// The client has cancelled what the session does.
    is_cancelled: bool,
    /// Tells the waiting call to look again.
    changed: Arc<Notify>,
}

/// The end of a turn: the stop reason, or an error.
type End = Result<StopReason>;

enum State {
    /// The handler `steer` will be asked when the turn has begun and the prompts before this one allow it.
    Unasked,
    /// The handler `steer` takes its first step. No other prompt of the session is asked about meanwhile.
    Asking,
    /// The handler `steer` has not answered yet.
    Steering,
    /// It waits for a turn of its own.
    Queued,
    /// The turn has taken it in.
    Joined,
    /// The handler `steer` has failed.
    Failed(Error),
}

/// What a waiting call does next.
pub(crate) enum Next {
    /// Its turn has begun.
    Begin,
    /// Its turn would begin. It asks the gate, and then again.
    Ask,
    /// It asks the handler `steer`, tells [`Waiting::asked`], and then looks again.
    Steer(Beside),
    /// It is over, and [`Waiting::verdict`] has the answer.
    Answer,
    /// It looks again when this is notified.
    Wait(Arc<Notify>),
}

/// The cancellations of the turn that a prompt goes to, and of the handler `steer`.
pub(crate) type Beside = (CancellationToken, CancellationToken);

/// Whether the handler `steer` is asked about a prompt.
enum Asks {
    Now,
    Later,
    Never,
}

fn key<C: ConfigOptions, S>(session: &Arc<Session<C, S>>) -> usize {
    Arc::as_ptr(session).addr()
}

impl Waiting {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, table: Mutex::default() }
    }

    /// Begins the turn of a prompt, or gives the prompt a place. Returns its hold on the session.
    pub(crate) fn arrive<C: ConfigOptions, S>(
        &self,
        session: Arc<Session<C, S>>,
        call: &CancellationToken,
        steers: bool,
    ) -> Result<TurnSlot<C, S>> {
        let mut table = self.lock();
        let key = key(&session);
        let waiting = table.sessions.get(&key).map_or(0, |queue| queue.places.len());
        let mut slot = TurnSlot::waiting(session);
        if waiting == 0 && slot.begin(call)? {
            return Ok(slot);
        }
        if waiting >= self.most {
            let text = format!("the session is busy: {waiting} prompts wait for their turn, and no more may");
            return Err(Error::invalid_request(text));
        }
        // A turn that is cancelled takes nothing in any more.
        let takes_in = |turn: &CancellationToken| !turn.is_cancelled();
        let beside = if steers { slot.session().running().filter(takes_in) } else { None };
        let (state, steering) = match &beside {
            Some(_) => (State::Unasked, Some(CancellationToken::new())),
            None => (State::Queued, None),
        };
        let (call, changed) = (call.clone(), Arc::default());
        let place = Place { call, state, beside, steering, end: None, is_cancelled: false, changed };
        table.sessions.entry(key).or_default().places.push_back(place);
        Ok(slot)
    }

    /// What `steer` is asked with about a prompt that has just arrived. `None` if it is not asked now.
    pub(crate) fn steering<C: ConfigOptions, S>(
        &self,
        session: &Arc<Session<C, S>>,
        call: &CancellationToken,
    ) -> Option<Beside> {
        let mut table = self.lock();
        let at = table.sessions.get(&key(session))?.find(call)?;
        table.ask(key(session), at)
    }

    /// The handler `steer` has taken its first step.
    pub(crate) fn asked<C: ConfigOptions, S>(&self, session: &Arc<Session<C, S>>, call: &CancellationToken) {
        let mut table = self.lock();
        let Some(queue) = table.sessions.get_mut(&key(session)) else { return };
        if let Some(place) = queue.find(call).and_then(|at| queue.places.get_mut(at))
            && matches!(place.state, State::Asking)
        {
            place.state = State::Steering;
        }
        queue.tell();
    }

    /// The handler of the running turn has taken its first step, and goes on.
    pub(crate) fn begun<C: ConfigOptions, S>(&self, session: &Arc<Session<C, S>>) {
        let mut table = self.lock();
        table.begun.insert(key(session));
        if let Some(queue) = table.sessions.get(&key(session)) {
            queue.tell();
        }
    }

    /// Begins the turn of a waiting prompt, if its time has come. `is_admitted` says that the gate is open. The gate runs code of
    /// the agent, so it is asked without the lock.
    pub(crate) fn next<C: ConfigOptions, S>(
        &self,
        slot: &mut TurnSlot<C, S>,
        call: &CancellationToken,
        is_admitted: bool,
    ) -> Result<Next> {
        let mut table = self.lock();
        let key = key(slot.session());
        let Some(at) = table.sessions.get(&key).and_then(|queue| queue.find(call)) else { return Ok(Next::Answer) };
        if let Some(beside) = table.ask(key, at) {
            return Ok(Next::Steer(beside));
        }
        let queue = &table.sessions[&key];
        let place = &queue.places[at];
        let goes_on = match &place.state {
            _ if call.is_cancelled() => true,
            State::Failed(_) => true,
            State::Unasked | State::Asking | State::Steering => false,
            State::Joined => place.end.is_some() && queue.ended() == Some(at) && slot.session().running().is_none(),
            State::Queued => at == 0 && queue.ended().is_none() && slot.session().running().is_none(),
        };
        if !goes_on {
            return Ok(Next::Wait(place.changed.clone()));
        }
        if call.is_cancelled() || place.is_cancelled || !matches!(place.state, State::Queued) {
            return Ok(Next::Answer);
        }
        if !is_admitted {
            return Ok(Next::Ask);
        }
        if !slot.begin(call)? {
            return Ok(Next::Wait(place.changed.clone()));
        }
        table.remove(key, call);
        Ok(Next::Begin)
    }

    /// The answer to a prompt whose turn never began; `None` if nothing here says it.
    pub(crate) fn verdict<C: ConfigOptions, S>(&self, slot: &TurnSlot<C, S>, call: &CancellationToken) -> Option<End> {
        let table = self.lock();
        let queue = table.sessions.get(&key(slot.session()))?;
        let place = &queue.places[queue.find(call)?];
        match (&place.state, &place.end) {
            (State::Failed(error), _) => Some(Err(error.clone())),
            (State::Joined, Some(end)) => Some(end.clone()),
            _ if place.is_cancelled => Some(Ok(StopReason::Cancelled)),
            _ if call.is_cancelled() => Some(Err(Error::request_cancelled())),
            _ => None,
        }
    }

    /// Takes a prompt out: it is answered.
    pub(crate) fn leave<C: ConfigOptions, S>(&self, session: &Arc<Session<C, S>>, call: &CancellationToken) {
        self.lock().remove(key(session), call);
    }

    /// The handler `steer` has answered, or failed. `steering` is the token that drops it.
    pub(crate) fn steered<C: ConfigOptions, S>(
        &self,
        session: &Arc<Session<C, S>>,
        steering: &CancellationToken,
        answer: Result<Steered>,
    ) {
        let mut table = self.lock();
        let Some(queue) = table.sessions.get_mut(&key(session)) else { return };
        let is_it = |place: &&mut Place| place.steering.as_ref().is_some_and(|own| own.is(steering));
        let Some(place) = queue.places.iter_mut().find(is_it) else { return };
        place.state = match answer {
            Ok(Steered::Joined) => State::Joined,
            Ok(Steered::Queued) => State::Queued,
            // Its handler was dropped, or ended because of the cancellation.
            Err(_) if place.is_cancelled => State::Queued,
            Err(error) => State::Failed(error),
        };
        place.steering = None;
        queue.tell();
    }

    /// A turn has ended, and `free` frees its session.
    pub(crate) fn turn_ended<C: ConfigOptions, S>(
        &self,
        session: &Arc<Session<C, S>>,
        end: Option<&End>,
        free: impl FnOnce(),
    ) {
        let mut table = self.lock();
        free();
        table.begun.remove(&key(session));
        let Some(queue) = table.sessions.get_mut(&key(session)) else { return };
        for place in &mut queue.places {
            match place.state {
                // It was never asked about: it has a turn of its own.
                State::Unasked => place.state = State::Queued,
                State::Asking | State::Steering | State::Joined if place.end.is_none() => place.end = end.cloned(),
                _ => {}
            }
        }
        queue.tell();
    }

    /// Cancels what waits in a session. The answers come in order, behind that of the running turn.
    pub(crate) fn cancel<C: ConfigOptions, S>(&self, session: &Arc<Session<C, S>>) {
        let mut table = self.lock();
        let dropped = table.sessions.get_mut(&key(session)).map(Queue::cancel).unwrap_or_default();
        drop(table);
        dropped.iter().for_each(CancellationToken::cancel);
    }

    /// Cancels what waits in any session.
    pub(crate) fn cancel_all(&self) {
        let mut table = self.lock();
        let dropped: Vec<_> = table.sessions.values_mut().flat_map(Queue::cancel).collect();
        drop(table);
        dropped.iter().for_each(CancellationToken::cancel);
    }

    /// Set when no prompt of a session waits any more. `None` if none does.
    pub(crate) fn emptied<C: ConfigOptions, S>(&self, session: &Arc<Session<C, S>>) -> Option<CancellationToken> {
        self.lock().sessions.get(&key(session)).map(|queue| queue.emptied.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// If it is the time to ask `steer` about a prompt, notes that it is asked now.
    fn ask(&mut self, key: usize, at: usize) -> Option<Beside> {
        let queue = self.sessions.get_mut(&key)?;
        match queue.asks(at, self.begun.contains(&key)) {
            Asks::Later => None,
            Asks::Never => {
                queue.places[at].state = State::Queued;
                None
            }
            Asks::Now => {
                let place = &mut queue.places[at];
                place.state = State::Asking;
                place.beside.clone().zip(place.steering.clone())
            }
        }
    }

    /// Takes a place out. The others may go on.
    fn remove(&mut self, key: usize, call: &CancellationToken) {
        let Some(queue) = self.sessions.get_mut(&key) else { return };
        let Some(place) = queue.find(call).and_then(|at| queue.places.remove(at)) else { return };
        queue.tell();
        if queue.places.is_empty() {
            queue.emptied.cancel();
            self.sessions.remove(&key);
        }
        // A handler of a prompt that was withdrawn.
        if let Some(steering) = place.steering {
            steering.cancel();
        }
    }
}

impl Queue {
    fn find(&self, call: &CancellationToken) -> Option<usize> {
        self.places.iter().position(|place| place.call.is(call))
    }

    /// Whether `steer` is asked about the prompt at this place. `has_begun` is true if the turn has begun.
    fn asks(&self, at: usize, has_begun: bool) -> Asks {
        let place = &self.places[at];
        if !matches!(place.state, State::Unasked) || place.call.is_cancelled() {
            return Asks::Later;
        }
        // A turn that is cancelled takes nothing in any more.
        let takes_in = place.beside.as_ref().is_some_and(|turn| !turn.is_cancelled());
        let mut is_next = true;
        for before in self.places.range(..at) {
            match before.state {
                State::Asking => is_next = false,
                // It was withdrawn, and leaves.
                _ if before.call.is_cancelled() => {}
                // No prompt overtakes one that waits for a turn of its own.
                State::Queued => return Asks::Never,
                State::Unasked => is_next = false,
                State::Steering | State::Joined | State::Failed(_) => {}
            }
        }
        match has_begun && is_next {
            _ if !takes_in || place.is_cancelled => Asks::Never,
            true => Asks::Now,
            false => Asks::Later,
        }
    }

    /// The first prompt that joined a turn which has ended. It is answered before anything else goes on.
    fn ended(&self) -> Option<usize> {
        self.places.iter().position(|place| matches!(place.state, State::Joined) && place.end.is_some())
    }

    /// Cancels all, and returns the tokens of their handlers.
    fn cancel(&mut self) -> Vec<CancellationToken> {
        self.places.iter_mut().for_each(|place| place.is_cancelled = true);
        self.tell();
        self.places.iter().filter_map(|place| place.steering.clone()).collect()
    }

    fn tell(&self) {
        self.places.iter().for_each(|place| place.changed.notify_one());
    }
}
