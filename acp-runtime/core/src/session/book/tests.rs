//! Tests of the book on stores in memory.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::*;
use crate::{
    session::recorder::Recorder as _,
    store::{Change, Claim, Cursor, Entry, ListFilter, MemoryStore, Owner, Page, SessionStore, Timestamp},
    values::{ContentChunk, SessionId, SessionInfoUpdate, SessionUpdate},
};

/// Counts renewals, and looks for wishes. Keeps nothing while it `is_full`, or if no commits are `left`, and no entry with the text `unkeepable`. Keeps
/// a commit, and then does not answer while it `is_mute`.
#[derive(Default)]
struct Store {
    sessions: MemoryStore,
    renewals: AtomicUsize,
    looks: AtomicUsize,
    is_mute: AtomicBool,
    is_full: AtomicBool,
    left: Mutex<Option<usize>>,
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
    fn wish<'a>(&'a self, id: &'a SessionId, time: Duration) -> StoreFuture<'a, ()> {
        self.sessions.wish(id, time)
    }
    fn is_wished<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, bool> {
        self.looks.fetch_add(1, Ordering::SeqCst);
        self.sessions.is_wished(lease)
    }
    fn commit<'a>(&'a self, lease: &'a Lease, change: Change<'a>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let is_last = self.left.lock().unwrap().as_mut().is_some_and(|left| {
                let is_last = *left == 0;
                *left = left.saturating_sub(1);
                is_last
            });
            if is_last || self.is_full.load(Ordering::SeqCst) {
                return Err(StoreError::full("no space left on device"));
            }
            if change.said.iter().any(|entry| entry.to_json().unwrap().contains("unkeepable")) {
                return Err(StoreError::invalid("an entry", "it is refused"));
            }
            self.sessions.commit(lease, change).await?;
            while self.is_mute.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            Ok(())
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
    let book = Book::new(Books::new(store.clone()));
    book.opening().await.open(lease, &kept);
    (store, book)
}

/// Nobody has a state.
fn now() -> State {
    State::OfTurn(Ok(None))
}

fn say(book: &Arc<Book>, text: &str) {
    let update = SessionUpdate::AgentMessageChunk(ContentChunk::new(text.into()));
    book.clone().said(&update, Some(text.to_owned().into()), text.len());
}

/// A session without options and state.
#[derive(Default)]
struct Blank(Arc<Mutex<Vec<Duration>>>);

impl Sheet for Blank {
    fn options(&self) -> Option<BTreeMap<SessionConfigId, KeptOption>> {
        None
    }

    fn state(&self) -> Result<Option<KeptState>, StoreError> {
        Ok(None)
    }

    fn commit_behind(&self, _: Weak<Book>, behind: Duration) {
        self.0.lock().unwrap().push(behind);
    }
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
async fn one_task_looks_after_all_books_and_ends_with_the_last() {
    const BOOKS: usize = 100;
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let (store, before) = (Arc::new(Store::default()), tasks());
    let (books, mut all) = (Books::new(store.clone()), Vec::new());
    for number in 0..BOOKS {
        let kept = Kept::new("/");
        let id = number.to_string().into();
        let lease = store.create(&id, &kept, &Claim::new(&Owner::new(), LEASE)).await.unwrap();
        let book = Book::new(books.clone());
        book.opening().await.open(lease, &kept);
        all.push(book);
    }
    assert_eq!(tasks() - before, 1);
    tokio::time::sleep(LEASE * 4).await;
    assert!(store.looks.load(Ordering::SeqCst) >= 2 * BOOKS, "it looks for wishes of each");
    assert_eq!(tasks() - before, 0, "no lease is left");
    all[0].settle().await.unwrap();
    assert_eq!(tasks() - before, 1, "one is watched again");
}

/// A session that is busy as long as a test says so, and counts how often it is given up.
#[derive(Default)]
struct Held {
    is_busy: AtomicBool,
    given_up: AtomicUsize,
}

impl Holding for Arc<Held> {
    fn is_busy(&self) -> bool {
        self.is_busy.load(Ordering::SeqCst)
    }

