//! Promises about the right to write.

use super::*;

pub(super) async fn a_living_holder_keeps_its_session(open: &impl AsyncFn() -> Store) {
    let (store, other) = (open().await, open().await);
    let owner = Owner::new();
    let before = Timestamp::now();
    let lease = store.create(&id("s"), &kept(1), &Claim::new(&owner, LONG)).await.expect("a new session is kept");
    match other.claim(&id("s"), &claim(LONG)).await {
        Err(StoreError::Held { session, by, until }) => {
            assert_eq!((session, *by), (id("s"), owner));
            let off = until.as_micros() - before.after(LONG).as_micros();
            assert!(off.abs() < 60_000_000, "the lease ends {off} µs after the time that it was claimed for");
        }
        result => panic!("expected the error `Held`, got {result:?}"),
    }
    store
        .commit(&lease, Change::all(&kept(2)).and_said(&[message(1, "undisturbed")]))
        .await
        .expect("the lease is good");
    store.renew(&lease).await.expect("the lease is good");
}

pub(super) async fn an_owner_claims_its_own_session_again(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let owner = Owner::new();
    let first = store.create(&id("s"), &kept(1), &Claim::new(&owner, LONG)).await.expect("a new session is kept");
    store.commit(&first, Change::all(&kept(2)).and_said(&[message(1, "one")])).await.expect("the lease is good");
    let second = store.claim(&id("s"), &Claim::new(&owner, LONG)).await.expect("it is its own");
    assert!(second.token() > first.token(), "tokens grow");
    assert_eq!((second.last_seq(), second.session(), second.time()), (1, &id("s"), LONG));
    lost(store.commit(&first, Change::all(&kept(3)).and_said(&[message(2, "too late")])).await);
    store.commit(&second, Change::all(&kept(3)).and_said(&[message(2, "two")])).await.expect("the lease is good");
}

pub(super) async fn a_released_session_is_free(open: &impl AsyncFn() -> Store) {
    let (store, other) = (open().await, open().await);
    let lease = opened(&store, "s").await;
    held(other.claim(&id("s"), &claim(LONG)).await);
    store.release(&lease).await.expect("the lease is good");
    store.release(&lease).await.expect("a second time is no error");
    let next = other.claim(&id("s"), &claim(LONG)).await.expect("it is free");
    assert!(next.token() > lease.token(), "tokens grow");
    lost(store.commit(&lease, Change::all(&kept(2))).await);
}

pub(super) async fn a_lost_lease_releases_nothing(open: &impl AsyncFn() -> Store) {
    let (store, other) = (open().await, open().await);
    let first = opened(&store, "s").await;
    let second = other.claim(&id("s"), &claim(LONG).forced()).await.expect("it is forced");
    store.release(&first).await.expect("there is nothing to release");
    held(store.claim(&id("s"), &claim(LONG)).await);
    other.commit(&second, Change::all(&kept(2))).await.expect("the lease is good");
}

pub(super) async fn a_lease_that_is_over_is_free_and_good_until_it_is_claimed(open: &impl AsyncFn() -> Store) {
    let (store, other) = (open().await, open().await);
    let short = Duration::from_millis(1);
    let first = store.create(&id("s"), &kept(1), &claim(short)).await.expect("a new session is kept");
    tokio::time::sleep(Duration::from_millis(50)).await;
    store
        .commit(&first, Change::all(&kept(2)).and_said(&[message(1, "nobody has claimed it")]))
        .await
        .expect("the lease is good");
    tokio::time::sleep(Duration::from_millis(50)).await;
    let second = other.claim(&id("s"), &claim(LONG)).await.expect("the lease is over");
    lost(store.commit(&first, Change::all(&kept(3)).and_said(&[message(2, "too late")])).await);
    lost(store.renew(&first).await);
    other.commit(&second, Change::all(&kept(3)).and_said(&[message(2, "in time")])).await.expect("the lease is good");
}

