//! Checks of `conformance`: logins, forms, and each update that it can send.

use agent_client_protocol::v2::schema::ListSessionsRequest;
use serde_json::{Value, json};

use crate::{
    agent::{INVALID_PARAMS, Start, refused, soon},
    updates::{end_of, of, only, said, states, text_of},
};

fn each<'v>(list: &'v Value, key: &str) -> Vec<&'v Value> {
    list.as_array().expect("a list").iter().map(|item| &item[key]).collect()
}

pub(crate) async fn a_user_logs_in_and_out(start: Start) {
    let agent = start.agent().await;
    let answer = agent.initialize().await;
    assert_eq!(each(&answer["authMethods"], "methodId"), ["key", "login"]);
    assert_eq!(each(&answer["authMethods"], "type"), ["agent", "terminal"]);
    let prompt = answer["capabilities"]["session"]["prompt"].as_object().expect("capabilities");
    assert!(["audio", "embeddedContext", "image"].iter().all(|name| prompt[*name].is_object()), "{prompt:?}");
    soon(agent.login("key").block_task(), "auth/login").await.expect("a login");
    let id = text_of(&agent.new_session().await["sessionId"]);
    assert_eq!(said(&agent.turn(&id, "hello").await), "ok");
    agent.logout().await;
    agent.end().await;
}

pub(crate) async fn a_login_that_was_not_offered_is_refused(start: Start) {
    let agent = start.agent().await;
    agent.initialize().await;
    agent.process.is_wrong();
    refused(agent.login("no such method"), INVALID_PARAMS).await;
    agent.end().await;
}

pub(crate) async fn a_login_in_a_terminal_is_offered_to_clients_that_have_one(start: Start) {
    let agent = start.agent().await;
    let answer = agent.initialize_as(json!({}), 2).await;
    assert_eq!(each(&answer["authMethods"], "methodId"), ["key"]);
    agent.end().await;
}

pub(crate) async fn a_form_is_accepted_or_declined(start: Start) {
    let (agent, _, id) = start.session().await;
    let updates = agent.turn(&id, "tck:elicit-form").await;
    assert_eq!(said(&updates), "thank you");
    assert_eq!(states(&updates), ["running", "requires_action", "running", "idle end_turn"]);
    agent.fills(Some(json!({ "action": "decline" })));
    assert_eq!(said(&agent.turn(&id, "tck:elicit-form").await), "never mind");
    let form = &agent.seen().elicitations[0];
    let words = [&form["mode"], &form["sessionId"], &form["message"]];
    assert_eq!(words, ["form", &*id, "Which branch?"]);
    agent.end().await;
}

pub(crate) async fn a_turn_that_waits_for_a_form_is_cancelled_with_it(start: Start) {
    let (agent, _, id) = start.session().await;
    agent.fills(None);
    let message = agent.inserted(&id, "tck:elicit-form").await;
    agent.until("the form", |seen| seen.elicitations.first().cloned()).await;
    agent.cancel(&id);
    assert_eq!(end_of(&agent.worked(&id, &message).await), "idle cancelled");
    agent.until("the end of the form", |seen| (seen.withdrawn == 1).then_some(())).await;
    agent.end().await;
}

pub(crate) async fn a_page_is_opened_and_done(start: Start) {
    let (agent, _, id) = start.session().await;
    agent.fills(Some(json!({ "action": "accept" })));
    agent.turn(&id, "tck:elicit-url").await;
    let seen = agent.seen();
    let page = &seen.elicitations[0];
    assert_eq!([&page["mode"], &page["url"]], ["url", "https://example.com/sign-in"]);
    assert_eq!(seen.completed, [page["elicitationId"].clone()]);
    agent.end().await;
}

pub(crate) async fn a_client_without_forms_and_pages_is_not_asked(start: Start) {
    let (agent, _, id) = start.session_as(json!({})).await;
    assert!(said(&agent.turn(&id, "tck:elicit-form").await).contains("shows no forms"));
    assert!(said(&agent.turn(&id, "tck:elicit-url").await).contains("opens no pages"));
    assert!(agent.seen().elicitations.is_empty());
    agent.end().await;
}

