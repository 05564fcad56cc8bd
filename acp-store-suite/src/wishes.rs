//! Promises about wishes: who waits for a session tells its holder.

use super::*;

async fn is_wished(store: &Store, lease: &Lease) -> bool {
    store.is_wished(lease).await.expect("the lease is good")
}

pub(super) async fn a_wish_is_told_to_the_holder_until_its_time_is_over(open: &impl AsyncFn() -> Store) {
    let (store, other) = (open().await, open().await);
    let (lease, neighbour) = (opened(&store, "s").await, opened(&store, "t").await);
    assert!(!is_wished(&store, &lease).await, "nobody waits yet");
    held(other.claim(&id("s"), &claim(LONG)).await);
    assert!(!is_wished(&store, &lease).await, "a claim that is refused leaves no wish by itself");
    other.wish(&id("s"), LONG).await.expect("a wish needs no lease");
    assert!(is_wished(&store, &lease).await, "somebody waits");
    assert!(!is_wished(&store, &neighbour).await, "but not for another session");
    // It stays until its time is over, whatever the holder does.
    store.renew(&lease).await.expect("the lease is good");
    store.commit(&lease, Change::all(&kept(2)).and_said(&[message(1, "said")])).await.expect("the lease is good");
    assert!(is_wished(&open().await, &lease).await, "also for a handle that is opened later");
    // A later wish replaces it.
    other.wish(&id("s"), Duration::from_millis(1)).await.expect("a wish needs no lease");
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!is_wished(&store, &lease).await, "nobody waits any more");
    store.commit(&lease, Change::all(&kept(3))).await.expect("a wish takes no lease");
}

pub(super) async fn a_claim_that_wins_ends_a_wish(open: &impl AsyncFn() -> Store) {
    let (store, other) = (open().await, open().await);
    let first = opened(&store, "s").await;
    other.wish(&id("s"), LONG).await.expect("a wish needs no lease");
    store.release(&first).await.expect("the lease is good");
    let second = other.claim(&id("s"), &claim(LONG)).await.expect("it is free");
    assert!(!is_wished(&other, &second).await, "who has waited has the session now");
    store.wish(&id("s"), LONG).await.expect("a wish needs no lease");
    assert!(is_wished(&other, &second).await, "another one waits");
    let third = store.claim(&id("s"), &claim(LONG).forced()).await.expect("it is forced");
    assert!(!is_wished(&store, &third).await);
}

pub(super) async fn only_the_holder_is_told_of_a_wish(open: &impl AsyncFn() -> Store) {
    let (store, other) = (open().await, open().await);
    let first = opened(&store, "s").await;
    let second = other.claim(&id("s"), &claim(LONG).forced()).await.expect("it is forced");
    store.wish(&id("s"), LONG).await.expect("a wish needs no lease");
    lost(store.is_wished(&first).await);
    assert!(is_wished(&other, &second).await);
    assert!(store.delete(&id("s")).await.expect("it is deleted"));
    not_found(store.is_wished(&second).await);
    not_found(store.wish(&id("s"), LONG).await);
}
