//! What the user says to work that runs, for an agent that takes prompts into it.

use serde_json::json;

use super::*;
use crate::{ErrorKind, Steered, Update, values::StopReason};

/// The answer to `initialize` of an agent that steers by prompts. The capability is a draft, which the types do not have.
fn steers() -> Value {
    hello(json!({ "session": { "steering": {} } }))
}

async fn open_with(answer: Value) -> (Connection, Session, Agent) {
    let (connection, mut agent) = connect(Editor, ConnectOptions::new(), answer).await;
    let connection = connection.unwrap();
    let (session, ()) = tokio::join!(connection.new_session("/"), async {
        let (id, _) = agent.asked::<v2::NewSessionRequest>("session/new").await;
        agent.answer::<v2::NewSessionResponse>(&id, json!({ "sessionId": "s" })).await;
    });
    (connection, session.unwrap(), agent)
}

/// What is known without the agent.
async fn at_once<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(10), work).await.expect("the agent is not asked")
}

#[tokio::test]
async fn what_the_user_adds_is_a_plain_prompt_while_the_session_works() {
    let (_connection, session, mut agent) = open_with(steers()).await;
    assert!(session.can_steer());
    // A prompt would begin a turn, and nobody wants one.
    assert_eq!(at_once(session.steer("more")).await.unwrap(), Steered::PromptRequired);
    let mut turn = session.prompt("first").await.unwrap();
    let first = agent.prompted().await;
    // The agent reads this one when it works on the first.
    let (steered, ()) = tokio::join!(session.steer("more"), async {
        let (more, params) = agent.asked::<v2::PromptRequest>("session/prompt").await;
        assert_eq!(params, json!({ "sessionId": "s", "prompt": [{ "type": "text", "text": "more" }] }));
        agent.inserts(&first, "u1").await;
        agent.running().await;
        agent.echo("u2").await;
        agent.inserts(&more, "u2").await;
    });
    assert_eq!(steered.unwrap(), Steered::Injected);
    agent.says("a", "also more").await;
    agent.idle("end_turn").await;
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("also more"));
    assert_eq!(turn.finish().await.unwrap().stop_reason, Some(StopReason::EndTurn));
    agent.is_heard().await;
    assert_eq!(at_once(session.steer("more")).await.unwrap(), Steered::PromptRequired);
    agent.is_heard().await;
}

#[tokio::test]
async fn a_prompt_that_comes_too_late_begins_a_turn() {
    let (_connection, session, mut agent) = open_with(steers()).await;
    let turn = session.prompt("first").await.unwrap();
    let first = agent.prompted().await;
    agent.inserts(&first, "u1").await;
    agent.running().await;
    let (steered, ()) = tokio::join!(session.steer("more"), async {
        let more = agent.prompted().await;
        agent.idle("end_turn").await;
        agent.inserts(&more, "u2").await;
        agent.echo("u2").await;
        agent.running().await;
    });
    assert_eq!(steered.unwrap(), Steered::StartedNewTurn);
    turn.finish().await.unwrap();
    // Its updates are there outside of turns, and a cancel reaches it.
    agent.is_heard().await;
    while let Some(update) = session.try_update() {
        assert!(!matches!(update, Update::Unknown(_)), "{update:?}");
    }
    assert!(session.cancel());
    agent.asked::<v2::CancelSessionNotification>("session/cancel").await;
    agent.idle("cancelled").await;
    // Without a turn, one may be wanted.
    agent.is_heard().await;
    let (steered, ()) = tokio::join!(session.steer_or_begin("again"), async {
        let again = agent.prompted().await;
        agent.inserts(&again, "u3").await;
    });
    assert_eq!(steered.unwrap(), Steered::StartedNewTurn);
}

#[tokio::test]
async fn a_cancel_rejects_what_waits_for_its_place() {
    let (_connection, session, mut agent) = open_with(steers()).await;
    let mut turn = session.prompt("first").await.unwrap();
    let first = agent.prompted().await;
    agent.inserts(&first, "u1").await;
    agent.running().await;
    let (steered, ()) = tokio::join!(session.steer("more"), async {
        let more = agent.prompted().await;
        turn.cancel();
        agent.asked::<v2::CancelSessionNotification>("session/cancel").await;
        agent.refuse(&more, -32800).await;
        agent.idle("cancelled").await;
    });
    assert_eq!(steered.unwrap_err().refusal().unwrap().code(), -32800);
    assert_eq!(turn.finish().await.unwrap().stop_reason, Some(StopReason::Cancelled));
}

#[tokio::test]
async fn an_agent_without_the_draft_steers_by_its_method() {
    let (_connection, session, _agent) = open().await;
    assert!(!session.can_steer());
    let error = session.steer("more").await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotOffered { .. }), "{error}");
    // A capability is an object.
    let (_connection, session, _agent) = open_with(hello(json!({ "session": { "steering": true } }))).await;
    assert!(!session.can_steer());
    let mut answer = hello(json!({ "session": {} }));
    answer["_meta"] = json!({ "steering": { "supported": true } });
    let (_connection, session, mut agent) = open_with(answer).await;
    assert!(session.can_steer());
    let (steered, ()) = tokio::join!(session.steer("more"), async {
        let message = agent.next().await;
        assert_eq!(message["method"], "_session/steering");
        assert_eq!(message["params"]["_meta"], json!({ "steering": { "idleBehavior": "promptRequired" } }));
        agent.send(json!({ "id": message["id"], "result": { "outcome": "injected" } })).await;
    });
    assert_eq!(steered.unwrap(), Steered::Injected);
}
