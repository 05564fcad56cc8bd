//! Checks of `coder`: its capabilities, turns, permission, prompts that wait, and options.

use std::{fs, time::Instant};

use agent_client_protocol::v2::schema::NewSessionRequest;
use serde_json::{Value, json};

use crate::{
    agent::{Agent, CANCELLED, INVALID_PARAMS, Start, inserted, refused, soon},
    person::Seen,
    updates::{chunks, end_of, of, only, said, states, text_of, values},
};

pub(crate) async fn initialize_answers_in_version_2(start: Start) {
    let agent = start.agent().await;
    let answer = agent.initialize().await;
    assert_eq!((&answer["protocolVersion"], &answer["info"]["name"]), (&json!(2), &json!("coder")));
    assert!(text_of(&answer["info"]["version"]).contains('.'));
    assert!(answer["capabilities"]["session"]["delete"].is_object());
    agent.end().await;
}

pub(crate) async fn a_turn_begins_with_its_message_and_ends_with_idle(start: Start) {
    let (agent, _, id) = start.session().await;
    let updates = agent.turn(&id, "hello world, how are you").await;
    assert_eq!(updates[0]["content"][0]["text"], "hello world, how are you");
    assert_eq!(updates[1]["state"], "running");
    assert_eq!(states(&updates), ["running", "idle end_turn"]);
    assert_ne!(chunks(&updates, "agent_thought_chunk"), "");
    assert!(said(&updates).contains("hello world, how are you"));
    let message = only(&updates, "agent_message_chunk");
    assert!(message.len() > 2, "the answer comes in pieces");
    assert!(message.iter().all(|chunk| chunk["messageId"] == message[0]["messageId"]), "they are one message");
    let plans: Vec<_> = only(&updates, "plan_update").into_iter().map(|update| &update["plan"]).collect();
    assert!(plans.len() >= 2, "the plan moves on");
    assert!(plans.iter().all(|plan| plan["planId"] == plans[0]["planId"]), "it is one plan");
    let entries = plans[plans.len() - 1]["entries"].as_array().expect("a list");
    assert!(entries.iter().all(|entry| entry["status"] == "completed"), "the last plan is done");
    agent.end().await;
}

/// The SDK's handle of a session. Its `close` takes a session that is not there for a closed one.
pub(crate) async fn the_sdk_holds_a_session(start: Start) {
    let agent = start.agent().await;
    agent.initialize().await;
    let opening = agent.connection().build_session_from(NewSessionRequest::new(&*agent.cwd)).start_session();
    let opened = soon(opening.block_task(), "the session").await.expect("a session");
    assert!(!opened.response.config_options.is_empty());
    let session = opened.session;
    let id = session.session_id().to_string();
    for words in ["hello", "and again"] {
        let message = inserted(session.send_prompt(words)).await;
        assert!(said(&agent.worked(&id, &message).await).contains(words));
    }
    let set = soon(session.set_config_option("model", "smart").block_task(), "the option").await;
    assert_eq!(values(&of(&set.expect("an answer")))["model"], "smart");
    let slow = inserted(session.send_prompt("slow")).await;
    session.cancel_active_work().expect("the agent is there");
    let end = agent.worked(&id, &slow).await.pop().expect("an end");
    assert_eq!(end["stopReason"], "cancelled");
    for _ in 0..2 {
        soon(session.close().block_task(), "the end").await.expect("an answer");
    }
    let resuming = agent.connection().resume_session(id.clone(), &agent.cwd).start_session();
    let resumed = soon(resuming.block_task(), "the session").await.expect("a session");
    assert_eq!(resumed.session.session_id().to_string(), id);
    let message = inserted(resumed.session.send_prompt("back")).await;
    assert_eq!(end_of(&agent.worked(&id, &message).await), "idle end_turn");
    agent.end().await;
}

/// What a client sees of the tool call of an edit: all that it was told, and the states that it went through.
fn tool_call(updates: &[Value]) -> (Value, Vec<String>) {
    let (mut call, mut went) = (json!({}), vec![]);
    for change in only(updates, "tool_call_update") {
        assert!(went.is_empty() || call["toolCallId"] == change["toolCallId"], "one tool call");
        // A tool call without a status is pending. An update without a status does not change it.
        let status = change["status"].as_str().or(went.is_empty().then_some("pending"));
        went.extend(status.map(str::to_owned));
        for (key, value) in change.as_object().expect("an object") {
            call[key] = value.clone();
        }
    }
    (call, went)
}

