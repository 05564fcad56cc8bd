//! `_session/steering`, of agents with `turns = "steer"`.

use std::sync::Arc;

use acp_runtime::{
    prelude::*,
    store::{MemoryStore, SessionStore},
};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};

use super::{
    agents::{Gate, Queueing, Steering},
    steer::busy,
    told,
};

const STEERING: &str = "_session/steering";

fn params(session: &str, text: &str) -> Value {
    json!({ "sessionId": session, "prompt": [{ "type": "text", "text": text }] })
}

async fn steer(peer: &mut Peer, session: &str, text: &str) -> i64 {
    peer.request(STEERING, params(session, text)).await
}

/// As `steer`, and does not want a turn to begin.
async fn only_steer(peer: &mut Peer, session: &str, text: &str) -> i64 {
    let mut params = params(session, text);
    params["_meta"] = json!({ "steering": { "idleBehavior": "promptRequired" } });
    peer.request(STEERING, params).await
}

#[tokio::test]
async fn a_turn_takes_in_what_steering_sends() {
    let (mut peer, id, gates, first) = busy("gate").await;
    for _ in 0..2 {
        let request = steer(&mut peer, &id, "join").await;
        assert_eq!(peer.answer(request).await, Ok(json!({ "outcome": "injected" })), "at once");
    }
    let request = only_steer(&mut peer, &id, "join").await;
    assert_eq!(peer.answer(request).await, Ok(json!({ "outcome": "injected" })));
    assert_eq!(peer.settled().await, [], "the turn goes on");
    gates.turn.open_once();
    assert_eq!(peer.stop_reason(first).await, "end_turn");
    assert_eq!(peer.turn(&id, "next").await, "end_turn");
}

#[tokio::test]
async fn what_a_turn_has_taken_in_holds_no_place() {
    let (mut peer, id, gates, first) = busy("gate").await;
    // More than prompts may wait.
    for _ in 0..100 {
        let request = steer(&mut peer, &id, "join").await;
        assert_eq!(peer.answer(request).await.unwrap()["outcome"], "injected");
    }
    gates.turn.open_once();
    assert_eq!(peer.stop_reason(first).await, "end_turn");
}

#[tokio::test]
async fn without_a_turn_it_begins_one() {
    let (mut peer, id) = Peer::session(Steering::default()).await;
    for _ in 0..2 {
        let request = steer(&mut peer, &id, "join").await;
        let next = peer.prompt(&id, "next").await;
        let told = told(&mut peer, 2).await;
        let begun = [format!("{request} startedNewTurn"), "join said".to_owned()];
        let behind = ["next said".to_owned(), format!("{next} end_turn")];
        assert_eq!(told, [begun, behind].concat());
    }
}

#[tokio::test]
async fn what_is_queued_begins_a_turn_in_the_order_of_arrival() {
    let (mut peer, id, gates, first) = busy("gate").await;
    let all = [peer.prompt(&id, "two").await, steer(&mut peer, &id, "three").await, peer.prompt(&id, "four").await];
    assert_eq!(peer.settled().await, []);
    gates.turn.open_once();
    let expected = [
        format!("{first} end_turn"),
        "two said".to_owned(),
        format!("{} end_turn", all[0]),
        format!("{} startedNewTurn", all[1]),
        "three said".to_owned(),
        "four said".to_owned(),
        format!("{} end_turn", all[2]),
    ];
    assert_eq!(told(&mut peer, 4).await, expected);
}

#[tokio::test]
async fn a_client_may_want_no_turn_to_begin() {
    let (mut peer, id, gates, first) = busy("gate").await;
    let [later, queued, next] = [
        only_steer(&mut peer, &id, "queue later").await,
        only_steer(&mut peer, &id, "two").await,
        peer.prompt(&id, "next").await,
    ];
    gates.thought.open_once();
    assert_eq!(peer.settled().await, [], "the turn runs");
    gates.turn.open_once();
    let expected = [
        format!("{first} end_turn"),
        format!("{later} promptRequired"),
        format!("{queued} promptRequired"),
        "next said".to_owned(),
        format!("{next} end_turn"),
    ];
    assert_eq!(told(&mut peer, 4).await, expected);
    let request = only_steer(&mut peer, &id, "join").await;
    let expected = json!({ "outcome": "promptRequired", "reason": "noRunningTurn" });
    assert_eq!(peer.answer(request).await, Ok(expected));
    assert_eq!(peer.settled().await, []);
}

