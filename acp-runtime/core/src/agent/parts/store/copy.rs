//! A session of a store is copied: the new one begins with its history, its title and its options.

use std::sync::Arc;

use super::{HasStore, Restored, principal, told};
use crate::{
    agent::{call::Parts, expansion::FromCall, handlers::DraftOpenerOf, model::Handlers},
    schema::Method,
    session::book::{Book, State, within},
    store::{Change, Kept, Lease, SessionStore, StoreError, Timestamp},
    values::SessionId,
    wire::{Error, Result},
};

/// The most entries that are in memory at once.
const PAGE: usize = 100;

/// The session that is copied.
pub(super) struct Source {
    id: SessionId,
    /// The first entry that is not copied. `None`: all are.
    end: Option<u64>,
}

/// Reads the session of this principal, which `book` belongs to if it is active. A turn that runs is no part of the copy.
pub(super) async fn read(
    store: Arc<dyn SessionStore>,
    id: SessionId,
    principal: Option<String>,
    book: Option<Arc<Book>>,
) -> Result<(Source, Kept)> {
    if let Some(book) = book.filter(|book| !book.has_turn()) {
        book.commit_what_can_be_kept(State::OfSession).await.map_err(told)?;
    }
    let kept = principal::read(&*store, &id, principal.as_deref()).await.map_err(told)?;
    Ok((Source { id, end: kept.unended }, kept))
}

impl Source {
    /// Writes the history into the new session, with places from 1 on. Returns the lease behind it.
    pub(super) async fn copy_to(&self, store: &dyn SessionStore, lease: Lease) -> Result<Lease, StoreError> {
        let (mut last, mut written) = (0, lease.last_seq());
        loop {
            let mut page = within(store.replay(&self.id, last, PAGE)).await?;
            let Some(end) = page.last() else { break };
            last = end.seq;
            page.retain(|entry| self.end.is_none_or(|end| entry.seq < end));
            for (entry, place) in page.iter_mut().zip(written + 1..) {
                entry.seq = place;
            }
            let Some(end) = page.last() else { break };
            let mut change = Change::said(&page);
            change.updated = Some(Timestamp::now());
            within(store.commit(&lease, change)).await?;
            written = end.seq;
        }
        Ok(Lease::new(lease.session(), lease.token(), written, lease.time()))
    }
}

/// The state of the session that is copied, as the store has kept it.
impl<'c, A: Handlers<Session = S> + HasStore, M: Method, S> FromCall<'c, DraftOpenerOf<M>, A> for Restored<S> {
    fn from_call(parts: &mut Parts<'c, A, DraftOpenerOf<M>>) -> Result<Self> {
        let kept = parts.lent.kept.ok_or_else(|| Error::invalid_params("`sessionId` names no session"))?;
        A::STORE.restore(kept).map(Self)
    }
}
