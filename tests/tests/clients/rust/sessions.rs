//! Checks of a session's life: list, resume, replay, close, delete.

use agent_client_protocol::{UntypedMessage, v2::schema::ListSessionsRequest};
use serde_json::{Value, json};

use crate::{
    agent::{Agent, CANCELLED, Start, UNKNOWN_METHOD, UNKNOWN_SESSION, refused},
    coder::counting,
    first,
    updates::{end_of, only, said, states, text_of, values},
};

/// The next agent, and the id of a session with one turn, left by an agent that is gone, with the updates of the turn.
async fn left_behind(start: &Start) -> (Agent, String, Vec<Value>) {
    let (agent, _, id) = start.session().await;
    agent.set(&id, "model", "smart").await;
    agent.set(&id, "brave", true).await;
    let updates = agent.turn(&id, "remember the milk").await;
    agent.end().await;
    let next = start.agent().await;
    next.initialize().await;
    (next, id, updates)
}

fn kept() -> Value {
    json!({ "mode": "code", "model": "smart", "brave": true })
}

/// A message: its id, its kind, its text.
type Message = (String, String, String);

fn messages(updates: &[Value]) -> Vec<Message> {
    let mut all: Vec<Message> = Vec::new();
    for update in updates.iter().filter(|update| update["messageId"].is_string()) {
        let kind = text_of(&update["sessionUpdate"]);
        let (id, content) = (text_of(&update["messageId"]), &update["content"]);
        let whole =
            content.as_array().map(|blocks| blocks.iter().map(|block| text_of(&block["text"])).collect::<String>());
        let at = all.iter().position(|(of, ..)| *of == id).unwrap_or_else(|| {
            all.push((id, kind.replace("_chunk", ""), String::new()));
            all.len() - 1
        });
        match whole {
            Some(words) => all[at].2 = words,
            None => all[at].2.push_str(&text_of(&content["text"])),
        }
    }
    all
}

pub(crate) async fn a_replay_says_the_same_messages_again(start: Start) {
    let (agent, id, updates) = left_behind(&start).await;
    let answer = agent.replay(&id).await;
    let again = agent.updates_of(&id);
    assert_eq!(messages(&again), messages(&updates));
    assert_eq!(values(&answer), kept());
    assert_eq!(states(&again).len(), 1, "the state precedes the answer");
    assert_eq!(again[again.len() - 1]["state"], "idle", "and is last");
    assert!(said(&agent.turn(&id, "and the bread").await).contains("and the bread"));
    agent.end().await;
}

pub(crate) async fn a_resume_without_a_replay_says_the_state_alone(start: Start) {
    let (agent, id, _) = left_behind(&start).await;
    assert_eq!(values(&agent.resume(&id).await), kept());
    let told = agent.updates_of(&id);
    assert_eq!((messages(&told), states(&told).len()), (vec![], 1));
    assert_eq!(end_of(&agent.turn(&id, "go on").await), "idle end_turn");
    agent.end().await;
}

pub(crate) async fn stored_sessions_are_listed(start: Start) {
    let (agent, id, _) = left_behind(&start).await;
    let all = agent.list(ListSessionsRequest::new()).await;
    assert_eq!((all.len(), &all[0]["sessionId"], &all[0]["cwd"]), (1, &json!(id), &json!(agent.cwd)));
    assert_eq!(agent.list(ListSessionsRequest::new().cwd(&*agent.cwd)).await.len(), 1);
    assert!(agent.list(ListSessionsRequest::new().cwd("/nowhere")).await.is_empty());
    agent.end().await;
}

pub(crate) async fn closing_a_session_cancels_its_turn(start: Start) {
    let (agent, id, _) = counting(&start).await;
    let held = agent.prompt(&id, "and this");
    agent.close(&id).await;
    refused(held, CANCELLED).await;
    assert_eq!(only(&agent.updates_of(&id), "user_message").len(), 1, "what waited was not inserted");
    assert_eq!(end_of(&agent.updates_of(&id)), "idle cancelled");
    refused(agent.prompt(&id, "still there?"), UNKNOWN_SESSION).await;
    agent.resume(&id).await;
    assert_eq!(end_of(&agent.turn(&id, "hello again").await), "idle end_turn");
    agent.end().await;
}

pub(crate) async fn a_deleted_session_is_no_longer_listed(start: Start) {
    let (agent, id, _) = left_behind(&start).await;
    for _ in 0..2 {
        agent.delete(&id).await;
        assert!(agent.list(ListSessionsRequest::new()).await.is_empty());
    }
    refused(agent.request(agent.replay_request(&id)), UNKNOWN_SESSION).await;
    agent.end().await;
}

pub(crate) async fn what_is_unknown_is_an_error(start: Start) {
    let (agent, ..) = start.session().await;
    let stranger = "no-such-session";
    refused(agent.request(agent.replay_request(stranger)), UNKNOWN_SESSION).await;
    refused(agent.request(agent.resume_request(stranger)), UNKNOWN_SESSION).await;
    refused(agent.prompt(stranger, "hello"), UNKNOWN_SESSION).await;
    refused(agent.setting(stranger, "model", "smart"), UNKNOWN_SESSION).await;
    let nothing = UntypedMessage::new("_acp-tests.dev/nothing", json!({})).expect("it is JSON");
    refused(agent.request(nothing), UNKNOWN_METHOD).await;
    agent.cancel(stranger);
    agent.new_session().await;
    agent.end().await;
}

pub(crate) async fn a_session_of_version_1_is_said_again_in_version_2_and_back(start: Start) {
    let (id, words) = first::leaves(&start, "remember the milk").await;

    let agent = start.agent().await;
    agent.initialize().await;
    agent.replay(&id).await;
    let second = messages(&agent.updates_of(&id));
    assert_eq!((&*second[0].1, &*second[0].2), ("user_message", "remember the milk"));
    let is_answer = |(_, kind, text): &Message| kind == "agent_message" && *text == words;
    assert!(second.iter().any(is_answer), "the same words");
    agent.turn(&id, "and the bread").await;
    let all = messages(&agent.updates_of(&id));
    agent.end().await;

    let other = start.agent().await;
    other.initialize().await;
    other.replay(&id).await;
    assert_eq!(messages(&other.updates_of(&id)), all, "the same messages with the same ids");
    other.end().await;

    assert_eq!(first::loads(&start, &id).await, "remember the milkand the bread");
}
