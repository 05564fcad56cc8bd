//! What is shown of a turn: for people, for programs, or only the answer.

use std::{
    collections::HashMap,
    io::{self, Write as _},
    sync::{Arc, Mutex, PoisonError},
};

use acp_client::{
    Connection, Turn, TurnEnd, Update,
    values::{
        Plan, PlanEntryStatus, RequestPermissionOutcome, RequestPermissionRequest, RequestPermissionResponse,
        SessionUpdate, ToolCallId, ToolCallStatus,
    },
    versions::permission_title,
};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json, value::RawValue};

use crate::{
    exit::{Exit, Failure},
    screen,
};

/// The form of the output. Programs compare it with [`SCHEMA`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The answer on stdout as it comes; tool calls and plans on stderr.
    Text,
    /// One JSON object a line on stdout, each with a `type`: `session`, `update`, `permission`, `end` or `error`.
    Json,
    /// Only the answer, once it is whole.
    Quiet,
}

/// The version of the JSON, in its first line.
const SCHEMA: u32 = 1;

/// The output of one turn. Clones write to the same output.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<State>>);

struct State {
    format: Format,
    /// The answer so far, for `quiet`.
    answer: String,
    /// Whether the output stands at the beginning of a line.
    is_at_start: bool,
    /// The titles of tool calls, which most updates of them leave out.
    titles: HashMap<ToolCallId, String>,
    /// A failure of the output outside of the loop over the turn.
    failed: Option<io::Error>,
}

impl Output {
    pub(super) fn new(format: Format) -> Self {
        Self(Arc::new(Mutex::new(State {
            format,
            answer: String::new(),
            is_at_start: true,
            titles: HashMap::new(),
            failed: None,
        })))
    }

    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn format(&self) -> Format {
        self.with(|state| state.format)
    }

    /// Tells that the session is open.
    pub(super) fn opened(&self, connection: &Connection, session: &str) -> Result<(), Failure> {
        self.frame(|| {
            json!({
                "type": "session", "schema": SCHEMA, "protocol": connection.version(),
                "agent": connection.agent().agent_info, "sessionId": session,
            })
        })
    }

    /// Takes and shows the next update. Returns false at the end of the turn. If the future is dropped, no update is lost.
    pub(super) async fn step(&self, turn: &mut Turn) -> Result<bool, Failure> {
        if let Some(error) = self.with(|state| state.failed.take()) {
            return Err(Failure::output(&error));
        }
        if self.format() == Format::Json {
            let Some(params) = turn.next_raw().await? else { return Ok(false) };
            self.frame(|| json!({"type": "update", "update": update(&params)}))?;
        } else {
            let Some(update) = turn.next().await? else { return Ok(false) };
            self.with(|state| state.show(&update)).map_err(|error| Failure::output(&error))?;
        }
        Ok(true)
    }

    /// Shows how a request for permission was answered.
    pub(super) fn permission(&self, request: &RequestPermissionRequest, answer: &RequestPermissionResponse) {
        let shown = match self.format() {
            Format::Text => {
                let RequestPermissionResponse { outcome, .. } = answer;
                let how = match outcome {
                    RequestPermissionOutcome::Selected(selected) => {
                        let option = request.options.iter().find(|option| option.option_id == selected.option_id);
                        option.map_or_else(|| selected.option_id.to_string(), |option| option.name.clone())
                    }
                    _ => "not answered".to_owned(),
                };
                self.with(|state| state.aside(&format!("[permission] {}: {how}", permission_title(request))))
            }
            Format::Json => {
                let frame = json!({"type": "permission", "request": request, "outcome": answer.outcome});
                line(&frame)
            }
            Format::Quiet => Ok(()),
        };
        if let Err(error) = shown {
            self.with(|state| state.failed = Some(error));
        }
    }

    /// Shows the end of the turn.
    pub(super) fn end(&self, end: &TurnEnd, exit: Exit) -> Result<(), Failure> {
        let shown = match self.format() {
            Format::Json => {
                let answer: Value = serde_json::from_str(end.raw.get()).unwrap_or_default();
                line(&json!({"type": "end", "stopReason": word(end), "answer": answer, "exit": exit.code()}))
            }
            Format::Text => self.with(State::end_line),
            Format::Quiet => self.with(|state| {
                screen::write(&state.answer)?;
                state.is_at_start = state.answer.is_empty() || state.answer.ends_with('\n');
                state.end_line()
            }),
        };
        shown.map_err(|error| Failure::output(&error))
    }

    /// Tells a program why there is no end. People read it on stderr.
    pub(super) fn failed(&self, failure: &Failure) {
        // The failure may be that nobody reads.
        let _ = self.frame(|| json!({"type": "error", "message": failure.text, "exit": failure.exit.code()}));
    }

    fn frame(&self, frame: impl FnOnce() -> Value) -> Result<(), Failure> {
        if self.format() != Format::Json {
            return Ok(());
        }
        line(&frame()).map_err(|error| Failure::output(&error))
    }
}

impl State {
    fn show(&mut self, update: &Update) -> io::Result<()> {
        if let Some(text) = update.text() {
            if self.format == Format::Quiet {
                self.answer.push_str(text);
                return Ok(());
            }
            if !text.is_empty() {
                self.is_at_start = text.ends_with('\n');
            }
            return screen::write(text);
        }
        if self.format == Format::Quiet {
            return Ok(());
        }
        match update {
            Update::Known(SessionUpdate::ToolCall(call)) => {
                self.titles.insert(call.tool_call_id.clone(), call.title.clone());
                self.aside(&format!("[tool] {} ({})", call.title, name(&call.status)))
            }
            Update::Known(SessionUpdate::ToolCallUpdate(update)) => {
                let id = &update.tool_call_id;
                if let Some(title) = &update.title {
                    self.titles.insert(id.clone(), title.clone());
                }
                let Some(status) = update.status.filter(|status| *status != ToolCallStatus::Pending) else {
                    return Ok(());
                };
                let title = self.titles.get(id).map_or_else(|| id.to_string(), String::clone);
                self.aside(&format!("[tool] {title}: {}", name(&status)))
            }
            Update::Known(SessionUpdate::Plan(plan)) => self.aside(&format!("[plan] {}", entries(plan))),
            _ => Ok(()),
        }
    }

    /// Shows a line beside the answer.
    fn aside(&mut self, text: &str) -> io::Result<()> {
        self.end_line()?;
        screen::tell(format_args!("{text}"));
        Ok(())
    }

    fn end_line(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_at_start, true) {
            screen::write("\n")?;
        }
        Ok(())
    }
}

/// The update in the params of a `session/update`, as the agent sent it.
fn update(params: &str) -> Value {
    #[derive(Deserialize)]
    struct Params<'a> {
        #[serde(borrow)]
        update: &'a RawValue,
    }
    let update = serde_json::from_str(params).map(|Params { update }| serde_json::from_str(update.get()));
    update.ok().and_then(Result::ok).unwrap_or_else(|| Value::from(params))
}

/// The agent's word for the reason of the end.
pub(super) fn word(end: &TurnEnd) -> String {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Answer {
        stop_reason: String,
    }
    serde_json::from_str(end.raw.get()).map(|Answer { stop_reason }| stop_reason).unwrap_or_default()
}

/// The name on the wire of a value of the protocol.
fn name(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

/// The plan's entries: `[x] done  [>] at it  [ ] to do`.
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

/// Writes one line of JSON. JSON escapes what controls terminals.
fn line(frame: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{frame}")?;
    out.flush()
}
