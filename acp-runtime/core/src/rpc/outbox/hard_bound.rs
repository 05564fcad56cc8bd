//! Whether so much is unsent that nothing more may be begun.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Mutex, Notify};

/// The hard bound of an outbox or of a stream, for those that wait below it: a level with a gap, since it is set at the
/// bound and cleared well below it.
#[derive(Default)]
pub struct HardBound {
    /// A hint, so that the dispatcher can look after each message, and a handler before each step.
    reached: AtomicBool,
    eased: Notify,
    /// Whoever holds this is the next handler to go on: all at once would fill the room many times over.
    next: Mutex<()>,
}

impl HardBound {
    pub(super) fn is_at_hard_bound(&self) -> bool {
        self.reached.load(Ordering::Relaxed)
    }

    /// The bound is reached.
    pub(super) fn reach(&self) {
        self.reached.store(true, Ordering::Relaxed);
    }

    /// There is much room again, or nothing to wait for.
    pub(super) fn release(&self) {
        if self.reached.swap(false, Ordering::Relaxed) {
            self.eased.notify_waiters();
        }
    }

    /// Waits for that; `before` each wait, it may hurry those who make room.
    pub(super) async fn wait(&self, before: &(dyn Fn() + Sync)) {
        while self.is_at_hard_bound() {
            // Made before the look at the level: it hears of what happens in between.
            let eased = self.eased.notified();
            if !self.is_at_hard_bound() {
                return;
            }
            before();
            eased.await;
        }
    }

    /// The same for one of many, who go on one after the other.
    pub(super) async fn wait_in_turn(&self, before: &(dyn Fn() + Sync)) {
        if self.is_at_hard_bound() {
            let _next = self.next.lock().await;
            self.wait(before).await;
        }
    }
}
