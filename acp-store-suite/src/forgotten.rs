//! Promises about entries that a commit drops.

use super::*;

/// The places of all entries, read from the begin in pages.
async fn places(store: &Store, session: &str, most: usize) -> Vec<u64> {
    let (mut places, mut last) = (Vec::new(), 0);
    loop {
        let page = store.replay(&id(session), last, most).await.expect("the session is there");
        let Some(end) = page.last() else { return places };
        last = end.seq;
        for entry in page {
            assert_eq!(text(&entry), format!("said {}", entry.seq), "an entry keeps its place");
            places.push(entry.seq);
        }
    }
}

fn said(places: impl Iterator<Item = u64>) -> Vec<Entry> {
    places.map(|seq| message(seq, format!("said {seq}"))).collect()
}

async fn forget(store: &Store, lease: &Lease, last: u64) {
    store.commit(lease, Change::default().forgotten(last)).await.expect("the lease is good");
}

pub(super) async fn entries_that_are_dropped_are_gone_and_the_others_keep_their_places(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let (lease, other) = (opened(&store, "s").await, opened(&store, "t").await);
    for lease in [&lease, &other] {
        store.commit(lease, Change::all(&kept(2)).and_said(&said(1..=3000))).await.expect("the lease is good");
    }
    forget(&store, &lease, 2950).await;
    let store = open().await;
    for most in [1, 7, 49, 50, 1000] {
        assert_eq!(places(&store, "s", most).await, (2951..=3000).collect::<Vec<_>>(), "in pages of {most}");
    }
    for (after, next) in [(1, 2951), (2949, 2951), (2950, 2951), (2951, 2952), (2999, 3000)] {
        let page = store.replay(&id("s"), after, 1).await.expect("it is there");
        assert_eq!(page, said(next..=next), "the one behind {after}");
    }
    assert_eq!(places(&store, "t", 1000).await.len(), 3000, "another session has all of its entries");
    assert_eq!(store.read(&id("s")).await.expect("it is there"), kept(2), "the other parts stay");
    // All that is left goes, and the next entry has the next place, also for another process.
    forget(&store, &lease, 3000).await;
    assert!(places(&store, "s", 10).await.is_empty());
    store.release(&lease).await.expect("there is nothing to refuse");
    let lease = store.claim(&id("s"), &claim(LONG)).await.expect("it is free");
    assert_eq!(lease.last_seq(), 3000, "no place is given again");
    store.commit(&lease, Change::said(&said(3001..=3002))).await.expect("the lease is good");
    assert_eq!(places(&open().await, "s", 10).await, [3001, 3002]);
}

pub(super) async fn a_commit_that_drops_entries_is_whole_and_may_be_repeated(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    store.commit(&lease, Change::said(&said(1..=5))).await.expect("the lease is good");
    // At a wrong place, nothing is dropped.
    let (wrong, state) = (said(7..=7), acp_store::KeptState::new(1, &"cleared").expect("it is JSON"));
    let refusal = store.commit(&lease, Change::said(&wrong).state(&state).forgotten(5)).await;
    refused(refusal, |error| matches!(error, StoreError::OutOfOrder { .. }), "the error `OutOfOrder`");
    assert_eq!(
        (places(&store, "s", 10).await.len(), store.read(&id("s")).await.expect("it is there").state),
        (5, None)
    );
    let new = said(6..=7);
    for _ in 0..3 {
        store.commit(&lease, Change::said(&new).state(&state).forgotten(5)).await.expect("it may be repeated");
        assert_eq!(places(&store, "s", 10).await, [6, 7]);
        assert_eq!(store.read(&id("s")).await.expect("it is there").state.as_ref(), Some(&state));
    }
    // A holder whose session was taken drops nothing.
    let taken = store.claim(&id("s"), &claim(LONG).forced()).await.expect("force wins");
    lost(store.commit(&lease, Change::default().forgotten(7)).await);
    assert_eq!(places(&store, "s", 10).await, [6, 7]);
    forget(&store, &taken, 6).await;
    assert_eq!(places(&store, "s", 10).await, [7]);
}

pub(super) async fn new_entries_can_be_dropped_by_their_own_commit(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    let three = said(1..=3);
    for _ in 0..2 {
        store.commit(&lease, Change::said(&three).forgotten(2)).await.expect("it may be repeated");
        assert_eq!(places(&store, "s", 10).await, [3]);
    }
    forget(&store, &lease, u64::MAX).await;
    forget(&store, &lease, 0).await;
    assert!(places(&store, "s", 10).await.is_empty(), "a place behind the last entry drops all");
    store.commit(&lease, Change::said(&said(4..=5)).forgotten(3)).await.expect("the lease is good");
    assert_eq!(places(&store, "s", 10).await, [4, 5]);
}
