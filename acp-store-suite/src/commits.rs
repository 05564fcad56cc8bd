//! Promises about commits.

use std::{future::poll_fn, task::Poll};

use super::*;
use acp_store::{KeptState, ListFilter, Listed};

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
    store.commit(&lease, Change::all(&second)).await.expect("the lease is good");
    assert_eq!(store.read(&id("s")).await.expect("it is there"), second);
}

pub(super) async fn a_commit_changes_only_the_parts_that_it_names(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let mut now = super::sessions::rich();
    let lease = store.create(&id("s"), &now, &claim(LONG)).await.expect("a new session is kept");
    let folders = ["/b".into(), "/c".into()];
    let (options, permissions) = ([("brave".into(), false.into())].into(), [("tool".to_owned(), true)].into());
    let state = KeptState::new(7, &"another").expect("it is JSON");
    let mut changes = [Change::default(); 11];
    changes[1].cwd = Some("/a".as_ref());
    changes[2].additional_directories = Some(&folders);
    changes[3].title = Some(Some("Another title"));
    changes[4].title = Some(None);
    changes[5].updated = Some(Timestamp::from_micros(77));
    changes[6].options = Some(&options);
    changes[7].permissions = Some(&permissions);
    changes[8].state = Some(&state);
    changes[9].unended = Some(None);
    changes[10].unended = Some(Some(9));
    for change in changes {
        store.commit(&lease, change).await.expect("the lease is good");
        change.apply(&mut now);
        assert_eq!(store.read(&id("s")).await.expect("it is there"), now, "after {change:?}");
    }
    let of_it = ListFilter::cwd(Some("/a".into())).principal(now.principal.clone());
    let found = store.list(&of_it, None, 10).await.expect("a list");
    assert_eq!(found.sessions, [Listed::new(id("s"), now)]);
}

pub(super) async fn a_commit_at_a_wrong_place_changes_nothing(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    let said = [message(1, "one"), message(2, "two")];
    store.commit(&lease, Change::all(&kept(2)).and_said(&said)).await.expect("the lease is good");
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
        let result = store.commit(&lease, Change::all(&kept(9)).and_said(&wrong)).await;
        let what = format!("the error `OutOfOrder` for {places:?}");
        refused(result, |error| matches!(error, StoreError::OutOfOrder { .. }), &what);
        assert_eq!(store.read(&id("s")).await.expect("it is there"), kept(2), "after {places:?}");
        assert_eq!(all(&store, &id("s"), 10).await, said, "after {places:?}");
    }
    store.commit(&lease, Change::all(&kept(3)).and_said(&[message(3, "three")])).await.expect("the lease is good");
}

pub(super) async fn a_repeated_commit_is_kept_once(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    let said = [message(1, "one"), message(2, "two"), message(3, "three")];
    for _ in 0..3 {
        store.commit(&lease, Change::all(&kept(2)).and_said(&said)).await.expect("it may be repeated");
    }
    assert_eq!(all(&store, &id("s"), 10).await, said);
    store.commit(&lease, Change::all(&kept(3)).and_said(&[message(4, "four")])).await.expect("the lease is good");
    assert_eq!(all(&store, &id("s"), 10).await.len(), 4);
}

pub(super) async fn a_dropped_commit_is_whole_or_not_there(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    let (mut random, mut next, mut before) = (Random::new(7), 1, kept(1));
    for round in 0..40_i64 {
        assert_eq!(
            store.read(&id("s")).await.expect("it is there"),
            before,
            "no dropped commit comes behind a later one"
        );
        let said: Vec<Entry> = (next..next + 5).map(|seq| message(seq, format!("round {round}"))).collect();
        let now = kept(round + 10);
        {
            let mut commit = store.commit(&lease, Change::all(&now).and_said(&said));
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
        store.commit(&lease, Change::all(&now).and_said(&said)).await.expect("it may be repeated");
        assert_eq!(all(&store, &id("s"), 1000).await.len() as u64, next + 4);
        assert_eq!(store.read(&id("s")).await.expect("it is there"), now);
        (before, next) = (now, next + 5);
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
                store.commit(&lease, Change::all(&kept(seq as i64)).and_said(&said)).await.expect("the lease is good");
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
