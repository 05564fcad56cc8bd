//! `session_ended`: once for every session, behind its last turn, and within the time of the shutdown.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use acp_runtime::{agent::Serve, prelude::*, session::Ended, transport::memory};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};
use tokio::{sync::Barrier, task::LocalSet, time::Instant};

use super::{
    agent::{load, noted},
    mortal::{After, Desk, Mortal},
};

async fn mortal(after: After) -> (Peer, Arc<Desk>) {
    let desk = Desk::new(after);
    let mut peer = Peer::serve(Mortal(desk.clone()));
    peer.initialize(all_capabilities()).await;
    (peer, desk)
}

pub(super) async fn open(peer: &mut Peer, id: &str) {
    peer.call("session/load", json!({ "sessionId": id, "cwd": "/", "mcpServers": [] })).await.expect("opened");
}

fn named(id: &str) -> Value {
    json!({ "sessionId": id })
}

fn brave(id: &str) -> Value {
    json!({ "sessionId": id, "configId": "brave", "type": "boolean", "value": true })
}

#[tokio::test]
async fn a_session_that_the_client_ends_is_told_of_once_with_its_state_and_options() {
    for (method, end) in [("session/close", "Closed"), ("session/delete", "Deleted")] {
        let (mut peer, desk) = mortal(After::End).await;
        open(&mut peer, "s").await;
        peer.turn("s", "one").await;
        peer.call("session/set_config_option", brave("s")).await.expect("set since the last turn");
        peer.call(method, named("s")).await.expect(method);
        assert_eq!(noted(&desk.shared).await, [format!("s {end} s|one brave")]);
        assert!(peer.hang_up().await.well());
        assert_eq!(desk.shared.notes(), Vec::<String>::new(), "{method}: once");
    }
}

#[tokio::test]
async fn a_stored_session_that_is_deleted_was_not_open_and_does_not_end() {
    let (mut peer, desk) = mortal(After::End).await;
    peer.call("session/delete", named("stored")).await.expect("deleted");
    assert!(peer.hang_up().await.well());
    assert_eq!(desk.shared.notes(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn every_session_that_is_left_ends_when_the_client_hangs_up_all_at_once() {
    let (mut peer, desk) = mortal(After::Meet(Arc::new(Barrier::new(3)))).await;
    for id in ["a", "b", "c"] {
        open(&mut peer, id).await;
    }
    peer.turn("b", "one").await;
    peer.call("session/set_config_option", brave("c")).await.expect("set since the last turn");
    let began = Instant::now();
    assert!(peer.hang_up().await.well());
    assert!(began.elapsed() < Duration::from_millis(500), "nobody waits for the deadline");
    let mut notes = desk.shared.notes();
    notes.sort();
    assert_eq!(notes, ["a Disconnected a", "b Disconnected b|one", "c Disconnected c brave", "met", "met", "met"]);
}

#[tokio::test]
async fn an_end_that_fails_leaves_a_session_that_ends_later() {
    let (mut peer, desk) = mortal(After::End).await;
    open(&mut peer, "s").await;
    peer.turn("s", "stay").await;
    peer.call("session/close", named("s")).await.expect_err("it stays");
    peer.settled().await;
    assert_eq!(desk.shared.notes(), Vec::<String>::new());
    assert!(peer.hang_up().await.well());
    assert_eq!(desk.shared.notes(), ["s Disconnected s|stay"]);
}

#[tokio::test]
async fn a_state_that_was_taken_for_good_is_gone() {
    for (how, closes) in [("take", true), ("take and fail", false)] {
        let (mut peer, desk) = mortal(After::End).await;
        open(&mut peer, "s").await;
        peer.turn("s", how).await;
        assert_eq!(peer.call("session/close", named("s")).await.is_ok(), closes, "{how}");
        assert_eq!(noted(&desk.shared).await, ["s Closed gone"], "{how}");
        assert!(peer.hang_up().await.well());
        assert_eq!(desk.shared.notes(), Vec::<String>::new(), "{how}: once");
    }
}

#[tokio::test]
async fn a_state_that_is_taken_late_ends_its_session_when_the_client_hangs_up() {
    let (mut peer, desk) = mortal(After::End).await;
    open(&mut peer, "s").await;
    peer.turn("s", "lend").await;
    peer.call("session/close", named("s")).await.expect_err("later");
    desk.go.add_permits(1);
    assert_eq!(noted(&desk.shared).await, ["taken"]);
    peer.call("session/close", named("s")).await.expect_err("it is over");
    assert!(peer.hang_up().await.well());
    assert_eq!(desk.shared.notes(), ["s Closed gone"]);
}

#[tokio::test]
async fn a_session_ends_behind_its_turn() {
    let (mut peer, desk) = mortal(After::End).await;
    open(&mut peer, "closed").await;
    let turn = peer.prompt("closed", "wait").await;
    peer.update().await;
    peer.call("session/close", named("closed")).await.expect("closed");
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    assert_eq!(noted(&desk.shared).await, ["closed Closed closed|wait"]);
    open(&mut peer, "left").await;
    peer.prompt("left", "wait").await;
    peer.update().await;
    assert!(peer.hang_up().await.well());
    assert_eq!(desk.shared.notes(), ["left Disconnected left|wait"]);
}

#[tokio::test]
async fn a_turn_that_does_not_end_keeps_its_own_session_only() {
    let (mut peer, desk) = mortal(After::End).await;
    open(&mut peer, "stuck").await;
    open(&mut peer, "free").await;
    peer.prompt("stuck", "stubborn").await;
    peer.update().await;
    peer.hang_up().await;
    assert_eq!(desk.shared.notes(), ["free Disconnected free"]);
    desk.go.add_permits(1);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(desk.shared.notes(), Vec::<String>::new(), "the time is over");
}

#[tokio::test(start_paused = true)]
async fn the_time_of_the_shutdown_ends_session_ended() {
    let (mut peer, desk) = mortal(After::Wait).await;
    open(&mut peer, "s").await;
    open(&mut peer, "closed").await;
    peer.call("session/close", named("closed")).await.expect("closed");
    assert_eq!(noted(&desk.shared).await, ["closed Closed closed"]);
    let began = Instant::now();
    peer.hang_up().await;
    assert!(began.elapsed() < Duration::from_millis(1_500), "{:?}", began.elapsed());
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(desk.shared.notes(), ["s Disconnected s", "given up", "given up"]);
    desk.go.add_permits(5);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(desk.shared.notes(), Vec::<String>::new());
}

#[tokio::test]
async fn a_session_ended_that_panics_or_fails_ends_alone() {
    for after in [After::Panic, After::Fail] {
        let (mut peer, desk) = mortal(after).await;
        for id in ["a", "b", "c"] {
            open(&mut peer, id).await;
        }
        peer.call("session/close", named("a")).await.expect("closed");
        assert_eq!(noted(&desk.shared).await, ["a Closed a"]);
        open(&mut peer, "a").await;
        peer.turn("a", "again").await;
        assert!(peer.hang_up().await.well());
        let mut notes = desk.shared.notes();
        notes.sort();
        assert_eq!(notes, ["a Disconnected a|again", "b Disconnected b", "c Disconnected c"]);
    }
}

#[tokio::test]
async fn a_load_waits_for_the_end_of_its_session() {
    let (mut peer, desk) = mortal(After::Wait).await;
    open(&mut peer, "s").await;
    peer.call("session/close", named("s")).await.expect("answered before the end is told of");
    assert_eq!(noted(&desk.shared).await, ["s Closed s"]);
    let loading = peer.request("session/load", load()).await;
    assert_eq!(peer.settled().await, [], "it waits");
    desk.go.add_permits(1);
    peer.answer(loading).await.expect("loaded");
    assert_eq!(desk.shared.notes(), ["waited"]);
}

#[tokio::test]
async fn session_opened_is_dropped_before_its_session_ends() {
    for closes in [true, false] {
        let (mut peer, desk) = mortal(After::End).await;
        open(&mut peer, "watched").await;
        assert_eq!(noted(&desk.shared).await, ["watches"]);
        if closes {
            peer.call("session/close", named("watched")).await.expect("closed");
        }
        assert!(peer.hang_up().await.well());
        let end = if closes { "Closed" } else { "Disconnected" };
        assert_eq!(desk.shared.notes(), ["dropped".to_owned(), format!("watched {end} watched")]);
    }
}

#[tokio::test]
async fn a_session_that_opens_when_the_client_is_gone_ends_too() {
    let (mut peer, desk) = mortal(After::End).await;
    peer.request("session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
    peer.settled().await;
    let later = desk.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        later.go.add_permits(1);
    });
    assert!(peer.hang_up().await.well());
    let notes = desk.shared.notes();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].ends_with(" Disconnected new"), "{notes:?}");
}

