//! Tests of the book on stores in memory.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::{
    session::recorder::Recorder as _,
    store::{Change, Claim, Cursor, ListFilter, MemoryStore, Owner, Page},
    values::{ContentChunk, SessionId, SessionInfoUpdate, SessionUpdate},
};

/// Counts renewals. Keeps a commit, and then does not answer while it `is_mute`.
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
    fn commit<'a>(&'a self, lease: &'a Lease, change: Change<'a>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
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

#[tokio::test(start_paused = true)]
async fn options_that_are_set_back_replace_those_of_a_commit_without_an_answer() {
    let (store, book) = book().await;
    let set = |value: &str| BTreeMap::from([("model".into(), value.into())]);
    book.commit_options(set("fast")).await.unwrap();
    store.is_mute.store(true, Ordering::SeqCst);
    book.commit_options(set("smart")).await.unwrap_err();
    store.is_mute.store(false, Ordering::SeqCst);
    book.commit_options(set("fast")).await.unwrap();
    assert_eq!(store.read(&"s".into()).await.unwrap().options, set("fast"));
}

#[tokio::test(start_paused = true)]
async fn a_commit_that_is_dropped_loses_no_title() {
    let (store, book) = book().await;
    let title = SessionInfoUpdate::new().title("Six times seven".to_owned());
    book.said(&SessionUpdate::SessionInfoUpdate(title), None);
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
    let begun = awaited.clone();
    book.commit_by(Box::new(move |behind| begun.lock().unwrap().push(behind)));
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
