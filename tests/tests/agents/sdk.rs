//! The client drives an agent on an official SDK. The agents follow one script, but differ in how they keep to the
//! protocol.

use std::{path::Path, time::Duration};

use acp_client::{
    Connection, CurrentValue, Endpoint, ErrorKind, Session, Turn, Update,
    values::{ContentBlock, ListSessionsRequest, ResourceLink, SessionUpdate, StopReason, ToolCallStatus},
};
use tokio::process::Command;

use crate::agents::{
    person::{Decision, Person},
    traces::Mark,
};

/// The differences between the agents. If two agents deviate from the protocol, the client must accept both.
pub(crate) struct Manners {
    /// The stop reason after a cancel, if the turn was sending text. The protocol requires `cancelled`.
    pub(crate) cancelled: StopReason,
    /// The stop reason after a cancel, if the turn was asking for permission. The protocol requires `cancelled`.
    pub(crate) cancelled_asking: StopReason,
    /// Whether the agent offers `session/close`.
    pub(crate) closes: bool,
    /// What becomes of a session that nobody opened, when it is loaded.
    pub(crate) strangers: Strangers,
    /// The version that the agent answers to a client that asks for the highest.
    pub(crate) version: u16,
}

/// What becomes of a session that nobody opened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Strangers {
    /// It is refused, as the protocol requires.
    Refused,
    /// It is a session as any other.
    Welcome,
    /// The load is answered, and further messages of the session are refused by the server of HTTP.
    Mute,
}

/// Drives an agent through everything that the script has.
pub(crate) async fn drive(start: impl Fn() -> Command, manners: &Manners) {
    let folder = tempfile::tempdir().unwrap();
    let cwd = folder.path().canonicalize().unwrap();
    let (mut command, person) = (start(), Person::new());
    let mark = Mark::put_on(&mut command);
    let connection = Endpoint::command(command).connect_as(person.clone()).await.unwrap();
    if cfg!(target_os = "linux") {
        assert!(!mark.alive().is_empty(), "the search for processes finds the agent");
    }
    converse(&connection, &person, &cwd, manners).await;

    let exit = connection.close().await.unwrap().unwrap();
    assert!(exit.status.success() && !exit.forced && !exit.orphans, "{exit:?}");
    mark.is_gone(Duration::ZERO).await;
    leaves_nothing_when_dropped(start(), &cwd).await;
}

/// Everything that the script has, over a connection of any kind.
pub(crate) async fn converse(connection: &Connection, person: &Person, cwd: &Path, manners: &Manners) {
    assert_eq!(connection.agent().agent_info.as_ref().unwrap().name, "example-agent");
    assert_eq!(connection.version(), manners.version);
    let session = connection.new_session(cwd).await.unwrap();
    echoes(&session).await;
    asks_for_permission(&session, person, manners).await;
    is_cancelled(&session, manners).await;
    has_settings(&session).await;
    if manners.version == 1 {
        has_modes(&session).await;
    }
    has_sessions(connection, &session, cwd, manners).await;
}

/// Reads a turn to its end. Returns its text and its stop reason.
pub(crate) async fn told(mut turn: Turn) -> (String, StopReason) {
    let mut all = String::new();
    while let Some(text) = turn.text().await.unwrap() {
        all.push_str(&text);
    }
    (all, turn.end().unwrap().stop_reason.expect("a reason of the protocol"))
}

/// What an agent of version 2 tells beside: its states, and the prompt as it has inserted it.
fn is_beside(update: &Update) -> bool {
    !matches!(update, Update::Known(known) if !matches!(known, SessionUpdate::UserMessageChunk(_)))
}

/// The next update of a turn, but for those.
async fn next(turn: &mut Turn) -> Option<Update> {
    loop {
        let update = turn.next().await.unwrap();
        if !update.as_ref().is_some_and(is_beside) {
            return update;
        }
    }
}

async fn say(session: &Session, text: &str) {
    assert_eq!(told(session.prompt(text).await.unwrap()).await, (text.to_owned(), StopReason::EndTurn));
}

