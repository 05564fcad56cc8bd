//! Updates that the client handles by functions: each goes to its handler, in the order of arrival. What comes behind one whose
//! handler is at work waits for it, be it another update, or the end of the turn: then a task gives these on, one after the other.
//!
//! What waits counts as unread, so that a slow handler holds the agent back as a slow turn does.

use std::{collections::VecDeque, mem, sync::Arc};

use tokio::{sync::oneshot, time::Instant};

use super::inbox::{Entry, Inbox, Item, Outcome, Pushed};
use crate::contract::{Intake, Started};

/// What waits for a handler.
pub(super) enum Behind {
    Update {
        params: Box<str>,
        /// The turn or load that it is of.
        turn: Option<u64>,
    },
    /// The end of a turn or load.
    End(u64, Outcome),
}

impl Entry {
    /// Starts the handler of an update, or keeps the update for whoever takes those without a handler.
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
                // Of a single update, how large it may be is said elsewhere.
                let _ = self.gauge.add(update.len());
                // Whoever waits for this session waits for the handler now.
                self.arrived.notify_waiters();
                let draining = drain(self.clone(), intake.clone(), ended, update.len());
                intake.start(Box::pin(draining));
                return Pushed::Kept;
            }
        };
        // Only this reader adds updates, but a turn may be lost on any thread.
        while let Some(next) = self.next() {
            if let Behind::End(number, outcome) = next {
                self.tell(number, outcome);
            }
        }
        pushed
    }

    /// Adds an update to those that wait for a handler.
    fn queue(&self, inbox: &mut Inbox, update: &str) -> Pushed {
        let open = inbox.open.as_ref().filter(|open| !open.is_answered);
        if open.is_some_and(|open| open.is_flooded) {
            return Pushed::Kept;
        }
        let turn = open.map(|open| open.number);
        // Others that send little are not ended for one that sends much.
        if self.gauge.add(update.len()) && waiting_bytes(inbox) + update.len() > self.gauge.soft() {
            self.gauge.remove(update.len());
            if turn.is_none() {
                inbox.missed += 1;
                return Pushed::Kept;
            }
            self.flood(inbox);
            for waiting in mem::take(&mut inbox.behind).into_iter().flatten() {
                match waiting {
                    Behind::Update { params, .. } => self.gauge.remove(params.len()),
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

    /// The next that waits. When there is none, nobody has to wait any more.
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

    /// An update that has no handler has its turn.
    fn pass(&self, params: Box<str>, turn: Option<u64>) {
        let mut inbox = self.lock();
        let is_wanted = |inbox: &Inbox, number| match &inbox.open {
            Some(open) => open.number == number && open.given_up.is_none() && !open.is_flooded,
            None => false,
        };
        match turn {
            Some(number) if is_wanted(&inbox, number) => {
                inbox.inside_bytes += params.len();
                inbox.inside.push_back(Item::Update(params));
            }
            Some(_) => self.gauge.remove(params.len()),
            None => {
                self.gauge.remove(params.len());
                self.keep_outside(&mut inbox, params);
            }
        }
        drop(inbox);
        self.arrived.notify_waiters();
    }

    /// The end of a turn or load has its turn.
    fn tell(&self, number: u64, outcome: Outcome) {
        let mut inbox = self.lock();
        if inbox.open.as_ref().is_some_and(|open| open.number == number && !open.is_flooded) {
            inbox.inside.push_back(Item::End(outcome));
        }
        drop(inbox);
        self.arrived.notify_waiters();
    }

    /// When something arrived last that went to a handler: the agent is not silent, though no turn has it.
    pub(super) fn heard(&self) -> Option<Instant> {
        let inbox = self.lock();
        // While a handler is at work, who is silent cannot be told.
        if inbox.behind.is_some() { Some(Instant::now()) } else { inbox.heard }
    }
}

/// What of a session nobody has taken yet.
fn waiting_bytes(inbox: &Inbox) -> usize {
    let behind = inbox.behind.iter().flatten().map(|waiting| match waiting {
        Behind::Update { params, .. } => params.len(),
        Behind::End(..) => 0,
    });
    inbox.inside_bytes + behind.sum::<usize>()
}

/// Waits for the handler at work, and gives on what came behind its update.
async fn drain(entry: Arc<Entry>, intake: Arc<dyn Intake>, ended: oneshot::Receiver<()>, bytes: usize) {
    let _ = ended.await;
    entry.gauge.remove(bytes);
    while let Some(next) = entry.next() {
        // Handlers that never wait would keep the thread.
        tokio::task::coop::consume_budget().await;
        let (params, turn) = match next {
            Behind::Update { params, turn } => (params, turn),
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
        entry.gauge.remove(params.len());
    }
}
