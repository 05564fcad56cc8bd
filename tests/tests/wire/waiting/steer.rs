//! `turns = "steer"`.

use acp_tests::peer::{Peer, soon};
use serde_json::json;

use super::{
    agents::{Gate, Steering},
    told,
};

pub(super) struct Gates {
    pub(super) turn: Gate,
    pub(super) thought: Gate,
    noticed: Gate,
}

/// A session with a turn, which the first gate holds up.
pub(super) async fn busy(text: &str) -> (Peer, String, Gates, i64) {
    let agent = Steering::default();
    let gates = Gates { turn: agent.gate.clone(), thought: agent.thought.clone(), noticed: agent.noticed.clone() };
    let (mut peer, id) = Peer::session(agent).await;
    let first = peer.prompt(&id, text).await;
    assert_eq!(peer.update().await["content"]["text"], text);
    (peer, id, gates, first)
}

#[tokio::test]
async fn a_prompt_that_joins_a_turn_is_answered_with_the_turns_end_and_before_the_next_one() {
    for (turn, end) in [("gate", "end_turn"), ("tokens", "max_tokens"), ("fail", "-7")] {
        let (mut peer, id, gates, first) = busy(turn).await;
        let [joined, too] = [peer.prompt(&id, "join").await, peer.prompt(&id, "join").await];
        let queued = peer.prompt(&id, "two").await;
        assert_eq!(peer.settled().await, [], "they wait");
        gates.turn.open_once();
        let together = [first, joined, too].map(|request| format!("{request} {end}"));
        let expected = [&together[..], &["two said".to_owned(), format!("{queued} end_turn")]].concat();
        assert_eq!(told(&mut peer, 4).await, expected);
    }
}

#[tokio::test]
async fn without_a_turn_a_prompt_goes_to_prompt() {
    let (mut peer, id) = Peer::session(Steering::default()).await;
    for _ in 0..2 {
        let request = peer.prompt(&id, "join").await;
        assert_eq!(told(&mut peer, 1).await, ["join said".to_owned(), format!("{request} end_turn")]);
    }
}

