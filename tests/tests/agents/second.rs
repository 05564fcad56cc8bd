//! The client drives agents of version 2 through what version 1 does not have: prompts that wait, work of the agent's own, and
//! states.

use acp_client::{
    BackgroundWork, ConnectOptions, Endpoint, ErrorKind, Session, SessionState, Update,
    values::{SessionUpdate, StopReason, ToolCallStatus},
    versions::permission_title,
};
use tokio::process::Command;

use crate::agents::{
    person::{Decision, Person},
    sdk::told,
};

/// Drives an agent that follows the script of the folder.
pub(crate) async fn drive(start: impl Fn() -> Command) {
    let folder = tempfile::tempdir().unwrap();
    let cwd = folder.path().canonicalize().unwrap();
    let person = Person::new();
    let connection = Endpoint::command(start()).connect_as(person.clone()).await.unwrap();
    assert_eq!(connection.version(), 2);
    let session = connection.new_session(&*cwd).await.unwrap();
    tells_states(&session, &person).await;
    lets_prompts_wait(&session).await;
    works_by_itself(&session).await;
    connection.close().await.unwrap();

    // The same agent with a client that speaks version 1 alone: there is no version for both.
    let options = ConnectOptions::new().versions(1..=1);
    let error = Endpoint::command(start()).options(options).connect().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unsupported { .. } | ErrorKind::Version(2)), "{error}");
}

async fn tells_states(session: &Session, person: &Person) {
    person.decides(Decision::Allow);
    let mut turn = session.prompt("work").await.unwrap();
    let (mut states, mut echoes) = (Vec::new(), 0);
    while let Some(update) = turn.next().await.unwrap() {
        match update {
            Update::State(state) => states.push((state.state, state.stop_reason)),
            Update::Known(SessionUpdate::UserMessageChunk(chunk)) => {
                assert_eq!(chunk.content, "work".into());
                echoes += 1;
            }
            Update::Known(_) => {}
            other => panic!("{other:?}"),
        }
    }
    let states: Vec<_> = states.iter().map(|(state, reason)| (state, *reason)).collect();
    let ended = (&SessionState::Idle, Some(StopReason::EndTurn));
    let (running, asks) = ((&SessionState::Running, None), (&SessionState::RequiresAction, None));
    assert_eq!((states, echoes), (vec![running, asks, running, ended], 1));
    let asked = person.asked().pop().unwrap();
    assert_eq!(permission_title(&asked), "May I change the settings?");
    assert_eq!(asked.tool_call.title.as_deref(), Some("Changing the settings"));
}

async fn lets_prompts_wait(session: &Session) {
    let mut turn = session.prompt("wait").await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("tick "));
    let withdrawn = session.prompt_beside("never").await.unwrap();
    let held = session.prompt_beside("never, too").await.unwrap();
    drop(withdrawn);
    turn.cancel();
    assert_eq!(told(turn).await.1, StopReason::Cancelled);
    assert_eq!(held.end().await.unwrap().stop_reason, Some(StopReason::Cancelled));

    // One after the other, each with its own end.
    let turn = session.prompt("one").await.unwrap();
    let second = session.prompt_beside("two").await.unwrap();
    assert_eq!(told(turn).await, ("one".to_owned(), StopReason::EndTurn));
    assert_eq!(second.end().await.unwrap().stop_reason, Some(StopReason::EndTurn));
    let mut outside = String::new();
    while let Some(update) = session.try_update() {
        outside.push_str(update.text().unwrap_or_default());
    }
    assert_eq!(outside, "two");
}

async fn works_by_itself(session: &Session) {
    let end = session.prompt("later").await.unwrap().finish().await.unwrap();
    assert_eq!(end.stop_reason, Some(StopReason::EndTurn));
    let (mut told, mut watched) = (Vec::new(), None);
    loop {
        match session.next_update().await.unwrap() {
            Update::State(state) => {
                let background = state.background.unwrap();
                let is_over = background.is_empty();
                match &background[..] {
                    [] => {}
                    [BackgroundWork::ToolCall(call)] => assert_eq!(call.as_ref(), "watch"),
                    other => panic!("{other:?}"),
                }
                told.push(format!("{:?}", state.state));
                if is_over {
                    break;
                }
            }
            Update::Known(SessionUpdate::ToolCallUpdate(call)) => watched = call.status,
            update => told.push(update.text().unwrap_or_else(|| panic!("{update:?}")).to_owned()),
        }
    }
    assert_eq!(told, ["Running", "It has changed.", "Idle", "Idle"]);
    assert_eq!(watched, Some(ToolCallStatus::Completed));
    let turn = session.prompt("after that").await.unwrap();
    assert_eq!(self::told(turn).await, ("after that".to_owned(), StopReason::EndTurn));
}
