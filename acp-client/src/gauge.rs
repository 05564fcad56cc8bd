//! Counts the bytes of updates that nobody has taken yet, and decides whether the reader may go on.
//!
//! Above the soft bound the reader stops, so a slow consumer holds the agent back. But a caller may wait for an answer
//! that stands behind unread updates. Then the reader goes on, up to the hard bound: see
//! [`inbox`](crate::inbox).

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
    /// The number of requests to the agent that are not answered, but for those that end a turn.
    asking: AtomicUsize,
    /// Notified when questions that wait for a reader may have to wait no more.
    held: Notify,
    soft: usize,
    hard: usize,
}

impl Gauge {
    pub(crate) fn new(soft: usize, hard: usize) -> Self {
        let (unread, awaited, ended, eased) = Default::default();
        let (asking, held) = Default::default();
        Self { unread, awaited, ended, eased, asking, held, soft, hard: hard.max(soft) }
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

    /// Whether a caller waits for the answer to a request. It may be a reader of updates, which takes none meanwhile.
    pub(crate) fn is_asking(&self) -> bool {
        self.asking.load(Ordering::Relaxed) > 0
    }

    /// Waits until a request is made, or a reader is known to be gone. Events count from the call of this function on.
    pub(crate) fn held_may_go(&self) -> tokio::sync::futures::Notified<'_> {
        self.held.notified()
    }

    pub(crate) fn notify_held(&self) {
        self.held.notify_waiters();
    }

    /// Registers a caller that waits for the answer to a request, until the guard is dropped.
    pub(crate) fn ask(&self) -> Asking<'_> {
        self.asking.fetch_add(1, Ordering::Relaxed);
        self.notify_held();
        Asking(self.await_answer())
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

/// See [`Gauge::ask`].
pub(crate) struct Asking<'g>(Awaiting<'g>);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.0.asking.fetch_sub(1, Ordering::Relaxed);
    }
}
