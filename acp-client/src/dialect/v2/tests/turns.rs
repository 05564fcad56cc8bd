//! Turns on the wire: updates, questions, ends, and what the agent does by itself.

use serde_json::json;

use super::*;
use crate::{
    BackgroundWork, ErrorKind, SessionState, TurnEvent, Update,
    values::{SessionUpdate, StopReason, ToolCallStatus},
    versions::permission_title,
};

fn question() -> Value {
    let call = json!({ "toolCallId": "c" });
    let params = json!({
        "sessionId": "s",
        "title": "Run this?",
        "subject": { "type": "tool_call", "toolCall": call },
        "options": [{ "optionId": "yes", "name": "Yes", "kind": "allow_once" }],
    });
    checked::<v2::RequestPermissionRequest>(params)
}

/// Plays a turn with a tool call that needs permission.
async fn plays(agent: &mut Agent, prompt: &Value) {
    agent.inserts(prompt, "u").await;
    agent.echo("u").await;
    agent.running().await;
    agent.says("a", "one").await;
    agent.update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "title": "rm -r build", "kind": "execute" })).await;
    agent.send(json!({ "id": "q", "method": "session/request_permission", "params": question() })).await;
    agent.update(json!({ "sessionUpdate": "state_update", "state": "requires_action" })).await;
    let answer = agent.next().await;
    checked::<v2::RequestPermissionResponse>(answer["result"].clone());
    assert_eq!(answer["result"]["outcome"], json!({ "outcome": "selected", "optionId": "yes" }));
    agent.running().await;
    agent.update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed" })).await;
    agent.idle("end_turn").await;
}

#[tokio::test]
async fn a_client_drives_a_turn_as_on_version_1() {
    let (connection, session, mut agent) = open().await;
    assert_eq!(connection.version(), 2);
    let drives = async {
        let mut turn = session.prompt("hi").await.unwrap();
        let mut told = Vec::new();
        while let Some(update) = turn.next().await.unwrap() {
            told.push(match update {
                Update::Known(SessionUpdate::AgentMessageChunk(_)) => "text".to_owned(),
                Update::Known(SessionUpdate::UserMessageChunk(_)) => "echo".to_owned(),
                Update::Known(SessionUpdate::ToolCall(call)) => format!("new {}", call.title),
                Update::Known(SessionUpdate::ToolCallUpdate(call)) => {
                    assert_eq!(call.status, Some(ToolCallStatus::Completed));
                    "changed".to_owned()
                }
                Update::State(state) => format!("{:?}", state.state),
                other => panic!("{other:?}"),
            });
        }
        assert_eq!(
            told,
            ["echo", "Running", "text", "new rm -r build", "RequiresAction", "Running", "changed", "Idle"]
        );
        let end = turn.end().unwrap();
        assert_eq!(end.stop_reason, Some(StopReason::EndTurn));
        assert!(end.raw.get().contains("end_turn"));
    };
    let (prompted, ()) = tokio::join!(
        async {
            let prompt = agent.prompted().await;
            plays(&mut agent, &prompt).await;
        },
        drives
    );
    let () = prompted;
}

#[tokio::test]
async fn one_loop_has_the_updates_and_the_questions_with_their_titles() {
    let (_connection, session, mut agent) = open().await;
    let drives = async {
        let mut turn = session.prompt_events("hi").await.unwrap();
        let mut asked = 0;
        while let Some(event) = turn.next().await.unwrap() {
            if let TurnEvent::Permission(question) = event {
                assert_eq!(permission_title(question.request()), "Run this?");
                assert_eq!(question.request().tool_call.title.as_deref(), Some("rm -r build"));
                question.select("yes");
                asked += 1;
            }
        }
        assert_eq!((asked, turn.end().unwrap().stop_reason), (1, Some(StopReason::EndTurn)));
    };
    let play = async {
        let prompt = agent.prompted().await;
        plays(&mut agent, &prompt).await;
    };
    tokio::join!(play, drives);
}

