//! The agent's messages about one session: raw, in order, with the ends of turns among them.
//!
//! Each update has one receiver. While a turn or a load is open, that is who holds it; otherwise it is whoever asks the session.
//! The answer that ends a turn passes the same queue as its updates, so nothing of a turn comes behind its end. An update whose kind
//! the client has a handler for goes there instead; what comes behind it waits until the handler is through, see [`handled`](super::handled).

use std::{
    collections::VecDeque,
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use acp_runtime_core::__role::CancellationToken;
use serde_json::value::RawValue;
use tokio::{
    sync::Notify,
    time::{Instant, timeout_at},
};

use super::{handled::Behind, options::Settings};
use crate::{contract::Intake, gauge::Gauge, values::SessionId};

/// The bytes of updates outside of turns that are kept while nobody takes them: the newest ones.
const OUTSIDE_BYTES: usize = 256 * 1024;

/// A session, as the reader sees it.
pub(crate) struct Entry {
    pub(crate) id: SessionId,
    pub(crate) settings: Mutex<Settings>,
    /// This client has asked for it, or has had it. The agent may speak of it before.
    known: AtomicBool,
    pub(super) gauge: Arc<Gauge>,
    /// Of a client that handles updates.
    pub(super) intake: Option<Arc<dyn Intake>>,
    inbox: Mutex<Inbox>,
    /// Something can be taken.
    pub(super) arrived: Notify,
    /// A turn or load may begin.
    free: Notify,
}

#[derive(Default)]
pub(super) struct Inbox {
    pub(super) open: Option<Open>,
    /// Of the turn or load that is open.
    pub(super) inside: VecDeque<Item>,
    pub(super) inside_bytes: usize,
    outside: VecDeque<Box<str>>,
    outside_bytes: usize,
    pub(super) missed: u64,
    last: u64,
    closed: bool,
    /// What came behind an update whose handler is at work; `None` while no handler is.
    pub(super) behind: Option<VecDeque<Behind>>,
    /// When something arrived last, of a client that handles updates.
    pub(super) heard: Option<Instant>,
}

/// A turn or a load at work.
pub(super) struct Open {
    pub(super) number: u64,
    cancel: CancellationToken,
    /// Nobody wants the rest of it; the next one begins when it is answered, or then.
    pub(super) given_up: Option<Instant>,
    /// Its updates are dropped: it has sent too many.
    pub(super) is_flooded: bool,
    pub(super) is_answered: bool,
}

/// An item of a turn or load.
pub(crate) enum Item {
    /// The params of a `session/update`.
    Update(Box<str>),
    /// The end, behind all updates.
    End(Outcome),
}

/// The end of a turn or load.
pub(crate) enum Outcome {
    Answered(Box<RawValue>),
    Refused(acp_runtime_core::Error),
    /// No answer will come.
    Lost,
    /// This client ended it, since nobody took its updates.
    Flooded,
}

/// The result of storing an update.
pub(crate) enum Pushed {
    Kept,
    /// The running turn has sent more than may be kept: the caller must cancel it.
    Flooded,
}

impl Entry {
    pub(crate) fn new(id: SessionId, gauge: Arc<Gauge>, intake: Option<Arc<dyn Intake>>) -> Arc<Self> {
        let (inbox, settings, known) = Default::default();
        Arc::new(Self { id, settings, known, gauge, intake, inbox, arrived: Notify::new(), free: Notify::new() })
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

    /// Begins a turn or load after the one before is over. Returns its number; `None` when the connection is over.
    pub(crate) async fn begin(&self, cancel: &CancellationToken) -> Option<u64> {
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
                        inbox.open =
                            Some(Open { number, cancel, given_up: None, is_flooded: false, is_answered: false });
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

    /// An update has arrived.
    pub(crate) fn push(self: &Arc<Self>, update: &str) -> Pushed {
        match &self.intake {
            None => self.keep(update),
            Some(intake) => self.hand_out(intake, update),
        }
    }

    /// Keeps an update for whoever takes it.
    pub(super) fn keep(&self, update: &str) -> Pushed {
        let mut guard = self.lock();
        let inbox = &mut *guard;
        match &mut inbox.open {
            Some(open) if !open.is_answered => {
                if open.given_up.is_some() || open.is_flooded {
                    return Pushed::Kept;
                }
                // Others that send little are not ended for one that sends much.
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
            _ => self.keep_outside(inbox, update.into()),
        }
        drop(guard);
        self.arrived.notify_waiters();
        Pushed::Kept
    }

    /// Keeps an update outside of turns: the newest ones, up to a bound.
    pub(super) fn keep_outside(&self, inbox: &mut Inbox, update: Box<str>) {
        // It may be that nobody ever wants it, so one that is large is not kept.
        if update.len() > OUTSIDE_BYTES && !self.is_known() {
            inbox.missed += 1;
            return;
        }
        inbox.outside_bytes += update.len();
        inbox.outside.push_back(update);
        while inbox.outside_bytes > OUTSIDE_BYTES && inbox.outside.len() > 1 {
            let missed = inbox.outside.pop_front().map_or(0, |update| update.len());
            inbox.outside_bytes -= missed;
            inbox.missed += 1;
        }
    }

    /// Ends the turn or load that is open: it has sent too many updates.
    pub(super) fn flood(&self, inbox: &mut Inbox) {
        self.clear(inbox);
        inbox.inside.push_back(Item::End(Outcome::Flooded));
        if let Some(open) = &mut inbox.open {
            open.is_flooded = true;
        }
    }

    /// The answer of a turn or load has arrived, or there will be none.
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

    /// Takes all arrived items of the turn or load; waits until there are some. If the future is dropped before, nothing is
    /// lost.
    pub(crate) async fn take(&self, into: &mut VecDeque<Item>) {
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
            // What is waited for may stand behind updates of another session, which nobody takes. Of one whose handler is at
            // work it is known: that holds the agent back.
            let _awaiting = (!is_handled).then(|| self.gauge.await_answer());
            arrived.await;
        }
    }

    /// Records that an update of [`Self::take`] has been consumed.
    pub(crate) fn consumed(&self, update: &str) {
        self.gauge.remove(update.len());
    }

    /// Gives up a turn or load of which the items in `taken` were not consumed. The next turn begins when this one is answered,
    /// or at the time `until`.
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

    /// Records that nothing is open any more.
    fn leave(&self, inbox: &mut Inbox) {
        self.clear(inbox);
        inbox.open = None;
    }

    /// The token that cancels the running turn; `None` if there is none.
    pub(crate) fn cancellation(&self) -> Option<CancellationToken> {
        self.lock().open.as_ref().filter(|open| !open.is_answered).map(|open| open.cancel.clone())
    }

    /// The next update outside of turns, if it has arrived.
    pub(crate) fn try_outside(&self) -> Option<Box<str>> {
        let mut inbox = self.lock();
        let update = inbox.outside.pop_front()?;
        inbox.outside_bytes -= update.len();
        Some(update)
    }

    /// The next update outside of turns; `None` when the connection is over.
    pub(crate) async fn outside(&self) -> Option<Box<str>> {
        loop {
            let arrived = self.arrived.notified();
            if let Some(update) = self.try_outside() {
                return Some(update);
            }
            if self.lock().is_over() {
                return None;
            }
            arrived.await;
        }
    }

    /// The number of updates outside of turns that were dropped because nobody took them.
    pub(crate) fn missed(&self) -> u64 {
        self.lock().missed
    }

    /// Records that no more messages come.
    pub(crate) fn close(&self) {
        let mut inbox = self.lock();
        inbox.closed = true;
        let cancel = inbox.open.as_ref().map(|open| open.cancel.clone());
        drop(inbox);
        if let Some(cancel) = cancel {
            cancel.cancel();
        }
        self.arrived.notify_waiters();
        self.free.notify_waiters();
    }
}

impl Inbox {
    /// Whether nothing more comes, from the agent or from behind a handler.
    fn is_over(&self) -> bool {
        self.closed && self.behind.is_none()
    }
}
