//! The client's steps, and the results that it expects from the agent.

use std::{path::Path, sync::Arc};

use acp_client::{
    Connection, CurrentValue, Endpoint, Session,
    values::{SetSessionConfigOptionRequest, StopReason, ToolCallStatus, methods},
};
use acp_runtime::Error;

use crate::{
    Result,
    editor::Editor,
    screen::{Screen, Tone},
    turn::{Questions, turn},
};

/// Returns an error if the agent's result is not as expected.
fn expect(holds: bool, what: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(format!("it did not happen that {what}").into()) }
}

/// Plays the whole script with an agent whose session works in `project`.
pub(crate) async fn play(agent: Endpoint, project: &Path, screen: &Arc<Screen>) -> Result<()> {
    let (editor, mut questions) = Editor::new(screen);
    screen.step("initialize, as a client that writes files and knows boolean options");
    let connection = agent.connect_as(editor).await?;
    let session = open(&connection, project, screen).await?;
    set_option(&connection, &session, screen).await?;
    stream(&session, &mut questions, screen).await?;
    edit(&session, &mut questions, project, screen).await?;
    cancel(&session, &mut questions, screen).await?;

    screen.step("close the agent's input");
    let exit = connection.close().await?.ok_or("the agent has no process")?;
    expect(exit.status.success() && !exit.forced, "the agent ends with code 0")?;
    screen.line("the agent ended with code 0");
    Ok(())
}

async fn open(connection: &Connection, project: &Path, screen: &Screen) -> Result<Session> {
    let agent = connection.agent();
    let info = agent.agent_info.as_ref().ok_or("the agent has no name")?;
    screen.line(&format!("{} {} speaks version {} of the protocol", info.name, info.version, agent.protocol_version));

    screen.step(&format!("session/new in {}", project.display()));
    let session = connection.new_session(project).await?;
    screen.line(&format!("session {}", session.id()));
    screen.options(&session.options(), None);
    Ok(session)
}

async fn set_option(connection: &Connection, session: &Session, screen: &Screen) -> Result<()> {
    screen.step("session/set_config_option: model = smart");
    let before = session.options();
    let after = session.set_option("model", "smart").await?;
    screen.options(&after, Some(&before));
    expect(after.iter().count() == before.iter().count(), "the full state comes back")?;
    let pairs = after.iter().zip(&before);
    let changed: Vec<_> = pairs.filter(|(new, old)| new.current() != old.current()).map(|(new, _)| new).collect();
    expect(
        matches!(&changed[..], [model] if model.id() == "model" && model.current() == Some(CurrentValue::Id("smart"))),
        "the model, and only that, is another one now",
    )?;

    // `set_option` would refuse this value itself, and not send it to the agent.
    screen.step("session/set_config_option: model = genius");
    let request = SetSessionConfigOptionRequest::new(session.id().clone(), "model", "genius");
    match connection.call::<methods::SetSessionConfigOption>(&request).await {
        Ok(_) => expect(false, "a value that nobody offered is refused"),
        Err(error) => {
            let refusal = error.refusal().ok_or("it is refused by the agent")?;
            screen.line(&screen.paint(Tone::Bad, &format!("refused: {refusal}")));
            expect(refusal.code() == Error::INVALID_PARAMS, "it is refused with code -32602")
        }
    }
}

async fn stream(session: &Session, questions: &mut Questions, screen: &Screen) -> Result<()> {
    let told = turn(session, "Tell me that the whole path works.", None, questions, screen).await?;
    expect(told.stop_reason == Some(StopReason::EndTurn), "the turn ends by itself")?;
    expect(told.answer.contains("the whole path works"), "the agent answers")?;
    expect(told.chunks > 2, "the answer comes in pieces")
}

async fn edit(session: &Session, questions: &mut Questions, project: &Path, screen: &Screen) -> Result<()> {
    let told = turn(session, "Please edit the notes.", None, questions, screen).await?;
    expect(told.permissions == 1, "the agent asks for permission, once")?;
    expect(told.tool == Some(ToolCallStatus::Completed), "the tool call completes")?;
    expect(project.join("NOTES.md").is_file(), "the file is there")
}

async fn cancel(session: &Session, questions: &mut Questions, screen: &Screen) -> Result<()> {
    let told = turn(session, "Be slow.", Some(3), questions, screen).await?;
    expect(told.stop_reason == Some(StopReason::Cancelled), "the turn ends as cancelled")
}
