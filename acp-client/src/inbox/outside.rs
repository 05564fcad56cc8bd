//! The updates of a session outside of turns, until somebody takes them.

use std::collections::VecDeque;

use super::question::Place;

/// The bound on the bytes of updates that nobody takes. Of these, the newest are kept.
const BYTES: usize = 256 * 1024;

/// The updates that nobody has taken yet, in order.
#[derive(Default)]
pub(super) struct Outside {
    queue: VecDeque<Waiting>,
    bytes: usize,
    /// The number of updates that were dropped.
    pub(super) missed: u64,
}

enum Waiting {
    Update(Box<str>),
    /// A question of the agent. Its drop lets its handler begin.
    Question(#[expect(dead_code, reason = "its drop is its use")] Place),
}

impl Outside {
    /// Keeps an update. If the updates exceed the bound, the oldest are dropped. `is_known` says that this client has asked for the
    /// session.
    pub(super) fn keep(&mut self, update: Box<str>, is_known: bool) {
        // This client may never ask for an unknown session, so a large update of it is not kept.
        if update.len() > BYTES && !is_known {
            self.missed += 1;
            return;
        }
        self.bytes += update.len();
        self.queue.push_back(Waiting::Update(update));
        while self.bytes > BYTES && self.queue.len() > 1 {
            if let Some(Waiting::Update(missed)) = self.queue.pop_front() {
                self.bytes -= missed.len();
                self.missed += 1;
            }
        }
    }

    /// Lines a question up behind the updates.
    pub(super) fn line_up(&mut self, place: Place) {
        self.queue.push_back(Waiting::Question(place));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The next update. The questions before it are passed.
    pub(super) fn take(&mut self) -> Option<Box<str>> {
        loop {
            if let Waiting::Update(update) = self.queue.pop_front()? {
                self.bytes -= update.len();
                return Some(update);
            }
        }
    }
}