#[tokio::test]
async fn prompts_beside_a_turn_end_with_the_idle_that_follows_their_insertion() {
    let (_connection, session, mut agent) = open().await;
    let turn = session.prompt("first").await.unwrap();
    let first = agent.prompted().await;
    let beside = session.prompt_beside("second").await.unwrap();
    let withdrawn = session.prompt_beside("third").await.unwrap();
    let (second, third) = (agent.prompted().await, agent.prompted().await);
    agent.inserts(&first, "u1").await;
    agent.running().await;
    drop(withdrawn);
    let (_, params) = agent.asked::<v2::CancelRequestNotification>("$/cancel_request").await;
    assert_eq!(params["requestId"], third);
    agent.refuse(&third, -32800).await;
    agent.idle("max_tokens").await;
    assert_eq!(turn.finish().await.unwrap().stop_reason, Some(StopReason::MaxTokens));
    agent.inserts(&second, "u2").await;
    agent.running().await;
    agent.says("a2", "later").await;
    agent.idle("end_turn").await;
    assert_eq!(beside.end().await.unwrap().stop_reason, Some(StopReason::EndTurn));
}

#[tokio::test]
async fn a_cancelled_turn_ends_with_the_idle_and_a_held_prompt_with_its_error() {
    let (_connection, session, mut agent) = open().await;
    let mut turn = session.prompt("first").await.unwrap();
    let first = agent.prompted().await;
    let held = session.prompt_beside("second").await.unwrap();
    let second = agent.prompted().await;
    agent.inserts(&first, "u1").await;
    agent.running().await;
    turn.cancel();
    agent.asked::<v2::CancelSessionNotification>("session/cancel").await;
    agent.refuse(&second, -32800).await;
    agent.says("a", "a late word").await;
    agent.idle("cancelled").await;
    assert_eq!(held.end().await.unwrap().stop_reason, Some(StopReason::Cancelled));
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("a late word"));
    assert_eq!(turn.finish().await.unwrap().stop_reason, Some(StopReason::Cancelled));

    // The drop of a turn cancels it, and the next one gets none of its updates.
    let turn = session.prompt("third").await.unwrap();
    let third = agent.prompted().await;
    drop(turn);
    agent.asked::<v2::CancelSessionNotification>("session/cancel").await;
    agent.inserts(&third, "u3").await;
    agent.running().await;
    agent.says("b", "unheard").await;
    agent.idle("cancelled").await;
    let (turn, ()) = tokio::join!(session.prompt("fourth"), async {
        let fourth = agent.prompted().await;
        agent.inserts(&fourth, "u4").await;
        agent.running().await;
        agent.says("c", "heard").await;
        agent.idle("end_turn").await;
    });
    assert_eq!(turn.unwrap().text().await.unwrap().as_deref(), Some("heard"));
}

#[tokio::test]
async fn what_the_agent_does_by_itself_is_told_outside_of_turns() {
    let (_connection, session, mut agent) = open().await;
    agent.running().await;
    agent.says("own", "I have looked again.").await;
    agent.idle("end_turn").await;
    let background = json!([
        { "type": "terminal", "terminalId": "t" },
        { "type": "tool_call", "toolCallId": "c" },
        { "type": "_task", "taskId": "x" },
    ]);
    agent.update(json!({ "sessionUpdate": "state_update", "state": "idle", "background": background })).await;
    agent.is_heard().await;
    let own = |update: Option<Update>| update.expect("an update");
    assert_eq!(own(session.try_update()).state().unwrap().state, SessionState::Running);
    assert_eq!(own(session.try_update()).text(), Some("I have looked again."));
    let idle = own(session.try_update());
    assert_eq!(idle.state().unwrap().stop_reason, Some(StopReason::EndTurn));
    assert!(idle.state().unwrap().background.is_none());
    let update = own(session.try_update());
    let state = update.state().unwrap();
    assert_eq!((&state.state, state.stop_reason), (&SessionState::Idle, None));
    let [BackgroundWork::Terminal(terminal), BackgroundWork::ToolCall(call), BackgroundWork::Other(other)] =
        &state.background.as_ref().unwrap()[..]
    else {
        panic!("{state:?}")
    };
    assert_eq!((terminal.as_ref(), call.as_ref()), ("t", "c"));
    assert!(other.get().contains("_task"));
    assert!(session.try_update().is_none());

    // It ends no turn that was not inserted, and a turn does not begin with it.
    let mut turn = session.prompt("hi").await.unwrap();
    let prompt = agent.prompted().await;
    agent.running().await;
    agent.idle("end_turn").await;
    agent.inserts(&prompt, "u").await;
    agent.running().await;
    agent.says("a", "now").await;
    agent.idle("refusal").await;
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("now"));
    assert_eq!(turn.finish().await.unwrap().stop_reason, Some(StopReason::Refusal));
}

