//! The updates of a session outside of turns, until somebody takes them.

use std::collections::VecDeque;

/// The bound on the bytes of updates that nobody takes. Of these, the newest are kept.
const BYTES: usize = 256 * 1024;

/// The updates that nobody has taken yet, in order.
#[derive(Default)]
pub(super) struct Outside {
    updates: VecDeque<Box<str>>,
    bytes: usize,
    /// The number of updates that were dropped.
    pub(super) missed: u64,
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
        self.updates.push_back(update);
        while self.bytes > BYTES && self.updates.len() > 1 {
            let missed = self.updates.pop_front().map_or(0, |update| update.len());
            self.bytes -= missed;
            self.missed += 1;
        }
    }

    /// The next update.
    pub(super) fn take(&mut self) -> Option<Box<str>> {
        let update = self.updates.pop_front()?;
        self.bytes -= update.len();
        Some(update)
    }
}
