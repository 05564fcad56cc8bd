//! The book of a session that a store keeps: the right to write it, its data as they were last committed, and what was
//! said since.
//!
//! What is said goes into the [`Journal`] under the lock of the outbox. Commits run one after another. A commit that fails
//! leaves all in the journal, and the next commit repeats it. Only one turn can fail so, because no turn begins before
//! the journal is empty.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock, PoisonError, Weak},
    time::Duration,
};

use tokio::{sync::MutexGuard, task::JoinHandle};

use super::{
    history::{History, Unwritten as NotCommitted},
    journal::Journal,
    recorder::Recorder,
};
use crate::{
    TARGET,
    schema::MaybeUndefined,
    store::{Entry, Kept, KeptState, Lease, OptionValue, SessionStore, StoreError, StoreFuture, Timestamp},
    values::{ContentBlock, MessageId, SessionConfigId, SessionId, SessionInfoUpdate, SessionUpdate},
};

/// How long a lease lasts. An idle session may be taken by another process after this time.
pub(crate) const LEASE: Duration = Duration::from_secs(15);
/// How often the lease of a running turn is renewed.
const RENEWAL: Duration = Duration::from_secs(5);
/// How long one call of the store may take.
const ANSWER: Duration = Duration::from_secs(10);
/// How long a change outside of a turn waits for others, to be committed with them.
const SOON: Duration = Duration::from_millis(100);
/// How long the runtime waits before it repeats a commit that has failed.
const LATER: Duration = Duration::from_secs(5);
/// The longest title that is made of a prompt, in characters.
const TITLE: usize = 60;

/// The book of one session.
pub(crate) struct Book {
    store: Arc<dyn SessionStore>,
    unwritten: Mutex<Unwritten>,
    /// The lock of a commit.
    ledger: tokio::sync::Mutex<Ledger>,
    /// Begins a commit behind this time.
    behind: OnceLock<Box<dyn Fn(Duration) + Send + Sync>>,
}

struct Unwritten {
    journal: Journal,
    /// The title that the agent has given since, or taken away.
    title: Option<Option<String>>,
    /// While there is a turn, its end commits.
    turn: Option<Renewing>,
    /// A commit was begun that waits for more.
    is_awaited: bool,
}

struct Ledger {
    /// `None` once it is given back.
    lease: Option<Lease>,
    /// The data as they were last committed.
    kept: Kept,
}

/// The data of a session that change with its work.
pub(crate) struct Now {
    pub(crate) options: BTreeMap<SessionConfigId, OptionValue>,
    pub(crate) state: Option<KeptState>,
}

/// The renewals of a lease, until this value is dropped.
struct Renewing(JoinHandle<()>);

/// A book that is being opened.
pub(crate) struct OpeningBook<'b> {
    ledger: MutexGuard<'b, Ledger>,
    unwritten: &'b Mutex<Unwritten>,
}

impl OpeningBook<'_> {
    /// The session is claimed, and these are its data.
    pub(crate) fn open(mut self, lease: Lease, kept: Kept) {
        *lock(self.unwritten) = Unwritten::behind(lease.last_seq());
        *self.ledger = Ledger { lease: Some(lease), kept };
    }
}

impl Ledger {
    fn lease(&self) -> Result<&Lease, StoreError> {
        self.lease.as_ref().ok_or_else(|| StoreError::unavailable("the session is over here"))
    }
}

impl Drop for Renewing {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Book {
    /// The book of a session that is not claimed yet.
    pub(crate) fn new(store: Arc<dyn SessionStore>) -> Arc<Self> {
        let unwritten = Mutex::new(Unwritten::behind(0));
        let ledger = tokio::sync::Mutex::new(Ledger { lease: None, kept: Kept::new(PathBuf::new()) });
        Arc::new(Self { store, unwritten, ledger, behind: OnceLock::new() })
    }

    /// Sets the function that begins a commit behind a time.
    pub(crate) fn commit_by(&self, behind: Box<dyn Fn(Duration) + Send + Sync>) {
        let _ = self.behind.set(behind);
    }

    /// Begins to open the book. No commit runs until the returned value is dropped.
    pub(crate) async fn opening(&self) -> OpeningBook<'_> {
        OpeningBook { ledger: self.ledger.lock().await, unwritten: &self.unwritten }
    }

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

    /// Commits what the turn has said and changed.
    pub(crate) async fn end_turn(&self, now: Result<Now, StoreError>) -> Result<(), StoreError> {
        let committed = match now {
            Ok(now) => self.commit(now).await,
            Err(error) => Err(error),
        };
        self.unwritten().turn = None;
        if committed.is_err() {
            self.await_commit(LATER);
        }
        committed
    }