#[tokio::test]
async fn steer_runs_beside_the_turn_and_reports_through_it() {
    let (mut peer, id, gates, first) = busy("gate").await;
    let prompt = json!({ "sessionId": id, "prompt": [{ "type": "text", "text": "told" }], "_meta": { "a": 1 } });
    let told_of = peer.request("session/prompt", prompt).await;
    assert_eq!(peer.update().await["content"]["text"], r#"Some(Object {"a": Number(1)})"#);
    gates.turn.open_once();
    assert_eq!(told(&mut peer, 2).await, [first, told_of].map(|request| format!("{request} end_turn")));
}

#[tokio::test]
async fn a_prompt_that_joins_a_turn_which_has_ended_is_answered_with_that_end() {
    let (mut peer, id, gates, first) = busy("tokens").await;
    let late = peer.prompt(&id, "join later").await;
    gates.turn.open_once();
    assert_eq!(told(&mut peer, 1).await, [format!("{first} max_tokens")]);
    // No turn runs now, and the order is that of arrival.
    let next = peer.prompt(&id, "join").await;
    assert_eq!(peer.settled().await, []);
    gates.thought.open_once();
    let expected = [format!("{late} max_tokens"), "join said".to_owned(), format!("{next} end_turn")];
    assert_eq!(told(&mut peer, 2).await, expected);
}

#[tokio::test]
async fn a_prompt_that_is_queued_when_the_turn_has_ended_begins_at_once() {
    let (mut peer, id, gates, first) = busy("gate").await;
    let late = peer.prompt(&id, "queue later").await;
    gates.turn.open_once();
    assert_eq!(told(&mut peer, 1).await, [format!("{first} end_turn")]);
    gates.thought.open_once();
    assert_eq!(told(&mut peer, 1).await, ["queue later said".to_owned(), format!("{late} end_turn")]);
}

#[tokio::test]
async fn an_error_or_a_panic_of_steer_is_the_answer_and_the_turn_goes_on() {
    let (mut peer, id, gates, first) = busy("gate").await;
    let [refused, panicked] = [peer.prompt(&id, "refuse").await, peer.prompt(&id, "panic").await];
    assert_eq!(peer.answer(refused).await.unwrap_err().code, -8);
    assert_eq!(peer.answer(panicked).await.unwrap_err().code, -32603);
    gates.turn.open_once();
    assert_eq!(peer.stop_reason(first).await, "end_turn");
    assert_eq!(peer.turn(&id, "next").await, "end_turn");
}

#[tokio::test]
async fn a_cancel_ends_the_turn_what_joined_it_what_waits_and_steer() {
    let (mut peer, id, gates, first) = busy("stubborn").await;
    let [joined, thinking, queued] =
        [peer.prompt(&id, "join").await, peer.prompt(&id, "join later").await, peer.prompt(&id, "two").await];
    peer.cancel(&id).await;
    peer.settled().await;
    gates.turn.open_once();
    // What joined is answered with its turn.
    let expected = [first, joined, thinking, queued].map(|request| format!("{request} cancelled"));
    assert_eq!(told(&mut peer, 4).await, expected);
    assert_eq!(peer.turn(&id, "next").await, "end_turn");
}

#[tokio::test]
async fn a_prompt_behind_a_cancel_is_no_part_of_the_cancelled_turn() {
    for withdrawn in [false, true] {
        let (mut peer, id, gates, first) = busy("stubborn").await;
        match withdrawn {
            true => peer.notify("$/cancel_request", json!({ "requestId": first })).await,
            false => peer.cancel(&id).await,
        }
        let [second, third] = [peer.prompt(&id, "join").await, peer.prompt(&id, "refuse").await];
        assert_eq!(peer.settled().await, [], "they wait, and `steer` is not asked");
        gates.turn.open_once();
        let expected = [
            format!("{first} cancelled"),
            "join said".to_owned(),
            format!("{second} end_turn"),
            "refuse said".to_owned(),
            format!("{third} end_turn"),
        ];
        assert_eq!(told(&mut peer, 3).await, expected);
    }
}

#[tokio::test]
async fn a_prompt_that_joins_a_turn_which_was_cancelled_meanwhile_is_answered_with_its_end() {
    let (mut peer, id, gates, first) = busy("stubborn").await;
    let [joins, waits] = [peer.prompt(&id, "join later").await, peer.prompt(&id, "queue later").await];
    // Only the turn is cancelled: what came before this goes on.
    peer.notify("$/cancel_request", json!({ "requestId": first })).await;
    gates.thought.open_once();
    gates.thought.open_once();
    assert_eq!(peer.settled().await, []);
    gates.turn.open_once();
    let ends = [first, joins].map(|request| format!("{request} cancelled"));
    let expected = [&ends[..], &["queue later said".to_owned(), format!("{waits} end_turn")]].concat();
    assert_eq!(told(&mut peer, 3).await, expected);
}

#[tokio::test]
async fn prompts_that_are_withdrawn_leave_the_turn_and_steer_at_once() {
    let (mut peer, id, gates, first) = busy("gate").await;
    let all = [peer.prompt(&id, "join").await, peer.prompt(&id, "join later").await, peer.prompt(&id, "two").await];
    for request in all {
        peer.notify("$/cancel_request", json!({ "requestId": request })).await;
        assert_eq!(peer.answer(request).await.unwrap_err().code, -32800);
    }
    gates.turn.open_once();
    assert_eq!(peer.stop_reason(first).await, "end_turn");
    assert_eq!(peer.turn(&id, "next").await, "end_turn");
}

#[tokio::test]
async fn a_close_ends_what_joined_the_turn_and_steer() {
    let (mut peer, id, gates, first) = busy("stubborn").await;
    let [joined, thinking] = [peer.prompt(&id, "join").await, peer.prompt(&id, "join later").await];
    let close = peer.request("session/close", json!({ "sessionId": id })).await;
    peer.settled().await;
    gates.turn.open_once();
    let cancelled = [first, joined, thinking].map(|request| format!("{request} cancelled"));
    let expected = [&cancelled[..], &[format!("{close} done")]].concat();
    assert_eq!(told(&mut peer, 4).await, expected);
}

#[tokio::test]
async fn when_the_client_hangs_up_steer_ends_and_all_are_cancelled() {
    let (mut peer, id, _gates, first) = busy("wait").await;
    let all = [first, peer.prompt(&id, "join").await, peer.prompt(&id, "join later").await];
    peer.settled().await;
    assert!(peer.hang_up().await.well());
    for request in all {
        assert_eq!(peer.stop_reason(request).await, "cancelled");
    }
}

#[tokio::test]
async fn a_handle_of_the_turn_tells_of_its_cancel() {
    let (mut peer, id, gates, first) = busy("wait").await;
    let joined = peer.prompt(&id, "watch").await;
    assert_eq!(peer.settled().await, []);
    peer.cancel(&id).await;
    assert_eq!(told(&mut peer, 2).await, [first, joined].map(|request| format!("{request} cancelled")));
    soon("the cancel", gates.noticed.pass()).await;
}
