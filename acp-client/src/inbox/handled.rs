//! Updates that the client handles by functions. Each update goes to its handler, in the order of arrival. While a
//! handler is at work, later updates and the end of the turn wait in a queue. A task then passes the queue on, one item
//! after the other.
//!
//! The items in the queue count as unread, so a slow handler holds the agent back as a slow turn does.

use std::{
    collections::VecDeque,
    mem,
    sync::{Arc, atomic::Ordering},
};

use tokio::{sync::oneshot, time::Instant};

use super::{
    entry::{Entry, Inbox},
    intake::{Intake, Started},
    item::{Behind, Item, Outcome, Pushed},
    question::Place,
};
impl Entry {
    /// Starts the handler of an update. An update without a handler is kept for the turn or for the session.
    pub(super) fn hand_out(self: &Arc<Self>, intake: &Arc<dyn Intake>, update: &str) -> Pushed {
        {
            let mut inbox = self.lock();
            inbox.heard = Some(Instant::now());
            if inbox.behind.is_some() {
                return self.queue(&mut inbox, update);
            }
            inbox.behind = Some(VecDeque::new());
        }
        let pushed = match intake.offer(update) {
            Started::No => self.keep(update),
            Started::Done => Pushed::Kept,
            Started::Working(ended) => {
                // The reader has its own bound for the size of a single update, so this result is ignored.
                let _ = self.gauge.add(update.len());
                // A task in `take` now waits for the handler, so it must look again.
                self.arrived.notify_waiters();
                let draining = drain(self.clone(), intake.clone(), ended, update.len());
                intake.start(Box::pin(draining));
                return Pushed::Kept;
            }
        };
        // Only this reader adds updates, but a turn may be lost on any thread.
        while let Some(next) = self.next() {
            match next {
                Behind::End(number, outcome) => self.tell(number, outcome),
                Behind::Question { place, turn } => self.pass_question(place, turn),
                Behind::Update { .. } => {}
            }
        }
        pushed
    }

    /// Adds an update to the queue behind a handler.
    fn queue(&self, inbox: &mut Inbox, update: &str) -> Pushed {
        let open = inbox.open.as_ref().filter(|open| open.is_running());
        if open.is_some_and(|open| open.is_flooded) {
            return Pushed::Kept;
        }
        let turn = open.map(|open| open.number);
        // The shared bound may be full because of another session. Only a session that itself sent too much is ended.
        if self.gauge.add(update.len()) && waiting_bytes(inbox) + update.len() > self.gauge.soft() {
            self.gauge.remove(update.len());
            if turn.is_none() {
                inbox.outside.missed += 1;
                return Pushed::Kept;
            }
            self.flood(inbox);
            for waiting in mem::take(&mut inbox.behind).into_iter().flatten() {
                match waiting {
                    Behind::Update { params, .. } => self.gauge.remove(params.len()),
                    Behind::Question { .. } => {}
                    end @ Behind::End(..) => inbox.behind.get_or_insert_default().push_back(end),
                }
            }
            // The handler is still at work.
            inbox.behind.get_or_insert_default();
            self.arrived.notify_waiters();
            return Pushed::Flooded;
        }
        inbox.behind.get_or_insert_default().push_back(Behind::Update { params: update.into(), turn });
        Pushed::Kept
    }

    /// The next item of the queue. If the queue is empty, this function removes it: later updates then need not wait.
    fn next(&self) -> Option<Behind> {
        let mut inbox = self.lock();
        let next = inbox.behind.as_mut().and_then(VecDeque::pop_front);
        if next.is_none() {
            inbox.behind = None;
            drop(inbox);
            self.arrived.notify_waiters();
        }
        next
    }

    /// Passes on an update without a handler, which has reached the front of the queue.
    fn pass(&self, params: Box<str>, turn: Option<u64>) {
        let mut inbox = self.lock();
        match turn {
            Some(number) if inbox.is_wanted(number) => {
                inbox.inside_bytes += params.len();
                inbox.inside.push_back(Item::Update(params));
            }
            Some(_) => self.gauge.remove(params.len()),
            None => {
                self.gauge.remove(params.len());
                inbox.outside.keep(params, self.is_known());
            }
        }
        drop(inbox);
        self.arrived.notify_waiters();
    }

    /// Passes on a question, which has reached the front of the queue.
    fn pass_question(&self, place: Place, turn: Option<u64>) {
        self.put(&mut self.lock(), place, turn);
        self.arrived.notify_waiters();
    }

    /// Passes on the end of a turn or load, which has reached the front of the queue.
    fn tell(&self, number: u64, outcome: Outcome) {
        let mut inbox = self.lock();
        if inbox.open.as_ref().is_some_and(|open| open.number == number && !open.is_flooded) {
            inbox.inside.push_back(Item::End(outcome));
        }
        drop(inbox);
        self.arrived.notify_waiters();
    }

    /// The time when the agent last sent an update for a handler, or got an answer to a request. Both show that the agent
    /// is not silent, although no turn receives anything.
    pub(crate) fn heard(&self) -> Option<Instant> {
        let inbox = self.lock();
        // While a handler works, the agent may have to wait for it. So the agent does not count as silent.
        if inbox.behind.is_some() || inbox.asked > 0 { Some(Instant::now()) } else { inbox.heard }
    }
}

/// The size of the session's updates that nobody has taken yet.
fn waiting_bytes(inbox: &Inbox) -> usize {
    let behind = inbox.behind.iter().flatten().map(|waiting| match waiting {
        Behind::Update { params, .. } => params.len(),
        Behind::Question { .. } | Behind::End(..) => 0,
    });
    inbox.inside_bytes + behind.sum::<usize>()
}

/// Waits until the handler at work has finished, then passes on the queue behind its update.
async fn drain(entry: Arc<Entry>, intake: Arc<dyn Intake>, ended: oneshot::Receiver<()>, bytes: usize) {
    let _ = ended.await;
    entry.handled.fetch_add(1, Ordering::Relaxed);
    entry.gauge.remove(bytes);
    while let Some(next) = entry.next() {
        // If the handlers never wait, this loop would block the thread.
        tokio::task::coop::consume_budget().await;
        let (params, turn) = match next {
            Behind::Update { params, turn } => (params, turn),
            Behind::Question { place, turn } => {
                entry.pass_question(place, turn);
                continue;
            }
            Behind::End(number, outcome) => {
                entry.tell(number, outcome);
                continue;
            }
        };
        match intake.offer(&params) {
            Started::No => {
                entry.pass(params, turn);
                continue;
            }
            Started::Done => {}
            Started::Working(ended) => drop(ended.await),
        }
        entry.handled.fetch_add(1, Ordering::Relaxed);
        entry.gauge.remove(params.len());
    }
}
