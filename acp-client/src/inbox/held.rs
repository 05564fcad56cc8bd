//! The place of a question among the updates of its session. A question to the user waits in the same queues as updates,
//! so it passes them in the order of the wire: first those of handlers, then that of the turn, or the one outside of turns.
//!
//! A question for a handler is only a mark in the queue. Its drop lets the handler begin, wherever it happens: the reader
//! took it, the turn was dropped, the queue was cleared. So a question that is lost is a question that is asked.

use std::{sync::Arc, time::Duration};

use tokio::{sync::oneshot, time::sleep};

use super::{
    entry::{Entry, Inbox},
    item::{Behind, Item},
    question::{Place, Question, ReadQuestion},
    reader::{Reader, at_next_wait},
};

/// A reader that does not come back for this time counts as gone. No event tells a loop that still shows an update from one
/// that waits for the answer to the very question, so this bounds the wait. It is much longer than a loop needs for an update.
const STANDS_STILL: Duration = Duration::from_secs(1);

/// A question for a handler that may not begin yet.
pub(crate) struct Held {
    entry: Arc<Entry>,
    /// The turn that the question belongs to.
    turn: Option<u64>,
    passed: oneshot::Receiver<()>,
}

impl Entry {
    /// Lines a question up behind the updates that have arrived. `None` if nobody has to take an update before it.
    pub(crate) fn hold(self: &Arc<Self>) -> Option<Held> {
        let (pass, passed) = oneshot::channel();
        let turn = self.line_up(Place::Handler(pass))?;
        Some(Held { entry: self.clone(), turn, passed })
    }

    /// Gives a question to the reader of the turn.
    pub(crate) fn ask_reader(&self, question: Box<dyn Question>) {
        self.line_up(Place::Reader(question));
    }

    /// Gives the agent's questions to the holder of the turn, who answers them itself. `None` if handlers do.
    pub(crate) fn takes_questions(&self) -> Option<ReadQuestion> {
        self.lock().open.as_ref().filter(|open| open.is_running())?.takes_questions
    }

    /// Adds a question to the queue. `None` if it is not there.
    fn line_up(&self, place: Place) -> Option<Option<u64>> {
        let mut inbox = self.lock();
        let turn = inbox.open.as_ref().filter(|open| open.is_running()).map(|open| open.number);
        let is_queued = match &mut inbox.behind {
            Some(behind) => {
                behind.push_back(Behind::Question { place, turn });
                true
            }
            None => self.put(&mut inbox, place, turn),
        };
        drop(inbox);
        self.arrived.notify_waiters();
        is_queued.then_some(turn)
    }

    /// Puts a question that no handler of updates holds back any more into its last queue. If nobody is to take it there, it is
    /// dropped, and the result is false.
    pub(super) fn put(&self, inbox: &mut Inbox, place: Place, turn: Option<u64>) -> bool {
        let is_for_reader = matches!(place, Place::Reader(_));
        match turn {
            Some(number) => {
                let is_queued = inbox.is_wanted(number)
                    && (is_for_reader || self.is_to_come(&self.reader, inbox.inside.is_empty()));
                if is_queued {
                    inbox.inside.push_back(Item::Question(place));
                }
                is_queued
            }
            None => {
                let is_queued = self.is_to_come(&self.outside_reader, inbox.outside.is_empty());
                if is_queued {
                    inbox.outside.line_up(place);
                }
                is_queued
            }
        }
    }

    /// Whether a reader is to come back before a question is asked. A reader that waits has taken all, if its queue is empty.
    fn is_to_come(&self, reader: &Reader, is_empty: bool) -> bool {
        if reader.is_waiting() { !is_empty } else { reader.is_there() && !self.gauge.is_asking() }
    }

    /// Whether a question of this turn still has to wait.
    fn holds(&self, turn: Option<u64>) -> bool {
        let reader = if turn.is_some() { &self.reader } else { &self.outside_reader };
        let is_handled = self.lock().behind.is_some() && !self.gauge.is_asking();
        is_handled || self.is_to_come(reader, false)
    }

    /// A turn or load has begun. Until its holder waits for something else, it may be about to read.
    pub(crate) fn await_reader(self: &Arc<Self>) {
        let (entry, calls) = (self.clone(), self.reader.calls());
        at_next_wait(move || {
            entry.reader.leave_since(calls);
            entry.gauge.notify_held();
        });
    }

    /// Changes with each update that was taken.
    fn progress(&self) -> [u64; 3] {
        let handled = self.handled.load(std::sync::atomic::Ordering::Relaxed);
        [self.reader.calls(), self.outside_reader.calls(), handled]
    }
}

impl Held {
    /// Waits until the updates before the question are taken, or nobody takes them.
    pub(crate) async fn passed(mut self) {
        let entry = &*self.entry;
        let mut seen = entry.progress();
        loop {
            // Registered before the check: so an event between the check and the wait is not lost.
            let changed = entry.gauge.held_may_go();
            if !entry.holds(self.turn) {
                return;
            }
            tokio::select! {
                biased;
                _ = &mut self.passed => return,
                () = changed => {}
                () = sleep(STANDS_STILL) => {
                    let now = entry.progress();
                    if now == seen {
                        // Later questions need not wait, until the reader comes back.
                        entry.reader.leave_since(seen[0]);
                        entry.outside_reader.leave_since(seen[1]);
                        return;
                    }
                    seen = now;
                }
            }
        }
    }
}
