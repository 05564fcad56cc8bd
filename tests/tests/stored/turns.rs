//! The turns of a stored session.

use std::{sync::Arc, time::Duration};

use acp_runtime::{
    prelude::*,
    store::{SessionStore, StoreError},
    values::SessionInfoUpdate,
};
use acp_tests::peer::{Peer, all_capabilities, prompt, soon};
use serde_json::json;

use super::{
    agent::{connect, opening, session, told},
    store::{Mode, Store},
};

#[tokio::test]
async fn the_end_of_a_turn_is_told_when_it_is_committed() {
    let (mut peer, store, id) = session().await;
    store.set(Mode::Slow);
    let running = peer.prompt(&id, "Hello").await;
    // The updates of the turn are there, and its end is not.
    assert!(!peer.settled().await.iter().any(|message| format!("{message:?}").contains("Answer")));
    let busy = peer.call("session/prompt", prompt(&id, "next")).await.expect_err("the turn has not ended");
    assert_eq!(busy.code, -32600);
    assert_eq!(store.commits(), 0);
    store.set(Mode::Well);
    assert_eq!(peer.stop_reason(running).await, "end_turn");
    assert_eq!(store.commits(), 1, "one commit for the whole turn");
    assert_eq!(store.said(&id).await, ["user_message_chunk: Hello", "agent_message_chunk: You said Hello"]);
}

#[tokio::test]
async fn a_turn_that_fails_panics_or_is_cancelled_is_committed_before_its_answer() {
    let (mut peer, store, id) = session().await;
    peer.call("session/prompt", prompt(&id, "fail")).await.expect_err("it went wrong");
    assert_eq!(store.said(&id).await, ["user_message_chunk: fail", "agent_message_chunk: It goes wrong."]);
    peer.call("session/prompt", prompt(&id, "panic")).await.expect_err("it panicked");
    assert_eq!(store.said(&id).await[2..], ["user_message_chunk: panic", "agent_message_chunk: It breaks."]);
    let running = peer.prompt(&id, "wait").await;
    peer.update().await;
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(running).await, "cancelled");
    assert_eq!(store.said(&id).await[4..], ["user_message_chunk: wait", "agent_message_chunk: I wait."]);
    assert_eq!(told(&mut peer, &id, "history").await, "fail|panic|wait|history");
}

#[tokio::test]
async fn a_turn_that_is_cancelled_while_its_lease_is_renewed_is_kept() {
    let (mut peer, store, id) = session().await;
    store.set(Mode::SlowToRenew);
    let running = peer.prompt(&id, "wait").await;
    peer.settled().await;
    peer.cancel(&id).await;
    peer.settled().await;
    store.set(Mode::Well);
    assert_eq!(peer.stop_reason(running).await, "cancelled");
    assert_eq!(store.said(&id).await, ["user_message_chunk: wait", "agent_message_chunk: I wait."]);
    assert_eq!(told(&mut peer, &id, "history").await, "wait|history");
}

#[tokio::test]
async fn a_panic_is_answered_behind_its_commit() {
    let (mut peer, store, id) = session().await;
    store.set(Mode::Slow);
    let running = peer.prompt(&id, "panic").await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert!(!peer.settled().await.iter().any(|message| format!("{message:?}").contains("Answer")));
    store.set(Mode::Well);
    let error = peer.answer(running).await.expect_err("it panicked");
    assert!(error.message.contains("panicked"), "{error:?}");
    assert_eq!(store.commits(), 1);
}

#[tokio::test]
async fn updates_are_joined_to_entries_with_the_ids_of_their_messages() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "think").await;
    peer.turn(&id, "read").await;
    assert_eq!(
        store.said(&id).await,
        [
            "user_message_chunk: think",
            "agent_thought_chunk: Let me see.",
            "agent_message_chunk: Done.",
            "user_message_chunk: read",
            "tool_call: Read main.rs",
        ]
    );
    let entries = store.replay(&id.as_str().into(), 0, 100).await.unwrap();
    let mut ids: Vec<_> = entries.iter().filter_map(|entry| entry.message_id.clone()).collect();
    assert_eq!(ids.len(), 4, "each message has one");
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 4, "of its own");
    let json: serde_json::Value = serde_json::from_str(&entries[4].to_json().unwrap()).unwrap();
    assert_eq!(json["status"], "completed", "the call has its result");
}

