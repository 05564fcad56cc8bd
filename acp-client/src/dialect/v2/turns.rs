//! The end of a turn. The agent answers a prompt when it has inserted the prompt into the conversation. The turn ends with
//! the `idle` of the session that follows.
//!
//! Which `idle` ends which prompt:
//!
//! - An `idle` ends all prompts that were inserted before it. There are several if the agent takes one into the turn of
//!   another.
//! - An `idle` before the answer to a prompt is the end of other work, such as the turn before, or what the agent has begun
//!   by itself. But the answer may be late: the update with the user's message may come before it, and shows the insertion,
//!   too. Its id tells which prompt it belongs to.
//! - An `idle` of a session that is idle already is a snapshot: a resume asks for one, and one tells of background work. It
//!   is no end. But an agent may leave `running` out. So an `idle` that gives a reason, tells nothing new of the background,
//!   and answers no resume, is an end.

use std::{mem, sync::Arc};

use acp_peer::{Error, Result, rpc::Then, wire::decode::from_json};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::raw;

/// The bound on the ids of user messages that are kept while a prompt waits for its answer.
const ECHOES: usize = 64;

/// The prompts of a session, and its state.
#[derive(Default)]
pub(super) struct Turns {
    /// The number of prompts that the agent has not answered.
    unanswered: usize,
    /// The number of resumes that the agent has not answered.
    resuming: usize,
    /// The prompts that were inserted, and have not ended.
    inserted: Vec<Then>,
    /// The user's messages that were inserted while a prompt waited for its answer, with the end of their turn.
    echoes: Vec<(Box<str>, Option<End>)>,
    /// The agent works in the foreground. A new session does not.
    is_busy: bool,
    /// The number of times that the agent's work has ended.
    ends: u64,
    /// The background work in the last state.
    background: Option<Box<str>>,
}

/// The end of a turn: its answer as the values have it, or the error that ended it.
pub(super) type End = Result<Arc<RawValue>>;

/// The state in a `state_update`, as far as turns depend on it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct State<'a> {
    state: &'a RawValue,
    #[serde(default, borrow)]
    stop_reason: Option<&'a RawValue>,
    #[serde(default, borrow)]
    background: Option<&'a RawValue>,
    #[serde(default, borrow)]
    error: Option<&'a RawValue>,
}

impl Turns {
    /// The prompts that the agent has not answered.
    pub(super) fn unanswered(&mut self) -> &mut usize {
        &mut self.unanswered
    }

    /// The resumes that the agent has not answered.
    pub(super) fn resuming(&mut self) -> &mut usize {
        &mut self.resuming
    }

    /// The prompt with this message is in the conversation, and `then` waits for its end. If the agent has worked on it
    /// already, the end is returned.
    pub(super) fn inserted(&mut self, id: Option<&str>, then: Then) -> Option<(Then, End)> {
        let at = self.echoes.iter().position(|(echo, _)| Some(&**echo) == id);
        match at.and_then(|at| self.echoes.swap_remove(at).1) {
            Some(end) => Some((then, end)),
            None => {
                self.inserted.push(then);
                None
            }
        }
    }

    /// A prompt was answered or withdrawn.
    pub(super) fn settled(&mut self) {
        if self.unanswered == 0 {
            self.echoes.clear();
        }
    }

    /// Whether the last state lists this tool call or terminal as work in the background.
    pub(super) fn has_in_background(&self, id: &Value) -> bool {
        let works: Vec<Value> =
            self.background.as_deref().and_then(|works| serde_json::from_str(works).ok()).unwrap_or_default();
        works.iter().any(|work| work["toolCallId"] == *id || work["terminalId"] == *id)
    }

    /// The work that runs, or will when the agent has read the prompts that were sent. `None` if the session is idle.
    pub(super) fn work(&self) -> Option<u64> {
        (self.is_busy || self.unanswered > 0 || !self.inserted.is_empty()).then_some(self.ends)
    }

    /// Whether this work goes on.
    pub(super) fn goes_on(&self, work: Option<u64>) -> bool {
        work == Some(self.ends)
    }

    pub(super) fn is_at_rest(&self) -> bool {
        self.unanswered == 0 && self.resuming == 0 && self.inserted.is_empty()
    }

    /// The agent has inserted a user's message.
    pub(super) fn echoed(&mut self, id: &str) {
        if self.unanswered > 0 && self.echoes.len() < ECHOES && self.echoes.iter().all(|(echo, _)| &**echo != id) {
            self.echoes.push((id.into(), None));
        }
    }

    /// Takes a state of the session. Returns the prompts that end with it, and their end.
    pub(super) fn state(&mut self, update: &RawValue) -> Option<(Vec<Then>, End)> {
        let state: State<'_> = from_json(update.get()).ok()?;
        let is_idle = match state.state.get() {
            r#""idle""# => true,
            r#""running""# | r#""requires_action""# => false,
            // An agent also reports a state of the protocol.
            _ => return None,
        };
        let background = state.background.map(|background| background.get().into());
        let was_busy = mem::replace(&mut self.is_busy, !is_idle);
        let is_news = mem::replace(&mut self.background, background.clone()) != background;
        let has_reason = state.stop_reason.is_some_and(|reason| reason.get().starts_with('"'));
        let is_end = is_idle && (was_busy || (has_reason && !is_news && self.resuming == 0));
        if !is_end {
            return None;
        }
        self.ends += 1;
        let end = end(update, &state);
        for (_, ended) in &mut self.echoes {
            ended.get_or_insert_with(|| end.clone());
        }
        Some((mem::take(&mut self.inserted), end))
    }
}

/// The answer to a prompt as the values have it.
fn end(update: &RawValue, state: &State<'_>) -> End {
    match state.stop_reason.map(RawValue::get) {
        Some(r#""error""#) => Err(state.error.and_then(error).unwrap_or_else(|| {
            Error::internal_error("the turn ended with an error, and the agent did not say with which")
        })),
        Some(reason) if reason.starts_with('"') => Ok(update.to_owned().into()),
        // A value without a reason is none of the protocol.
        _ => Ok(answer(None)),
    }
}

/// The answer with this reason.
pub(super) fn answer(stop_reason: Option<&str>) -> Arc<RawValue> {
    raw(&serde_json::json!({ "stopReason": stop_reason })).unwrap_or_else(|| RawValue::NULL.to_owned()).into()
}

fn error(raw: &RawValue) -> Option<Error> {
    #[derive(Deserialize)]
    struct Told {
        code: i32,
        message: String,
        data: Option<Value>,
    }
    let Told { code, message, data } = from_json(raw.get()).ok()?;
    let error = Error::new(code, message);
    Some(match data {
        Some(data) => error.with_data(data),
        None => error,
    })
}

/// Tells who waits for a prompt how its turn ended.
pub(super) fn tell(then: Then, end: &End) {
    match end {
        Ok(answer) => then(Ok(answer)),
        Err(error) => then(Err(error.clone())),
    }
}