#[tokio::test]
async fn an_error_of_steer_is_the_answer() {
    let (mut peer, id, gates, first) = busy("gate").await;
    for (text, code) in [("refuse", -8), ("panic", -32603)] {
        let request = steer(&mut peer, &id, text).await;
        assert_eq!(peer.answer(request).await.unwrap_err().code, code);
    }
    gates.turn.open_once();
    assert_eq!(peer.stop_reason(first).await, "end_turn");
}

#[tokio::test]
async fn its_content_is_checked_as_that_of_a_prompt() {
    let (mut peer, id) = Peer::session(Steering::default()).await;
    let image = json!([{ "type": "image", "data": "", "mimeType": "image/png" }]);
    for method in ["session/prompt", STEERING] {
        for wrong in [
            json!({ "sessionId": id, "prompt": image }),
            json!({ "sessionId": id }),
            json!({ "prompt": [] }),
            json!([]),
        ] {
            assert_eq!(peer.call(method, wrong).await.unwrap_err().code, -32602);
        }
        assert_eq!(peer.call(method, params("none", "join")).await.unwrap_err().code, -32002);
    }
    assert_eq!(peer.turn(&id, "next").await, "end_turn");
}

#[tokio::test]
async fn a_cancel_rejects_what_is_pending_before_the_turn_ends() {
    let (mut peer, id, gates, first) = busy("stubborn").await;
    let pending = [
        steer(&mut peer, &id, "join later").await,
        steer(&mut peer, &id, "queue later").await,
        steer(&mut peer, &id, "two").await,
        only_steer(&mut peer, &id, "two").await,
    ];
    peer.settled().await;
    peer.cancel(&id).await;
    for request in pending {
        assert_eq!(peer.answer(request).await.unwrap_err().code, -32800);
    }
    let behind = steer(&mut peer, &id, "join").await;
    assert_eq!(peer.settled().await, [], "a turn that is cancelled takes nothing in");
    gates.turn.open_once();
    let expected = [format!("{first} cancelled"), format!("{behind} startedNewTurn"), "join said".to_owned()];
    assert_eq!(told(&mut peer, 2).await, expected[..2]);
    assert_eq!(peer.turn(&id, "next").await, "end_turn");
}

#[tokio::test]
async fn a_cancel_reaches_the_turn_that_it_has_begun() {
    let (mut peer, id) = Peer::session(Steering::default()).await;
    let request = steer(&mut peer, &id, "wait").await;
    assert_eq!(told(&mut peer, 1).await, [format!("{request} startedNewTurn")]);
    assert_eq!(peer.update().await["content"]["text"], "wait");
    let joined = peer.prompt(&id, "join").await;
    assert_eq!(peer.settled().await, [], "the turn runs");
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(joined).await, "cancelled", "as the turn");
    assert_eq!(peer.turn(&id, "next").await, "end_turn");
}

#[tokio::test]
async fn it_is_withdrawn_as_a_prompt() {
    let (mut peer, id, gates, first) = busy("gate").await;
    for text in ["join later", "two"] {
        let request = steer(&mut peer, &id, text).await;
        peer.settled().await;
        peer.notify("$/cancel_request", json!({ "requestId": request })).await;
        assert_eq!(peer.answer(request).await.unwrap_err().code, -32800);
    }
    gates.turn.open_once();
    assert_eq!(peer.stop_reason(first).await, "end_turn");
}

#[tokio::test]
async fn a_close_and_the_end_of_the_client_reject_what_is_pending() {
    for hangs_up in [false, true] {
        let (mut peer, id, gates, first) = busy("wait").await;
        let pending = [steer(&mut peer, &id, "join later").await, steer(&mut peer, &id, "two").await];
        peer.settled().await;
        match hangs_up {
            true => assert!(peer.hang_up().await.well()),
            false => drop(peer.call("session/close", json!({ "sessionId": id })).await.unwrap()),
        }
        for request in pending {
            assert_eq!(peer.answer(request).await.unwrap_err().code, -32800);
        }
        assert_eq!(peer.stop_reason(first).await, "cancelled");
        drop(gates);
    }
}

/// Handles the method by itself.
#[acp_agent(turns = "steer")]
#[derive(Clone)]
struct Own;

