//! The book of a session that a store keeps: the right to write it, its data as they were last committed, and what was
//! said since.
//!
//! What is said goes into the [`Journal`] under the lock of the outbox. Commits run one after another. A commit that fails
//! leaves all in the journal, and the next commit repeats it. Only one turn can fail so, because no turn begins before
//! the journal is empty.
//!
//! `said` notes what is not committed yet, `turn` begins and ends turns, and `outside` commits what no turn commits.

mod outside;
mod said;
#[cfg(test)]
mod tests;
mod turn;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use self::said::Unwritten;
use super::remembered::Remembered;
use crate::{
    TARGET,
    store::{Change, Entry, Kept, KeptState, Lease, OptionValue, SessionStore, StoreError, StoreFuture, Timestamp},
    values::SessionConfigId,
};

/// How long a lease lasts. An idle session may be taken by another process after this time.
pub(crate) const LEASE: Duration = Duration::from_secs(15);
/// How long one call of the store may take.
const ANSWER: Duration = Duration::from_secs(10);

/// The book of one session.
pub(crate) struct Book {
    store: Arc<dyn SessionStore>,
    unwritten: Mutex<Unwritten>,
    /// The lock of a commit.
    ledger: tokio::sync::Mutex<Ledger>,
    /// The lasting permissions. They are committed as they are at that time.
    permissions: OnceLock<Arc<Remembered>>,
    /// Begins a commit behind this time.
    behind: OnceLock<Box<dyn Fn(Duration) + Send + Sync>>,
}

struct Ledger {
    /// `None` once it is given back.
    lease: Option<Lease>,
    /// The data as they were last committed.
    kept: Kept,
    /// A commit was begun, and did not succeed. Nobody knows whether the store has kept its data.
    is_doubtful: bool,
}

/// The data of a session that change with its work.
pub(crate) struct Now {
    pub(crate) options: BTreeMap<SessionConfigId, OptionValue>,
    pub(crate) state: Option<KeptState>,
}

/// A book that is being opened.
pub(crate) struct OpeningBook<'b> {
    ledger: tokio::sync::MutexGuard<'b, Ledger>,
    book: &'b Book,
}

impl OpeningBook<'_> {
    /// The session is claimed, and these are its data.
    pub(crate) fn open(mut self, lease: Lease, kept: Kept) {
        *self.book.unwritten() = Unwritten::behind(lease.last_seq());
        if !kept.permissions.is_empty() || self.book.permissions.get().is_some() {
            self.book.permissions.get_or_init(Arc::default).replace(kept.permissions.clone());
        }
        *self.ledger = Ledger { lease: Some(lease), kept, is_doubtful: false };
    }
}

impl Ledger {
    fn lease(&self) -> Result<&Lease, StoreError> {
        self.lease.as_ref().ok_or_else(|| StoreError::unavailable("the session is over here"))
    }

    /// Whether the store has these data for certain.
    fn has(&self, kept: &Kept) -> bool {
        !self.is_doubtful && self.kept == *kept
    }

    /// Commits these data. If this fails or is dropped, the next commit is not left out, whatever its data are.
    async fn commit(&mut self, store: &dyn SessionStore, kept: Kept, said: &[Entry]) -> Result<(), StoreError> {
        let lease = self.lease()?.clone();
        self.is_doubtful = true;
        within(store.commit(&lease, Change::all(&kept).and_said(said))).await?;
        (self.kept, self.is_doubtful) = (kept, false);
        Ok(())
    }
}

impl Book {
    /// The book of a session that is not claimed yet.
    pub(crate) fn new(store: Arc<dyn SessionStore>) -> Arc<Self> {
        let unwritten = Mutex::new(Unwritten::behind(0));
        let ledger = Ledger { lease: None, kept: Kept::new(PathBuf::new()), is_doubtful: false };
        let ledger = tokio::sync::Mutex::new(ledger);
        Arc::new(Self { store, unwritten, ledger, permissions: OnceLock::new(), behind: OnceLock::new() })
    }

