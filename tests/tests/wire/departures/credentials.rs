//! Credentials that are asked for before each request, and that may die while the agent runs.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use acp_runtime::{agent::Authenticated, prelude::*};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};
use tokio::sync::watch;

/// What the provider of the credentials says.
#[derive(Clone, Copy)]
enum Provider {
    Good,
    Dead,
    Unreachable,
    Slow,
    Panics,
}

#[acp_agent(needs_auth, auth(agent(id = "key", name = "Key")), turns = "queue")]
#[derive(Clone)]
struct Account {
    provider: watch::Sender<Provider>,
    asked: Arc<AtomicUsize>,
}

#[acp_agent]
impl Account {
    async fn initialize(&self) -> Initialized {
        let agent = self.clone();
        Initialized::new().check_credentials(move || {
            let agent = agent.clone();
            async move {
                agent.asked.fetch_add(1, Ordering::SeqCst);
                let mut provider = agent.provider.subscribe();
                let said = provider.wait_for(|said| !matches!(said, Provider::Slow)).await;
                match *said.expect("the agent has it") {
                    Provider::Good => Ok(true),
                    Provider::Dead | Provider::Slow => Ok(false),
                    Provider::Panics => panic!("a mistake of the provider"),
                    Provider::Unreachable => Err(Error::internal_error("the provider does not answer")),
                }
            }
        })
    }

    async fn authenticate(&self) {
        self.provider.send_replace(Provider::Good);
    }

    #[ext("_example.com/balance")]
    async fn balance(&self, _: Authenticated) -> u32 {
        42
    }

    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        if request.text() == "wait" {
            turn.cancelled().await;
        }
        turn.message(request.text()).await?;
        Ok(StopReason::EndTurn)
    }
}

async fn session(provider: Provider) -> (Account, Peer) {
    let agent = Account { provider: watch::Sender::new(provider), asked: Arc::default() };
    let mut peer = Peer::serve(agent.clone());
    let mut capabilities = all_capabilities();
    capabilities["session"]["notices"] = json!({});
    peer.initialize(capabilities).await;
    (agent, peer)
}

fn new() -> Value {
    json!({ "cwd": "/", "mcpServers": [] })
}

#[tokio::test]
async fn credentials_that_die_shut_the_door_and_the_client_is_told_once() {
    let (agent, mut peer) = session(Provider::Good).await;
    let id = peer.new_session().await;
    let turn = peer.prompt(&id, "one").await;
    assert_eq!(peer.update().await["content"]["text"], "one");
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    agent.provider.send_replace(Provider::Dead);
    for _ in 0..2 {
        let turn = peer.prompt(&id, "two").await;
        assert_eq!(peer.answer(turn).await.unwrap_err().code, -32000);
    }
    assert_eq!(super::refused(&mut peer, "session/new", new()).await, -32000);
    let notices: Vec<_> = peer.updates().into_iter().map(|update| update["sessionUpdate"].clone()).collect();
    assert_eq!(notices, ["notice"]);
    // A running turn goes on, and so does what needs no credentials.
    peer.call("authenticate", json!({ "methodId": "key" })).await.unwrap();
    let turn = peer.prompt(&id, "three").await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    assert_eq!(agent.asked.load(Ordering::SeqCst), 6);
}

#[tokio::test]
async fn a_question_that_fails_is_the_answer_and_changes_nothing() {
    let (agent, mut peer) = session(Provider::Good).await;
    let id = peer.new_session().await;
    agent.provider.send_replace(Provider::Unreachable);
    let turn = peer.prompt(&id, "one").await;
    assert_eq!(peer.answer(turn).await.unwrap_err().message, "the provider does not answer");
    agent.provider.send_replace(Provider::Good);
    let turn = peer.prompt(&id, "two").await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    assert!(peer.updates().iter().all(|update| update["sessionUpdate"] != "notice"));
}