#[acp_agent]
impl Own {
    async fn initialize(&self) -> Initialized {
        Initialized::new().meta("steering", "mine")
    }

    #[ext("_session/steering")]
    async fn steering(&self) -> &'static str {
        "mine"
    }

    async fn steer(&self) -> Steered {
        Steered::Joined
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[tokio::test]
async fn only_agents_that_steer_serve_and_advertise_it() {
    let mut peer = Peer::serve(Steering::default());
    let answer = peer.initialize(json!({})).await;
    assert_eq!(answer["_meta"], json!({ "steering": { "supported": true } }));

    let mut peer = Peer::serve(Queueing::default());
    assert!(peer.initialize(json!({})).await["_meta"]["steering"].is_null());
    let id = peer.new_session().await;
    assert_eq!(peer.call(STEERING, params(&id, "a")).await.unwrap_err().code, -32601);

    let mut peer = Peer::serve(Own);
    assert_eq!(peer.initialize(json!({})).await["_meta"]["steering"], "mine");
    assert_eq!(peer.call(STEERING, json!({})).await, Ok(json!("mine")));
}

#[derive(ConfigOptions, Clone)]
struct NoOptions {}

/// Keeps its sessions, opens them on demand, and lets nobody in without credentials.
#[acp_agent(config = NoOptions, turns = "steer", store = store, on_demand, needs_auth, auth(agent(id = "key", name = "Key")))]
struct Keeps {
    store: Arc<dyn SessionStore>,
    gate: Gate,
}

#[acp_agent]
impl Keeps {
    async fn authenticate(&self) {}

    async fn prompt(&self, request: PromptRequest, turn: Turn<NoOptions>) -> Result<StopReason> {
        turn.message(format!("so: {}", request.text())).await?;
        if request.text() == "gate" {
            self.gate.pass().await;
        }
        Ok(StopReason::EndTurn)
    }

    async fn steer(&self) -> Steered {
        Steered::Joined
    }
}

/// The texts of the session's updates up to the answer to this request, which succeeds.
async fn texts(peer: &mut Peer, request: i64) -> Vec<String> {
    peer.answer(request).await.unwrap();
    let updates = peer.updates();
    updates.iter().filter_map(|update| update["content"]["text"].as_str()).map(str::to_owned).collect()
}

#[tokio::test]
async fn an_agent_with_a_store_a_door_and_sessions_on_demand_serves_it() {
    let (store, gate) = (Arc::new(MemoryStore::new()), Gate::default());
    let serve = || Peer::serve(Keeps { store: store.clone(), gate: gate.clone() });
    let mut peer = serve();
    peer.initialize(all_capabilities()).await;
    for method in ["session/prompt", STEERING] {
        assert_eq!(peer.call(method, params("none", "a")).await.unwrap_err().code, -32000, "{method}");
    }
    peer.call("authenticate", json!({ "methodId": "key" })).await.unwrap();
    for method in ["session/prompt", STEERING] {
        assert_eq!(peer.call(method, params("none", "a")).await.unwrap_err().code, -32002, "{method}");
    }
    let id = peer.new_session().await;
    let started = steer(&mut peer, &id, "gate").await;
    assert_eq!(peer.answer(started).await.unwrap()["outcome"], "startedNewTurn");
    let injected = steer(&mut peer, &id, "more").await;
    assert_eq!(peer.answer(injected).await.unwrap()["outcome"], "injected");
    gate.open_once();
    assert_eq!(peer.turn(&id, "next").await, "end_turn");
    peer.updates();
    assert!(peer.hang_up().await.well());

    let mut peer = serve();
    peer.initialize(all_capabilities()).await;
    peer.call("authenticate", json!({ "methodId": "key" })).await.unwrap();
    // On demand.
    let started = steer(&mut peer, &id, "again").await;
    assert_eq!(peer.answer(started).await.unwrap()["outcome"], "startedNewTurn");
    assert_eq!(peer.turn(&id, "last").await, "end_turn");
    peer.call("session/close", json!({ "sessionId": id })).await.unwrap();
    peer.updates();
    let load = peer.request("session/load", json!({ "sessionId": id, "cwd": "/", "mcpServers": [] })).await;
    let expected =
        ["gate", "so: gate", "more", "next", "so: next", "again", "so: again", "last", "so: last"].map(str::to_owned);
    assert_eq!(texts(&mut peer, load).await, expected);
}
