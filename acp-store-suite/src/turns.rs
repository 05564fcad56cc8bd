//! Promises about turns that are kept while they run.

use super::*;

/// The mark of the session.
async fn mark(store: &Store) -> Option<u64> {
    store.read(&id("s")).await.expect("it is there").unended
}

/// A session with one turn that has ended, and one that runs: the entries 2 to 4.
async fn running(store: &Store) -> Lease {
    let lease = opened(store, "s").await;
    let mut change = unended(None);
    store.commit(&lease, change.and_said(&[message(1, "one")])).await.expect("the lease is good");
    for said in [[message(2, "two"), message(3, "three")].as_slice(), &[message(4, "four")]] {
        change.unended = Some(Some(2));
        store.commit(&lease, change.and_said(said)).await.expect("the lease is good");
    }
    lease
}

pub(super) async fn the_entries_of_a_turn_are_marked_until_it_ends(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = running(&store).await;
    assert_eq!(mark(&store).await, Some(2));
    let options = [("brave".into(), true.into())].into();
    let mut set = Change::default();
    set.options = Some(&options);
    store.commit(&lease, set).await.expect("the lease is good");
    assert_eq!(mark(&store).await, Some(2), "a set in the middle of a turn does not end it");
    store.commit(&lease, Change::said(&[message(5, "five")])).await.expect("the lease is good");
    store.renew(&lease).await.expect("the lease is good");
    assert_eq!(mark(&store).await, Some(2));
    let end = unended(None);
    store.commit(&lease, end).await.expect("the lease is good");
    assert_eq!(mark(&store).await, None);
    assert_eq!(all(&store, &id("s"), 2).await.len(), 5, "the entries are as they were");
}

pub(super) async fn the_mark_of_a_turn_survives_its_writer(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = running(&store).await;
    store.release(&lease).await.expect("the lease is good");
    let other = open().await;
    let lease = other.claim(&id("s"), &claim(LONG)).await.expect("it is free");
    assert_eq!((lease.last_seq(), mark(&other).await), (4, Some(2)));
    // The next turn has a mark of its own.
    let change = unended(Some(5));
    other.commit(&lease, change.and_said(&[message(5, "five")])).await.expect("the lease is good");
    assert_eq!(mark(&store).await, Some(5));
}

pub(super) async fn a_repeated_end_of_a_turn_ends_it_once(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = running(&store).await;
    let said = [message(5, "five")];
    let mut end = Change::said(&said);
    end.unended = Some(None);
    for _ in 0..3 {
        store.commit(&lease, end).await.expect("it may be repeated");
        assert_eq!((mark(&store).await, all(&store, &id("s"), 10).await.len()), (None, 5));
    }
}

fn unended(place: Option<u64>) -> Change<'static> {
    let mut change = Change::default();
    change.unended = Some(place);
    change
}
