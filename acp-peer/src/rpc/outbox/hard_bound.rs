//! Tells whether the unsent bytes have reached the hard bound, so that no new work may begin.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Mutex, Notify};

/// The hard bound of an outbox or of a stream, for code that waits until it is not reached. It is set at the bound, and
/// cleared only well below the bound.
#[derive(Default)]
pub struct HardBound {
    /// A cheap check: the dispatcher makes it after each message, and a handler before each step.
    reached: AtomicBool,
    eased: Notify,
    /// The holder of this lock is the next handler that goes on. If all handlers went on at once, they would exceed the
    /// bound many times.
    next: Mutex<()>,
}

impl HardBound {
    pub(super) fn is_at_hard_bound(&self) -> bool {
        self.reached.load(Ordering::Relaxed)
    }

    /// Records that the bound is reached.
    pub(super) fn reach(&self) {
        self.reached.store(true, Ordering::Relaxed);
    }

    /// Records that there is much room again, or that a wait is useless.
    pub(super) fn release(&self) {
        if self.reached.swap(false, Ordering::Relaxed) {
            self.eased.notify_waiters();
        }
    }

    /// Waits for room. Before each wait, `before` may hurry the tasks that make room.
    pub(super) async fn wait(&self, before: &(dyn Fn() + Sync)) {
        while self.is_at_hard_bound() {
            // The wait is registered before the check, so an event between the check and the wait is not lost.
            let eased = self.eased.notified();
            if !self.is_at_hard_bound() {
                return;
            }
            before();
            eased.await;
        }
    }

    /// As [`Self::wait`], for one of many waiters. The waiters go on one after the other.
    pub(super) async fn wait_in_turn(&self, before: &(dyn Fn() + Sync)) {
        if self.is_at_hard_bound() {
            let _next = self.next.lock().await;
            self.wait(before).await;
        }
    }
}