pub(crate) async fn an_edit_that_is_allowed_is_written(start: Start) {
    let (agent, _, id) = start.session().await;
    let updates = agent.turn(&id, "edit the notes").await;
    assert_eq!(states(&updates), ["running", "requires_action", "running", "idle end_turn"]);
    let path = agent.cwd.join("NOTES.md");
    let (call, went) = tool_call(&updates);
    assert_eq!(
        (&call["kind"], went),
        (&json!("edit"), ["pending", "in_progress", "completed"].map(str::to_owned).into())
    );
    let diff = &call["content"][0];
    assert_eq!((&diff["type"], &diff["patch"]["format"]), (&json!("diff"), &json!("git_patch")));
    assert_eq!((&diff["changes"][0]["operation"], &diff["changes"][0]["path"]), (&json!("add"), &json!(path)));
    let asked = agent.seen().permissions;
    assert_eq!((asked.len(), &asked[0]["sessionId"]), (1, &json!(id)));
    assert!(text_of(&asked[0]["title"]).contains("NOTES.md"));
    assert_eq!(asked[0]["subject"]["type"], "tool_call");
    assert_eq!(asked[0]["subject"]["toolCall"]["toolCallId"], call["toolCallId"]);
    let options: Vec<_> = asked[0]["options"].as_array().expect("a list").iter().map(|o| &o["optionId"]).collect();
    assert_eq!(options, ["allow", "reject"]);
    let (written, patch) = (fs::read_to_string(path).expect("it is written"), text_of(&diff["patch"]["text"]));
    assert!(written.lines().all(|line| patch.contains(&format!("+{line}"))), "the patch has what was written");
    agent.end().await;
}

pub(crate) async fn an_edit_that_is_rejected_fails_and_writes_nothing(start: Start) {
    let (agent, _, id) = start.session().await;
    agent.decides(Some("reject"));
    let updates = agent.turn(&id, "edit the notes").await;
    assert_eq!(end_of(&updates), "idle end_turn");
    assert_eq!(tool_call(&updates).1, ["pending", "failed"]);
    assert!(!agent.cwd.join("NOTES.md").exists());
    agent.end().await;
}

pub(crate) async fn a_turn_that_waits_for_permission_is_cancelled_with_its_question(start: Start) {
    let (agent, _, id) = start.session().await;
    agent.decides(None);
    let message = agent.inserted(&id, "edit the notes").await;
    agent.until("the permission request", |seen| seen.permissions.first().cloned()).await;
    agent.cancel(&id);
    assert_eq!(end_of(&agent.worked(&id, &message).await), "idle cancelled");
    agent.until("the end of the question", |seen| (seen.withdrawn == 1).then_some(())).await;
    assert!(!agent.cwd.join("NOTES.md").exists());
    assert_eq!(end_of(&agent.turn(&id, "hello").await), "idle end_turn");
    agent.end().await;
}

/// A session with a turn that counts slowly, and the id of the prompt's message.
pub(crate) async fn counting(start: &Start) -> (Agent, String, String) {
    let (agent, _, id) = start.session().await;
    let message = agent.inserted(&id, "slow").await;
    agent.until("some text", |seen| (!said(&seen.updates_of(&id, 0)).is_empty()).then_some(())).await;
    (agent, id, message)
}

pub(crate) async fn a_running_turn_is_cancelled_at_once(start: Start) {
    let (agent, id, message) = counting(&start).await;
    let begin = Instant::now();
    agent.cancel(&id);
    assert_eq!(states(&agent.worked(&id, &message).await), ["running", "idle cancelled"]);
    assert!(begin.elapsed().as_millis() < 1000, "the turn ends within a second");
    let before = agent.told();
    agent.set(&id, "model", "smart").await;
    assert_eq!(agent.told(), before, "updates after idle");
    agent.end().await;
}

pub(crate) async fn prompts_for_a_busy_session_wait_and_are_cancelled_with_it(start: Start) {
    let (agent, id, message) = counting(&start).await;
    let held = ["one", "two"].map(|words| agent.prompt(&id, words));
    agent.cancel(&id);
    for held in held {
        refused(held, CANCELLED).await;
    }
    assert_eq!(end_of(&agent.worked(&id, &message).await), "idle cancelled");
    assert_eq!(only(&agent.updates_of(&id), "user_message").len(), 1, "they were not inserted");
    assert_eq!(end_of(&agent.turn(&id, "three").await), "idle end_turn");
    agent.end().await;
}

