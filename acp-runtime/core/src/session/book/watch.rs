//! What the holder of a session does between turns: it looks for other processes that wait for the session, for as long as these would
//! wait. When the lease is over, a claim wins without it. So a session at rest asks the store for nothing.

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use tokio::{
    sync::Semaphore,
    time::{Instant, sleep_until},
};

use super::{Book, within};
use crate::{
    TARGET,
    store::{SessionStore, StoreError},
};

/// How often the holder looks.
const LOOK: Duration = Duration::from_secs(3);
/// How many looks ask the store at once.
const AT_ONCE: usize = 16;

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
            self.books.watch(Arc::downgrade(self));
        }
    }

    /// Renews the lease of a session at rest. If another process has the session, this changes nothing.
    pub(crate) async fn hold(self: &Arc<Self>) {
        self.watch();
        let renewed = match self.at_store().await {
            Ok(mut ledger) if ledger.lease.is_some() => ledger.renew(&*self.books.store).await,
            Ok(_) => return,
            Err(error) => Err(error),
        };
        if let Err(error) = renewed {
            tracing::debug!(target: TARGET, %error, "a session that is open was not held");
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
            ledger.renew(&*self.books.store).await.map(|()| false)
        } else {
            let Some(lease) = ledger.lease.clone() else { return false };
            drop(ledger);
            within(self.books.store.is_wished(&lease)).await
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

/// The books of a host: their store, and the one task that looks after all of them.
pub(crate) struct Books {
    pub(super) store: Arc<dyn SessionStore>,
    watched: Mutex<Watched>,
}

/// The books that are watched.
#[derive(Default)]
struct Watched {
    /// When to look, the earliest first.
    due: VecDeque<(Instant, Weak<Book>)>,
    /// The task runs.
    is_looked_after: bool,
}

/// What the task does next.
enum Next {
    Look(Weak<Book>),
    Wait(Instant),
    End,
}

impl Books {
    pub(crate) fn new(store: Arc<dyn SessionStore>) -> Arc<Self> {
        Arc::new(Self { store, watched: Mutex::default() })
    }

    fn watched(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(self: &Arc<Self>, book: Weak<Book>) {
        let mut watched = self.watched();
        watched.due.push_back((Instant::now() + LOOK, book));
        if !std::mem::replace(&mut watched.is_looked_after, true) {
            tokio::spawn(look_after(Runs(Some(Arc::downgrade(self)))));
        }
    }

    fn next(&self) -> Next {
        let mut watched = self.watched();
        match watched.due.front() {
            Some((due, _)) if Instant::now() < *due => Next::Wait(*due),
            Some(_) => watched.due.pop_front().map_or(Next::End, |(_, book)| Next::Look(book)),
            None => {
                *watched = Watched::default();
                Next::End
            }
        }
    }
}

/// Says that the task is gone, if its runtime ends before it: then the next book that is watched begins another one.
struct Runs(Option<Weak<Books>>);

impl Drop for Runs {
    fn drop(&mut self) {
        if let Some(books) = self.0.take().and_then(|books| books.upgrade()) {
            books.watched().is_looked_after = false;
        }
    }
}

/// Looks after all books until there is nothing more to look for. The books may be dropped meanwhile.
async fn look_after(mut runs: Runs) {
    let looks = Arc::new(Semaphore::new(AT_ONCE));
    while let Some(books) = runs.0.as_ref().and_then(Weak::upgrade) {
        match books.next() {
            Next::Look(book) => {
                drop(books);
                let Ok(place) = looks.clone().acquire_owned().await else { return };
                let Some(book) = book.upgrade() else { continue };
                tokio::spawn(async move {
                    if book.look().await {
                        book.books.watch(Arc::downgrade(&book));
                    }
                    drop(place);
                });
            }
            Next::Wait(due) => {
                drop(books);
                sleep_until(due).await;
            }
            Next::End => {
                runs.0 = None;
                return;
            }
        }
    }
}