#[tokio::test]
async fn what_is_said_and_changed_outside_of_turns_is_committed_soon() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "later").await;
    let committed = async {
        while store.said(&id).await.len() < 2 || store.kept(&id).await.options["brave"] != true.into() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("the commit", committed).await;
    assert_eq!(store.said(&id).await, ["user_message_chunk: later", "agent_message_chunk: By the way."]);
}

#[tokio::test]
async fn the_agents_own_change_of_an_option_is_committed_with_its_turn() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "dare").await;
    assert_eq!(store.kept(&id).await.options["brave"], true.into());
    assert_eq!(store.commits(), 1);
    peer.turn(&id, "options").await;
    assert_eq!(store.commits(), 2);
}

#[tokio::test]
async fn a_session_is_called_by_the_begin_of_its_first_prompt() {
    let (mut peer, store, id) = session().await;
    let long = format!("\n  {}\nand more", "é".repeat(70));
    peer.turn(&id, &long).await;
    assert_eq!(store.kept(&id).await.title, Some(format!("{}…", "é".repeat(60))));
    peer.turn(&id, "next").await;
    assert_eq!(store.kept(&id).await.title, Some(format!("{}…", "é".repeat(60))));
}

/// An agent whose turns take in what is said meanwhile, with a command, and a title of its own.
#[acp_agent(store = store, turns = "steer")]
#[derive(Clone)]
struct Steered {
    store: Arc<Store>,
}

#[acp_agent]
impl Steered {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        turn.message("I begin.").await?;
        if request.text() == "wait" {
            turn.cancelled().await;
        }
        Ok(StopReason::EndTurn)
    }

    async fn steer(&self, request: PromptRequest) -> acp_runtime::session::Steered {
        match request.text().as_str() {
            "join" => acp_runtime::session::Steered::Joined,
            _ => acp_runtime::session::Steered::Queued,
        }
    }

    /// Notes a text, also beside a turn.
    #[command(during_turns, hint = "a text")]
    async fn note(&self, text: Arguments, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(format!("Noted: {text}.")).await?;
        Ok(StopReason::EndTurn)
    }

    /// Names the session.
    #[command(hint = "the title")]
    async fn name(&self, title: Arguments, turn: Turn<Self>) -> Result<StopReason> {
        turn.info(SessionInfoUpdate::new().title(title.into_inner())).await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_prompt_that_a_turn_takes_in_is_kept_with_it_and_a_queued_one_behind_it() {
    let store = Store::default();
    let mut peer = Peer::serve(Steered { store: Arc::new(store.clone()) });
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    let first = peer.prompt(&id, "wait").await;
    peer.settled().await;
    let joined = peer.prompt(&id, "join").await;
    peer.settled().await;
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(first).await, "cancelled");
    peer.answer(joined).await.expect("answered with the turn");
    assert_eq!(
        store.said(&id).await,
        ["user_message_chunk: wait", "agent_message_chunk: I begin.", "user_message_chunk: join"]
    );
    peer.turn(&id, "/name Six times seven").await;
    assert_eq!(store.said(&id).await[3..], ["user_message_chunk: /name Six times seven"]);
    assert_eq!(store.kept(&id).await.title.as_deref(), Some("Six times seven"));
}