    /// Begins to open the book. No commit runs until the returned value is dropped.
    pub(crate) async fn opening(&self) -> OpeningBook<'_> {
        OpeningBook { ledger: self.ledger.lock().await, book: self }
    }

    /// Commits all that was said and changed. If nothing was, the store is not asked.
    pub(crate) async fn commit(&self, now: Now) -> Result<(), StoreError> {
        let mut ledger = self.ledger.lock().await;
        let mut kept = ledger.kept.clone();
        kept.options = now.options;
        kept.permissions = self.decisions();
        if now.state.is_some() {
            kept.state = now.state;
        }
        // The first commit may only repeat one that has failed.
        for _ in 0..2 {
            let (said, title) = self.unwritten().batch();
            if let Some(title) = &title {
                kept.title.clone_from(title);
            }
            if said.is_empty() && ledger.has(&kept) {
                self.unwritten().committed(&title);
                return Ok(());
            }
            if !said.is_empty() || kept.title != ledger.kept.title {
                kept.updated = Timestamp::now();
            }
            // If this fails or is dropped, nothing is taken away, and the next commit repeats it.
            ledger.commit(&*self.store, kept.clone(), &said).await?;
            let mut unwritten = self.unwritten();
            unwritten.committed(&title);
            if unwritten.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// Commits options that the client sets, before they are in force.
    pub(crate) async fn commit_options(
        &self,
        options: BTreeMap<SessionConfigId, OptionValue>,
    ) -> Result<(), StoreError> {
        self.commit_part(|kept| kept.options = options).await
    }

    /// Commits the lasting permissions, also in the middle of a turn.
    pub(crate) async fn commit_permissions(&self) -> Result<(), StoreError> {
        self.commit_part(|kept| kept.permissions = self.decisions()).await
    }

    /// The session works in these directories from here on.
    pub(crate) async fn work_in(&self, cwd: PathBuf, additional_directories: Vec<PathBuf>) -> Result<(), StoreError> {
        self.commit_part(|kept| (kept.cwd, kept.additional_directories) = (cwd, additional_directories)).await
    }

    /// Commits a change of the data alone, without the rest of a turn.
    async fn commit_part(&self, change: impl FnOnce(&mut Kept)) -> Result<(), StoreError> {
        let mut ledger = self.ledger.lock().await;
        let mut kept = ledger.kept.clone();
        change(&mut kept);
        if ledger.has(&kept) { Ok(()) } else { ledger.commit(&*self.store, kept, &[]).await }
    }

    /// The lasting permissions.
    fn decisions(&self) -> BTreeMap<String, bool> {
        self.permissions.get().map(|remembered| remembered.decisions()).unwrap_or_default()
    }

    /// Commits the rest before the session is read again. Returns whether this process may still write the session.
    pub(crate) async fn settle(&self, now: Result<Now, StoreError>) -> Result<bool, StoreError> {
        let settled = async {
            self.commit(now?).await?;
            let ledger = self.ledger.lock().await;
            within(self.store.renew(ledger.lease()?)).await
        };
        match settled.await {
            Ok(()) => Ok(true),
            Err(StoreError::LeaseLost { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The session is over here: gives the right to write it back. Others need not wait for the end of the lease.
    pub(crate) async fn release(&self) {
        let Some(lease) = self.ledger.lock().await.lease.take() else { return };
        if let Err(error) = within(self.store.release(&lease)).await {
            tracing::debug!(target: TARGET, %error, "a lease was not given back, and ends by its time");
        }
    }

    /// The session was deleted: nothing of it is written any more.
    pub(crate) async fn forget(&self) {
        self.ledger.lock().await.lease = None;
    }

    fn unwritten(&self) -> MutexGuard<'_, Unwritten> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bounds a call of the store.
///
/// # Errors
///
/// The store fails, or does not answer in time. Then nobody knows whether it has done the work.
pub(crate) async fn within<T>(call: StoreFuture<'_, T>) -> Result<T, StoreError> {
    match tokio::time::timeout(ANSWER, call).await {
        Ok(answer) => answer,
        Err(_) => Err(StoreError::unavailable(format_args!("no answer within {} seconds", ANSWER.as_secs()))),
    }
}
