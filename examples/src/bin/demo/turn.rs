//! One turn: the agent's updates are shown as they come, its requests are answered.

use std::fs;

use acp_examples::client::{Client, Event};
use acp_runtime::{
    Error, Result,
    schema::{
        Method,
        v1::{methods, *},
    },
};
use serde_json::Value;

use crate::screen::{Screen, Tone};

/// The error of an agent that does not do what the script says.
pub(crate) fn expect(holds: bool, what: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::internal_error(format!("it did not happen that {what}"))) }
}

/// What became of a turn.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) answer: String,
    pub(crate) chunks: usize,
    pub(crate) permissions: usize,
    pub(crate) tool: Option<ToolCallStatus>,
    pub(crate) stop_reason: Option<StopReason>,
}

/// Runs a turn to its end; cancels it after so many chunks, if a number is given.
pub(crate) async fn turn(
    client: &mut Client,
    session: &SessionId,
    prompt: &str,
    cancel_after: Option<usize>,
    screen: &Screen,
) -> Result<Told> {
    screen.step(&format!("session/prompt: {prompt}"));
    let blocks = vec![ContentBlock::from(prompt)];
    let request = client.request::<methods::Prompt>(&PromptRequest::new(session.clone(), blocks)).await?;
    let mut told = Told::default();
    loop {
        match client.next().await? {
            Event::Update(update) => {
                show(&update.update, &mut told, screen);
                if told.chunks > 0 && Some(told.chunks) == cancel_after {
                    end_line(&told, screen);
                    screen.step("session/cancel");
                    client.notify::<methods::Cancel>(&CancelNotification::new(session.clone())).await?;
                }
            }
            Event::Asked { id, method, params } => {
                end_line(&told, screen);
                respond(client, id, &method, params, &mut told, screen).await?;
            }
            Event::Answered { id, outcome } if id == request => {
                let response: PromptResponse = serde_json::from_value(outcome?)?;
                end_line(&told, screen);
                screen.line(&format!("the turn ended: {}", name(&response.stop_reason)?));
                told.stop_reason = Some(response.stop_reason);
                return Ok(told);
            }
            Event::Answered { .. } => expect(false, "only the prompt is answered")?,
        }
    }
}

/// Ends a streamed line that is still open.
fn end_line(told: &Told, screen: &Screen) {
    if !told.answer.is_empty() && !told.answer.ends_with('\n') {
        screen.piece("\n");
    }
}

/// A value of the protocol as it is called on the wire.
fn name(value: &impl serde::Serialize) -> Result<String> {
    Ok(serde_json::to_value(value)?.as_str().unwrap_or_default().to_owned())
}

fn text(chunk: &ContentChunk) -> &str {
    match &chunk.content {
        ContentBlock::Text(text) => &text.text,
        _ => "",
    }
}

fn show(update: &SessionUpdate, told: &mut Told, screen: &Screen) {
    if let SessionUpdate::AgentMessageChunk(chunk) = update {
        for line in text(chunk).split_inclusive('\n') {
            if told.answer.is_empty() || told.answer.ends_with('\n') {
                screen.piece("  ");
            }
            screen.piece(line);
            told.answer.push_str(line);
        }
        told.chunks += 1;
        return;
    }
    end_line(told, screen);
    match update {
        SessionUpdate::AgentThoughtChunk(chunk) => {
            screen.line(&screen.paint(Tone::Faint, &format!("(thinks) {}", text(chunk))));
        }
        SessionUpdate::Plan(plan) => screen.line(&screen.paint(Tone::Faint, &format!("(plans)  {}", entries(plan)))),
        SessionUpdate::ToolCall(call) => {
            screen.line(&screen.paint(Tone::Strong, &format!("tool call: {}", call.title)));
            screen.content(&call.content);
            told.tool = Some(call.status);
        }
        SessionUpdate::ToolCallUpdate(update) => {
            if let Some(status) = update.status {
                screen.line(&format!("tool call: {}", name(&status).unwrap_or_default()));
                told.tool = Some(status);
            }
        }
        _ => screen.line("(another update)"),
    }
    // The next piece of the answer starts a line of its own.
    if !told.answer.is_empty() && !told.answer.ends_with('\n') {
        told.answer.push('\n');
    }
}

/// `[x] done  [>] at it  [ ] to do`
fn entries(plan: &Plan) -> String {
    let entries = plan.entries.iter().map(|entry| {
        let mark = match entry.status {
            PlanEntryStatus::Completed => 'x',
            PlanEntryStatus::InProgress => '>',
            _ => ' ',
        };
        format!("[{mark}] {}", entry.content)
    });
    entries.collect::<Vec<_>>().join("  ")
}

/// Answers what the agent asks: permission is granted, files are written.
async fn respond(
    client: &mut Client,
    id: Value,
    method: &str,
    params: Value,
    told: &mut Told,
    screen: &Screen,
) -> Result<()> {
    match method {
        methods::RequestPermission::NAME => {
            let request: RequestPermissionRequest = serde_json::from_value(params)?;
            let offered: Vec<_> = request.options.iter().map(|option| option.name.as_str()).collect();
            screen.line(&format!("the agent asks for permission: {}?", offered.join(" or ")));
            let allow = request.options.iter().find(|option| option.kind == PermissionOptionKind::AllowOnce);
            let allow = allow.ok_or_else(|| Error::internal_error("the agent does not let the user allow it once"))?;
            screen.line(&screen.paint(Tone::Good, &format!("granted: {}", allow.name)));
            told.permissions += 1;
            let selected = SelectedPermissionOutcome::new(allow.option_id.clone());
            let response = RequestPermissionResponse::new(RequestPermissionOutcome::Selected(selected));
            client.answer::<methods::RequestPermission>(id, &response).await
        }
        methods::WriteTextFile::NAME => {
            let request: WriteTextFileRequest = serde_json::from_value(params)?;
            fs::write(&request.path, &request.content)?;
            screen.line(&format!("the client writes {} for the agent", request.path.display()));
            client.answer::<methods::WriteTextFile>(id, &WriteTextFileResponse::new()).await
        }
        _ => expect(false, "the agent asks only for what the client offers"),
    }
}