    /// Commits all that was said and changed. If nothing was, the store is not asked.
    pub(crate) async fn commit(&self, now: Now) -> Result<(), StoreError> {
        let mut ledger = self.ledger.lock().await;
        let mut kept = ledger.kept.clone();
        kept.options = now.options;
        if now.state.is_some() {
            kept.state = now.state;
        }
        // The first commit may only repeat one that has failed.
        for _ in 0..2 {
            let (said, title) = self.unwritten().batch();
            if let Some(title) = &title {
                kept.title.clone_from(title);
            }
            if said.is_empty() && kept == ledger.kept {
                return Ok(());
            }
            if !said.is_empty() || kept.title != ledger.kept.title {
                kept.updated = Timestamp::now();
            }
            if let Err(error) = within(self.store.commit(ledger.lease()?, &kept, &said)).await {
                self.unwritten().keep_title(title);
                return Err(error);
            }
            ledger.kept = kept.clone();
            let mut unwritten = self.unwritten();
            unwritten.journal.committed();
            if unwritten.journal.is_empty() {
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
        let mut ledger = self.ledger.lock().await;
        if ledger.kept.options == options {
            return Ok(());
        }
        let kept = Kept { options, ..ledger.kept.clone() };
        within(self.store.commit(ledger.lease()?, &kept, &[])).await?;
        ledger.kept = kept;
        Ok(())
    }

    /// The session works in these directories from here on.
    pub(crate) async fn work_in(&self, cwd: PathBuf, additional_directories: Vec<PathBuf>) -> Result<(), StoreError> {
        let mut ledger = self.ledger.lock().await;
        let kept = Kept { cwd, additional_directories, ..ledger.kept.clone() };
        if kept == ledger.kept {
            return Ok(());
        }
        within(self.store.commit(ledger.lease()?, &kept, &[])).await?;
        ledger.kept = kept;
        Ok(())
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

    fn await_commit(&self, behind: Duration) {
        if std::mem::replace(&mut self.unwritten().is_awaited, true) {
            return;
        }
        if let Some(begin) = self.behind.get() {
            begin(behind);
        }
    }

    /// The commit that was awaited. If it fails, it is tried again.
    pub(crate) async fn commit_awaited(&self, now: Result<Now, StoreError>) {
        self.unwritten().is_awaited = false;
        if self.has_turn() {
            return;
        }
        let committed = match now {
            Ok(now) => self.commit(now).await,
            Err(error) => Err(error),
        };
        match committed {
            Ok(()) => {}
            // Nobody can commit it any more.
            Err(error @ (StoreError::LeaseLost { .. } | StoreError::NotFound { .. })) => {
                tracing::debug!(target: TARGET, %error, "a change of a session is lost");
            }
            Err(error) => {
                tracing::warn!(target: TARGET, %error, "a change of a session is not committed yet");
                self.await_commit(LATER);
            }
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

    /// Whether something is not committed.
    pub(crate) fn has_unwritten(&self) -> bool {
        let unwritten = self.unwritten();
        !unwritten.journal.is_empty() || unwritten.title.is_some()
    }

    fn unwritten(&self) -> std::sync::MutexGuard<'_, Unwritten> {
        lock(&self.unwritten)
    }
}

fn lock(unwritten: &Mutex<Unwritten>) -> std::sync::MutexGuard<'_, Unwritten> {
    unwritten.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Unwritten {
    fn behind(last: u64) -> Self {
        Self { journal: Journal::behind(last), title: None, turn: None, is_awaited: false }
    }

    fn batch(&mut self) -> (Arc<[Entry]>, Option<Option<String>>) {
        (self.journal.batch(), self.title.take())
    }

    /// The title was not committed. A newer one stays.
    fn keep_title(&mut self, title: Option<Option<String>>) {
        if self.title.is_none() {
            self.title = title;
        }
    }
}

impl Recorder for Book {
    fn said(&self, update: &SessionUpdate, message_id: Option<MessageId>) {
        let mut unwritten = self.unwritten();
        match update {
            SessionUpdate::SessionInfoUpdate(SessionInfoUpdate { title: MaybeUndefined::Undefined, .. }) => return,
            SessionUpdate::SessionInfoUpdate(SessionInfoUpdate { title, .. }) => {
                unwritten.title = Some(title.value().cloned());
            }
            update => unwritten.journal.add(update, message_id),
        }
        let is_outside = unwritten.turn.is_none();
        drop(unwritten);
        if is_outside {
            self.changed();
        }
    }

    fn prompted(&self, prompt: &[ContentBlock], message_id: Option<MessageId>) {
        let mut unwritten = self.unwritten();
        if unwritten.journal.last() == 0 && unwritten.journal.is_empty() && unwritten.title.is_none() {
            unwritten.title = title_of(prompt).map(Some);
        }
        unwritten.journal.add_prompt(prompt, message_id);
        let is_outside = unwritten.turn.is_none();
        drop(unwritten);
        // A turn that has just ended took it in.
        if is_outside {
            self.changed();
        }
    }

    /// It is committed soon, or with the end of the turn.
    fn changed(&self) {
        if !self.has_turn() {
            self.await_commit(SOON);
        }
    }

    fn history(self: Arc<Self>, session: &SessionId) -> History {
        History::new(self.store.clone(), session.clone(), Some(self))
    }
}

impl NotCommitted for Book {
    fn unwritten(&self, after: u64) -> (u64, Vec<Entry>) {
        let unwritten = self.unwritten();
        (unwritten.journal.last(), unwritten.journal.pending(after).cloned().collect())
    }
}

/// The begin of the first line of a prompt; `None` if the prompt has no text.
fn title_of(prompt: &[ContentBlock]) -> Option<String> {
    let mut lines = prompt.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => text.text.lines().map(str::trim).find(|line| !line.is_empty()),
        _ => None,
    });
    let line = lines.next()?;
    Some(match line.char_indices().nth(TITLE) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
    })
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::{
        store::{Claim, Cursor, ListFilter, MemoryStore, Owner, Page},
        values::ContentChunk,
    };

    /// Counts renewals. Keeps a commit, and then does not answer, as long as `is_mute`.
    #[derive(Default)]
    struct Store {
        sessions: MemoryStore,
        renewals: AtomicUsize,
        is_mute: std::sync::atomic::AtomicBool,
    }

    impl SessionStore for Store {
        fn create<'a>(&'a self, id: &'a SessionId, kept: &'a Kept, claim: &'a Claim) -> StoreFuture<'a, Lease> {
            self.sessions.create(id, kept, claim)
        }
        fn claim<'a>(&'a self, id: &'a SessionId, claim: &'a Claim) -> StoreFuture<'a, Lease> {
            self.sessions.claim(id, claim)
        }
        fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
            self.renewals.fetch_add(1, Ordering::SeqCst);
            self.sessions.renew(lease)
        }
        fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
            self.sessions.release(lease)
        }
        fn commit<'a>(&'a self, lease: &'a Lease, kept: &'a Kept, said: &'a [Entry]) -> StoreFuture<'a, ()> {
            Box::pin(async move {
                self.sessions.commit(lease, kept, said).await?;
                if self.is_mute.load(Ordering::SeqCst) { std::future::pending().await } else { Ok(()) }
            })
        }
        fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Kept> {
            self.sessions.read(id)
        }
        fn replay<'a>(&'a self, id: &'a SessionId, after: u64, most: usize) -> StoreFuture<'a, Vec<Entry>> {
            self.sessions.replay(id, after, most)
        }
        fn list<'a>(&'a self, filter: &'a ListFilter, after: Option<&'a Cursor>, most: usize) -> StoreFuture<'a, Page> {
            self.sessions.list(filter, after, most)
        }
        fn delete<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, bool> {
            self.sessions.delete(id)
        }
    }

    async fn book() -> (Arc<Store>, Arc<Book>) {
        let store = Arc::new(Store::default());
        let kept = Kept::new("/");
        let lease = store.create(&"s".into(), &kept, &Claim::new(&Owner::new(), LEASE)).await.unwrap();
        let book = Book::new(store.clone());
        book.opening().await.open(lease, kept);
        (store, book)
    }

    fn now() -> Result<Now, StoreError> {
        Ok(Now { options: BTreeMap::new(), state: None })
    }

    fn say(book: &Book, text: &str) {
        book.said(&SessionUpdate::AgentMessageChunk(ContentChunk::new(text.into())), Some(text.to_owned().into()));
    }

    #[tokio::test(start_paused = true)]
    async fn the_lease_of_a_running_turn_is_renewed_in_time_and_that_of_an_idle_session_is_not() {
        let (store, book) = book().await;
        book.begin_turn(None).await.unwrap();
        assert_eq!(store.renewals.load(Ordering::SeqCst), 1, "at its begin");
        tokio::time::sleep(LEASE * 2).await;
        let renewals = store.renewals.load(Ordering::SeqCst);
        assert!((6..=7).contains(&renewals), "{renewals} in two times of a lease");
        book.end_turn(now()).await.unwrap();
        tokio::time::sleep(LEASE * 2).await;
        assert_eq!(store.renewals.load(Ordering::SeqCst), renewals);
    }

    #[tokio::test(start_paused = true)]
    async fn a_commit_without_an_answer_is_an_error_and_is_kept_once_when_it_is_repeated() {
        let (store, book) = book().await;
        book.begin_turn(None).await.unwrap();
        say(&book, "one");
        store.is_mute.store(true, Ordering::SeqCst);
        let error = book.end_turn(now()).await.unwrap_err();
        assert!(matches!(error, StoreError::Unavailable { .. }), "{error}");
        assert!(!book.has_turn() && book.has_unwritten());
        say(&book, "two");
        store.is_mute.store(false, Ordering::SeqCst);
        book.begin_turn(Some(now())).await.unwrap();
        say(&book, "three");
        book.end_turn(now()).await.unwrap();
        let said = store.replay(&"s".into(), 0, 10).await.unwrap();
        let ids: Vec<_> = said.iter().map(|entry| entry.message_id.clone().unwrap().to_string()).collect();
        assert_eq!(ids, ["one", "two", "three"]);
    }
}
