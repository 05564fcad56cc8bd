//! Runs one turn. The agent's updates are printed when they arrive.

use acp_client::{
    Session, Update,
    values::{ContentBlock, ContentChunk, Plan, PlanEntryStatus, SessionUpdate, StopReason, ToolCallStatus},
};
use tokio::sync::mpsc;

use crate::{
    Result,
    editor::Question,
    screen::{Screen, Tone},
};

/// The questions that arrive during a turn.
pub(crate) type Questions = mpsc::UnboundedReceiver<Question>;

/// The result of a turn.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) answer: String,
    pub(crate) chunks: usize,
    pub(crate) permissions: usize,
    pub(crate) tool: Option<ToolCallStatus>,
    pub(crate) stop_reason: Option<StopReason>,
}

/// Runs a turn to its end. If a number is given, cancels the turn after this number of chunks.
pub(crate) async fn turn(
    session: &Session,
    prompt: &str,
    cancel_after: Option<usize>,
    questions: &mut Questions,
    screen: &Screen,
) -> Result<Told> {
    screen.step(&format!("session/prompt: {prompt}"));
    let mut turn = session.prompt(prompt).await?;
    let mut told = Told::default();
    loop {
        let update = tokio::select! {
            // The updates come first, so that they stand before a question that follows them.
            biased;
            update = turn.next() => update?,
            Some(question) = questions.recv() => {
                told.permissions += 1;
                question.allow(screen);
                continue;
            }
        };
        let Some(update) = update else { break };
        match &update {
            Update::Known(update) => show(update, &mut told, screen),
            Update::Unknown(update) => screen.line(&format!("(an update of the kind {})", update.kind)),
            _ => {}
        }
        if told.chunks > 0 && Some(told.chunks) == cancel_after {
            screen.step("session/cancel");
            turn.cancel();
        }
    }
    told.stop_reason = turn.end().and_then(|end| end.stop_reason);
    let reason = told.stop_reason.as_ref().map(name).transpose()?;
    screen.line(&format!("the turn ended: {}", reason.as_deref().unwrap_or("for a reason of the agent's own")));
    Ok(told)
}

/// The name on the wire of a value of the protocol.
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
    match update {
        SessionUpdate::AgentMessageChunk(chunk) => {
            screen.piece(text(chunk));
            told.answer.push_str(text(chunk));
            told.chunks += 1;
        }
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
}

/// Prints the plan's entries: `[x] done  [>] at it  [ ] to do`.
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
