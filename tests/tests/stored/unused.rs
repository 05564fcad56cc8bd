//! Sessions that were opened and never used, and the bounds of a declaration: which sessions are listed, and which are deleted.

use std::{sync::Arc, time::Duration};

use acp_runtime::{
    prelude::*,
    store::{Claim, Kept, Owner, Timestamp},
};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::json;

use super::{
    agent::{connect, opening, session, set, shown, told},
    store::Store,
};

/// The ids that a client lists.
async fn listed(peer: &mut Peer) -> Vec<String> {
    let list = peer.call("session/list", json!({})).await.expect("listed");
    let sessions = list["sessions"].as_array().expect("a list").iter();
    sessions.map(|one| one["sessionId"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test]
async fn a_session_without_a_prompt_is_listed_only_while_a_client_has_it() {
    let (mut peer, store, unused) = session().await;
    let used = peer.new_session().await;
    told(&mut peer, &used, "Hello").await;
    assert_eq!(listed(&mut peer).await, [used.clone(), unused.clone()]);
    peer.call("session/set_config_option", set(&unused, "smart")).await.expect("set");
    peer.hang_up().await;

    let mut peer = connect(&store.of_another_process()).await;
    assert_eq!(listed(&mut peer).await, [used.as_str()], "no entry without a title");
    // The client that knows its id goes on with it, with what it has set.
    peer.call("session/load", opening(&unused)).await.expect("it is kept");
    assert_eq!(listed(&mut peer).await.len(), 2);
    assert_eq!(told(&mut peer, &unused, "options").await, "Smart false");
    peer.hang_up().await;
    let mut peer = connect(&store.of_another_process()).await;
    assert_eq!(listed(&mut peer).await, [unused, used], "now it was used");
}

#[tokio::test]
async fn a_page_of_unused_sessions_is_no_end_of_the_list() {
    let store = Store::default();
    keep(&store, "used", 400, true).await;
    for number in 0..120 {
        keep(&store, &format!("unused {number}"), 20, false).await;
    }
    let mut peer = connect(&store).await;
    assert_eq!(listed(&mut peer).await, ["used"]);
}

/// Keeps a session whose last change was so many days ago. Its lease is over.
async fn keep(store: &Store, id: &str, days: i64, is_used: bool) {
    const DAY: i64 = 24 * 60 * 60 * 1_000_000;
    let mut kept = Kept::new("/");
    kept.updated = Timestamp::from_micros(Timestamp::now().as_micros() - days * DAY);
    kept.created = if is_used { Timestamp::from_micros(kept.updated.as_micros() - 1) } else { kept.updated };
    let claim = Claim::new(&Owner::new(), Duration::from_secs(60));
    let lease = store.sessions.create(&id.into(), &kept, &claim).await.expect("kept");
    store.sessions.release(&lease).await.expect("released");
}

/// The sessions that are left, when these have gone: a task deletes them.
async fn left(store: &Store, gone: &[&str], stay: &[&str]) {
    let is_there = async |id: &str| store.sessions.read(&id.into()).await.is_ok();
    let gone_by_now = async {
        for id in gone {
            while is_there(id).await {
                tokio::task::yield_now().await;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), gone_by_now).await.unwrap_or_else(|_| panic!("{gone:?} are left"));
    for id in stay {
        assert!(is_there(id).await, "{id} is gone");
    }
}

#[tokio::test]
async fn a_list_deletes_what_was_not_used_for_a_month() {
    let store = Store::default();
    keep(&store, "new", 29, false).await;
    keep(&store, "old", 31, false).await;
    keep(&store, "held", 32, false).await;
    keep(&store, "used", 400, true).await;
    let claim = Claim::new(&Owner::new(), Duration::from_secs(60));
    let lease = store.sessions.claim(&"held".into(), &claim).await.expect("free");
    let mut peer = connect(&store).await;
    assert_eq!(listed(&mut peer).await, ["used"]);
    left(&store, &["old"], &["new", "held", "used"]).await;
    store.sessions.renew(&lease).await.expect("the right of its holder is as it was");
}

/// Keeps few sessions, and not for long.
#[acp_agent(store = store, kept_for = "8w", kept_at_most = 3)]
#[derive(Clone)]
struct Tidy {
    store: Arc<Store>,
}

#[acp_agent]
impl Tidy {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[tokio::test]
async fn sessions_that_are_too_old_or_too_many_are_deleted_when_one_is_opened() {
    let store = Store::default();
    for (id, days) in [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 57), ("loaded", 80)] {
        keep(&store, id, days, true).await;
    }
    let mut peer = Peer::serve(Tidy { store: Arc::new(store.clone()) });
    peer.initialize(all_capabilities()).await;
    // A session that is open here stays, whatever its age.
    peer.call("session/load", opening("loaded")).await.expect("loaded");
    left(&store, &["d", "e"], &["a", "b", "c", "loaded"]).await;
}

#[tokio::test]
async fn a_session_that_rests_in_another_process_is_not_deleted_by_its_age() {
    let store = Store::default();
    keep(&store, "rests", 80, true).await;
    keep(&store, "old", 81, true).await;
    let claim = Claim::new(&Owner::new(), Duration::ZERO);
    let lease = store.sessions.claim(&"rests".into(), &claim).await.expect("free");
    let mut peer = Peer::serve(Tidy { store: Arc::new(store.clone()) });
    peer.initialize(all_capabilities()).await;
    peer.new_session().await;
    // The one with the later change comes first.
    left(&store, &["old"], &["rests"]).await;
    store.sessions.renew(&lease).await.expect("the right of its holder is as it was");
}

/// The others may not see whether its process lives.
#[tokio::test(start_paused = true)]
async fn a_process_says_once_in_a_while_which_sessions_it_has_if_old_ones_are_deleted() {
    let store = Store::default();
    let mut peer = Peer::serve(Tidy { store: Arc::new(store.clone()) });
    peer.initialize(all_capabilities()).await;
    peer.new_session().await;
    let closed = peer.new_session().await;
    tokio::time::sleep(Duration::from_secs(2 * 60 * 60 + 60)).await;
    assert_eq!(store.renewals(), 4, "two sessions, twice");
    peer.call("session/close", json!({ "sessionId": closed })).await.expect("closed");
    tokio::time::sleep(Duration::from_secs(60 * 60)).await;
    assert_eq!(store.renewals(), 5);

    let store = Store::default();
    let mut peer = connect(&store).await;
    peer.new_session().await;
    tokio::time::sleep(Duration::from_secs(24 * 60 * 60)).await;
    assert_eq!(store.renewals(), 0, "nothing is deleted by its age here");
}

#[tokio::test]
async fn an_agent_without_bounds_keeps_all_that_was_used() {
    let store = Store::default();
    keep(&store, "used", 4000, true).await;
    keep(&store, "unused", 31, false).await;
    let mut peer = connect(&store).await;
    assert_eq!(listed(&mut peer).await, ["used"]);
    left(&store, &["unused"], &["used"]).await;
}

/// Shows the end of long histories alone.
#[acp_agent(store = store, replayed_at_most = 5)]
#[derive(Clone)]
struct Brief {
    store: Arc<Store>,
}

#[acp_agent]
impl Brief {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        if request.text() == "count" {
            let mut history = turn.history().expect("a store keeps it");
            turn.message(history.read_all().await?.len().to_string()).await?;
        } else {
            turn.thought("Hm.").await?;
            turn.message(format!("{}!", request.text())).await?;
        }
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_load_replays_the_end_of_a_long_history_from_a_prompt_on_and_says_so() {
    let store = Store::default();
    let agent = || Brief { store: Arc::new(store.of_another_process()) };
    let mut peer = Peer::serve(agent());
    peer.initialize(json!({})).await;
    let id = peer.new_session().await;
    peer.turn(&id, "one").await;
    peer.updates();
    let said = "agent_message_chunk: [The begin of this conversation is not shown. The agent has all of it.]\n\n";
    let entries = ["user_message_chunk: two", "agent_thought_chunk: Hm.", "agent_message_chunk: two!"];
    // A history that is no longer than the bound is shown as a whole.
    peer.call("session/load", opening(&id)).await.expect("loaded");
    assert_eq!(shown(&peer.updates()).len(), 3);
    peer.turn(&id, "two").await;
    peer.updates();
    // The session is active here, and then in another process.
    peer.call("session/load", opening(&id)).await.expect("loaded");
    assert_eq!(shown(&peer.updates()), [&[said][..], &entries].concat());
    peer.hang_up().await;
    for notices in [true, false] {
        let mut peer = Peer::serve(agent());
        peer.initialize(if notices { json!({ "session": { "notices": {} } }) } else { json!({}) }).await;
        peer.call("session/load", opening(&id)).await.expect("loaded");
        let begin = if notices { "notice: The begin of this conversation is not shown" } else { said };
        assert_eq!(shown(&peer.updates()), [&[begin][..], &entries].concat());
        if !notices {
            assert_eq!(told(&mut peer, &id, "count").await, "7", "all six entries, and the prompt");
        }
        peer.hang_up().await;
    }
}
