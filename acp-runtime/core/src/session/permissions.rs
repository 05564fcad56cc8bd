//! The lasting decisions of one session: where they stand, and the author's view of them.

use std::{collections::BTreeMap, sync::Arc};

use super::{handle::SessionHandle, remembered::Remembered, update::SessionOutput};

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
        self.extra(|late| late.remembered.get_or_insert_default().clone()).unwrap_or_default()
    }

    /// The lasting decisions, if the session has a place for them.
    fn remembered_so_far(&self) -> Option<Arc<Remembered>> {
        if let Some(recorder) = self.recorder() {
            return recorder.permissions().get().filter(|_| !self.is_over()).cloned();
        }
        self.extra_so_far(|late| late.remembered.clone())?
    }

    /// The decisions have changed: a store keeps them.
    fn permissions_changed(&self) {
        if let Some(recorder) = self.recorder() {
            recorder.clone().permissions_changed();
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
