//! The user's lasting decisions about tools come back with their session.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use acp_runtime::prelude::*;
use acp_tests::peer::{Peer, all_capabilities, soon};
use serde_json::json;

use super::{
    agent::{opening, told},
    store::{Mode, Store},
};

/// Each prompt is a word that says what the turn does, and a key.
#[acp_agent(store = store)]
#[derive(Clone)]
struct Worker {
    store: Arc<Store>,
}

#[acp_agent]
impl Worker {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let text = request.text();
        let (what, key) = text.split_once(' ').unwrap_or((&text, ""));
        match what {
            "ask" => {
                let call = turn.tool_call("Run it").start().await?;
                let permission = call.permission().remember(key).ask().await?;
                turn.message(format!("{} {}", permission.is_allowed(), permission.is_remembered())).await?;
                call.complete(()).await?;
            }
            // The turn goes on behind the decision.
            "ask_and_work" => {
                let call = turn.tool_call("Run it").start().await?;
                let permission = call.permission().remember(key).ask().await?;
                turn.message(format!("{}", permission.is_allowed())).await?;
                turn.cancelled().await;
            }
            "forget_and_work" => {
                turn.forget_permission(key);
                turn.cancelled().await;
            }
            "forget" => turn.message(format!("{:?}", turn.forget_permission(key))).await?,
            "later" => {
                let session = turn.session().clone();
                let key = key.to_owned();
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    session.restore_permissions([(key, true)]);
                });
            }
            _ => turn.message(json!(turn.permissions()).to_string()).await?,
        }
        Ok(StopReason::EndTurn)
    }
}

async fn connect(store: &Store) -> Peer {
    let mut peer = Peer::serve(Worker { store: Arc::new(store.clone()) });
    peer.initialize(all_capabilities()).await;
    peer
}

/// A session whose user has allowed `make` and rejected `rm` for good.
async fn decided() -> (Peer, Store, String) {
    let store = Store::default();
    let mut peer = connect(&store).await;
    let id = peer.new_session().await;
    answered(&mut peer, &id, "make", "allow_always").await;
    answered(&mut peer, &id, "rm", "reject_always").await;
    (peer, store, id)
}

/// A turn that asks for this key, and whose question gets this option.
async fn answered(peer: &mut Peer, id: &str, key: &str, option: &str) {
    let turn = peer.prompt(id, &format!("ask {key}")).await;
    answer(peer, option).await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
}

/// Answers a question. Then the updates begin that come behind it.
async fn answer(peer: &mut Peer, option: &str) {
    let asked = peer.asked("session/request_permission").await;
    peer.updates();
    peer.reply(&asked, json!({ "outcome": { "outcome": "selected", "optionId": option } })).await;
}

