//! `session/load` of an active session.

use acp_tests::peer::prompt;
use serde_json::json;

use super::agent::{Config, Model, load, model, session, set, told, waiting_session};

#[tokio::test]
async fn a_loaded_session_keeps_its_one_state_of_options() {
    let (mut peer, shared) = session().await;
    assert_eq!(peer.turn("s", "keep").await, "end_turn");
    let kept = shared.kept();
    peer.call("session/load", load()).await.expect("loaded");
    kept.set(Config::MODEL, Model::Smart).await.expect("the session is active");
    assert_eq!(model(&peer.update().await), "smart", "what the kept handle publishes");
    assert_eq!(told(&mut peer, "model").await, "Smart", "is what the next turn reads");
    assert_eq!(told(&mut peer, "history").await, "loaded|model|history", "in the loaded session");
}

#[tokio::test]
async fn a_set_that_arrives_with_a_load_is_not_lost() {
    let (mut peer, shared) = waiting_session().await;
    let (loading, first) = peer.request_message("session/load", load());
    let (setting, second) = peer.request_message("session/set_config_option", set("smart"));
    peer.send_together(&[first, second]).await;
    assert_eq!(model(&peer.answer(setting).await.expect("set")), "smart");
    shared.let_a_load_go_on();
    assert_eq!(model(&peer.answer(loading).await.expect("loaded")), "smart");
    assert_eq!(told(&mut peer, "model").await, "Smart");
}

#[tokio::test]
async fn the_agent_learns_where_a_restored_config_is_not_in_force() {
    let (mut peer, shared) = session().await;
    peer.call("session/set_config_option", set("smart")).await.expect("set");
    let brave = json!({ "sessionId": "s", "configId": "brave", "value": true });
    peer.call("session/set_config_option", brave).await.expect("set");
    assert_eq!(shared.seen(), ["Fast -> Smart"]);
    let mut stored = shared_config(&shared).await;
    stored.model = Model::Fast;
    *shared.restored.lock().unwrap() = Some(stored);
    let loaded = peer.call("session/load", load()).await.expect("loaded");
    assert_eq!(model(&loaded), "smart", "what the client has set is newer than what was stored");
    assert_eq!(loaded["configOptions"][1]["currentValue"], true, "and no hook changes it");
    assert_eq!(shared.seen(), ["loaded with Some(Smart)", "Fast -> Smart"]);
    assert_eq!(peer.settled().await, [], "the answer holds the state");
}

#[tokio::test]
async fn a_load_that_a_hook_refuses_leaves_the_session_as_it_was() {
    let (mut peer, shared) = session().await;
    assert_eq!(peer.turn("s", "keep").await, "end_turn");
    let mut stored = shared_config(&shared).await;
    let setting = peer.request("session/set_config_option", set("asked")).await;
    let asked = peer.asked("_acp-tests.dev/sure").await;
    peer.reply(&asked, json!({})).await;
    peer.answer(setting).await.expect("set");
    stored.model = Model::Fast;
    *shared.restored.lock().unwrap() = Some(stored);
    let loading = peer.request("session/load", load()).await;
    let asked = peer.asked("_acp-tests.dev/sure").await;
    peer.refuse(&asked, -32000, "no").await;
    peer.answer(loading).await.expect_err("the hook refuses");
    assert_eq!(told(&mut peer, "history").await, "keep|history", "the old session lives on");
}

async fn shared_config(shared: &super::agent::Shared) -> Config {
    let kept = shared.kept.lock().expect("nobody panics with it").clone();
    match kept {
        Some(kept) => (*kept.config()).clone(),
        None => Config::with_default_options(),
    }
}

#[tokio::test]
async fn no_turn_begins_while_a_session_is_loaded() {
    let (mut peer, shared) = waiting_session().await;
    let running = peer.prompt("s", "wait").await;
    let loading = peer.request("session/load", load()).await;
    assert_eq!(peer.stop_reason(running).await, "cancelled", "the load ends the turn");
    let refused = peer.call("session/prompt", prompt("s", "early")).await.expect_err("the session is being loaded");
    assert_eq!(refused.code, -32600);
    assert!(refused.message.contains("being opened"), "{refused:?}");
    shared.let_a_load_go_on();
    peer.answer(loading).await.expect("loaded");
    assert_eq!(told(&mut peer, "history").await, "loaded|history");
}

#[tokio::test]
async fn two_loads_come_one_after_the_other() {
    let (mut peer, shared) = waiting_session().await;
    let first = peer.request("session/load", load()).await;
    let second = peer.request("session/load", load()).await;
    peer.settled().await;
    shared.let_a_load_go_on();
    peer.answer(first).await.expect("loaded");
    let refused = peer.call("session/prompt", prompt("s", "early")).await.expect_err("the second is on its way");
    assert_eq!(refused.code, -32600);
    shared.let_a_load_go_on();
    peer.answer(second).await.expect("loaded");
    assert_eq!(told(&mut peer, "history").await, "loaded|history");
}
