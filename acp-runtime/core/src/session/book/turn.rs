//! The turns of a stored session: each begins with a lease that holds, is committed in parts if it is long, and its end commits
//! the rest.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::task::JoinHandle;

use super::{
    Book, State,
    outside::{LATER, SOON},
    within,
};
use crate::{TARGET, store::StoreError};

/// How often the lease of a running turn is renewed. What it has said meanwhile is committed by this.
const RENEWAL: Duration = Duration::from_secs(5);

/// A turn that runs.
pub(super) struct Running {
    /// The place of its first entry.
    pub(super) first: u64,
    _renewing: Renewing,
}

/// The renewals of a lease, until this value is dropped.
struct Renewing(JoinHandle<()>);

impl Drop for Renewing {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Book {
    /// A turn begins: what earlier turns could not commit is committed with the state as this turn gets it, and the lease is
    /// renewed. From here on, the end of the turn commits.
    ///
    /// # Errors
    ///
    /// Another process has the session, or the store fails. Then there is no turn.
    pub(crate) async fn begin_turn(self: &Arc<Self>, unwritten: Option<State>) -> Result<(), StoreError> {
        match unwritten {
            Some(state) => self.commit_what_can_be_kept(state).await?,
            None => self.at_store().await?.renew(&*self.books.store).await?,
        }
        let renewing = Renewing(tokio::spawn(renew(Arc::downgrade(self))));
        let mut unwritten = self.unwritten();
        let first = unwritten.journal.next();
        unwritten.turn = Some(Running { first, _renewing: renewing });
        Ok(())
    }

    /// Whether a turn has begun and not ended.
    pub(crate) fn has_turn(&self) -> bool {
        self.unwritten().turn.is_some()
    }

    /// Whether there is a turn. Its end is committed now: a later change may come too late for that.
    pub(crate) fn ends_turn(&self) -> bool {
        let mut unwritten = self.unwritten();
        unwritten.is_changed = false;
        unwritten.turn.is_some()
    }

    /// Commits what the turn has said and changed, with the state as it leaves it.
    pub(crate) async fn end_turn(self: &Arc<Self>, state: State) -> Result<(), StoreError> {
        self.unwritten().ends = true;
        let committed = self.commit(state).await;
        let mut unwritten = self.unwritten();
        unwritten.turn = None;
        let is_late = unwritten.is_changed || !unwritten.is_empty();
        drop(unwritten);
        self.watch();
        match &committed {
            Ok(()) | Err(StoreError::Invalid { .. }) if is_late => self.await_commit(SOON),
            Ok(()) | Err(StoreError::Invalid { .. }) => {}
            Err(_) => self.await_commit(LATER),
        }
        committed
    }

    /// Commits what the running turn has said so far, with the mark of a turn that has not ended. Its state and its
    /// options come with its end.
    pub(super) async fn commit_said(&self) -> Result<(), StoreError> {
        let mut ledger = self.at_store().await?;
        let (batch, first) = {
            let mut unwritten = self.unwritten();
            let Some(first) = unwritten.turn.as_ref().map(|turn| turn.first) else { return Ok(()) };
            (unwritten.batch(), first)
        };
        if batch.said.is_empty() {
            return Ok(());
        }
        let mut change = batch.change();
        change.unended = Some(Some(first));
        self.keep(&mut ledger, change).await?;
        self.unwritten().committed(&batch.within_turn());
        Ok(())
    }
}

/// Renews the lease until it is lost. The book may be dropped meanwhile.
async fn renew(book: Weak<Book>) {
    loop {
        tokio::time::sleep(RENEWAL).await;
        let Some(book) = book.upgrade() else { return };
        let has_said = book.unwritten().has_said();
        let renewed = if has_said {
            // A commit renews the lease, too.
            book.commit_said().await
        } else {
            let Some(lease) = book.locked().await.lease.clone() else { return };
            within(book.books.store.renew(&lease)).await
        };
        match renewed {
            Ok(()) => {}
            Err(error @ (StoreError::LeaseLost { .. } | StoreError::NotFound { .. })) => {
                // The end of the turn tells the client.
                return tracing::warn!(target: TARGET, %error, "the turn's session was taken or deleted");
            }
            Err(error) => tracing::warn!(target: TARGET, %error, "a lease was not renewed"),
        }
    }
}
