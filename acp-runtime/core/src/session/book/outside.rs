//! Commits that no end of a turn makes: of what is said and changed outside of turns, of what a turn could not commit, of
//! lasting permissions within a turn, and of the first parts of a long turn.

use std::{sync::Arc, time::Duration};

use super::{Book, State};
use crate::{TARGET, store::StoreError};

/// How long a change outside of a turn waits for others, to be committed with them.
pub(super) const SOON: Duration = Duration::from_millis(100);
/// How long the runtime waits before it repeats a commit that has failed.
pub(super) const LATER: Duration = Duration::from_secs(5);

impl Book {
    /// Begins a commit behind this time, unless one is awaited.
    pub(super) fn await_commit(self: &Arc<Self>, behind: Duration) {
        if std::mem::replace(&mut self.unwritten().is_awaited, true) {
            return;
        }
        if let Some(sheet) = self.sheet.get() {
            sheet.commit_behind(Arc::downgrade(self), behind);
        }
    }

    /// The commit that was awaited. If it fails, it is tried again.
    pub(crate) async fn commit_awaited(self: Arc<Self>) {
        // The commit that runs now perhaps does not have it. Until it has ended, no other one is awaited.
        drop(self.locked().await);
        self.unwritten().is_awaited = false;
        let committed = match self.has_turn() {
            false => self.commit_what_can_be_kept(State::OfSession).await,
            true => self.commit_within_turn().await,
        };
        match committed {
            Ok(()) => self.watch(),
            // Nobody can commit it any more.
            Err(error @ (StoreError::LeaseLost { .. } | StoreError::NotFound { .. })) => {
                tracing::debug!(target: TARGET, %error, "a change of a session is lost");
            }
            Err(error) => {
                tracing::warn!(target: TARGET, %error, "a change of a session is not committed yet");
                self.await_commit(LATER);
            }
        }
    }

    /// The lasting permissions, and what the turn has said if that is much.
    async fn commit_within_turn(&self) -> Result<(), StoreError> {
        self.commit_permissions().await?;
        if self.unwritten().is_much() { self.commit_said().await } else { Ok(()) }
    }

    /// Commits the lasting permissions. If this fails, the end of the turn commits them, or tells the client that it cannot.
    pub(super) async fn keep_permissions(&self) {
        if let Err(error) = self.commit_permissions().await {
            tracing::warn!(target: TARGET, %error, "the lasting permissions of a session are not committed yet");
        }
    }

    /// Nobody knows what the store has: the next commit says it, at the latest soon.
    pub(super) fn is_doubtful(self: &Arc<Self>) {
        let mut unwritten = self.unwritten();
        unwritten.is_changed = unwritten.turn.is_some();
        let has_turn = unwritten.is_changed;
        drop(unwritten);
        if !has_turn {
            self.await_commit(LATER);
        }
    }
}
