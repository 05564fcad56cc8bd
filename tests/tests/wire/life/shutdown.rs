//! `with_graceful_shutdown`: serving ends as if the client had closed the input.

use std::{future, rc::Rc, sync::Arc, time::Duration};

use acp_runtime::{
    agent::{Handlers, ShutdownSignal},
    prelude::*,
    transport::{Limits, memory},
};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::json;
use tokio::sync::Notify;

use super::{
    ended::open,
    mortal::{After, Desk, Mortal},
};

/// An agent that ends when the returned signal is given.
async fn stoppable() -> (Peer, Arc<Desk>, Arc<Notify>) {
    let (desk, stop) = (Desk::new(After::End), Arc::new(Notify::new()));
    let signal = stop.clone();
    let mut peer = Peer::serve_until(Mortal(desk.clone()), async move { signal.notified().await });
    peer.initialize(all_capabilities()).await;
    (peer, desk, stop)
}

#[tokio::test]
async fn the_signal_ends_serving_and_each_session() {
    let (mut peer, desk, stop) = stoppable().await;
    open(&mut peer, "s").await;
    peer.turn("s", "one").await;
    stop.notify_one();
    assert!(peer.left().await.well(), "the client has not hung up");
    assert_eq!(desk.shared.notes(), ["s Disconnected s|one"]);
}

#[tokio::test]
async fn the_signal_cancels_a_turn_and_answers_it() {
    let (mut peer, desk, stop) = stoppable().await;
    open(&mut peer, "s").await;
    let turn = peer.prompt("s", "wait").await;
    peer.update().await;
    stop.notify_one();
    assert!(peer.left().await.well());
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    assert_eq!(desk.shared.notes(), ["s Disconnected s|wait"]);
}

#[tokio::test]
async fn a_client_that_hangs_up_first_ends_serving_as_ever() {
    let (mut peer, desk, _stop) = stoppable().await;
    open(&mut peer, "s").await;
    assert!(peer.hang_up().await.well());
    assert_eq!(desk.shared.notes(), ["s Disconnected s"]);
}

#[tokio::test]
async fn nothing_is_read_behind_the_signal() {
    let mut peer = Peer::serve_until(Mortal(Desk::new(After::End)), future::ready(()));
    assert!(peer.left().await.well());
    assert_eq!(peer.unread(), []);
}

#[acp_agent(local)]
#[derive(Clone)]
struct AtHome;

#[acp_agent]
impl AtHome {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[tokio::test]
async fn a_local_agent_shuts_down_by_a_signal_of_its_thread() {
    let (end, client) = memory::pair();
    let asked = Rc::new(Notify::new());
    let signal = {
        let asked = asked.clone();
        async move { asked.notified().await }
    };
    let ask = async {
        tokio::time::sleep(Duration::from_millis(5)).await;
        asked.notify_one();
    };
    let (served, ()) = tokio::join!(AtHome.serve(end, Limits::new()).with_graceful_shutdown(signal), ask);
    served.expect("it ends well");
    drop(client);
}

/// For any agent, the signal has a bound.
async fn serve_any<A: Handlers>(agent: A, signal: impl ShutdownSignal<A::Threading>) {
    let (end, _client) = memory::pair();
    agent.serve(end, Limits::new()).with_graceful_shutdown(signal).await.expect("it ends well");
}

#[tokio::test]
async fn code_that_is_generic_over_agents_can_end_them() {
    serve_any(AtHome, future::ready(())).await;
    serve_any(Mortal(Desk::new(After::End)), future::ready(())).await;
}

#[tokio::test]
#[should_panic(expected = "before the agent is served")]
async fn a_signal_that_comes_too_late_is_a_mistake() {
    let (end, client) = memory::pair();
    let mut serving = Mortal(Desk::new(After::End)).serve(end, Limits::new());
    let mut client = client.into_lines();
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": 1 } });
    client.send(&message.to_string()).await.expect("it is read");
    tokio::select! {
        _ = &mut serving => panic!("the client is there"),
        answer = client.next_line() => answer.map(drop).expect("an answer"),
    }
    drop(serving.with_graceful_shutdown(future::ready(())));
}
