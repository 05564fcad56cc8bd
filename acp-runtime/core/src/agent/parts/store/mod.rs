//! Agents that declare a store: their sessions last.
//!
//! Each file is a stage in the life of a stored session: `create`, `restore`, `turn`, `end`, and `hand_over` to another process. `list`
//! answers from the store alone, without the sessions that are `unused`. `bounds` deletes old ones. `principal` says whose sessions a connection may know of.
//! The `Book` of a session does the work with the store.
//!
//! # What holds, with its tests
//!
//! *A session is there for its own principal alone* (`stored::principals::a_session_of_another_principal_is_answered_as_one_that_is_not_there`), and
//! nobody else disturbs it (`stored::principals::the_turn_of_an_active_session_goes_on_when_another_principal_asks_for_it`), on
//! each store, also after a restart (`examples::lasting::hosts::each_principal_has_its_own_sessions_in_a_file_also_after_a_restart`,
//! `examples::lasting::hosts::each_principal_has_its_own_sessions_on_a_server_also_after_a_restart`).

mod bounds;
#[cfg(feature = "unstable")]
mod copy;
mod create;
mod declared;
mod end;
mod hand_over;
mod list;
mod method;
mod principal;
mod restore;
mod turn;
mod undo;
mod unused;

use std::{
    any::Any,
    collections::BTreeMap,
    future::ready,
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::time::Instant;

pub use declared::{
    HasStore, HoldsStore, MayLackRestore, Restored, Restores, StoreDeclaration, StoredSession, is_not_stored,
    is_stored, restores, session_kept_by_store, shares_restored,
};
pub use method::restore_session;
pub use restore::Roots;

use self::{
    bounds::{Holds, Sweeps},
    create::Creating,
    end::Left,
};
#[cfg(feature = "unstable")]
use crate::store::Kept;
use crate::{
    agent::{
        call::Admitted,
        declaration::Keeps,
        handlers,
        heard::heard,
        model::{Call, Connection, Directories, Handlers, KeptAgent, Part, SessionOf, SlotOf},
        names::Names,
        parts::{HasFunctions, called},
        work::{Place, Try, Work},
    },
    config::{ConfigOptions, transaction::Keeping},
    rpc::CancellationToken,
    schema::Method,
    session::{
        Ended, Extras, OpenedBy, SessionHandle,
        book::{Book, Books, LEASE, Sheet},
    },
    store::{Claim, KeptOption, KeptState, Owner, SessionStore, StoreError},
    values::{CloseSessionResponse, ContentBlock, DeleteSessionResponse, SessionConfigId, SessionId, methods},
    wire::{Error, Result},
};

called! {
    store {
        /// Runs when a session of the store is opened again.
        restore_session: fn(Admitted<'_, A, restore_session>);
    }
}

/// The part of agents with `store = field`.
pub struct Stored {
    store: Arc<dyn SessionStore>,
    books: Arc<Books>,
    claim: Claim,
    sweeps: Sweeps,
    holds: Holds,
}

impl Stored {
    /// Deletes what the declaration bounds, if it is time.
    fn sweep<A: HasStore + HasFunctions>(&self, connection: &Connection<A>) {
        let host = Arc::downgrade(&connection.host);
        // A host that is gone has ended its sessions. Nobody knows what comes next, so nothing is deleted.
        let is_active = move |id: &SessionId| host.upgrade().is_none_or(|host| host.sessions.get(id.as_str()).is_ok());
        self.sweeps.begin(&self.store, principal::of(connection), A::STORE.bounds(), Box::new(is_active));
    }

    /// Says of the sessions that are open here that they are: other processes would delete them by their age.
    fn hold<A: HasStore + HasFunctions>(&self, connection: &Connection<A>) {
        let host = Arc::downgrade(&connection.host);
        self.holds.begin(move || {
            let active = host.upgrade()?.sessions.active();
            Some(active.iter().filter_map(|session| book_of(&session.handle)).collect())
        });
    }
}

impl<A: HasStore + HasFunctions> Part<A> for Stored {
    type OfConnection = Left<A>;
    type OfSession = ();
    type OfCall = Creating;

    const WORDS: Names = Names::These(&["store"]);
    const SERVES: Names = Names::These(&[
        handlers::load_session::NAME,
        handlers::resume_session::NAME,
        handlers::list_sessions::NAME,
        handlers::close_session::NAME,
        handlers::delete_session::NAME,
    ]);
    const KEEPS_OPTIONS: bool = true;

    fn new(agent: &KeptAgent<A>) -> Self {
        let store = A::STORE.store(&A::Threading::lend(agent));
        Self {
            books: Books::new(store.clone()),
            store,
            claim: Claim::new(&Owner::new(), LEASE),
            sweeps: Sweeps::default(),
            holds: Holds::default(),
        }
    }

    fn receives<'l>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        match call.method() {
            methods::LoadSession::NAME | methods::ResumeSession::NAME => {
                self.restore(call);
                None
            }
            _ => Some(call),
        }
    }

    fn answers<'l>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        match call.method() {
            handlers::list_sessions::NAME => {
                let (store, connection) = (self.store.clone(), call.connection.clone());
                if let Some(admitted) = call.admit::<handlers::list_sessions>() {
                    self.sweep(&connection);
                    let principal = principal::of(&connection);
                    let host = connection.host.clone();
                    let is_active = move |id: &SessionId| host.sessions.get(id.as_str()).is_ok();
                    admitted
                        .answer_by("store", |_, request| list::list(store, principal, Box::new(is_active), request));
                }
            }
            handlers::close_session::NAME => {
                if let Some(admitted) = call.admit::<handlers::close_session>() {
                    admitted.answer_by("store", |_, _| Box::pin(ready(Ok(CloseSessionResponse::new()))));
                }
            }
            handlers::delete_session::NAME => {
                if let Some(admitted) = call.admit::<handlers::delete_session>() {
                    admitted.answer_by("store", |_, _| Box::pin(ready(Ok(DeleteSessionResponse::new()))));
                }
            }
            _ => return Some(call),
        }
        None
    }

    fn place_of<'w>(&'w self, connection: &Connection<A>, id: &SessionId) -> Option<Work<'w, Result<Place>>> {
        let (id, principal) = (id.clone(), principal::of(connection));
        Some(Box::pin(async move {
            let kept = principal::read(&*self.store, &id, principal.as_deref()).await.map_err(told)?;
            Ok((kept.cwd, kept.additional_directories))
        }))
    }

    fn asks(creating: &mut Creating, directories: &Directories<'_>) {
        creating.ask(directories);
    }

    fn begins<'w>(
        &self,
        (): &(),
        slot: &SlotOf<A>,
        cancel: &CancellationToken,
        prompt: &'w [ContentBlock],
    ) -> Option<Try<'w>> {
        turn::begin::<A>(slot, cancel, prompt)
    }

    fn ends(&self, (): &(), slot: &SlotOf<A>) -> Option<Try<'static>> {
        turn::end::<A>(slot)
    }

    #[cfg(feature = "unstable")]
    fn copies<'w>(
        &'w self,
        creating: &'w mut Creating,
        connection: &Connection<A>,
        from: &SessionId,
        active: Option<&Arc<SessionOf<A>>>,
    ) -> Option<Work<'w, Result<Kept>>> {
        let book = active.and_then(|session| book_of(&session.handle));
        let read = copy::read(self.store.clone(), from.clone(), principal::of(connection), book);
        Some(Box::pin(async move {
            let (source, kept) = read.await?;
            creating.begin_as(source, kept.title.clone());
            Ok(kept)
        }))
    }

    fn furnishes(&self, _: &mut Creating, extras: &mut Option<Box<Extras>>) {
        extras.get_or_insert_default().record_by(Book::new(self.books.clone()));
    }

    fn made(&self, _: &mut Creating, session: &Arc<SessionOf<A>>) {
        if let Some(book) = book_of(&session.handle) {
            let (session, runtime) = (Arc::downgrade(session), tokio::runtime::Handle::current());
            book.belongs_to(Box::new(OfSession::<A> { session, runtime }));
        }
    }

    fn creates<'w>(
        &'w self,
        creating: &'w mut Creating,
        connection: &Connection<A>,
        session: &Arc<SessionOf<A>>,
    ) -> Option<Try<'w>> {
        creating.belongs_to(principal::of(connection));
        Some(Box::pin(self.create::<A>(creating, session.clone())))
    }

    fn opened(&self, creating: &mut Creating, _: &Arc<SessionOf<A>>) {
        creating.open();
    }

    fn opened_for(
        &self,
        _: (&(), &Left<A>),
        connection: &Arc<Connection<A>>,
        session: &Arc<SessionOf<A>>,
        _: OpenedBy,
    ) {
        hand_over::may_move(connection, session);
        if A::STORE.bounds().are_declared() {
            self.sweep(connection);
            self.hold(connection);
        }
    }

    fn before_end(
        &self,
        connection: &Connection<A>,
        id: &SessionId,
        session: Option<&Arc<SessionOf<A>>>,
        end: Ended,
    ) -> Option<Try<'_>> {
        let book = session.and_then(|session| book_of(&session.handle));
        Some(Box::pin(self.before_end_of(id.clone(), principal::of(connection), book, end)))
    }

    fn behind_end(&self, session: &Arc<SessionOf<A>>, end: Ended) -> Option<Work<'static, ()>> {
        Some(Box::pin(end::leave(book_of(&session.handle)?, end)))
    }

    fn keeps_options(&self, session: &Arc<SessionOf<A>>, draft: &A::Config) -> Option<Keeping> {
        let (book, options) = (book_of(&session.handle)?, draft.kept_options());
        Some(Box::pin(async move { book.commit_options(options).await.map_err(told) }))
    }

    fn disconnects(&self, ((), left): (&(), &Left<A>), _: &Arc<Connection<A>>, session: &Arc<SessionOf<A>>) {
        left.note(session);
    }

    fn drains<'w>(
        &'w self,
        left: &'w Left<A>,
        connection: &'w Arc<Connection<A>>,
        deadline: Instant,
    ) -> Option<Work<'w, ()>> {
        Some(Box::pin(left.release(connection, deadline)))
    }
}

/// The book of a session; `None` if no store keeps the session.
fn book_of<C>(handle: &SessionHandle<C>) -> Option<Arc<Book>> {
    let recorder: Arc<dyn Any + Send + Sync> = handle.output().recorder()?.clone();
    recorder.downcast().ok()
}

/// The error of a store, for the client. The author's subscriber gets the whole.
fn told(error: StoreError) -> Error {
    heard("store", error.into())
}

/// A session, as its book sees it.
struct OfSession<A: Handlers> {
    session: Weak<SessionOf<A>>,
    runtime: tokio::runtime::Handle,
}

impl<A: Handlers + HasStore> Sheet for OfSession<A> {
    fn options(&self) -> Option<BTreeMap<SessionConfigId, KeptOption>> {
        Some(self.session.upgrade()?.handle.config().kept_options())
    }

    fn state(&self) -> Result<Option<KeptState>, StoreError> {
        let session = self.session.upgrade();
        let kept = session.and_then(|session| session.with_state(|state| A::STORE.keep(state)));
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