#[tokio::test]
async fn the_requests_of_a_session_keep_their_order_while_the_question_is_open() {
    let (agent, mut peer) = session(Provider::Good).await;
    let id = peer.new_session().await;
    agent.provider.send_replace(Provider::Slow);
    let first = peer.prompt(&id, "wait").await;
    peer.cancel(&id).await;
    let second = peer.prompt(&id, "two").await;
    // What needs no credentials does not wait.
    peer.call("authenticate", json!({ "methodId": "key" })).await.unwrap();
    assert_eq!(peer.stop_reason(first).await, "cancelled");
    assert_eq!(peer.stop_reason(second).await, "end_turn");
    assert_eq!(peer.updates().last().expect("an update")["content"]["text"], "two");
}

/// Not that of another request of the session, either.
#[tokio::test]
async fn a_cancel_does_not_wait_for_the_question() {
    let (agent, mut peer) = session(Provider::Good).await;
    let id = peer.new_session().await;
    let first = peer.prompt(&id, "wait").await;
    while agent.asked.load(Ordering::SeqCst) < 2 {
        tokio::task::yield_now().await;
    }
    agent.provider.send_replace(Provider::Slow);
    let second = peer.prompt(&id, "two").await;
    peer.cancel(&id).await;
    let third = peer.prompt(&id, "three").await;
    assert_eq!(peer.stop_reason(first).await, "cancelled");
    assert_eq!(peer.stop_reason(second).await, "cancelled");
    agent.provider.send_replace(Provider::Good);
    assert_eq!(peer.stop_reason(third).await, "end_turn");
}

#[tokio::test]
async fn a_prompt_that_waited_is_asked_for_again() {
    let (agent, mut peer) = session(Provider::Good).await;
    let id = peer.new_session().await;
    let (first, second) = (peer.prompt(&id, "wait").await, peer.prompt(&id, "two").await);
    // Both are admitted.
    while agent.asked.load(Ordering::SeqCst) < 3 {
        tokio::task::yield_now().await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    agent.provider.send_replace(Provider::Dead);
    peer.notify("$/cancel_request", json!({ "requestId": first })).await;
    assert_eq!(peer.stop_reason(first).await, "cancelled");
    assert_eq!(peer.answer(second).await.unwrap_err().code, -32000);
}

#[tokio::test]
async fn a_question_that_panics_is_an_error_and_the_session_goes_on() {
    let (agent, mut peer) = session(Provider::Good).await;
    let id = peer.new_session().await;
    agent.provider.send_replace(Provider::Panics);
    let turn = peer.prompt(&id, "one").await;
    assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603);
    agent.provider.send_replace(Provider::Good);
    let turn = peer.prompt(&id, "two").await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
}

#[tokio::test]
async fn what_waits_is_withdrawn_at_once() {
    let (agent, mut peer) = session(Provider::Good).await;
    let id = peer.new_session().await;
    agent.provider.send_replace(Provider::Slow);
    let (first, second, third) =
        (peer.prompt(&id, "one").await, peer.prompt(&id, "two").await, peer.prompt(&id, "three").await);
    for turn in [second, first, third] {
        peer.notify("$/cancel_request", json!({ "requestId": turn })).await;
        assert_eq!(peer.answer(turn).await.unwrap_err().code, -32800);
    }
    agent.provider.send_replace(Provider::Good);
    let turn = peer.prompt(&id, "four").await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
}

#[tokio::test]
async fn a_method_of_ones_own_that_needs_credentials_is_asked_about_too() {
    let (agent, mut peer) = session(Provider::Good).await;
    assert_eq!(peer.call("_example.com/balance", json!({})).await.unwrap(), 42);
    agent.provider.send_replace(Provider::Dead);
    assert_eq!(super::refused(&mut peer, "_example.com/balance", json!({})).await, -32000);
    agent.provider.send_replace(Provider::Good);
    assert_eq!(peer.call("_example.com/balance", json!({})).await.unwrap(), 42);
}