/// Waits for the permissions that the store has.
async fn kept(store: &Store, id: &str, expected: &[(&str, bool)]) {
    let kept = async {
        while store.kept(id).await.permissions != permissions(expected) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("the commit", kept).await;
}

fn permissions(of: &[(&str, bool)]) -> BTreeMap<String, bool> {
    of.iter().map(|(key, is_allowed)| ((*key).to_owned(), *is_allowed)).collect()
}

#[tokio::test]
async fn lasting_decisions_come_back_with_a_session_whose_process_was_killed() {
    let (_peer, store, id) = decided().await;
    for how in ["session/load", "session/resume"] {
        let mut other = connect(&store.of_another_process()).await;
        other.call(how, opening(&id)).await.expect("it was kept");
        assert_eq!(told(&mut other, &id, "ask make").await, "true true", "{how}: nobody is asked");
        assert_eq!(told(&mut other, &id, "ask rm").await, "false true", "{how}: nobody is asked");
        answered(&mut other, &id, "curl", "allow").await;
    }
}

#[tokio::test]
async fn a_decision_that_was_revoked_does_not_come_back() {
    let (mut peer, store, id) = decided().await;
    assert_eq!(told(&mut peer, &id, "forget make").await, "Some(true)");
    assert_eq!(store.kept(&id).await.permissions, permissions(&[("rm", false)]));
    peer.call("session/close", json!({ "sessionId": id })).await.expect("closed");
    assert_eq!(store.kept(&id).await.permissions, permissions(&[("rm", false)]), "a close revokes nothing");
    peer.call("session/load", opening(&id)).await.expect("loaded");
    assert_eq!(told(&mut peer, &id, "known").await, r#"{"rm":false}"#);
    answered(&mut peer, &id, "make", "reject").await;
}

#[tokio::test]
async fn the_decisions_of_the_last_writer_hold() {
    let (mut peer, store, id) = decided().await;
    let mut other = connect(&store.of_another_process()).await;
    other.call("session/resume", opening(&id)).await.expect("it was kept");
    assert_eq!(told(&mut other, &id, "forget make").await, "Some(true)");
    answered(&mut other, &id, "curl", "allow_always").await;
    assert!(other.hang_up().await.well());
    peer.call("session/load", opening(&id)).await.expect("nobody has it");
    assert_eq!(told(&mut peer, &id, "known").await, r#"{"curl":true,"rm":false}"#);
}

#[tokio::test]
async fn a_load_of_an_active_session_leaves_its_decisions() {
    let (mut peer, _store, id) = decided().await;
    peer.call("session/load", opening(&id)).await.expect("loaded");
    assert_eq!(told(&mut peer, &id, "known").await, r#"{"make":true,"rm":false}"#);
}

#[tokio::test]
async fn a_decision_outside_of_a_turn_is_kept_soon() {
    let (mut peer, store, id) = decided().await;
    peer.turn(&id, "later cargo").await;
    kept(&store, &id, &[("cargo", true), ("make", true), ("rm", false)]).await;
}

#[tokio::test]
async fn a_decision_is_kept_before_its_tool_runs_and_without_the_rest_of_the_turn() {
    let store = Store::default();
    let mut peer = connect(&store).await;
    let id = peer.new_session().await;
    let _running = peer.prompt(&id, "ask_and_work make").await;
    store.set(Mode::Slow);
    answer(&mut peer, "allow_always").await;
    assert_eq!(peer.settled().await, [], "the tool waits for the store");
    store.set(Mode::Well);
    assert_eq!(peer.update().await["status"], "in_progress");
    assert_eq!(store.kept(&id).await.permissions, permissions(&[("make", true)]));
    assert_eq!(store.said(&id).await.len(), 0, "the end of the turn commits the rest");
    // The process is killed here.
    let mut other = connect(&store.of_another_process()).await;
    other.call("session/load", opening(&id)).await.expect("it was kept");
    assert_eq!(told(&mut other, &id, "ask make").await, "true true", "nobody is asked again");
}

#[tokio::test]
async fn a_decision_that_is_revoked_in_a_turn_does_not_wait_for_its_end() {
    let (mut peer, store, id) = decided().await;
    let _running = peer.prompt(&id, "forget_and_work make").await;
    kept(&store, &id, &[("rm", false)]).await;
}

#[tokio::test]
async fn a_decision_holds_though_the_store_is_full_and_is_kept_with_the_turn() {
    let store = Store::default();
    let mut peer = connect(&store).await;
    let id = peer.new_session().await;
    let running = peer.prompt(&id, "ask_and_work make").await;
    assert_eq!(peer.update().await["sessionUpdate"], "tool_call");
    store.set(Mode::Full);
    answer(&mut peer, "allow_always").await;
    assert_eq!(peer.update().await["status"], "in_progress");
    store.set(Mode::Well);
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(running).await, "cancelled");
    assert_eq!(store.kept(&id).await.permissions, permissions(&[("make", true)]));
}

#[tokio::test]
async fn a_cancel_does_not_wait_for_the_store_that_keeps_a_decision() {
    let store = Store::default();
    let mut peer = connect(&store).await;
    let id = peer.new_session().await;
    let running = peer.prompt(&id, "ask_and_work make").await;
    store.set(Mode::Slow);
    answer(&mut peer, "allow_always").await;
    assert_eq!(peer.settled().await, []);
    peer.cancel(&id).await;
    assert_eq!(peer.update().await["status"], "failed", "the tool does not run");
    store.set(Mode::Well);
    assert_eq!(peer.stop_reason(running).await, "cancelled");
}
