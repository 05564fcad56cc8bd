//! The book of a session that a store keeps: the right to write it, and what was said and not committed yet.
//!
//! What is said goes into the [`Journal`] under the lock of the outbox. Commits run one after another, under the lock of the
//! [`Ledger`]. A commit that fails leaves all in the journal, and the next commit repeats it. A turn begins when the journal
//! is empty.
//!
//! A commit reads what it commits when it has the lock. So no commit that waits brings back what another one has changed
//! meanwhile. The state of a turn that has ended is an exception: nobody changes it before the turn's end is committed.
//!
//! `said` notes what is not committed yet, `prompt` a large prompt, `cleared` what is to be dropped, `turn` begins and ends turns, `outside` commits what no turn commits, `ledger`
//! makes commits, `watch` looks for other processes that wait for the session, and `refused` finds out which part of a commit can never be kept.
//!
//! [`Journal`]: super::journal::Journal
//!
//! # What holds, with its tests
//!
//! - *An end that was told is kept* (`stored::turns::the_end_of_a_turn_is_told_when_it_is_committed`), also that of a
//!   panic (`stored::turns::a_panic_is_answered_behind_its_commit`): the drop of its `CallGuard` starts a task that
//!   commits, and then answers. So is the prompt of a turn that is cancelled at its begin
//!   (`stored::turns::a_turn_that_is_cancelled_while_its_lease_is_renewed_is_kept`).
//! - *A commit that fails is repeated as it was*, and no turn begins before it succeeds
//!   (`stored::faults::a_turn_that_is_not_committed_is_an_error_and_committed_with_the_next_one`). So the journal holds
//!   one turn at most.
//! - *A commit reads what it commits under its lock* (the ledger's), so that one that waits brings nothing back
//!   (`stored::sets::a_set_beside_the_end_of_a_turn_is_not_overwritten`). A set keeps the lock until it is in force
//!   (`runtime::session::book::tests::a_commit_that_waits_reads_what_is_set_meanwhile`).
//! - *What can never be kept is not repeated*
//!   (`stored::picky::a_title_that_cannot_be_kept_is_left_out_and_the_session_goes_on`): `book/refused` finds the value,
//!   and keeps the rest.
//! - *A running turn holds little*
//!   (`runtime::session::book::tests::a_turn_that_says_much_is_committed_while_it_runs_and_marked_until_it_ends`), and an
//!   interrupted one is told of
//!   (`stored::long::a_load_says_that_a_turn_was_interrupted_and_shows_what_it_had_said_once`). The mark is one place for
//!   each session (`Kept::unended`): the entries from it on are those of a turn that has not ended.
//! - *What is cleared goes with the state*, not before it (`stored::cleared::a_turn_that_does_not_end_drops_nothing`).
//! - *Lasting permissions are kept, and revoked ones are not*
//!   (`stored::permissions::lasting_decisions_come_back_with_a_session_whose_process_was_killed`,
//!   `stored::permissions::a_decision_that_was_revoked_does_not_come_back`). They stand in the book, and each commit has
//!   them. A turn commits them alone before the tool runs
//!   (`stored::permissions::a_decision_is_kept_before_its_tool_runs_and_without_the_rest_of_the_turn`).
//! - *A set is kept before it is in force*, between the hooks and the commit of the transaction
//!   (`stored::faults::a_set_that_cannot_be_kept_changes_nothing`). Real processes that are killed show it
//!   (`examples::lasting::fast::a_killed_agent_with_fast_turns_loses_nothing_that_its_client_was_told`).
//! - *A session moves when nothing happens in it*, with all that it has
//!   (`stored::hand_over::an_idle_session_moves_to_who_asks_for_it_and_back`,
//!   `stored::hand_over::what_the_store_has_not_kept_yet_is_committed_before_the_hand_over`), and stays while something does
//!   (`stored::hand_over::a_holder_with_a_turn_keeps_its_session_and_hands_it_over_behind_the_turn`,
//!   `stored::hand_over::a_holder_in_the_middle_of_a_call_or_with_work_or_prompts_that_wait_keeps_its_session`). A session at rest costs the store
//!   nothing (`runtime::session::book::tests::a_session_at_rest_asks_the_store_for_nothing_once_its_lease_is_over`).
//! - *One writer* (`stored::writers::a_session_that_another_process_continued_is_refused_until_it_is_loaded_again`). A
//!   lease that a call has taken is given back if the call fails
//!   (`stored::faults::a_load_that_fails_leaves_the_session_to_others`).

mod cleared;
mod ledger;
mod outside;
mod prompt;
mod refused;
mod said;
#[cfg(test)]
mod tests;
mod turn;
mod watch;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak},
    time::Duration,
};

use tokio::{sync::OwnedMutexGuard, time::Instant};

