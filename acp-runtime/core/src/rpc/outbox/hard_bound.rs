//! Whether so many bytes are unsent that no new work may begin.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Mutex, Notify};

/// The hard bound of an outbox or of a stream, for code that waits below it. A level with a gap: it is set at the bound
/// and cleared well below the bound.
#[derive(Default)]
pub struct HardBound {
    /// A hint, so that the dispatcher can look after each message, and a handler before each step.
    reached: AtomicBool,
    eased: Notify,
    /// The holder of this lock is the next handler to go on: all handlers at once would fill the room many times over.
    next: Mutex<()>,
}

impl HardBound {
    pub(super) fn is_at_hard_bound(&self) -> bool {
        self.reached.load(Ordering::Relaxed)
    }

    /// Sets the level: the bound is reached.
    pub(super) fn reach(&self) {
        self.reached.store(true, Ordering::Relaxed);
    }

    /// Clears the level: there is much room again, or nothing to wait for.
    pub(super) fn release(&self) {
        if self.reached.swap(false, Ordering::Relaxed) {
            self.eased.notify_waiters();
        }
    }

    /// Waits for room. Before each wait, `before` may hurry the tasks that make room.
    pub(super) async fn wait(&self, before: &(dyn Fn() + Sync)) {
        while self.is_at_hard_bound() {
            // Made before the look at the level: so it receives an event that comes between the two.
            let eased = self.eased.notified();
            if !self.is_at_hard_bound() {
                return;
            }
            before();
            eased.await;
        }
    }

    /// As [`Self::wait`], for one of many waiters, who go on one after the other.
    pub(super) async fn wait_in_turn(&self, before: &(dyn Fn() + Sync)) {
        if self.is_at_hard_bound() {
            let _next = self.next.lock().await;
            self.wait(before).await;
        }
    }
}
