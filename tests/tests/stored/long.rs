//! Long turns are kept while they run, and an interrupted one is told of.

use std::time::Duration;

use acp_tests::peer::Peer;
use serde_json::{Value, json};

use super::{
    agent::{Keeper, opening, session, set, told},
    store::{Mode, Store},
};

/// A session with a turn that has ended, and a long one that runs. Some of it is kept.
async fn running() -> (Peer, Store, String, i64) {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "Hello").await;
    let long = peer.prompt(&id, "long").await;
    while store.kept(&id).await.unended.is_none() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    (peer, store, id, long)
}

/// What a client gets that loads the session in another process: the kinds, and the end of each text.
async fn loaded(store: &Store, id: &str, capabilities: Value) -> (Peer, Vec<String>) {
    let mut peer = Peer::serve(Keeper::on(&store.of_another_process()));
    peer.initialize(capabilities).await;
    peer.call("session/load", opening(id)).await.expect("loaded");
    let updates = peer.updates();
    let end = |text: &str| text.chars().skip(text.chars().count().saturating_sub(30)).collect::<String>();
    let told = updates.iter().filter(|update| update["sessionUpdate"] != "available_commands_update").map(|update| {
        let text = update["content"]["text"].as_str().or(update["title"].as_str()).or(update["status"].as_str());
        format!("{}: {}", update["sessionUpdate"].as_str().unwrap_or_default(), end(text.unwrap_or_default()))
    });
    (peer, told.collect())
}

fn notices() -> Value {
    json!({ "session": { "notices": {} } })
}

const NOTICE: &str = "notice: in the middle of its last turn";

#[tokio::test]
async fn a_load_says_that_a_turn_was_interrupted_and_shows_what_it_had_said_once() {
    let (mut first, store, id, _) = running().await;
    let (mut peer, shown) = loaded(&store, &id, notices()).await;
    let x = format!("agent_message_chunk: {}", "x".repeat(30));
    let history = ["user_message_chunk: Hello", "agent_message_chunk: You said Hello", "user_message_chunk: long"];
    assert_eq!(shown[..3], history);
    assert_eq!(shown[3..], ["tool_call: Build", &x, "tool_call_update: failed", NOTICE]);
    // The state and the options are those of the last turn that has ended.
    assert_eq!(told(&mut peer, &id, "options").await, "Fast false");
    assert_eq!(told(&mut peer, &id, "history").await, "Hello|options|history");
    assert_eq!(store.kept(&id).await.unended, None);
    let error = first.call("session/prompt", acp_tests::peer::prompt(&id, "more")).await.expect_err("its turn runs");
    assert_eq!(error.code, -32600);
    // It is told of once: other turns have ended since.
    let (_, shown) = loaded(&store, &id, notices()).await;
    assert!(!shown.contains(&NOTICE.to_owned()), "{shown:?}");
    assert_eq!(shown.iter().filter(|said| **said == x).count(), 1);
}

#[tokio::test]
async fn the_open_calls_of_interrupted_turns_stay_failed_behind_later_turns() {
    let (_first, store, id, _) = running().await;
    // This process is killed in its next turn, too.
    let (mut second, _) = loaded(&store, &id, notices()).await;
    let before = store.said(&id).await.len();
    let _long = second.prompt(&id, "long").await;
    while store.said(&id).await.len() < before + 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let (mut third, shown) = loaded(&store, &id, notices()).await;
    let failed = |shown: &[String]| shown.iter().filter(|said| *said == "tool_call_update: failed").count();
    assert_eq!((failed(&shown), shown.last().expect("updates").as_str()), (2, NOTICE), "{shown:?}");
    third.turn(&id, "Hello").await;
    let (_fourth, shown) = loaded(&store, &id, notices()).await;
    assert_eq!(failed(&shown), 2, "{shown:?}");
    // The entries have their places, so the session goes on.
    assert!(shown.contains(&"agent_message_chunk: You said Hello".to_owned()), "{shown:?}");
}

#[tokio::test]
async fn a_client_without_notices_gets_a_message() {
    let (_first, store, id, _) = running().await;
    let (_peer, shown) = loaded(&store, &id, json!({})).await;
    assert_eq!(shown.last().expect("updates"), "agent_message_chunk:  it has changed stay changed.]");
    // The prompt, the answer, the second prompt, its call and its text, and the end of the call.
    assert_eq!(store.said(&id).await.len(), 6, "the message is no part of the history");
}

#[tokio::test]
async fn a_set_in_a_long_turn_is_kept_and_does_not_end_it() {
    let (mut peer, store, id, long) = running().await;
    peer.call("session/set_config_option", set(&id, "smart")).await.expect("set");
    let kept = store.kept(&id).await;
    assert_eq!((&kept.options["model"], kept.unended), (&"smart".into(), Some(3)));
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(long).await, "cancelled");
    let kept = store.kept(&id).await;
    assert_eq!((&kept.options["brave"], kept.unended), (&true.into(), None));
    let (mut peer, shown) = loaded(&store, &id, notices()).await;
    assert!(!shown.contains(&NOTICE.to_owned()), "{shown:?}");
    assert_eq!(told(&mut peer, &id, "history").await, "Hello|long|history");
}

#[tokio::test]
async fn the_updates_of_a_turn_do_not_wait_for_a_slow_store() {
    let (mut peer, store, id) = session().await;
    store.set(Mode::Slow);
    // Its begin renews the lease, which is not slow.
    let long = peer.prompt(&id, "long").await;
    let mut bytes = 0;
    while bytes < 300_000 {
        bytes += peer.update().await["content"]["text"].as_str().map_or(0, str::len);
    }
    assert_eq!(store.commits(), 0);
    store.set(Mode::Well);
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(long).await, "cancelled");
    let said = store.said(&id).await;
    let texts = said.iter().filter_map(|said| said.strip_prefix("agent_message_chunk: "));
    assert_eq!(texts.map(str::len).sum::<usize>(), 300_000);
}
