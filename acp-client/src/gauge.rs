//! Counts the bytes of updates that nobody has taken yet, and decides whether the reader may go on.
//!
//! Above the soft bound the reader stops, so a slow consumer holds the agent back. But a caller may wait for an answer
//! that stands behind unread updates. Then the reader goes on, up to the hard bound: see
//! [`Inbox`](crate::session::inbox).

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::Notify;

/// The unread bytes of one connection.
pub(crate) struct Gauge {
    unread: AtomicUsize,
    /// The number of callers that wait for an answer and take no updates meanwhile.
    awaited: AtomicUsize,
    /// The agent has ended.
    ended: AtomicBool,
    eased: Notify,
    soft: usize,
    hard: usize,
}

impl Gauge {
    pub(crate) fn new(soft: usize, hard: usize) -> Self {
        let (unread, awaited, ended, eased) = Default::default();
        Self { unread, awaited, ended, eased, soft, hard: hard.max(soft) }
    }

    /// Adds bytes; true if the hard bound is exceeded.
    pub(crate) fn add(&self, bytes: usize) -> bool {
        self.unread.fetch_add(bytes, Ordering::Relaxed) + bytes > self.hard
    }

    /// The agent has ended: what is left of its output is little, and is read at once. So the end is noticed, however
    /// many updates nobody has taken.
    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
        self.eased.notify_waiters();
    }

    /// Subtracts bytes.
    pub(crate) fn remove(&self, bytes: usize) {
        let before = self.unread.fetch_sub(bytes, Ordering::Relaxed);
        if before > self.soft && before - bytes <= self.soft {
            self.eased.notify_waiters();
        }
    }

    /// The soft bound.
    pub(crate) fn soft(&self) -> usize {
        self.soft
    }

    /// Whether the reader must stop.
    pub(crate) fn is_full(&self) -> bool {
        self.unread.load(Ordering::Relaxed) > self.soft
            && self.awaited.load(Ordering::Relaxed) == 0
            && !self.ended.load(Ordering::Relaxed)
    }

    /// Waits until reading may go on.
    pub(crate) async fn room(&self) {
        loop {
            // Registered before the check: so an event between the check and the wait is not lost.
            let eased = self.eased.notified();
            if !self.is_full() {
                return;
            }
            eased.await;
        }
    }

    /// Registers a caller that waits for an answer, until the guard is dropped.
    pub(crate) fn await_answer(&self) -> Awaiting<'_> {
        self.awaited.fetch_add(1, Ordering::Relaxed);
        self.eased.notify_waiters();
        Awaiting(self)
    }
}

/// See [`Gauge::await_answer`].
pub(crate) struct Awaiting<'g>(&'g Gauge);

impl Drop for Awaiting<'_> {
    fn drop(&mut self) {
        self.0.awaited.fetch_sub(1, Ordering::Relaxed);
    }
}