pub(crate) async fn a_prompt_that_waits_can_be_withdrawn_alone(start: Start) {
    let (agent, id, message) = counting(&start).await;
    let held = agent.prompt(&id, "not this");
    held.cancel().expect("the agent is there");
    refused(held, CANCELLED).await;
    let before = said(&agent.updates_of(&id));
    let more = |seen: &Seen| (said(&seen.updates_of(&id, 0)) != before).then_some(());
    agent.until("more of the turn that runs", more).await;
    agent.cancel(&id);
    assert_eq!(end_of(&agent.worked(&id, &message).await), "idle cancelled");
    agent.end().await;
}

pub(crate) async fn prompts_that_wait_are_worked_on_in_their_order(start: Start) {
    let (agent, _, id) = start.session().await;
    let all = ["first", "second", "third"];
    let (mut told, sent) = (vec![], all.map(|words| agent.prompt(&id, words)));
    for sent in sent {
        let message = inserted(sent).await;
        let words = said(&agent.worked(&id, &message).await);
        told.push(words.split_whitespace().last().unwrap_or_default().to_owned());
    }
    assert_eq!(told, all);
    agent.end().await;
}

pub(crate) async fn a_cancel_right_behind_the_prompt_is_not_lost(start: Start) {
    let (agent, _, id) = start.session().await;
    for _ in 0..10 {
        let before = agent.told();
        let sent = agent.prompt(&id, "slow");
        agent.cancel(&id);
        match soon(sent.block_task(), "the answer").await {
            Ok(_) => {
                let is_over =
                    |updates: Vec<Value>| states(&updates).last().is_some_and(|last| last == "idle cancelled");
                let look = |seen: &Seen| is_over(seen.updates_of(&id, before)).then_some(());
                agent.until("the end of the turn", look).await;
            }
            Err(error) => assert_eq!(of(&error)["code"], CANCELLED, "{error}"),
        }
    }
    assert_eq!(end_of(&agent.turn(&id, "hello").await), "idle end_turn");
    agent.end().await;
}

pub(crate) async fn two_sessions_run_at_once(start: Start) {
    let (agent, first, message) = counting(&start).await;
    let second = text_of(&agent.new_session().await["sessionId"]);
    assert_eq!(end_of(&agent.turn(&second, "hello").await), "idle end_turn");
    assert_eq!(states(&agent.updates_of(&first)), ["running"]);
    agent.cancel(&first);
    assert_eq!(end_of(&agent.worked(&first, &message).await), "idle cancelled");
    agent.end().await;
}

fn with(changes: &[(&str, Value)]) -> Value {
    let mut all = json!({ "mode": "code", "model": "fast", "brave": false });
    for (key, value) in changes {
        all[*key] = value.clone();
    }
    all
}

pub(crate) async fn options_have_ids_and_typed_values(start: Start) {
    let (agent, session, id) = start.session().await;
    assert_eq!(values(&session), with(&[]));
    let each = |key: &str| -> Vec<Value> {
        session["configOptions"].as_array().expect("a list").iter().map(|option| option[key].clone()).collect()
    };
    assert_eq!(each("type"), ["select", "select", "boolean"]);
    assert_eq!(each("category"), [json!("mode"), json!("model"), Value::Null]);
    assert_eq!(agent.set(&id, "model", "smart").await, with(&[("model", json!("smart"))]));
    assert_eq!(agent.set(&id, "brave", true).await, with(&[("model", json!("smart")), ("brave", json!(true))]));
    assert!(only(&agent.updates_of(&id), "config_option_update").is_empty(), "who set it gets no update");
    agent.end().await;
}

pub(crate) async fn what_an_option_does_not_offer_is_refused_and_changes_nothing(start: Start) {
    let (agent, _, id) = start.session().await;
    agent.process.is_wrong();
    refused(agent.setting(&id, "model", "genius"), INVALID_PARAMS).await;
    refused(agent.setting(&id, "model", true), INVALID_PARAMS).await;
    refused(agent.setting(&id, "colour", "red"), INVALID_PARAMS).await;
    assert_eq!(agent.set(&id, "mode", "ask").await, with(&[("mode", json!("ask"))]));
    agent.end().await;
}

pub(crate) async fn the_agent_can_change_an_option_during_a_turn(start: Start) {
    let (agent, _, id) = start.session().await;
    let updates = agent.turn(&id, "switch please").await;
    let changes = only(&updates, "config_option_update");
    assert_eq!(changes.len(), 1, "one change, one update");
    assert_eq!(values(changes[0]), with(&[("model", json!("smart"))]));
    agent.end().await;
}

pub(crate) async fn an_agent_ends_in_the_middle_of_a_turn(start: Start) {
    let (agent, ..) = counting(&start).await;
    agent.end().await;
}
