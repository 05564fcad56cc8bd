//! The agent's messages about one session: undecoded, in order, with the ends of turns among them.
//!
//! Each update has one receiver. While a turn or a load is open, its holder receives the update; otherwise the caller
//! of `next_update` does. The answer that ends a turn passes the same queue as its updates, so no update of a turn
//! comes after its end. If the client has a handler for the kind of update, the handler receives it; later items wait
//! until the handler has finished, see [`handled`](super::handled).

use std::{
    collections::VecDeque,
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
};

use tokio::{
    sync::Notify,
    time::{Instant, timeout_at},
};

use super::{
    cancel::Cancel,
    folders::Folders,
    intake::Intake,
    item::{Behind, Item, Open, Outcome, Pushed},
    outside::Outside,
    question::ReadQuestion,
    reader::Reader,
    settings::Settings,
};
use crate::{gauge::Gauge, values::SessionId};

/// A session, as the reader sees it.
pub(crate) struct Entry {
    pub(crate) id: SessionId,
    pub(crate) settings: Mutex<Settings>,
    folders: Mutex<Folders>,
    /// Whether this client has asked for the session or opened it. The agent may name a session before.
    known: AtomicBool,
    /// The number of prompts that were sent beside a turn and are not answered.
    pub(crate) beside: AtomicUsize,
    /// A turn was begun whose end the agent does not tell. It may still run.
    pub(crate) steered: AtomicBool,
    /// This client deleted the session.
    pub(crate) deleted: AtomicBool,
    /// The place among all sessions, by the time when they were first named.
    pub(crate) age: u64,
    pub(super) gauge: Arc<Gauge>,
    /// The update handlers; `None` if the client has none.
    pub(super) intake: Option<Arc<dyn Intake>>,
    inbox: Mutex<Inbox>,
    /// Notified when there is an item to take.
    pub(super) arrived: Notify,
    /// Notified when a turn or load may begin.
    free: Notify,
    /// The reader of the open turn or load.
    pub(crate) reader: Reader,
    pub(super) outside_reader: Reader,
    /// The number of updates that handlers have ended which did not end at once.
    pub(super) handled: AtomicU64,
}

#[derive(Default)]
pub(super) struct Inbox {
    pub(super) open: Option<Open>,
    /// The items of the open turn or load.
    pub(super) inside: VecDeque<Item>,
    pub(super) inside_bytes: usize,
    pub(super) outside: Outside,
    last: u64,
    closed: bool,
    /// This client closed or deleted the session.
    is_forgotten: bool,
    /// The items behind an update whose handler is at work; `None` while no handler is at work.
    pub(super) behind: Option<VecDeque<Behind>>,
    /// The time of the last update, if the client handles updates, or of the last answer to a request of the agent.
    pub(super) heard: Option<Instant>,
    /// The number of the agent's open requests that this client has not answered.
    pub(super) asked: usize,
}

impl Entry {
    pub(crate) fn new(id: SessionId, gauge: Arc<Gauge>, intake: Option<Arc<dyn Intake>>) -> Arc<Self> {
        static AGE: AtomicU64 = AtomicU64::new(0);
        let age = AGE.fetch_add(1, Ordering::Relaxed);
        let (inbox, settings, folders, known, beside, steered, deleted) = Default::default();
        let (arrived, free) = Default::default();
        let (reader, outside_reader, handled) = Default::default();
        Arc::new(Self {
            id,
            settings,
            folders,
            known,
            beside,
            steered,
            deleted,
            age,
            gauge,
            intake,
            inbox,
            arrived,
            free,
            reader,
            outside_reader,
            handled,
        })
    }

