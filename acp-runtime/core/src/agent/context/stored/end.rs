//! The end of stored sessions: one is closed or deleted, or the client is gone.

use std::{pin::Pin, sync::Arc, time::Duration};

use tokio::{
    task::JoinSet,
    time::{Instant, timeout_at},
};

use super::{CallContext, book_of, told};
use crate::{
    TARGET,
    agent::{connection::Connection, contract::Handlers},
    session::{
        Ended, Session,
        book::{Book, State, within},
    },
    store::StoreError,
    wire::{Error, Result},
};

/// The time to give leases back, if handlers have used all of the shutdown's.
const LAST: Duration = Duration::from_millis(50);

/// Commits the rest. A session that another process has, or that is deleted, has no rest.
async fn commit_rest(book: &Book) -> Result<(), StoreError> {
    match book.commit_what_can_be_kept(State::OfSession).await {
        Err(error @ (StoreError::LeaseLost { .. } | StoreError::NotFound { .. })) => {
            tracing::debug!(target: TARGET, %error, "the rest of a session is not committed");
            Ok(())
        }
        committed => committed,
    }
}

impl<A: Handlers> CallContext<A> {
    /// The store's part of the end of a session, when its handler has succeeded.
    pub(crate) fn end_stored(&mut self, end: Ended) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>> {
        Box::pin(async move {
            let book = self.book();
            if end == Ended::Deleted {
                let id = self.session_id.as_ref();
                let id = id.ok_or_else(|| Error::internal_error("the session to delete has no id"))?;
                within(self.connection.stored()?.store.delete(id)).await.map_err(told)?;
            } else if let Some(book) = book {
                commit_rest(&book).await.map_err(told)?;
            }
            Ok(())
        })
    }

    /// Gives the lease of a session back that has ended here; a deleted one has none. A session that goes on keeps it, also if
    /// its end is withdrawn: so the end comes first. A task does it, because this call may be withdrawn, too.
    pub(crate) fn leave_stored(&self, end: Ended) -> Pin<Box<dyn Future<Output = ()> + Send + 'static>> {
        let book = self.book();
        Box::pin(async move {
            let Some(book) = book else { return };
            let left = tokio::spawn(async move {
                match end {
                    Ended::Deleted => book.forget().await,
                    Ended::Closed | Ended::Disconnected => book.release().await,
                }
            });
            if let Err(error) = left.await {
                tracing::warn!(target: TARGET, %error, "a lease was not given back, and ends by its time");
            }
        })
    }
}

/// The sessions of a connection whose client is gone.
pub(in crate::agent) struct Left<A: Handlers>(Vec<Arc<Session<A::Config, A::Session>>>);

impl<A: Handlers> Connection<A> {
    /// The sessions that are open when the client is gone.
    pub(in crate::agent) fn left(&self) -> Left<A> {
        Left(self.sessions.active())
    }

    /// The handlers have ended: commits what is not committed yet, and gives the leases back.
    pub(in crate::agent) async fn release_all(&self, left: Left<A>, deadline: Instant) {
        let mut released = JoinSet::new();
        for session in left.0.into_iter().chain(self.sessions.active()) {
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