pub(crate) use self::watch::{Books, Holding};
use self::{ledger::Ledger, said::Unwritten};
use super::remembered::Remembered;
use crate::{
    TARGET,
    store::{Change, Kept, KeptOption, KeptState, Lease, StoreError, StoreFuture},
    values::SessionConfigId,
};

/// How long a lease lasts. An idle session may be taken by another process after this time.
pub(crate) const LEASE: Duration = Duration::from_secs(15);
/// How long one call of the store may take.
const ANSWER: Duration = Duration::from_secs(10);

/// The book of one session.
pub(crate) struct Book {
    books: Arc<Books>,
    unwritten: Mutex<Unwritten>,
    /// The lock of a commit.
    ledger: Arc<tokio::sync::Mutex<Ledger>>,
    /// The lasting permissions. They are committed as they are at that time.
    permissions: OnceLock<Arc<Remembered>>,
    /// The session, whose type the book does not know.
    sheet: OnceLock<Box<dyn Sheet>>,
}

/// What a session has now.
pub(crate) trait Sheet: Send + Sync {
    /// The options in force; `None` if the session is gone.
    fn options(&self) -> Option<BTreeMap<SessionConfigId, KeptOption>>;

    /// The author's state; `None` while a turn has it, or a call that ends the session.
    fn state(&self) -> Result<Option<KeptState>, StoreError>;

    /// Begins the commit that is [awaited](Book::commit_awaited), behind this time.
    fn commit_behind(&self, book: Weak<Book>, behind: Duration);
}

/// The author's state in a commit.
pub(crate) enum State {
    /// As the session has it between its turns.
    OfSession,
    /// As a turn has it that begins or ends. `None`: nobody has it.
    OfTurn(Result<Option<KeptState>, StoreError>),
}

/// The lock of the ledger, until options that are kept are in force: no commit in between reads the older ones.
pub(crate) type UntilInForce = Box<dyn Send>;

/// A book that is being opened.
pub(crate) struct OpeningBook {
    ledger: OwnedMutexGuard<Ledger>,
    book: Arc<Book>,
}

impl OpeningBook {
    /// The session is claimed, and these are its data.
    pub(crate) fn open(mut self, lease: Lease, kept: &Kept) {
        let mut unwritten = self.book.unwritten();
        let before = std::mem::replace(&mut *unwritten, Unwritten::behind(lease.last_seq()));
        (unwritten.is_watched, unwritten.holding) = (before.is_watched, before.holding);
        drop(unwritten);
        if !kept.permissions.is_empty() || self.book.permissions.get().is_some() {
            self.book.permissions.get_or_init(Arc::default).replace(kept.permissions.clone());
        }
        *self.ledger = Ledger::opened(lease, kept);
        self.book.watch();
    }
}

impl Book {
    /// The book of a session that is not claimed yet.
    pub(crate) fn new(books: Arc<Books>) -> Arc<Self> {
        let unwritten = Mutex::new(Unwritten::behind(0));
        let ledger = Arc::new(tokio::sync::Mutex::new(Ledger::closed()));
        Arc::new(Self { books, unwritten, ledger, permissions: OnceLock::new(), sheet: OnceLock::new() })
    }

    /// The book is that of this session.
    pub(crate) fn belongs_to(&self, sheet: Box<dyn Sheet>) {
        let _ = self.sheet.set(sheet);
    }

    /// Begins to open the book. No commit runs until the returned value is dropped.
    pub(crate) async fn opening(self: &Arc<Self>) -> OpeningBook {
        OpeningBook { ledger: self.locked().await, book: self.clone() }
    }

    async fn locked(&self) -> OwnedMutexGuard<Ledger> {
        self.ledger.clone().lock_owned().await
    }

    /// The lock of a call to the store.
    ///
    /// # Errors
    ///
    /// While this one waited for the lock, the store has left the call before it without an answer. So the times do not add up
    /// in which calls wait for a store that does not answer.
    async fn at_store(&self) -> Result<OwnedMutexGuard<Ledger>, StoreError> {
        let asked = Instant::now();
        let ledger = self.locked().await;
        if ledger.was_unanswered_since(asked) { Err(no_answer()) } else { Ok(ledger) }
    }