    pub(crate) fn know(&self) {
        self.known.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_known(&self) -> bool {
        self.known.load(Ordering::Relaxed)
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn settings(&self) -> MutexGuard<'_, Settings> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn folders(&self) -> MutexGuard<'_, Folders> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the turn or load before is over, then begins a new one. Returns the number of the new one; `None`
    /// when the connection or the session is over.
    pub(crate) async fn begin(&self, cancel: &Cancel, takes_questions: Option<ReadQuestion>) -> Option<u64> {
        loop {
            let free = self.free.notified();
            let until = {
                let mut inbox = self.lock();
                if inbox.closed {
                    return None;
                }
                match &inbox.open {
                    Some(Open { given_up: Some(until), .. }) if *until <= Instant::now() => self.leave(&mut inbox),
                    _ => {}
                }
                match &inbox.open {
                    None => {
                        inbox.last += 1;
                        let (number, cancel) = (inbox.last, cancel.clone());
                        inbox.open = Some(Open::new(number, cancel, takes_questions));
                        self.reader.call();
                        return Some(number);
                    }
                    Some(open) => open.given_up,
                }
            };
            match until {
                None => free.await,
                Some(until) => drop(timeout_at(until, free).await),
            }
        }
    }

    /// Records that the request of the turn or load leaves.
    pub(crate) fn sent(&self, number: u64) {
        if let Some(open) = self.lock().open.as_mut().filter(|open| open.number == number) {
            open.is_sent = true;
        }
    }

    /// Frees the session from a turn or load whose request never left.
    pub(crate) fn leave_unsent(&self, number: u64) {
        let mut inbox = self.lock();
        if inbox.open.as_ref().is_some_and(|open| open.number == number) {
            self.leave(&mut inbox);
        }
        drop(inbox);
        self.free.notify_waiters();
    }

    /// Takes in an update that has arrived.
    pub(crate) fn push(self: &Arc<Self>, update: &str) -> Pushed {
        match &self.intake {
            None => self.keep(update),
            Some(intake) => self.hand_out(intake, update),
        }
    }

    /// Keeps an update for the holder of the turn, or for the session if no turn is open.
    pub(super) fn keep(&self, update: &str) -> Pushed {
        let mut guard = self.lock();
        let inbox = &mut *guard;
        match &mut inbox.open {
            Some(open) if open.is_running() => {
                if open.given_up.is_some() || open.is_flooded {
                    return Pushed::Kept;
                }
                // The shared bound may be full because of another session. Only a session that itself sent too much is
                // ended.
                if self.gauge.add(update.len()) && inbox.inside_bytes + update.len() > self.gauge.soft() {
                    self.gauge.remove(update.len());
                    self.flood(inbox);
                    drop(guard);
                    self.arrived.notify_waiters();
                    return Pushed::Flooded;
                }
                inbox.inside_bytes += update.len();
                inbox.inside.push_back(Item::Update(update.into()));
            }
            _ => inbox.outside.keep(update.into(), self.is_known()),
        }
        drop(guard);
        self.arrived.notify_waiters();
        Pushed::Kept
    }

    /// Ends the open turn or load because it has sent too many updates.
    pub(super) fn flood(&self, inbox: &mut Inbox) {
        self.clear(inbox);
        inbox.inside.push_back(Item::End(Outcome::Flooded));
        if let Some(open) = &mut inbox.open {
            open.is_flooded = true;
        }
    }

    /// Ends a turn or load: its answer has arrived, or the connection is over.
    pub(crate) fn end(&self, number: u64, outcome: Outcome) {
        let mut inbox = self.lock();
        let Some(open) = inbox.open.as_mut().filter(|open| open.number == number) else { return };
        open.is_answered = true;
        if open.given_up.is_some() {
            self.leave(&mut inbox);
        } else if !open.is_flooded {
            match &mut inbox.behind {
                Some(behind) => behind.push_back(Behind::End(number, outcome)),
                None => inbox.inside.push_back(Item::End(outcome)),
            }
        }
        drop(inbox);
        self.arrived.notify_waiters();
        self.free.notify_waiters();
    }

    /// Takes all items of the turn or load that have arrived; waits until there is one. If the future is dropped before
    /// it is ready, no item is lost.
    pub(crate) async fn take(&self, into: &mut VecDeque<Item>) {
        self.take_from(into, false).await;
    }

    /// As [`Self::take`], of a turn or load that was cancelled. The reader then reads on up to the hard bound also while
    /// a handler of this session is at work: the answer to the cancel may stand behind.
    pub(crate) async fn take_cancelled(&self, into: &mut VecDeque<Item>) {
        self.take_from(into, true).await;
    }

    async fn take_from(&self, into: &mut VecDeque<Item>, is_cancelled: bool) {
        loop {
            let arrived = self.arrived.notified();
            let is_handled = {
                let mut inbox = self.lock();
                if !inbox.inside.is_empty() {
                    mem::swap(&mut inbox.inside, into);
                    inbox.inside_bytes = 0;
                    return;
                }
                if inbox.is_over() {
                    into.push_back(Item::End(Outcome::Lost));
                    return;
                }
                inbox.behind.is_some()
            };
            // The awaited item may stand behind updates of another session that nobody takes. So the reader must read
            // on, up to the hard bound. While a handler of this session is at work, the item waits only for this
            // handler. So the soft bound stays in force.
            let _awaiting = (!is_handled || is_cancelled).then(|| self.gauge.await_answer());
            let _waiting = self.reader.wait();
            arrived.await;
        }
    }

    /// Whether nothing more is to come of a turn or load: its answer was read, or there will be none.
    pub(crate) fn is_through(&self, number: u64) -> bool {
        let inbox = self.lock();
        inbox.closed || inbox.open.as_ref().is_none_or(|open| open.number != number || open.is_answered)
    }

    /// Records that an update of [`Self::take`] has been consumed.
    pub(crate) fn consumed(&self, update: &str) {
        self.gauge.remove(update.len());
    }

    /// Gives up a turn or load; the items in `taken` were not consumed. The next turn begins when the agent has
    /// answered this one, or at the time `until`.
    pub(crate) fn give_up(&self, number: u64, taken: &mut VecDeque<Item>, until: Instant) {
        let mut dropped = 0;
        for item in taken.drain(..) {
            if let Item::Update(update) = item {
                dropped += update.len();
            }
        }
        let mut inbox = self.lock();
        if inbox.open.as_ref().is_some_and(|open| open.number == number) {
            self.clear(&mut inbox);
            match &mut inbox.open {
                Some(open) if !open.is_answered => open.given_up = Some(until),
                _ => self.leave(&mut inbox),
            }
        }
        drop(inbox);
        self.gauge.remove(dropped);
        self.free.notify_waiters();
        self.arrived.notify_waiters();
    }

    fn clear(&self, inbox: &mut Inbox) {
        inbox.inside_bytes = 0;
        for item in inbox.inside.drain(..) {
            if let Item::Update(update) = item {
                self.gauge.remove(update.len());
            }
        }
    }

    /// Records that no turn or load is open any more.
    fn leave(&self, inbox: &mut Inbox) {
        self.clear(inbox);
        inbox.open = None;
    }

    /// What cancels the running turn or load; `None` if there is none.
    pub(crate) fn cancellation(&self) -> Option<Cancel> {
        let inbox = self.lock();
        inbox.open.as_ref().filter(|open| open.is_running() && !inbox.closed).map(|open| open.cancel.clone())
    }

    /// The next update outside of turns, if it has arrived.
    pub(crate) fn try_outside(&self) -> Option<Box<str>> {
        self.lock().outside.take()
    }

    /// The next update outside of turns; `None` when the connection or the session is over.
    pub(crate) async fn outside(&self) -> Option<Box<str>> {
        self.outside_reader.call();
        loop {
            let arrived = self.arrived.notified();
            if let Some(update) = self.try_outside() {
                return Some(update);
            }
            if self.lock().is_over() {
                return None;
            }
            let _waiting = self.outside_reader.wait();
            arrived.await;
        }
    }

    /// The number of updates outside of turns that were dropped because nobody took them.
    pub(crate) fn missed(&self) -> u64 {
        self.lock().outside.missed
    }

    /// Records that no more messages come.
    pub(crate) fn close(&self) {
        let mut inbox = self.lock();
        inbox.closed = true;
        let cancel = inbox.open.as_ref().map(|open| open.cancel.clone());
        drop(inbox);
        if let Some(cancel) = cancel {
            cancel.token().cancel();
        }
        self.arrived.notify_waiters();
        self.free.notify_waiters();
    }
}

/// A session that this client closes or deletes.
impl Entry {
    /// Ends the session: its turn, its updates, and every turn that waits to begin.
    pub(crate) fn forget(&self) {
        self.lock().is_forgotten = true;
        self.close();
    }

    pub(crate) fn is_forgotten(&self) -> bool {
        self.lock().is_forgotten
    }
}

impl Inbox {
    /// Whether the holder of this turn or load still takes items.
    pub(super) fn is_wanted(&self, number: u64) -> bool {
        match &self.open {
            Some(open) => open.number == number && open.given_up.is_none() && !open.is_flooded,
            None => false,
        }
    }

    /// Whether no item comes any more: the connection is over, and no item waits behind a handler.
    fn is_over(&self) -> bool {
        self.closed && self.behind.is_none()
    }
}
