//! The calls of an agent that declares a store. The programs of other agents have no code of it: each `if` in front of it is
//! decided by `const { A::STORE.is_some() }`, so that debug builds do not compile it either.
//!
//! Each file is a stage in the life of a stored session: `create`, `restore`, `turn`, `end`. `list` answers from the store alone.
//! The [`Book`] of a session does the work with the store.

mod create;
mod end;
mod guard;
mod list;
mod restore;
mod turn;

use std::{
    any::Any,
    collections::BTreeMap,
    sync::{Arc, Weak},
    time::Duration,
};

pub use restore::Roots;
pub(crate) use restore::{Found, Restoring, restored_state};
pub(in crate::agent) use turn::end_dropped_turn;

use super::CallContext;
use crate::{
    agent::{
        connection::Connection,
        contract::{AgentDeclaration, Handlers, Keeps, StoreDeclaration, heard},
    },
    config::{ConfigOptions, transaction::Keeping},
    dialect::Opening,
    session::{
        Opened, Session, SessionHandle,
        book::{Book, LEASE, Sheet},
    },
    store::{Claim, KeptState, OptionValue, Owner, SessionStore, StoreError},
    values::SessionConfigId,
    wire::{Error, Result},
};

/// The store of one connection.
pub(crate) struct Stored {
    store: Arc<dyn SessionStore>,
    claim: Claim,
}

impl Stored {
    fn claim(&self) -> &Claim {
        &self.claim
    }
}

impl<A: Handlers> Connection<A> {
    /// The store of the agent. It is asked for once, on the thread that serves.
    pub(crate) fn store_of(agent: &super::KeptAgent<A>) -> Option<Box<dyn Any + Send + Sync>> {
        let store = A::STORE?.store(&A::Threading::lend(agent));
        Some(Box::new(Stored { store, claim: Claim::new(&Owner::new(), LEASE) }))
    }

    fn stored(&self) -> Result<&Stored> {
        let stored = self.stored.as_deref().and_then(<dyn Any + Send + Sync>::downcast_ref);
        stored.ok_or_else(|| Error::internal_error("the agent has no store"))
    }
}

/// The declaration of the store.
fn declared<A: AgentDeclaration>() -> Result<StoreDeclaration<A>> {
    A::STORE.ok_or_else(|| Error::internal_error("the agent has no store"))
}

/// The book of a session; `None` if no store keeps the session.
fn book_of<C>(handle: &SessionHandle<C>) -> Option<Arc<Book>> {
    let recorder: Arc<dyn Any + Send + Sync> = handle.output().recorder()?.clone();
    recorder.downcast().ok()
}

/// Keeps options that the client sets. Without a store, there is nothing to wait for.
pub(in crate::agent) fn keep_options<A: Handlers>(
    handle: &SessionHandle<A::Config>,
    draft: &A::Config,
) -> Option<Keeping> {
    if const { A::STORE.is_none() } {
        return None;
    }
    let (book, options) = (book_of(handle)?, draft.kept_options());
    Some(Box::pin(async move { book.commit_options(options).await.map_err(told) }))
}

/// The error of a store, for the client. The author's subscriber gets the whole.
fn told(error: StoreError) -> Error {
    heard("store", error.into())
}

/// A session, as its book sees it.
struct OfSession<A: Handlers> {
    session: Weak<Session<A::Config, A::Session>>,
    runtime: tokio::runtime::Handle,
}

impl<A: Handlers> Sheet for OfSession<A> {
    fn options(&self) -> Option<BTreeMap<SessionConfigId, OptionValue>> {
        Some(self.session.upgrade()?.handle.config().kept_options())
    }

    fn state(&self) -> Result<Option<KeptState>, StoreError> {
        let session = self.session.upgrade();
        let kept = A::STORE.zip(session).and_then(|(store, session)| session.with_state(|state| store.keep(state)));
        kept.transpose()
    }

    fn commit_behind(&self, book: Weak<Book>, behind: Duration) {
        self.runtime.spawn(async move {
            tokio::time::sleep(behind).await;
            if let Some(book) = book.upgrade() {
                book.commit_awaited().await;
            }
        });
    }
}

/// Tells the book whose it is.
pub(super) fn belongs_to<A: Handlers>(session: &Arc<Session<A::Config, A::Session>>) {
    let Some(book) = book_of(&session.handle) else { return };
    let (session, runtime) = (Arc::downgrade(session), tokio::runtime::Handle::current());
    book.belongs_to(Box::new(OfSession::<A> { session, runtime }));
}

impl<A: Handlers> CallContext<A> {
    /// The part of the call that `admit` has noted for the store.
    fn stored_part<T: Any + Send + Sync>(&mut self) -> Result<Arc<T>> {
        let part = self.asked().stored.clone().and_then(|part| part.downcast().ok());
        part.ok_or_else(|| Error::internal_error("the call has no such part of a stored session"))
    }

    /// How a stored session is opened again.
    pub(super) fn restored_by(&self) -> Option<Opened> {
        let part = self.asked.as_ref()?.stored.as_deref()?;
        let by = part.downcast_ref::<Restoring>()?.by;
        Some(if by == Opening::Resume { Opened::Resumed } else { Opened::Loaded })
    }

    /// The book of the call's session.
    fn book(&self) -> Option<Arc<Book>> {
        self.session.as_deref().and_then(|session| book_of(&session.handle))
    }
}