#[tokio::test]
async fn a_close_and_a_hang_up_at_once_end_a_session_once() {
    let (mut peer, desk) = mortal(After::End).await;
    open(&mut peer, "s").await;
    peer.turn("s", "slow").await;
    peer.request("session/close", named("s")).await;
    peer.settled().await;
    let later = desk.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        later.go.add_permits(1);
    });
    assert!(peer.hang_up().await.well());
    assert_eq!(desk.shared.notes(), ["s Closed s|slow"]);
}

#[tokio::test]
async fn a_connection_that_is_dropped_tells_of_no_end() {
    let desk = Desk::new(After::End);
    let (end, client) = memory::pair();
    let serving = tokio::spawn(Mortal(desk.clone()).serve(end, acp_runtime::transport::Limits::new()));
    let mut client = client.into_lines();
    for line in [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": 1 } }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "session/load", "params": load() }),
    ] {
        client.send(&line.to_string()).await.expect("it is read");
        client.next_line().await.expect("an answer");
    }
    serving.abort();
    serving.await.expect_err("it is gone");
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(desk.shared.notes(), Vec::<String>::new());
}

/// Its futures hold what no other thread may have. The agent is its own config.
#[acp_agent(local)]
#[derive(Clone)]
struct AtHome {
    ends: Arc<Mutex<Vec<String>>>,
    #[config_option(default = true)]
    tell: bool,
}

#[acp_agent]
impl AtHome {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn session_ended(&self, _session: ClosedSession<()>, end: Ended) {
        let end = std::rc::Rc::new(format!("{end:?} {}", self.tell));
        tokio::task::yield_now().await;
        self.ends.lock().unwrap().push((*end).clone());
    }
}

#[tokio::test]
async fn session_ended_of_a_local_agent_need_not_be_send() {
    let ends = Arc::<Mutex<Vec<String>>>::default();
    let agent = AtHome::with_default_options(ends.clone());
    let told = async move {
        let mut peer = Peer::serve_local(agent);
        peer.initialize(all_capabilities()).await;
        let id = peer.new_session().await;
        let set = json!({ "sessionId": id, "configId": "tell", "type": "boolean", "value": false });
        peer.call("session/set_config_option", set).await.expect("set");
        assert!(peer.hang_up().await.well());
    };
    LocalSet::new().run_until(told).await;
    assert_eq!(*ends.lock().unwrap(), ["Disconnected false"]);
}
