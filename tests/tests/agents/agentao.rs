//! The client drives `agentao`, an agent that people use. The test scripts its model.
//!
//! `agentao` deviates from the protocol: its updates and answers have further fields, it takes modes that it does not
//! list, and it uses other error codes. The client must accept all of these.

use std::{path::Path, time::Duration};

use acp_client::{
    Connection, CurrentValue, Endpoint, ErrorKind, Session, Update,
    values::{ListSessionsRequest, SessionUpdate, SetSessionModeRequest, StopReason, ToolCallStatus, methods},
};
use acp_tests::chat;
use tokio::process::Command;

use crate::agents::{
    model::{self, DONE, SLOW, WORDS},
    person::{Decision, Person},
    python,
    sdk::told,
    traces::Mark,
};

pub(crate) async fn drive(installed: &Path) {
    let model = chat::Server::start(model::answer).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let (home, cwd) = (folder.join("home"), folder.join("project"));
    for folder in [&home, &cwd] {
        std::fs::create_dir(folder).unwrap();
    }
    let start = || {
        let mut command = Command::new(python(installed));
        command.args(["-m", "agentao", "--acp"]).current_dir(&cwd).env("HOME", &home);
        command.env("LLM_PROVIDER", "OPENAI").env("OPENAI_API_KEY", "none").env("OPENAI_MODEL", "scripted");
        command.env("OPENAI_BASE_URL", model.url()).env("NO_PROXY", "127.0.0.1");
        command
    };

    let (mut command, person) = (start(), Person::new());
    let mark = Mark::put_on(&mut command);
    let connection = Endpoint::command(command).connect_as(person.clone()).await.unwrap();
    assert_eq!(connection.agent().agent_info.as_ref().unwrap().name, "agentao");
    let session = connection.new_session(&*cwd).await.unwrap();
    answers(&session).await;
    has_settings(&connection, &session).await;
    asks_for_permission(&session, &person, &cwd).await;
    is_cancelled(&session, &person).await;
    refuses(&connection, &session, &cwd).await;
    let id = session.id().clone();
    end(connection, &mark).await;

    // The agent has stored the session, so a second process can continue it.
    let mut command = start();
    let mark = Mark::put_on(&mut command);
    let connection = Endpoint::command(command).connect().await.unwrap();
    let mut loading = connection.load_session(id.clone(), &*cwd).await.unwrap();
    let (mut user, mut agent) = (String::new(), String::new());
    while let Some(update) = loading.next().await.unwrap() {
        agent.push_str(update.text().unwrap_or_default());
        if let Update::Known(SessionUpdate::UserMessageChunk(chunk)) = &update {
            user.push_str(&serde_json::to_string(&chunk.content).unwrap());
        }
    }
    assert!(user.contains("Hello!") && agent.starts_with(&WORDS.concat()), "{user}\n{agent}");
    let session = loading.finish().await.unwrap();
    assert_eq!(session.id(), &id);
    answers(&session).await;
    end(connection, &mark).await;
}

async fn end(connection: Connection, mark: &Mark) {
    assert!(!mark.alive().is_empty() || !cfg!(target_os = "linux"));
    let exit = connection.close().await.unwrap().unwrap();
    assert!(exit.status.success() && !exit.forced && !exit.orphans, "{exit:?}");
    mark.is_gone(Duration::ZERO).await;
}

/// The updates of `agentao` have a further field `schema_version`. The client must still recognise them.
async fn answers(session: &Session) {
    let mut turn = session.prompt("Hello!").await.unwrap();
    for word in WORDS {
        let update = turn.next().await.unwrap().unwrap();
        assert_eq!(update.text(), Some(word), "{update:?}");
    }
    assert!(turn.next().await.unwrap().is_none());
    assert_eq!(turn.end().unwrap().stop_reason, Some(StopReason::EndTurn));
}