#[tokio::test]
async fn a_command_beside_a_turn_is_kept_where_it_was_said() {
    let store = Store::default();
    let mut peer = Peer::serve(Steered { store: Arc::new(store.clone()) });
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    let first = peer.prompt(&id, "wait").await;
    peer.settled().await;
    assert_eq!(peer.turn(&id, "/note one").await, "end_turn");
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(first).await, "cancelled");
    let beside = [
        "user_message_chunk: wait",
        "agent_message_chunk: I begin.",
        "user_message_chunk: /note one",
        "agent_message_chunk: Noted: one.",
    ];
    assert_eq!(store.said(&id).await, beside);
    assert_eq!(peer.turn(&id, "/note two").await, "end_turn");
    peer.turn(&id, "go on").await;
    assert_eq!(
        store.said(&id).await[4..],
        [
            "user_message_chunk: /note two",
            "agent_message_chunk: Noted: two.",
            "user_message_chunk: go on",
            "agent_message_chunk: I begin."
        ]
    );
}

/// A turn begins when its lease is renewed. Until then it takes nothing in.
#[tokio::test]
async fn a_prompt_behind_one_whose_lease_is_renewed_joins_it_and_is_kept_behind_it() {
    let store = Store::default();
    let mut peer = Peer::serve(Steered { store: Arc::new(store.clone()) });
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    store.set(Mode::SlowToRenew);
    let ((first, one), (joined, two)) = (
        peer.request_message("session/prompt", prompt(&id, "wait")),
        peer.request_message("session/prompt", prompt(&id, "join")),
    );
    peer.send_together(&[one, two]).await;
    assert!(peer.settled().await.iter().all(|message| !format!("{message:?}").contains("I begin.")));
    store.set(Mode::Well);
    while peer.update().await["content"]["text"] != "I begin." {}
    peer.settled().await;
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(first).await, "cancelled");
    assert_eq!(peer.stop_reason(joined).await, "cancelled");
    assert_eq!(
        store.said(&id).await,
        ["user_message_chunk: wait", "agent_message_chunk: I begin.", "user_message_chunk: join"]
    );
}

#[tokio::test]
async fn a_prompt_that_never_has_a_turn_is_not_kept() {
    let store = Store::default();
    let mut peer = Peer::serve(Steered { store: Arc::new(store.clone()) });
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    let first = peer.prompt(&id, "wait").await;
    peer.settled().await;
    let cancelled = peer.prompt(&id, "delete it").await;
    peer.settled().await;
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(first).await, "cancelled");
    assert_eq!(peer.stop_reason(cancelled).await, "cancelled");
    peer.turn(&id, "next").await;
    assert_eq!(
        store.said(&id).await,
        [
            "user_message_chunk: wait",
            "agent_message_chunk: I begin.",
            "user_message_chunk: next",
            "agent_message_chunk: I begin.",
        ]
    );
}

#[tokio::test]
async fn the_history_of_a_session_has_what_is_not_committed_yet() {
    #[acp_agent(store = store)]
    #[derive(Clone)]
    struct Reader {
        store: Arc<dyn SessionStore>,
    }

    #[acp_agent]
    impl Reader {
        async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
            let lost = || StoreError::invalid("the history", "there is none");
            let entries = turn.history().ok_or_else(lost)?.read_all().await?;
            turn.message(entries.len().to_string()).await?;
            Ok(StopReason::EndTurn)
        }
    }

    let store = Store::default();
    let (mut peer, id) = Peer::session(Reader { store: Arc::new(store.clone()) }).await;
    assert_eq!(told(&mut peer, &id, "first").await, "1", "the prompt of the running turn");
    assert_eq!(told(&mut peer, &id, "second").await, "3");
}

#[tokio::test]
async fn a_session_is_given_back_when_its_client_hangs_up() {
    let (mut peer, store, id) = session().await;
    peer.turn(&id, "later").await;
    peer.update().await;
    assert!(peer.hang_up().await.well());
    assert_eq!(store.said(&id).await[1..], ["agent_message_chunk: By the way."], "the rest is committed");
    let mut other = connect(&store.of_a_polite_process()).await;
    other.call("session/load", opening(&id)).await.expect("nobody has the session");
    let deleted = other.call("session/delete", json!({ "sessionId": id })).await;
    deleted.expect("deleted");
}
