//! Checks of the small agents `echo` and `assistant`. Neither declares a store.

use agent_client_protocol::v2::schema::ListSessionsRequest;
use serde_json::json;

use crate::{
    agent::{Start, UNKNOWN_SESSION, refused},
    updates::{end_of, of, only, said, states, values},
};

pub(crate) async fn echo_repeats_with_its_options(start: Start) {
    let (agent, session, id) = start.session().await;
    assert_eq!(values(&session), json!({ "shout": false, "times": "1" }));
    let updates = agent.turn(&id, "hello").await;
    assert_eq!(said(&updates), "hello");
    assert_eq!(states(&updates), ["running", "idle end_turn"]);
    agent.set(&id, "shout", true).await;
    agent.set(&id, "times", "2").await;
    assert_eq!(said(&agent.turn(&id, "hello").await), "HELLOHELLO");
    agent.end().await;
}

pub(crate) async fn echo_answers_the_methods_that_every_agent_has(start: Start) {
    let (agent, _, id) = start.session().await;
    agent.list(ListSessionsRequest::new()).await;
    agent.cancel(&id);
    agent.resume(&id).await;
    assert_eq!(said(&agent.turn(&id, "still here").await), "still here");
    agent.close(&id).await;
    refused(agent.prompt(&id, "hello"), UNKNOWN_SESSION).await;
    agent.end().await;
}

pub(crate) async fn echo_speaks_its_highest_version_to_a_newer_client(start: Start) {
    let agent = start.agent().await;
    assert_eq!(agent.initialize_as(json!({}), 99).await["protocolVersion"], 2);
    agent.end().await;
}

pub(crate) async fn assistant_lists_and_replays_what_it_keeps_itself(start: Start) {
    let (agent, session, id) = start.session().await;
    assert_eq!(values(&session), json!({ "model": "smart", "effort": "medium", "brave": false }));
    assert_eq!(said(&agent.turn(&id, "count").await), "one two three");
    let listed = agent.list(ListSessionsRequest::new()).await;
    assert_eq!((listed.len(), &listed[0]["sessionId"], &listed[0]["cwd"]), (1, &json!(id), &json!(agent.cwd)));
    let before = agent.told();
    agent.replay(&id).await;
    let again = agent.seen().updates_of(&id, before);
    assert_eq!(said(&again), "one two three");
    assert!(of(&again).to_string().contains("count"));
    assert_eq!(again[again.len() - 1]["state"], "idle");
    refused(agent.request(agent.replay_request("sess-99")), UNKNOWN_SESSION).await;
    agent.close(&id).await;
    agent.end().await;
}

pub(crate) async fn assistant_changes_its_own_option(start: Start) {
    let (agent, _, id) = start.session().await;
    let updates = agent.turn(&id, "/fast").await;
    let changes = only(&updates, "config_option_update");
    assert_eq!((changes.len(), &values(changes[0])["model"]), (1, &json!("fast")));
    let message = agent.inserted(&id, "again").await;
    agent.cancel(&id);
    let end = end_of(&agent.worked(&id, &message).await);
    assert!(["idle cancelled", "idle end_turn"].contains(&&*end), "{end}");
    agent.end().await;
}
