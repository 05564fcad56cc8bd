//! What was said is dropped: the next commit that has the session's state drops it, too.

use std::sync::Arc;

use super::{Book, outside::SOON};

impl Book {
    /// Drops all that was said before this moment; in a turn, all that was said before the turn.
    pub(super) fn clear(self: &Arc<Self>) {
        let mut unwritten = self.unwritten();
        let next = unwritten.turn.as_ref().map_or_else(|| unwritten.journal.next(), |turn| turn.first);
        unwritten.forgotten = unwritten.forgotten.max(next - 1);
        let is_outside = unwritten.turn.is_none();
        drop(unwritten);
        if is_outside {
            self.await_commit(SOON);
        }
    }
}
