//! Options that the client sets while something else of the session is committed.

use std::time::Duration;

use super::{
    agent::{session, set},
    store::Mode,
};

#[tokio::test]
async fn a_set_beside_the_end_of_a_turn_is_not_overwritten() {
    let (mut peer, store, id) = session().await;
    let running = peer.prompt(&id, "wait").await;
    peer.update().await;
    store.set(Mode::Slow);
    let setting = peer.request("session/set_config_option", set(&id, "smart")).await;
    peer.settled().await;
    peer.cancel(&id).await;
    peer.settled().await;
    store.set(Mode::Well);
    peer.answer(setting).await.expect("set");
    assert_eq!(peer.stop_reason(running).await, "cancelled");
    assert_eq!(store.kept(&id).await.options["model"], "smart".into());
}

#[tokio::test]
async fn a_set_beside_a_commit_outside_of_turns_is_not_overwritten() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "later").await;
    // The message, and the change of an option. They are committed about 100 ms later, while the set waits for the store.
    peer.update().await;
    peer.update().await;
    store.set(Mode::Slow);
    let setting = peer.request("session/set_config_option", set(&id, "smart")).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    store.set(Mode::Well);
    peer.answer(setting).await.expect("set");
    while store.said(&id).await.len() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(store.kept(&id).await.options["model"], "smart".into());
    assert_eq!(store.kept(&id).await.options["brave"], true.into());
}