pub(crate) async fn a_client_of_version_2_has_no_files_and_no_terminals(start: Start) {
    let (agent, _, id) = start.session().await;
    assert!(said(&agent.turn(&id, "tck:read").await).contains("reads no files"));
    assert!(said(&agent.turn(&id, "tck:write").await).contains("writes no files"));
    assert!(said(&agent.turn(&id, "tck:terminal").await).contains("runs no terminals"));
    agent.end().await;
}

pub(crate) async fn permission_has_all_options(start: Start) {
    let (agent, _, id) = start.session().await;
    agent.decides(Some("always"));
    let updates = agent.turn(&id, "tck:permission").await;
    assert_eq!(only(&updates, "tool_call_update").pop().expect("a call")["status"], "completed");
    let asked = &agent.seen().permissions[0];
    assert_eq!(each(&asked["options"], "kind"), ["allow_once", "allow_always", "reject_once"]);
    assert_eq!(asked["title"], "Change something");
    agent.end().await;
}

pub(crate) async fn a_turn_ends_with_each_reason(start: Start) {
    let (agent, _, id) = start.session().await;
    let all = [("tck:refuse", "refusal"), ("tck:max_tokens", "max_tokens"), ("tck:max_turn", "max_turn_requests")];
    for (words, reason) in all {
        assert_eq!(states(&agent.turn(&id, words).await), ["running".to_owned(), format!("idle {reason}")]);
    }
    agent.end().await;
}

pub(crate) async fn a_turn_that_fails_says_so_and_the_session_goes_on(start: Start) {
    let (agent, _, id) = start.session().await;
    assert_eq!(states(&agent.turn(&id, "tck:crash").await), ["running", "idle error"]);
    assert_eq!(states(&agent.turn(&id, "hello").await), ["running", "idle end_turn"]);
    agent.end().await;
}

/// The updates that a word of the agent's script adds to a turn.
const SAYS: &[(&str, &[&str])] = &[
    ("tck:tool", &["tool_call_update"; 3]),
    ("tck:plan", &["plan_update"; 2]),
    ("tck:usage", &["usage_update"]),
    ("tck:commands", &["available_commands_update"]),
    ("tck:mode", &["config_option_update"]),
    ("tck:config", &["config_option_update"]),
    ("tck:title", &["session_info_update"; 2]),
    ("tck:thought", &["agent_thought_chunk"]),
    ("tck:notice", &["notice"]),
    ("tck:compaction", &["compaction_update", "compaction_summary_chunk", "compaction_update"]),
    ("stream 3 10", &["agent_message_chunk"; 3]),
];

pub(crate) async fn each_update_has_its_name_of_version_2(start: Start) {
    let (agent, _, id) = start.session().await;
    for (words, kinds) in SAYS {
        let updates = agent.turn(&id, words).await;
        let mut said: Vec<_> = updates.iter().map(|update| text_of(&update["sessionUpdate"])).collect();
        let mut expected = [&["user_message", "state_update", "state_update"], *kinds].concat();
        said.sort_unstable();
        expected.sort_unstable();
        assert_eq!(said, expected, "{words}");
    }
    agent.end().await;
}

pub(crate) async fn sessions_of_memory_are_listed_resumed_and_deleted(start: Start) {
    let (agent, _, id) = start.session().await;
    agent.turn(&id, "tck:tool").await;
    let listed = agent.list(ListSessionsRequest::new()).await;
    assert_eq!(each(&of(&listed), "sessionId"), [&*id]);
    agent.close(&id).await;
    let before = agent.told();
    agent.replay(&id).await;
    let again = agent.seen().updates_of(&id, before);
    let calls = only(&again, "tool_call_update");
    let status = calls.iter().rev().find_map(|call| call["status"].as_str());
    assert_eq!(status, Some("completed"));
    agent.delete(&id).await;
    assert!(agent.list(ListSessionsRequest::new()).await.is_empty());
    agent.end().await;
}