async fn has_settings(connection: &Connection, session: &Session) {
    let options = session.options();
    let model = options.get("model").unwrap();
    assert_eq!((model.current(), model.category()), (Some(CurrentValue::Id("openai/scripted")), Some("model")));
    // The agent would accept this model, although it does not have it. So the client must refuse the value.
    let error = session.set_option("model", "openai/no-such").await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid(_)), "{error}");
    session.set_option("model", "openai/scripted").await.unwrap();

    let mode = || session.modes().unwrap().current_mode_id.to_string();
    assert_eq!(mode(), "workspace-write");
    // The agent answers `{"modeId": ..}`, where the protocol has an empty object.
    session.set_mode("read-only").await.unwrap();
    assert_eq!(mode(), "read-only");
    // The client also refuses a mode that the agent does not list. A raw request reaches the agent: it takes the mode
    // and announces it. The client then reports the announced mode.
    session.set_mode("no-such").await.unwrap_err();
    let request = SetSessionModeRequest::new(session.id().clone(), "no-such");
    connection.call::<methods::SetSessionMode>(&request).await.unwrap();
    assert_eq!(mode(), "no-such");
    session.set_mode("workspace-write").await.unwrap();
    let mut announced = Vec::new();
    while announced.len() < 3 {
        match session.next_update().await.unwrap() {
            Update::Known(SessionUpdate::CurrentModeUpdate(update)) => {
                announced.push(update.current_mode_id.to_string())
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(announced, ["read-only", "no-such", "workspace-write"]);
    assert_eq!(mode(), "workspace-write");
}

async fn asks_for_permission(session: &Session, person: &Person, cwd: &Path) {
    for (decision, file, end) in [
        (Decision::Reject, "refused.txt", ToolCallStatus::Failed),
        (Decision::Allow, "allowed.txt", ToolCallStatus::Completed),
    ] {
        let before = person.asked().len();
        person.decides(decision);
        let mut turn = session.prompt(format!("run! touch {file}!")).await.unwrap();
        let (mut begun, mut status, mut text) = (0, None, String::new());
        while let Some(update) = turn.next().await.unwrap() {
            text.push_str(update.text().unwrap_or_default());
            match update {
                Update::Known(SessionUpdate::ToolCall(_)) => begun += 1,
                Update::Known(SessionUpdate::ToolCallUpdate(update)) => status = update.status.or(status),
                _ => {}
            }
        }
        assert_eq!((begun, status, &*text), (1, Some(end), DONE));
        assert_eq!(turn.end().unwrap().stop_reason, Some(StopReason::EndTurn));
        assert_eq!(person.asked().len(), before + 1);
        assert_eq!(cwd.join(file).exists(), decision == Decision::Allow);
    }
}

async fn is_cancelled(session: &Session, person: &Person) {
    let mut turn = session.prompt(SLOW).await.unwrap();
    for _ in 0..2 {
        assert_eq!(turn.text().await.unwrap().as_deref(), Some("on and "));
    }
    turn.cancel();
    assert_eq!(told(turn).await.1, StopReason::Cancelled);

    let mut turn = session.prompt(SLOW).await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("on and "));
    drop(turn);
    answers(session).await;

    // The cancellation of a turn ends the turn's question to the person, who no longer answers it.
    let before = person.asked().len();
    person.decides(Decision::Ponder);
    let mut turn = session.prompt("run! touch pondered.txt!").await.unwrap();
    person.was_asked(before + 1).await;
    turn.cancel();
    assert_eq!((told(turn).await.1, person.spared()), (StopReason::Cancelled, 1));
    answers(session).await;
}

/// `agentao` refuses with its own error code. It does not offer `session/list` or `session/close`.
async fn refuses(connection: &Connection, session: &Session, cwd: &Path) {
    for id in [session.id().clone(), "no-such".into()] {
        let error = connection.load_session(id, cwd).await.unwrap().await.unwrap_err();
        assert_eq!(error.refusal().map(|error| error.code()), Some(-32600), "{error}");
    }
    let error = connection.list_sessions(ListSessionsRequest::new()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotOffered { .. }), "{error}");
    let error = session.close().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotOffered { .. }), "{error}");
    // A failed load does not change the active session.
    answers(session).await;
}