async fn echoes(session: &Session) {
    let link = ContentBlock::ResourceLink(ResourceLink::new("notes", "file:///notes.md"));
    let prompt = vec!["Grüße, 🦀\u{2028}!".into(), link];
    let mut turn = session.prompt(prompt.clone()).await.unwrap();
    for expected in prompt {
        let update = next(&mut turn).await;
        let Some(Update::Known(SessionUpdate::AgentMessageChunk(chunk))) = update else { panic!("{update:?}") };
        assert_eq!(chunk.content, expected);
    }
    assert!(next(&mut turn).await.is_none());
    assert_eq!(turn.end().unwrap().stop_reason, Some(StopReason::EndTurn));
}

async fn asks_for_permission(session: &Session, person: &Person, manners: &Manners) {
    // The agents use the same ids of tool calls in each turn.
    for (decision, end, words) in [
        (Decision::Allow, ToolCallStatus::Completed, "I will look first. Changed."),
        (Decision::Reject, ToolCallStatus::Failed, "I will look first. Left alone."),
    ] {
        let before = person.asked().len();
        person.decides(decision);
        let mut turn = session.prompt("work").await.unwrap();
        let (mut calls, mut text) = (Vec::new(), String::new());
        while let Some(update) = next(&mut turn).await {
            text.push_str(update.text().unwrap_or_default());
            match update {
                Update::Known(SessionUpdate::ToolCall(call)) => {
                    calls.push((call.tool_call_id.to_string(), call.status))
                }
                Update::Known(SessionUpdate::ToolCallUpdate(call)) => {
                    calls.push((call.tool_call_id.to_string(), call.status.expect("only that is changed")));
                }
                Update::Known(SessionUpdate::AgentMessageChunk(_)) => {}
                other => panic!("{other:?}"),
            }
        }
        let (first, second) = ("call_1".to_owned(), "call_2".to_owned());
        let begun = ToolCallStatus::Pending;
        let expected =
            [(first.clone(), begun), (first, ToolCallStatus::Completed), (second.clone(), begun), (second, end)];
        assert_eq!(calls, expected);
        assert_eq!(text, words);
        assert_eq!(turn.end().unwrap().stop_reason, Some(StopReason::EndTurn));
        let asked = person.asked().split_off(before);
        assert_eq!(asked.len(), 1, "{asked:?}");
        assert_eq!((&asked[0].session_id, &*asked[0].tool_call.tool_call_id.to_string()), (session.id(), "call_2"));
    }

    // The cancellation of a turn ends the turn's question to the person, and the agent gets an answer from the client.
    let before = person.asked().len();
    person.decides(Decision::Ponder);
    let mut turn = session.prompt("work").await.unwrap();
    person.was_asked(before + 1).await;
    turn.cancel();
    let (text, reason) = told(turn).await;
    assert_eq!((&*text, reason), ("I will look first. ", manners.cancelled_asking));
    assert_eq!(person.spared(), 1);
    say(session, "after that").await;
}

async fn is_cancelled(session: &Session, manners: &Manners) {
    let mut turn = session.prompt("wait").await.unwrap();
    for _ in 0..3 {
        assert_eq!(turn.text().await.unwrap().as_deref(), Some("tick "));
    }
    turn.cancel();
    let (rest, reason) = told(turn).await;
    assert!(rest.split_terminator(' ').all(|word| word == "tick"), "{rest}");
    assert_eq!(reason, manners.cancelled);

    // The drop of a turn cancels it. The next turn waits for its end, and gets none of its updates.
    let mut turn = session.prompt("wait").await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("tick "));
    drop(turn);
    say(session, "next").await;

    // The client cancels before the agent has sent any text.
    let mut turn = session.prompt("wait").await.unwrap();
    turn.cancel();
    assert_eq!(told(turn).await.1, manners.cancelled);
    say(session, "last").await;
}

