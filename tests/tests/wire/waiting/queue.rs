//! `turns = "queue"`.

use acp_runtime::transport::Limits;
use acp_tests::peer::{Peer, all_capabilities, prompt};
use serde_json::json;

use super::{
    agents::{Gate, Queueing, Small},
    told,
};

/// A session in which a turn runs, until the gate opens or it is cancelled.
async fn busy(text: &str) -> (Peer, String, Gate, i64) {
    let agent = Queueing::default();
    let gate = agent.gate.clone();
    let (mut peer, id) = Peer::session(agent).await;
    let first = peer.prompt(&id, text).await;
    assert_eq!(peer.update().await["content"]["text"], text);
    (peer, id, gate, first)
}

#[tokio::test]
async fn prompts_that_arrive_during_a_turn_wait_and_each_gets_a_turn_of_its_own() {
    let (mut peer, id, gate, first) = busy("gate").await;
    let second = peer.prompt(&id, "two").await;
    let third = peer.prompt(&id, "three").await;
    assert_eq!(peer.settled().await, [], "they wait");
    gate.open_once();
    let expected = [
        format!("{first} end_turn"),
        "two said".to_owned(),
        format!("{second} end_turn"),
        "three said".to_owned(),
        format!("{third} end_turn"),
    ];
    assert_eq!(told(&mut peer, 3).await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_prompts_at_once_are_answered_in_the_order_of_their_arrival() {
    let mut peer = Peer::serve_within(Queueing::default(), Limits::new().waiting_prompts(2_000));
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    let mut expected = Vec::new();
    for number in 0..1_000 {
        let request = peer.prompt(&id, &number.to_string()).await;
        expected.extend([format!("{number} said"), format!("{request} end_turn")]);
    }
    assert_eq!(told(&mut peer, 1_000).await, expected);
}

#[tokio::test]
async fn more_prompts_than_may_wait_are_refused() {
    let agent = Queueing::default();
    let gate = agent.gate.clone();
    let mut peer = Peer::serve_within(agent, Limits::new().waiting_prompts(2));
    peer.initialize(all_capabilities()).await;
    let (id, other) = (peer.new_session().await, peer.new_session().await);
    let [first, second, third] =
        [peer.prompt(&id, "gate").await, peer.prompt(&id, "b").await, peer.prompt(&id, "c").await];
    let refusal = peer.call("session/prompt", prompt(&id, "d")).await.unwrap_err();
    let message = "the session is busy: 2 prompts wait for their turn, and no more may";
    assert_eq!((refusal.code, refusal.message.as_str()), (-32600, message));
    // The bound is that of a session.
    assert_eq!(peer.turn(&other, "e").await, "end_turn");
    gate.open_once();
    for request in [first, second, third] {
        assert_eq!(peer.stop_reason(request).await, "end_turn");
    }
    assert_eq!(peer.turn(&id, "f").await, "end_turn");
}

#[tokio::test]
async fn a_cancel_ends_the_turn_and_what_waits_in_order() {
    let (mut peer, id, gate, first) = busy("stubborn").await;
    let [second, third] = [peer.prompt(&id, "two").await, peer.prompt(&id, "three").await];
    peer.cancel(&id).await;
    assert_eq!(peer.settled().await, [], "the running turn is answered first");
    let fourth = peer.prompt(&id, "four").await;
    gate.open_once();
    let expected = [
        format!("{first} cancelled"),
        format!("{second} cancelled"),
        format!("{third} cancelled"),
        // It came behind the cancel.
        "four said".to_owned(),
        format!("{fourth} end_turn"),
    ];
    assert_eq!(told(&mut peer, 4).await, expected);
}

#[tokio::test]
async fn a_waiting_prompt_that_is_withdrawn_is_answered_at_once_and_the_others_go_on() {
    let (mut peer, id, gate, first) = busy("gate").await;
    let [second, third] = [peer.prompt(&id, "two").await, peer.prompt(&id, "three").await];
    peer.notify("$/cancel_request", json!({ "requestId": second })).await;
    assert_eq!(peer.answer(second).await.unwrap_err().code, -32800);
    gate.open_once();
    let expected = [format!("{first} end_turn"), "three said".to_owned(), format!("{third} end_turn")];
    assert_eq!(told(&mut peer, 2).await, expected);
    // A prompt that has begun is cancelled, as any turn.
    let [fourth, fifth] = [peer.prompt(&id, "four").await, peer.prompt(&id, "wait").await];
    assert_eq!(told(&mut peer, 1).await, ["four said".to_owned(), format!("{fourth} end_turn")]);
    assert_eq!(peer.update().await["content"]["text"], "wait");
    peer.notify("$/cancel_request", json!({ "requestId": fifth })).await;
    assert_eq!(peer.stop_reason(fifth).await, "cancelled");
}

#[tokio::test]
async fn a_call_that_opens_or_ends_the_session_cancels_what_waits_and_comes_behind_it() {
    for method in ["session/close", "session/delete", "session/load"] {
        let (mut peer, id, gate, first) = busy("stubborn").await;
        let [second, third] = [peer.prompt(&id, "two").await, peer.prompt(&id, "three").await];
        let call = peer.request(method, json!({ "sessionId": id, "cwd": "/", "mcpServers": [] })).await;
        let refused = peer.prompt(&id, "four").await;
        assert_eq!(peer.answer(refused).await.unwrap_err().code, -32600, "{method}");
        gate.open_once();
        let cancelled = [first, second, third].map(|request| format!("{request} cancelled"));
        let expected = [&cancelled[..], &[format!("{call} done")]].concat();
        assert_eq!(told(&mut peer, 4).await, expected, "{method}");
    }
}

#[tokio::test]
async fn when_the_client_hangs_up_what_waits_is_cancelled_as_the_turn_is() {
    let (mut peer, id, _gate, first) = busy("wait").await;
    let second = peer.prompt(&id, "two").await;
    peer.settled().await;
    assert!(peer.hang_up().await.well());
    assert_eq!(peer.stop_reason(first).await, "cancelled");
    assert_eq!(peer.stop_reason(second).await, "cancelled");
    assert_eq!(peer.updates().len(), 0, "it never began");
}

#[tokio::test]
async fn a_turn_has_the_options_that_are_in_force_when_it_begins() {
    let (mut peer, id, gate, first) = busy("gate").await;
    let second = peer.prompt(&id, "effort").await;
    let set = json!({ "sessionId": id, "configId": "effort", "value": "high" });
    peer.call("session/set_config_option", set).await.unwrap();
    gate.open_once();
    let expected =
        [format!("{first} end_turn"), "effort said".to_owned(), "high said".to_owned(), format!("{second} end_turn")];
    assert_eq!(told(&mut peer, 2).await, expected);
}

#[tokio::test]
async fn the_receiver_of_a_small_agent_has_the_options_that_are_in_force_when_the_turn_begins() {
    let agent = Small { effort: "low".to_owned(), gate: Gate::default() };
    let gate = agent.gate.clone();
    let (mut peer, id) = Peer::session(agent).await;
    let first = peer.prompt(&id, "one").await;
    let second = peer.prompt(&id, "two").await;
    let set = json!({ "sessionId": id, "configId": "effort", "value": "high" });
    peer.call("session/set_config_option", set).await.unwrap();
    gate.open_once();
    gate.open_once();
    let said = |effort: &str| format!("{effort} said");
    let expected = [said("low"), format!("{first} end_turn"), said("high"), format!("{second} end_turn")];
    assert_eq!(told(&mut peer, 2).await, expected);
}

#[tokio::test]
async fn content_that_was_not_advertised_is_refused_when_it_arrives() {
    let (mut peer, id, gate, first) = busy("gate").await;
    let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
    let refused = peer.call("session/prompt", json!({ "sessionId": id, "prompt": [image] })).await;
    assert_eq!(refused.unwrap_err().code, -32602);
    gate.open_once();
    assert_eq!(peer.stop_reason(first).await, "end_turn");
}

#[tokio::test]
async fn a_turn_that_fails_or_panics_lets_the_next_one_begin() {
    for (how, code) in [("fail", -7), ("panic", -32603)] {
        let (mut peer, id, gate, first) = busy(how).await;
        let second = peer.prompt(&id, "two").await;
        gate.open_once();
        let expected = [format!("{first} {code}"), "two said".to_owned(), format!("{second} end_turn")];
        assert_eq!(told(&mut peer, 2).await, expected);
    }
}
