//! The turns of a stored session: each begins with a lease that holds, and its end commits.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::task::JoinHandle;

use super::{
    Book, Now,
    outside::{LATER, SOON},
    within,
};
use crate::{TARGET, store::StoreError};

/// How often the lease of a running turn is renewed.
const RENEWAL: Duration = Duration::from_secs(5);

/// The renewals of a lease, until this value is dropped.
pub(super) struct Renewing(JoinHandle<()>);

impl Drop for Renewing {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Book {
    /// A turn begins: what earlier turns could not commit is committed, and the lease is renewed. From here on, the end of
    /// the turn commits.
    ///
    /// # Errors
    ///
    /// Another process has the session, or the store fails. Then there is no turn.
    pub(crate) async fn begin_turn(
        self: &Arc<Self>,
        unwritten: Option<Result<Now, StoreError>>,
    ) -> Result<(), StoreError> {
        match unwritten {
            Some(now) => self.commit(now?).await?,
            None => {
                let ledger = self.ledger.lock().await;
                within(self.store.renew(ledger.lease()?)).await?;
            }
        }
        let renewing = Renewing(tokio::spawn(renew(Arc::downgrade(self))));
        self.unwritten().turn = Some(renewing);
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

    /// Commits what the turn has said and changed.
    pub(crate) async fn end_turn(&self, now: Result<Now, StoreError>) -> Result<(), StoreError> {
        let committed = match now {
            Ok(now) => self.commit(now).await,
            Err(error) => Err(error),
        };
        let mut unwritten = self.unwritten();
        unwritten.turn = None;
        let is_late = unwritten.is_changed || !unwritten.is_empty();
        drop(unwritten);
        if committed.is_err() {
            self.await_commit(LATER);
        } else if is_late {
            self.await_commit(SOON);
        }
        committed
    }
}

/// Renews the lease until it is lost. The book may be dropped meanwhile.
async fn renew(book: Weak<Book>) {
    loop {
        tokio::time::sleep(RENEWAL).await;
        let Some(book) = book.upgrade() else { return };
        let Some(lease) = book.ledger.lock().await.lease.clone() else { return };
        match within(book.store.renew(&lease)).await {
            Ok(()) => {}
            Err(error @ (StoreError::LeaseLost { .. } | StoreError::NotFound { .. })) => {
                // The end of the turn tells the client.
                return tracing::warn!(target: TARGET, %error, "the turn's session was taken or deleted");
            }
            Err(error) => tracing::warn!(target: TARGET, %error, "a lease was not renewed"),
        }
    }
}