async fn has_settings(session: &Session) {
    let options = session.options();
    assert_eq!(options.iter().map(|option| option.id()).collect::<Vec<_>>(), ["model", "brave"]);
    assert_eq!(options.get("model").unwrap().values(), ["small", "large"]);
    assert_eq!(options.get("model").unwrap().current(), Some(CurrentValue::Id("small")));
    assert_eq!(options.get("brave").unwrap().current(), Some(CurrentValue::Boolean(false)));
    session.set_option("model", "large").await.unwrap();
    let options = session.set_option("brave", true).await.unwrap();
    assert_eq!(options.get("model").unwrap().current(), Some(CurrentValue::Id("large")));
    assert_eq!(options.get("brave").unwrap().current(), Some(CurrentValue::Boolean(true)));
    // The client refuses this value itself, because the agents would accept it.
    let error = session.set_option("model", "gigantic").await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid(_)), "{error}");
}

/// Version 2 has no modes.
async fn has_modes(session: &Session) {
    let mode = |session: &Session| session.modes().unwrap().current_mode_id.to_string();
    assert_eq!(mode(session), "ask");
    session.set_mode("code").await.unwrap();
    assert_eq!(mode(session), "code");
    let update = session.next_update().await;
    let Some(Update::Known(SessionUpdate::CurrentModeUpdate(update))) = update else { panic!("{update:?}") };
    assert_eq!(update.current_mode_id.to_string(), "code");
    let error = session.set_mode("sleep").await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid(_)), "{error}");
}

async fn has_sessions(connection: &Connection, first: &Session, cwd: &Path, manners: &Manners) {
    let second = connection.new_session(cwd).await.unwrap();
    let third = connection.new_session(cwd).await.unwrap();

    // The updates of two simultaneous turns go to the right session each.
    let mut waiting = second.prompt("wait").await.unwrap();
    assert_eq!(waiting.text().await.unwrap().as_deref(), Some("tick "));
    say(&third, "meanwhile").await;
    waiting.cancel();
    assert_eq!(told(waiting).await.1, manners.cancelled);

    let (mut sessions, mut listed) = (connection.list_sessions(ListSessionsRequest::new()).unwrap(), Vec::new());
    while let Some(info) = sessions.next().await.unwrap() {
        assert_eq!(info.cwd, cwd);
        listed.push(info.session_id);
    }
    assert_eq!(listed, [first, &second, &third].map(|session| session.id().clone()), "two pages, each session once");

    let mut loading = connection.load_session(third.id().clone(), cwd).await.unwrap();
    let update = loading.next().await.unwrap();
    let Some(Update::Known(SessionUpdate::UserMessageChunk(chunk))) = update else { panic!("{update:?}") };
    assert_eq!(chunk.content, "meanwhile".into());
    assert_eq!(loading.next().await.unwrap().unwrap().text(), Some("meanwhile"));
    // An agent of version 2 ends with the state of the session.
    while let Some(update) = loading.next().await.unwrap() {
        assert!(is_beside(&update) && update.known().is_none(), "{update:?}");
    }
    let loaded = loading.finish().await.unwrap();
    assert_eq!(loaded.id(), third.id());
    assert_eq!(loaded.options().get("model").unwrap().current(), Some(CurrentValue::Id("small")));
    say(&loaded, "goes on").await;

    let stranger = connection.load_session("nobody", cwd).await.unwrap().await;
    match (manners.strangers, stranger) {
        (Strangers::Refused, Err(error)) => assert!(matches!(error.kind(), ErrorKind::Refused { .. }), "{error}"),
        (Strangers::Welcome, Ok(session)) => say(&session, "as good as any").await,
        (Strangers::Mute, Ok(_)) => {}
        (_, other) => panic!("{other:?}"),
    }

    match (manners.closes, second.close().await) {
        (true, closed) => closed.unwrap(),
        (false, Err(error)) => assert!(matches!(error.kind(), ErrorKind::NotOffered { .. }), "{error}"),
        (false, Ok(())) => panic!("it was asked for what it does not offer"),
    }
}

async fn leaves_nothing_when_dropped(mut command: Command, cwd: &Path) {
    let mark = Mark::put_on(&mut command);
    let connection = Endpoint::command(command).connect().await.unwrap();
    let session = connection.new_session(cwd).await.unwrap();
    let mut turn = session.prompt("wait").await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("tick "));
    drop(connection);
    // The limit covers the grace period twice, on a slow machine.
    mark.is_gone(Duration::from_secs(10)).await;
    assert!(turn.finish().await.is_err(), "there is nobody to end it");
}
