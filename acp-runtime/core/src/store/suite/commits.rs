//! Promises about commits.

use std::{future::poll_fn, task::Poll};

use super::*;

pub(super) async fn a_commit_replaces_what_is_kept(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let mut first = kept(1);
    first.title = Some("first".to_owned());
    first.additional_directories = vec!["/a".into()];
    first.options.insert("brave".into(), true.into());
    first.options.insert("gone".into(), "later".into());
    let lease = store.create(&id("s"), &first, &claim(LONG)).await.expect("a new session is kept");
    let mut second = kept(2);
    second.cwd = "/another".into();
    second.options.insert("brave".into(), false.into());
    store.commit(&lease, &second, &[]).await.expect("the lease is good");
    assert_eq!(store.read(&id("s")).await.expect("it is there"), second);
}

pub(super) async fn a_commit_at_a_wrong_place_changes_nothing(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    let said = [message(1, "one"), message(2, "two")];
    store.commit(&lease, &kept(2), &said).await.expect("the lease is good");
    let lease = store.claim(&id("s"), &claim(LONG).forced()).await.expect("it is forced");
    for wrong in [
        vec![message(0, "at no place")],
        vec![message(1, "one"), message(2, "two")],
        vec![message(2, "again")],
        vec![message(4, "behind a gap")],
        vec![message(2, "again"), message(3, "and new")],
        vec![message(3, "new"), message(5, "behind a gap")],
        vec![message(3, "new"), message(3, "twice")],
        vec![message(4, "backwards"), message(3, "new")],
        vec![message(u64::MAX, "at the end")],
    ] {
        let places: Vec<u64> = wrong.iter().map(|entry| entry.seq).collect();
        let result = store.commit(&lease, &kept(9), &wrong).await;
        let what = format!("the error `OutOfOrder` for {places:?}");
        refused(result, |error| matches!(error, StoreError::OutOfOrder { .. }), &what);
        assert_eq!(store.read(&id("s")).await.expect("it is there"), kept(2), "after {places:?}");
        assert_eq!(all(&store, &id("s"), 10).await, said, "after {places:?}");
    }
    store.commit(&lease, &kept(3), &[message(3, "three")]).await.expect("the lease is good");
}

pub(super) async fn a_repeated_commit_is_kept_once(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    let said = [message(1, "one"), message(2, "two"), message(3, "three")];
    for _ in 0..3 {
        store.commit(&lease, &kept(2), &said).await.expect("it may be repeated");
    }
    assert_eq!(all(&store, &id("s"), 10).await, said);
    store.commit(&lease, &kept(3), &[message(4, "four")]).await.expect("the lease is good");
    assert_eq!(all(&store, &id("s"), 10).await.len(), 4);
}

pub(super) async fn a_dropped_commit_is_whole_or_not_there(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    let (mut random, mut next) = (Random::new(7), 1);
    for round in 0..40_i64 {
        let said: Vec<Entry> = (next..next + 5).map(|seq| message(seq, format!("round {round}"))).collect();
        let now = kept(round + 10);
        {
            let mut commit = store.commit(&lease, &now, &said);
            // So many polls, and some time between them. Then the future is dropped.
            for _ in 0..random.below(3) {
                let is_ready = poll_fn(|context| Poll::Ready(commit.as_mut().poll(context).is_ready())).await;
                if is_ready {
                    break;
                }
                tokio::time::sleep(Duration::from_micros(random.below(400))).await;
            }
        }
        let read = all(&store, &id("s"), 1000).await.len() as u64;
        assert!(read == next - 1 || read == next + 4, "{read} entries are there, and a commit has 5");
        // A caller that does not know repeats it.
        store.commit(&lease, &now, &said).await.expect("it may be repeated");
        assert_eq!(all(&store, &id("s"), 1000).await.len() as u64, next + 4);
        assert_eq!(store.read(&id("s")).await.expect("it is there"), now);
        next += 5;
    }
}

pub(super) async fn sessions_are_committed_side_by_side(open: &impl AsyncFn() -> Store) {
    let mut tasks = Vec::new();
    for number in 0..12 {
        let store = open().await;
        tasks.push(tokio::spawn(async move {
            let session = format!("s{number}");
            let lease = opened(&store, &session).await;
            for seq in 1..=10 {
                let said = [message(seq, format!("{session} {seq}"))];
                store.commit(&lease, &kept(seq as i64), &said).await.expect("the lease is good");
            }
            session
        }));
    }
    let store = open().await;
    for task in tasks {
        let session = task.await.expect("its commits are kept");
        for entry in all(&store, &id(&session), 100).await {
            assert_eq!(text(&entry), format!("{session} {}", entry.seq));
        }
        assert_eq!(store.read(&id(&session)).await.expect("it is there"), kept(10));
    }
}