#[tokio::test]
async fn errors_and_lost_agents_end_turns() {
    let (_connection, session, mut agent) = open().await;
    assert!(matches!(session.prompt(vec![]).await.unwrap_err().kind(), ErrorKind::Invalid(_)));

    let turn = session.prompt("one").await.unwrap();
    let prompt = agent.prompted().await;
    agent.inserts(&prompt, "u1").await;
    agent.running().await;
    let error = json!({ "code": -32603, "message": "the model is gone" });
    agent
        .update(json!({ "sessionUpdate": "state_update", "state": "idle", "stopReason": "error", "error": error }))
        .await;
    let error = turn.finish().await.unwrap_err();
    assert_eq!(error.refusal().unwrap().message(), "the model is gone");

    let turn = session.prompt("two").await.unwrap();
    let prompt = agent.prompted().await;
    agent.refuse(&prompt, -32000).await;
    assert!(matches!(turn.finish().await.unwrap_err().kind(), ErrorKind::AuthRequired { .. }));

    // The session is closed while its prompts are at work.
    let (turn, beside) = (session.prompt("three").await.unwrap(), session.prompt_beside("four").await.unwrap());
    for message in ["u3", "u4"] {
        let prompt = agent.prompted().await;
        agent.inserts(&prompt, message).await;
    }
    let (closed, ()) = tokio::join!(session.close(), async {
        let (id, _) = agent.asked::<v2::CloseSessionRequest>("session/close").await;
        agent.answer::<v2::CloseSessionResponse>(&id, json!({})).await;
    });
    closed.unwrap();
    assert!(matches!(turn.finish().await.unwrap_err().kind(), ErrorKind::SessionOver { .. }));
    assert!(matches!(beside.end().await.unwrap_err().kind(), ErrorKind::SessionOver { .. }));

    // The agent ends with inserted prompts.
    let (_connection, session, mut agent) = open().await;
    let (turn, beside) = (session.prompt("one").await.unwrap(), session.prompt_beside("two").await.unwrap());
    for message in ["u1", "u2"] {
        let prompt = agent.prompted().await;
        agent.inserts(&prompt, message).await;
    }
    agent.is_heard().await;
    drop(agent);
    assert!(matches!(turn.finish().await.unwrap_err().kind(), ErrorKind::Ended { .. }));
    let end = tokio::time::timeout(Duration::from_secs(10), beside.end()).await.expect("it does not wait for ever");
    assert!(matches!(end.unwrap_err().kind(), ErrorKind::Ended { .. }));
}

#[tokio::test]
async fn a_cancel_leaves_the_questions_of_work_in_the_background_open() {
    let (_connection, session, mut agent) = open().await;
    let mut turn = session.prompt_events("hi").await.unwrap();
    let prompt = agent.prompted().await;
    agent.inserts(&prompt, "u").await;
    let background = json!([{ "type": "tool_call", "toolCallId": "watch" }]);
    agent.update(json!({ "sessionUpdate": "state_update", "state": "running", "background": background })).await;
    let mut questions = Vec::new();
    for call in ["watch", "c"] {
        let mut params = question();
        params["subject"]["toolCall"]["toolCallId"] = call.into();
        agent.send(json!({ "id": call, "method": "session/request_permission", "params": params })).await;
        while questions.is_empty() || call == "c" && questions.len() < 2 {
            if let Some(TurnEvent::Permission(question)) = turn.next().await.unwrap() {
                questions.push(question);
            }
        }
    }
    turn.cancel();
    agent.asked::<v2::CancelSessionNotification>("session/cancel").await;
    let answer = agent.next().await;
    assert_eq!((&answer["id"], &answer["result"]["outcome"]["outcome"]), (&json!("c"), &json!("cancelled")));
    questions.remove(0).select("yes");
    let answer = agent.next().await;
    assert_eq!((&answer["id"], &answer["result"]["outcome"]["optionId"]), (&json!("watch"), &json!("yes")));
    agent.idle("cancelled").await;
    while turn.next().await.unwrap().is_some() {}
    assert_eq!(turn.end().unwrap().stop_reason, Some(StopReason::Cancelled));
}