pub(super) async fn renewals_and_commits_lengthen_a_lease(open: &impl AsyncFn() -> Store) {
    let (store, other) = (open().await, open().await);
    for (session, is_commit) in [("renewed", false), ("committed", true)] {
        let short = Duration::from_millis(1);
        let lease = store.create(&id(session), &kept(1), &claim(short)).await.expect("a new session is kept");
        let long = Lease::new(&id(session), lease.token(), lease.last_seq(), LONG);
        tokio::time::sleep(Duration::from_millis(50)).await;
        match is_commit {
            true => store.commit(&long, Change::all(&kept(2))).await.expect("the lease is good"),
            false => store.renew(&long).await.expect("the lease is good"),
        }
        held(other.claim(&id(session), &claim(LONG)).await);
    }
}

pub(super) async fn a_session_of_a_dead_process_opens_at_once(open: &impl AsyncFn() -> Store) {
    // Where this cannot be known, it is not promised.
    let Some(gone) = gone() else { return };
    let (store, other) = (open().await, open().await);
    let lease = store.create(&id("s"), &kept(1), &Claim::new(&gone, LONG)).await.expect("a new session is kept");
    store
        .commit(&lease, Change::all(&kept(2)).and_said(&[message(1, "its last words")]))
        .await
        .expect("the lease is good");
    let next = other.claim(&id("s"), &claim(LONG)).await.expect("the holder is gone");
    assert_eq!(next.last_seq(), 1);
    lost(store.commit(&lease, Change::all(&kept(3))).await);
}

pub(super) async fn a_lost_lease_writes_nothing(open: &impl AsyncFn() -> Store) {
    let (store, other) = (open().await, open().await);
    let first = opened(&store, "s").await;
    store.commit(&first, Change::all(&kept(2)).and_said(&[message(1, "one")])).await.expect("the lease is good");
    let second = other.claim(&id("s"), &claim(LONG).forced()).await.expect("it is forced");
    lost(store.commit(&first, Change::all(&kept(9)).and_said(&[message(2, "too late")])).await);
    lost(store.commit(&first, Change::all(&kept(9))).await);
    // A commit that was kept under the lease cannot be repeated either.
    lost(store.commit(&first, Change::all(&kept(9)).and_said(&[message(1, "one")])).await);
    lost(store.renew(&first).await);
    assert_eq!(store.read(&id("s")).await.expect("it is there"), kept(2));
    assert_eq!(all(&store, &id("s"), 10).await, [message(1, "one")]);
    other.commit(&second, Change::all(&kept(3)).and_said(&[message(2, "two")])).await.expect("the lease is good");
}

pub(super) async fn one_of_many_claims_wins(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    for round in 0..5 {
        let session = format!("s{round}");
        let lease = opened(&store, &session).await;
        store.release(&lease).await.expect("the lease is good");
        let mut tasks = Vec::new();
        for _ in 0..8 {
            let (store, session) = (open().await, id(&session));
            tasks.push(tokio::spawn(async move { store.claim(&session, &claim(LONG)).await }));
        }
        let mut won = Vec::new();
        for task in tasks {
            match task.await.expect("no panic") {
                Ok(lease) => won.push(lease),
                Err(StoreError::Held { .. }) => {}
                Err(error) => panic!("expected the error `Held`, got {error:?}"),
            }
        }
        assert_eq!(won.len(), 1, "of eight claims at once one wins");
        store.commit(&won[0], Change::all(&kept(2))).await.expect("its lease is good");
    }
}

/// The same process number, given to another process: this owner is gone. `None` where this cannot be known.
fn gone() -> Option<Owner> {
    let mut owner = serde_json::to_value(Owner::new()).expect("an owner has a JSON form");
    owner["boot"].as_str()?;
    owner["started"] = (owner["started"].as_u64()? + 1).into();
    Some(serde_json::from_value(owner).expect("it is the form of an owner"))
}
