//! Whether somebody takes the updates of a turn, or those outside of turns.
//!
//! A reader is a loop: it takes an update, shows it, and comes back for the next one. It counts as there from the begin of the
//! turn on, also while it shows an update, until it stands still. A task that waits for something else before its first call
//! reads nothing.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    task::{Context, Wake, Waker},
};

/// The reader of one queue. Each call costs one plain store.
#[derive(Default)]
pub(crate) struct Reader {
    /// The number of calls for an update.
    calls: AtomicU64,
    /// The number of calls after which the reader counted as gone.
    gone: AtomicU64,
    /// The number of calls that wait for an update, after they have taken all that has arrived.
    waiting: AtomicUsize,
}

impl Reader {
    /// Records that the reader has come for the next update. So it is done with the one before.
    pub(crate) fn call(&self) {
        // If two callers meet here, one of them is not counted. This is no fault: the number has changed.
        self.calls.store(self.calls.load(Relaxed).wrapping_add(1), Relaxed);
    }

    pub(super) fn calls(&self) -> u64 {
        self.calls.load(Relaxed)
    }

    pub(super) fn is_there(&self) -> bool {
        self.calls.load(Relaxed) != self.gone.load(Relaxed)
    }

    /// Nobody reads until the next call, unless the reader has called since it had made this number of calls, or waits.
    pub(super) fn leave_since(&self, calls: u64) {
        if !self.is_waiting() {
            self.gone.store(calls, Relaxed);
        }
    }

    /// Records a call that waits, until the guard is dropped.
    pub(super) fn wait(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Relaxed);
        Waiting(self)
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.waiting.load(Relaxed) > 0
    }
}

/// See [`Reader::wait`].
pub(super) struct Waiting<'r>(&'r Reader);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Relaxed);
    }
}

/// Calls `then` when the task that runs now gives its thread back to the runtime, at its next wait. On a thread that no
/// runtime schedules, such as that of `block_on` in a runtime of several threads, nobody sees this, and `then` is not called.
pub(super) fn at_next_wait(then: impl Fn() + Send + Sync + 'static) {
    struct AtNextWait<F> {
        then: F,
        is_set: AtomicBool,
    }
    impl<F: Fn() + Send + Sync + 'static> Wake for AtNextWait<F> {
        fn wake(self: Arc<Self>) {
            if self.is_set.load(Relaxed) {
                (self.then)();
            }
        }
    }
    let waits = Arc::new(AtNextWait { then, is_set: AtomicBool::new(false) });
    let waker = Waker::from(waits.clone());
    // The runtime wakes a task that yields when the thread is free again; without a runtime, it is woken here.
    let _ = pin!(tokio::task::yield_now()).poll(&mut Context::from_waker(&waker));
    waits.is_set.store(true, Relaxed);
}