    fn give_up(&self) -> std::pin::Pin<Box<dyn Future<Output = bool> + Send>> {
        let held = self.clone();
        Box::pin(async move { held.given_up.fetch_add(1, Ordering::SeqCst) == 1 })
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_at_rest_asks_the_store_for_nothing_once_its_lease_is_over() {
    let (store, book) = book().await;
    let looks = || store.looks.load(Ordering::SeqCst);
    tokio::time::sleep(LEASE * 4).await;
    let first = looks();
    assert!((2..=5).contains(&first), "{first} looks within the time of a lease");
    say(&book, "news");
    book.clone().commit_awaited().await;
    tokio::time::sleep(LEASE * 4).await;
    assert_eq!(looks(), first * 2, "a commit renews the lease, so it is watched again");
    assert_eq!(store.renewals.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn the_lease_of_a_session_that_works_outside_of_turns_is_renewed_until_it_is_idle() {
    let (store, book) = book().await;
    let held = Arc::new(Held::default());
    held.is_busy.store(true, Ordering::SeqCst);
    book.is_held_by(Arc::new(held.clone()));
    store.wish(&"s".into(), LEASE * 100).await.unwrap();
    tokio::time::sleep(LEASE * 4).await;
    let renewals = store.renewals.load(Ordering::SeqCst);
    assert!(renewals >= 12, "{renewals} in four times of a lease");
    assert_eq!((store.looks.load(Ordering::SeqCst), held.given_up.load(Ordering::SeqCst)), (0, 0));
    held.is_busy.store(false, Ordering::SeqCst);
    tokio::time::sleep(LEASE * 4).await;
    // The first time, something has begun in the session meanwhile.
    assert_eq!(held.given_up.load(Ordering::SeqCst), 2);
    assert!(store.renewals.load(Ordering::SeqCst) <= renewals + 1, "it is not renewed any more");
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

#[tokio::test(start_paused = true)]
async fn options_that_are_set_back_replace_those_of_a_commit_without_an_answer() {
    let (store, book) = book().await;
    let set = |value: &str| BTreeMap::from([("model".into(), value.into())]);
    book.commit_options(set("fast")).await.unwrap();
    store.is_mute.store(true, Ordering::SeqCst);
    assert!(book.commit_options(set("smart")).await.is_err());
    store.is_mute.store(false, Ordering::SeqCst);
    book.commit_options(set("fast")).await.unwrap();
    assert_eq!(store.read(&"s".into()).await.unwrap().options, set("fast"));
}

#[tokio::test(start_paused = true)]
async fn a_commit_that_is_dropped_loses_no_title() {
    let (store, book) = book().await;
    let title = SessionInfoUpdate::new().title("Six times seven".to_owned());
    book.clone().said(&SessionUpdate::SessionInfoUpdate(title), None, 0);
    store.is_mute.store(true, Ordering::SeqCst);
    let given_up = tokio::time::timeout(Duration::from_secs(1), book.begin_turn(Some(now()))).await;
    assert!(given_up.is_err() && book.has_unwritten());
    store.is_mute.store(false, Ordering::SeqCst);
    book.begin_turn(Some(now())).await.unwrap();
    assert_eq!(store.read(&"s".into()).await.unwrap().title.as_deref(), Some("Six times seven"));
    assert!(!book.has_unwritten());
}

#[tokio::test(start_paused = true)]
async fn a_change_that_comes_too_late_for_the_commit_of_its_turn_is_committed_soon() {
    let (store, book) = book().await;
    let awaited = Arc::new(Mutex::new(Vec::new()));
    book.belongs_to(Box::new(Blank(awaited.clone())));
    for is_late in [false, true] {
        book.begin_turn(None).await.unwrap();
        say(&book, "one");
        book.changed();
        assert!(book.ends_turn());
        store.is_mute.store(true, Ordering::SeqCst);
        let ending = tokio::spawn({
            let book = book.clone();
            async move { book.end_turn(now()).await }
        });
        tokio::time::sleep(Duration::from_millis(10)).await;
        if is_late {
            book.changed();
        }
        store.is_mute.store(false, Ordering::SeqCst);
        ending.await.unwrap().unwrap();
        assert_eq!(awaited.lock().unwrap().len(), usize::from(is_late));
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_says_much_is_committed_while_it_runs_and_marked_until_it_ends() {
    let (store, book) = book().await;
    let awaited = Arc::new(Mutex::new(Vec::new()));
    book.belongs_to(Box::new(Blank(awaited.clone())));
    let kept = async || store.read(&"s".into()).await.unwrap();
    book.begin_turn(None).await.unwrap();
    say(&book, "one");
    assert!(awaited.lock().unwrap().is_empty());
    say(&book, &"x".repeat(300 << 10));
    say(&book, "two");
    assert_eq!(*awaited.lock().unwrap(), [Duration::ZERO], "once");
    book.clone().commit_awaited().await;
    let said = async || store.replay(&"s".into(), 0, 10).await.unwrap().len();
    assert_eq!((said().await, kept().await.unended), (3, Some(1)));
    assert!(!book.has_unwritten() && book.has_turn());
    say(&book, "three");
    book.end_turn(now()).await.unwrap();
    assert_eq!((said().await, kept().await.unended), (4, None));
    book.begin_turn(None).await.unwrap();
    say(&book, "four");
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_eq!((said().await, kept().await.unended), (5, Some(5)), "what it says is kept some seconds later");
    book.end_turn(now()).await.unwrap();
    assert_eq!((said().await, kept().await.unended), (5, None), "its end has no entries");
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_says_too_much_waits_for_the_store_and_fails_with_it() {
    let (store, book) = book().await;
    book.begin_turn(None).await.unwrap();
    say(&book, &"x".repeat(1 << 19));
    assert!(book.clone().room().is_none());
    say(&book, &"y".repeat(1 << 19));
    store.is_mute.store(true, Ordering::SeqCst);
    let error = book.clone().room().expect("it is too much").await.unwrap_err();
    assert_eq!(error.message(), "the store of the sessions does not answer: try again");
    store.is_mute.store(false, Ordering::SeqCst);
    book.clone().room().expect("it is still too much").await.unwrap();
    assert!(book.clone().room().is_none());
    book.end_turn(now()).await.unwrap();
    assert_eq!(store.replay(&"s".into(), 0, 10).await.unwrap().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_turn_whose_first_part_alone_is_kept_late_does_not_look_whole() {
    let (store, book) = book().await;
    book.begin_turn(None).await.unwrap();
    say(&book, "one");
    *store.left.lock().unwrap() = Some(0);
    book.commit_said().await.unwrap_err();
    say(&book, "two");
    // The end repeats the first part, and the store fails again before the rest.
    *store.left.lock().unwrap() = Some(1);
    let state = || State::OfTurn(Ok(Some(KeptState::new(1, &"of the end").unwrap())));
    book.end_turn(state()).await.unwrap_err();
    let kept = async || store.read(&"s".into()).await.unwrap();
    let said = async || store.replay(&"s".into(), 0, 10).await.unwrap().len();
    assert_eq!((said().await, kept().await.unended, kept().await.state), (1, Some(1), None));
    *store.left.lock().unwrap() = None;
    book.commit(state()).await.unwrap();
    assert_eq!((said().await, kept().await.unended, kept().await.state.is_some()), (2, None, true));
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_turn_that_could_not_be_kept_takes_its_mark_away_later() {
    let (store, book) = book().await;
    book.begin_turn(None).await.unwrap();
    say(&book, "one");
    book.commit_said().await.unwrap();
    let other = store.sessions.clone();
    store.is_full.store(true, Ordering::SeqCst);
    book.end_turn(now()).await.unwrap_err();
    assert!(book.has_unwritten());
    assert_eq!(other.read(&"s".into()).await.unwrap().unended, Some(1));
    store.is_full.store(false, Ordering::SeqCst);
    book.commit(now()).await.unwrap();
    assert_eq!(other.read(&"s".into()).await.unwrap().unended, None);
    assert!(!book.has_unwritten());
}

#[tokio::test]
async fn a_commit_that_waits_reads_what_is_set_meanwhile() {
    /// A session with one option.
    struct One(Arc<Mutex<&'static str>>);

    impl Sheet for One {
        fn options(&self) -> Option<BTreeMap<SessionConfigId, KeptOption>> {
            Some([("model".into(), (*self.0.lock().unwrap()).into())].into())
        }

        fn state(&self) -> Result<Option<KeptState>, StoreError> {
            Ok(None)
        }

        fn commit_behind(&self, _: Weak<Book>, _: Duration) {}
    }

    let (store, book) = book().await;
    let model = Arc::new(Mutex::new("fast"));
    book.belongs_to(Box::new(One(model.clone())));
    book.commit(State::OfSession).await.unwrap();
    for (number, to) in ["smart", "fast", "smart"].into_iter().enumerate() {
        book.begin_turn(None).await.unwrap();
        say(&book, &number.to_string());
        let kept = book.commit_options([("model".into(), to.into())].into()).await.unwrap();
        // The set is kept, and not in force. The end of the turn and the commit of a change outside of turns wait.
        let ending = tokio::spawn({
            let book = book.clone();
            async move { book.end_turn(now()).await }
        });
        let awaited = tokio::spawn(book.clone().commit_awaited());
        tokio::task::yield_now().await;
        *model.lock().unwrap() = to;
        drop(kept);
        ending.await.unwrap().unwrap();
        awaited.await.unwrap();
        assert_eq!(store.read(&"s".into()).await.unwrap().options["model"], to.into());
    }
}

#[tokio::test]
async fn a_clock_that_goes_back_moves_no_session_back_in_the_list() {
    let (store, claim) = (Arc::new(Store::default()), Claim::new(&Owner::new(), LEASE));
    // As somebody has left it whose clock was wrong by an hour.
    let ahead = Timestamp::now().after(Duration::from_secs(3600));
    let mut kept = Kept::new("/");
    kept.updated = ahead;
    let lease = store.create(&"s".into(), &kept, &claim).await.unwrap();
    let book = Book::new(Books::new(store.clone()));
    book.opening().await.open(lease, &kept);
    say(&book, "one");
    book.commit(now()).await.unwrap();
    // A change is always a change: it has a time of its own.
    assert_eq!(store.read(&"s".into()).await.unwrap().updated, ahead.after(Duration::from_micros(1)));
}

#[test]
fn a_book_at_rest_is_small() {
    let ledger = size_of::<tokio::sync::Mutex<ledger::Ledger>>() + 2 * size_of::<usize>();
    let bytes = size_of::<Book>() + 2 * size_of::<usize>() + ledger;
    assert!(bytes <= 350, "{bytes} bytes");
}

#[tokio::test(start_paused = true)]
async fn the_times_do_not_add_up_in_which_calls_wait_for_a_store_that_does_not_answer() {
    let (store, book) = book().await;
    book.begin_turn(None).await.unwrap();
    say(&book, "one");
    store.is_mute.store(true, Ordering::SeqCst);
    let begin = Instant::now();
    let part = tokio::spawn({
        let book = book.clone();
        async move { book.commit_said().await }
    });
    tokio::task::yield_now().await;
    say(&book, "two");
    let error = book.end_turn(now()).await.unwrap_err();
    assert!(matches!(error, StoreError::Unavailable { .. }), "{error}");
    part.await.unwrap().unwrap_err();
    let waited = begin.elapsed();
    assert!(waited < ANSWER * 3 / 2, "{waited:?}");
    // A later call asks the store again.
    store.is_mute.store(false, Ordering::SeqCst);
    book.commit(now()).await.unwrap();
    assert!(!book.has_unwritten());
}

#[tokio::test]
async fn the_mark_of_an_interrupted_turn_stays_behind_a_part_that_is_refused() {
    let (store, book) = book().await;
    book.begin_turn(None).await.unwrap();
    say(&book, "begun");
    book.commit_said().await.unwrap();
    let lease = store.claim(&"s".into(), &Claim::new(&Owner::new(), LEASE).forced()).await.unwrap();
    let book = Book::new(Books::new(store.clone()));
    book.opening().await.open(lease, &store.read(&"s".into()).await.unwrap());
    let unended = async || store.read(&"s".into()).await.unwrap().unended;
    assert_eq!(unended().await, Some(1));
    say(&book, "unkeepable");
    store.is_full.store(true, Ordering::SeqCst);
    book.commit(now()).await.unwrap_err();
    store.is_full.store(false, Ordering::SeqCst);
    say(&book, "more");
    // Without its id, the first entry is refused as well: two refusals, and then something stands in its place.
    *store.left.lock().unwrap() = Some(4);
    book.commit(now()).await.unwrap_err();
    assert_eq!(unended().await, Some(1), "the rest is not kept yet");
    *store.left.lock().unwrap() = None;
    book.commit(now()).await.unwrap();
    assert_eq!(unended().await, None);
}
