//! The user's lasting decisions about tools. Each has a key, and the session asks for a key at most once at a time.
//!
//! A session gets a place for them when it first needs it ([`Extras`](super::Extras)). The book of a session that a store keeps has them itself, and commits them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

/// The lasting decisions of a session.
#[derive(Default)]
pub(crate) struct Remembered {
    known: Mutex<Known>,
    /// A decision has come, or a question is over.
    changed: Notify,
}

#[derive(Default)]
struct Known {
    /// By key: whether the user allows it.
    decisions: BTreeMap<String, bool>,
    /// The keys that the user is asked about now.
    asking: BTreeSet<String>,
}

/// The way to an answer.
pub(super) enum Way<'r> {
    /// The user has decided for good: whether the tool may run.
    Decided(bool),
    /// The user has to be asked.
    Ask(Question<'r>),
}

/// A question that the user is asked. While it lives, other questions with the same key wait for it.
pub(super) struct Question<'r> {
    remembered: &'r Remembered,
    key: String,
}

impl Remembered {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while the user is asked about the same key, and then finds the decision or asks.
    pub(super) async fn way(&self, key: &str) -> Way<'_> {
        loop {
            // Made before the check, so that no change between the check and the wait is lost.
            let changed = self.changed.notified();
            if let Some(way) = self.way_now(key) {
                return way;
            }
            changed.await;
        }
    }

    fn way_now(&self, key: &str) -> Option<Way<'_>> {
        let mut known = self.known();
        if let Some(is_allowed) = known.decisions.get(key) {
            return Some(Way::Decided(*is_allowed));
        }
        let is_first = known.asking.insert(key.to_owned());
        is_first.then(|| Way::Ask(Question { remembered: self, key: key.to_owned() }))
    }

    pub(super) fn decisions(&self) -> BTreeMap<String, bool> {
        self.known().decisions.clone()
    }

    /// From here on, these are all decisions.
    pub(super) fn replace(&self, decisions: BTreeMap<String, bool>) {
        self.known().decisions = decisions;
        self.changed.notify_waiters();
    }

    pub(super) fn restore(&self, decisions: impl IntoIterator<Item = (String, bool)>) {
        self.known().decisions.extend(decisions);
        self.changed.notify_waiters();
    }

    pub(super) fn forget(&self, key: &str) -> Option<bool> {
        self.known().decisions.remove(key)
    }
}

impl Question<'_> {
    /// The user has decided for good.
    pub(super) fn remember(self, is_allowed: bool) {
        self.remembered.known().decisions.insert(self.key.clone(), is_allowed);
    }
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        self.remembered.known().asking.remove(&self.key);
        self.remembered.changed.notify_waiters();
    }
}