    /// Commits all that was said and changed. If nothing was, the store is not asked.
    ///
    /// # Errors
    ///
    /// The store fails: then the next commit repeats it. Or [`StoreError::Invalid`]: the state, the options or the
    /// permissions can never be kept as they are. Then all else is kept, and nothing is repeated.
    pub(crate) async fn commit(&self, state: State) -> Result<(), StoreError> {
        let mut ledger = self.at_store().await?;
        let sheet = self.sheet.get();
        let state = match state {
            State::OfTurn(state) => state,
            State::OfSession => sheet.map_or(Ok(None), |sheet| sheet.state()),
        };
        let (state, mut invalid) = match state {
            Ok(state) => (state, Ok(())),
            Err(error) => (None, Err(error)),
        };
        let options = sheet.and_then(|sheet| sheet.options());
        let permissions = self.permissions.get().map(|remembered| remembered.decisions());
        // The first commit may only repeat one that has failed.
        for _ in 0..2 {
            let (batch, has_more, turn) = {
                let mut unwritten = self.unwritten();
                (unwritten.batch(), unwritten.journal.has_more(), unwritten.turn.as_ref().map(|turn| turn.first))
            };
            let mut change = batch.change();
            if has_more {
                // A part alone must not look like the whole turn: its mark, its state and its options come with the rest.
                if batch.ends {
                    change.unended = Some(turn.or(batch.said.first().map(|entry| entry.seq)));
                }
                self.keep(&mut ledger, change).await?;
                self.unwritten().committed(&batch.within_turn());
                continue;
            }
            change.options = options.as_ref();
            change.permissions = permissions.as_ref();
            change.state = state.as_ref();
            change.forgotten = batch.forgotten();
            if ledger.is_marked && (batch.ends || !batch.said.is_empty()) {
                change.unended = Some(None);
            }
            match self.keep(&mut ledger, change).await {
                Err(error @ StoreError::Invalid { .. }) => invalid = Err(error),
                kept => kept?,
            }
            let mut unwritten = self.unwritten();
            unwritten.committed(&batch);
            unwritten.forgot(&batch);
            if unwritten.is_empty() {
                break;
            }
        }
        invalid
    }

    /// Commits options that the client sets, before they are in force. They must be in force when the returned value is
    /// dropped.
    pub(crate) async fn commit_options(
        self: &Arc<Self>,
        options: BTreeMap<SessionConfigId, KeptOption>,
    ) -> Result<UntilInForce, StoreError> {
        let mut ledger = self.at_store().await?;
        let change = Change::default().options(&options);
        let kept = ledger.commit(&*self.books.store, change).await;
        self.watch();
        if let Err(error) = kept {
            drop(ledger);
            // Perhaps the store has them, though the client is told that it has not.
            self.is_doubtful();
            return Err(error);
        }
        Ok(Box::new(ledger))
    }

    /// Commits the lasting permissions, also in the middle of a turn.
    pub(crate) async fn commit_permissions(&self) -> Result<(), StoreError> {
        let mut ledger = self.at_store().await?;
        let Some(permissions) = self.permissions.get().map(|remembered| remembered.decisions()) else { return Ok(()) };
        let change = Change::default().permissions(&permissions);
        ledger.commit(&*self.books.store, change).await
    }

    /// The session works in these directories from here on.
    pub(crate) async fn work_in(&self, cwd: &Path, additional_directories: &[PathBuf]) -> Result<(), StoreError> {
        let change = Change::default().cwd(cwd).additional_directories(additional_directories);
        self.at_store().await?.commit(&*self.books.store, change).await
    }

    /// Commits the rest before the session is read again. Returns whether this process may still write the session.
    pub(crate) async fn settle(self: &Arc<Self>) -> Result<bool, StoreError> {
        self.watch();
        let settled = async {
            self.commit_what_can_be_kept(State::OfSession).await?;
            self.at_store().await?.renew(&*self.books.store).await
        };
        match settled.await {
            Ok(()) => Ok(true),
            Err(StoreError::LeaseLost { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// As [`commit`](Self::commit). The author's subscriber hears of parts that can never be kept.
    pub(crate) async fn commit_what_can_be_kept(&self, state: State) -> Result<(), StoreError> {
        match self.commit(state).await {
            Err(error @ StoreError::Invalid { .. }) => {
                tracing::warn!(target: TARGET, %error, "a part of a session cannot be kept");
                Ok(())
            }
            committed => committed,
        }
    }

    /// The session is over here: gives the right to write it back. Others need not wait for the end of the lease.
    pub(crate) async fn release(&self) {
        let Some(lease) = self.locked().await.lease.take() else { return };
        if let Err(error) = within(self.books.store.release(&lease)).await {
            tracing::debug!(target: TARGET, %error, "a lease was not given back, and ends by its time");
        }
    }

    /// The session was deleted: nothing of it is written any more.
    pub(crate) async fn forget(&self) {
        self.locked().await.lease = None;
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
    waited_for(call).await.unwrap_or_else(|| Err(no_answer()))
}

/// The answer of the store. `None` if it does not answer in time.
async fn waited_for<T>(call: StoreFuture<'_, T>) -> Option<Result<T, StoreError>> {
    tokio::time::timeout(ANSWER, call).await.ok()
}

fn no_answer() -> StoreError {
    StoreError::unavailable(format_args!("no answer within {} seconds", ANSWER.as_secs()))
}
