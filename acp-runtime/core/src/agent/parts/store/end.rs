//! The end of stored sessions: one is closed or deleted, or the client is gone.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    task::JoinSet,
    time::{Instant, timeout_at},
};

use super::{Stored, book_of, principal, told};
use crate::{
    TARGET,
    agent::model::{Connection, Handlers, SessionOf},
    session::{
        Ended,
        book::{Book, State, within},
    },
    store::StoreError,
    values::SessionId,
    wire::Result,
};

/// The time to give leases back, if handlers have used all of the shutdown's.
const LAST: Duration = Duration::from_millis(50);

/// Commits the rest. A session that another process has, or that is deleted, has no rest.
pub(super) async fn commit_rest(book: &Book) -> Result<(), StoreError> {
    match book.commit_what_can_be_kept(State::OfSession).await {
        Err(error @ (StoreError::LeaseLost { .. } | StoreError::NotFound { .. })) => {
            tracing::debug!(target: TARGET, %error, "the rest of a session is not committed");
            Ok(())
        }
        committed => committed,
    }
}

impl Stored {
    /// The store's part of the end of a session, when its handler has succeeded.
    pub(super) async fn before_end_of(
        &self,
        id: SessionId,
        principal: Option<String>,
        book: Option<Arc<Book>>,
        end: Ended,
    ) -> Result<()> {
        if end == Ended::Deleted {
            // To delete what is not there is no error, and a session of another principal is not there.
            if principal::has(&*self.store, &id, principal.as_deref()).await.map_err(told)? {
                within(self.store.delete(&id)).await.map_err(told)?;
            }
        } else if let Some(book) = book {
            commit_rest(&book).await.map_err(told)?;
        }
        Ok(())
    }
}

/// Gives the lease of a session back that has ended here; a deleted one has none. A session that goes on keeps it, also if
/// its end is withdrawn: so the end comes first. A task does it, because this call may be withdrawn, too.
pub(super) async fn leave(book: Arc<Book>, end: Ended) {
    let left = tokio::spawn(async move {
        match end {
            Ended::Deleted => book.forget().await,
            Ended::Closed | Ended::Disconnected | Ended::HandedOver => book.release().await,
        }
    });
    if let Err(error) = left.await {
        tracing::warn!(target: TARGET, %error, "a lease was not given back, and ends by its time");
    }
}

/// The sessions that were open when their client went.
pub struct Left<A: Handlers>(Mutex<Vec<Arc<SessionOf<A>>>>);

impl<A: Handlers> Default for Left<A> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<A: Handlers> Left<A> {
    pub(super) fn note(&self, session: &Arc<SessionOf<A>>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(session.clone());
    }

    /// The handlers have ended: commits what is not committed yet, and gives the leases back.
    pub(super) async fn release(&self, connection: &Connection<A>, deadline: Instant) {
        let left = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let mut released = JoinSet::new();
        for session in left.into_iter().chain(connection.ending_sessions()) {
            let Some(book) = book_of(&session.handle) else { continue };
            released.spawn(async move {
                // A turn that did not end is not committed in parts.
                if !book.has_turn()
                    && let Err(error) = commit_rest(&book).await
                {
                    tracing::warn!(target: TARGET, %error, "the rest of a session is not committed");
                }
                book.release().await;
            });
        }
        let all = async { while released.join_next().await.is_some() {} };
        if timeout_at(deadline.max(Instant::now() + LAST), all).await.is_err() {
            tracing::warn!(target: TARGET, "the store did not take all sessions back in time");
        }
    }
}
