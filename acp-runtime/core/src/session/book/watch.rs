//! What the holder of a session does between turns: it looks for other processes that wait for the session, for as long as these would
//! wait. When the lease is over, a claim wins without it. So a session at rest asks the store for nothing.

use std::{
    pin::Pin,
    sync::{Arc, Weak},
    time::Duration,
};

use super::{Book, within};
use crate::{TARGET, store::StoreError};

/// How often the holder looks.
const LOOK: Duration = Duration::from_secs(3);

/// A session that this process has, and may give up.
pub(crate) trait Holding: Send + Sync {
    /// Whether something happens in the session.
    fn is_busy(&self) -> bool;

    /// If nothing happens in the session, commits what is left, ends the session here, and gives its lease back. Returns whether this
    /// was done.
    fn give_up(&self) -> Pin<Box<dyn Future<Output = bool> + Send>>;
}

impl Book {
    /// Another process may have the session from here on, if it asks for it.
    pub(crate) fn is_held_by(&self, holding: Arc<dyn Holding>) {
        self.unwritten().holding = Some(holding);
    }

    /// Watches the lease, which was renewed just now, until it is over. While work goes on outside of turns, the lease is renewed.
    pub(super) fn watch(self: &Arc<Self>) {
        if !std::mem::replace(&mut self.unwritten().is_watched, true) {
            tokio::spawn(watch(Arc::downgrade(self)));
        }
    }

    /// Looks once. Returns whether to look again.
    async fn look(&self) -> bool {
        let holding = {
            // A turn renews its lease, and its end begins to watch again.
            let mut unwritten = self.unwritten();
            if unwritten.turn.is_some() {
                unwritten.is_watched = false;
                return false;
            }
            unwritten.holding.clone()
        };
        let is_busy = holding.as_ref().is_some_and(|holding| holding.is_busy());
        let mut ledger = self.locked().await;
        if ledger.is_over() && !is_busy {
            self.unwritten().is_watched = false;
            return false;
        }
        let found = if is_busy {
            ledger.renew(&*self.store).await.map(|()| false)
        } else {
            let Some(lease) = ledger.lease.clone() else { return false };
            drop(ledger);
            within(self.store.is_wished(&lease)).await
        };
        let goes_on = match (found, holding) {
            (Ok(true), Some(holding)) => !holding.give_up().await,
            (Ok(_), _) => true,
            (Err(error @ (StoreError::LeaseLost { .. } | StoreError::NotFound { .. })), _) => {
                // The next turn tells the client.
                tracing::debug!(target: TARGET, %error, "a session was taken or deleted");
                false
            }
            (Err(error), _) => {
                tracing::debug!(target: TARGET, %error, "nobody knows whether another process waits for a session");
                true
            }
        };
        self.unwritten().is_watched = goes_on;
        goes_on
    }
}

/// Looks until there is nothing more to look for. The book may be dropped meanwhile.
async fn watch(book: Weak<Book>) {
    loop {
        tokio::time::sleep(LOOK).await;
        let Some(book) = book.upgrade() else { return };
        if !book.look().await {
            return;
        }
    }
}
