//! Commits that no end of a turn makes: of what is said and changed outside of turns, of what a turn could not commit, and of
//! lasting permissions within a turn.

use std::time::Duration;

use super::{Book, Now};
use crate::{TARGET, store::StoreError};

/// How long a change outside of a turn waits for others, to be committed with them.
pub(super) const SOON: Duration = Duration::from_millis(100);
/// How long the runtime waits before it repeats a commit that has failed.
pub(super) const LATER: Duration = Duration::from_secs(5);

impl Book {
    /// Sets the function that begins a commit behind a time.
    pub(crate) fn commit_by(&self, behind: Box<dyn Fn(Duration) + Send + Sync>) {
        let _ = self.behind.set(behind);
    }

    /// Begins a commit behind this time, unless one is awaited.
    pub(super) fn await_commit(&self, behind: Duration) {
        if std::mem::replace(&mut self.unwritten().is_awaited, true) {
            return;
        }
        if let Some(begin) = self.behind.get() {
            begin(behind);
        }
    }

    /// The commit that was awaited. If it fails, it is tried again.
    pub(crate) async fn commit_awaited(&self, now: Result<Now, StoreError>) {
        self.unwritten().is_awaited = false;
        if self.has_turn() {
            return self.keep_permissions().await;
        }
        let committed = match now {
            Ok(now) => self.commit(now).await,
            Err(error) => Err(error),
        };
        match committed {
            Ok(()) => {}
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

    /// Commits the lasting permissions. If this fails, the end of the turn commits them, or tells the client that it cannot.
    pub(super) async fn keep_permissions(&self) {
        if let Err(error) = self.commit_permissions().await {
            tracing::warn!(target: TARGET, %error, "the lasting permissions of a session are not committed yet");
        }
    }
}
