//! The user's lasting decisions about tools. Each has a key, and the session asks for a key at most once at a time.
//!
//! They are made [late](super::late). The book of a session that a store keeps has them itself, and commits them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

use super::{handle::SessionHandle, update::SessionOutput};

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

    fn restore(&self, decisions: impl IntoIterator<Item = (String, bool)>) {
        self.known().decisions.extend(decisions);
        self.changed.notify_waiters();
    }

    fn forget(&self, key: &str) -> Option<bool> {
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

impl SessionOutput {
    /// The lasting decisions. Their place is made here, if there is none.
    // Without this attribute, each agent's crate would compile the inlined function again.
    #[inline(never)]
    pub(super) fn remembered(&self) -> Arc<Remembered> {
        if let Some(recorder) = self.recorder() {
            return if self.is_over() {
                Arc::default()
            } else {
                recorder.permissions().get_or_init(Arc::default).clone()
            };
        }
        self.late(|parts| parts.remembered.get_or_insert_default().clone()).unwrap_or_default()
    }

    /// The lasting decisions, if the session has a place for them.
    fn remembered_so_far(&self) -> Option<Arc<Remembered>> {
        if let Some(recorder) = self.recorder() {
            return recorder.permissions().get().filter(|_| !self.is_over()).cloned();
        }
        self.late_so_far(|parts| parts.remembered.clone())?
    }

    /// The decisions have changed: a store keeps them.
    fn permissions_changed(&self) {
        if let Some(recorder) = self.recorder() {
            recorder.permissions_changed();
        }
    }

    /// As [`permissions_changed`](Self::permissions_changed), and waits for the store. If it fails, the end of the turn tries
    /// again.
    pub(super) async fn keep_permissions(&self) {
        if let Some(recorder) = self.recorder() {
            recorder.clone().keep_permissions().await;
        }
    }
}

impl<C> SessionHandle<C> {
    /// The user's lasting decisions in this session, by the key of
    /// [`PermissionBuilder::remember`](super::PermissionBuilder::remember): true if the tool may run.
    ///
    /// An agent that declares a store keeps them with the session, also if the process is killed before the turn ends. When the
    /// session is loaded or resumed, they hold again.
    ///
    /// Without a store, they end with the session. To keep them longer, write them down, and [restore](Self::restore_permissions)
    /// them when the session is loaded or resumed. They are plain data for that.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use acp_runtime::prelude::*;
    ///
    /// fn keep<C>(session: &SessionHandle<C>) -> serde_json::Result<String> {
    ///     serde_json::to_string(&session.permissions())
    /// }
    ///
    /// fn restore<C>(session: &SessionHandle<C>, kept: &str) -> serde_json::Result<()> {
    ///     session.restore_permissions(serde_json::from_str::<BTreeMap<_, _>>(kept)?);
    ///     Ok(())
    /// }
    /// ```
    pub fn permissions(&self) -> BTreeMap<String, bool> {
        self.output().remembered_so_far().map(|remembered| remembered.decisions()).unwrap_or_default()
    }

    /// Adds lasting decisions, as [`permissions`](Self::permissions) has returned them. A decision replaces an earlier one of the
    /// same key. A store keeps them soon after the call.
    pub fn restore_permissions(&self, decisions: impl IntoIterator<Item = (String, bool)>) {
        let mut decisions = decisions.into_iter().peekable();
        if decisions.peek().is_some() {
            self.output().remembered().restore(decisions);
            self.output().permissions_changed();
        }
    }

    /// Forgets the lasting decision with this key: the user is asked again. Returns the decision. A store forgets it soon after
    /// the call, also within a turn.
    pub fn forget_permission(&self, key: &str) -> Option<bool> {
        let forgotten = self.output().remembered_so_far()?.forget(key)?;
        self.output().permissions_changed();
        Some(forgotten)
    }
}
