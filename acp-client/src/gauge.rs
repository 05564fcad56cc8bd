//! How much the agent sent that nobody has taken yet, and whether the reader may go on.
//!
//! Reading stops above the soft bound, so that a slow consumer holds the agent back. It goes on while somebody waits for an
//! answer, which may stand behind unread updates: then only the hard bound holds, see [`Inbox`](crate::session::inbox).

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

/// The unread bytes of one connection.
pub(crate) struct Gauge {
    unread: AtomicUsize,
    /// Requests whose answers somebody waits for who takes no updates meanwhile.
    awaited: AtomicUsize,
    eased: Notify,
    soft: usize,
    hard: usize,
}

impl Gauge {
    pub(crate) fn new(soft: usize, hard: usize) -> Self {
        let (unread, awaited, eased) = <(AtomicUsize, AtomicUsize, Notify)>::default();
        Self { unread, awaited, eased, soft, hard: hard.max(soft) }
    }

    /// Adds bytes; whether that is more than the hard bound allows.
    pub(crate) fn add(&self, bytes: usize) -> bool {
        self.unread.fetch_add(bytes, Ordering::Relaxed) + bytes > self.hard
    }

    /// Takes bytes off again.
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

    /// Whether nothing more is to be read.
    pub(crate) fn is_full(&self) -> bool {
        self.unread.load(Ordering::Relaxed) > self.soft && self.awaited.load(Ordering::Relaxed) == 0
    }

    /// Waits until more may be read.
    pub(crate) async fn room(&self) {
        loop {
            // Made before the look: it hears of what happens in between.
            let eased = self.eased.notified();
            if !self.is_full() {
                return;
            }
            eased.await;
        }
    }

    /// Somebody waits for an answer, until the guard is dropped.
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
