//! What the client does, step by step, and what it expects of the agent.

use std::path::Path;

use acp_examples::client::Client;
use acp_runtime::{
    Error, Result,
    schema::v1::{methods, *},
};

use crate::{
    screen::{Screen, Tone},
    turn::{expect, turn},
};

/// Plays the whole script with an agent whose session works in `project`.
pub(crate) async fn play(mut client: Client, project: &Path, screen: &Screen) -> Result<()> {
    let session = open(&mut client, project, screen).await?;
    set_option(&mut client, &session, screen).await?;
    stream(&mut client, &session.session_id, screen).await?;
    edit(&mut client, &session.session_id, project, screen).await?;
    cancel(&mut client, &session.session_id, screen).await?;

    screen.step("close the agent's input");
    let status = client.hang_up().await?;
    expect(status.success(), "the agent ends with code 0")?;
    screen.line("the agent ended with code 0");
    Ok(())
}

async fn open(client: &mut Client, project: &Path, screen: &Screen) -> Result<NewSessionResponse> {
    screen.step("initialize, as a client that writes files and knows boolean options");
    let booleans = SessionConfigOptionsCapabilities::new().boolean(BooleanConfigOptionCapabilities::new());
    let capabilities = ClientCapabilities::new()
        .fs(FileSystemCapabilities::new().write_text_file(true))
        .session(ClientSessionCapabilities::new().config_options(booleans));
    let request = InitializeRequest::new(1).client_capabilities(capabilities);
    let agent = client.call::<methods::Initialize>(&request).await?;
    let info = agent.agent_info.ok_or_else(|| Error::internal_error("the agent has no name"))?;
    screen.line(&format!("{} {} speaks version {} of the protocol", info.name, info.version, agent.protocol_version));

    screen.step(&format!("session/new in {}", project.display()));
    let session = client.call::<methods::NewSession>(&NewSessionRequest::new(project, Vec::new())).await?;
    screen.line(&format!("session {}", session.session_id));
    screen.options(session.config_options.as_deref().unwrap_or_default(), None);
    Ok(session)
}

async fn set_option(client: &mut Client, session: &NewSessionResponse, screen: &Screen) -> Result<()> {
    screen.step("session/set_config_option: model = smart");
    let before = session.config_options.as_deref().unwrap_or_default();
    let request = SetSessionConfigOptionRequest::new(session.session_id.clone(), "model", "smart");
    let after = client.call::<methods::SetSessionConfigOption>(&request).await?.config_options;
    screen.options(&after, Some(before));
    expect(after.len() == before.len(), "the full state comes back")?;
    let changed: Vec<_> = after.iter().zip(before).filter(|(new, old)| new != old).map(|(new, _)| new).collect();
    let smart = |option: &SessionConfigOption| matches!(&option.kind, SessionConfigKind::Select(select) if select.current_value == "smart");
    expect(
        matches!(&changed[..], [model] if model.id == "model" && smart(model)),
        "the model, and only that, is another one now",
    )?;

    screen.step("session/set_config_option: model = genius");
    let request = SetSessionConfigOptionRequest::new(session.session_id.clone(), "model", "genius");
    match client.call::<methods::SetSessionConfigOption>(&request).await {
        Ok(_) => expect(false, "a value that nobody offered is refused"),
        Err(error) => {
            screen.line(&screen.paint(Tone::Bad, &format!("refused: {error}")));
            expect(error.code() == Error::INVALID_PARAMS, "it is refused with code -32602")
        }
    }
}

async fn stream(client: &mut Client, session: &SessionId, screen: &Screen) -> Result<()> {
    let told = turn(client, session, "Tell me that the whole path works.", None, screen).await?;
    expect(told.stop_reason == Some(StopReason::EndTurn), "the turn ends by itself")?;
    expect(told.answer.contains("the whole path works"), "the agent answers")?;
    expect(told.chunks > 2, "the answer comes in pieces")
}

async fn edit(client: &mut Client, session: &SessionId, project: &Path, screen: &Screen) -> Result<()> {
    let told = turn(client, session, "Please edit the notes.", None, screen).await?;
    expect(told.permissions == 1, "the agent asks for permission, once")?;
    expect(told.tool == Some(ToolCallStatus::Completed), "the tool call completes")?;
    expect(project.join("NOTES.md").is_file(), "the file is there")
}

async fn cancel(client: &mut Client, session: &SessionId, screen: &Screen) -> Result<()> {
    let told = turn(client, session, "Be slow.", Some(3), screen).await?;
    expect(told.stop_reason == Some(StopReason::Cancelled), "the turn ends as cancelled")
}
