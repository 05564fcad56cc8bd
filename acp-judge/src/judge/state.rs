//! Messages, the judge's record of requests and sessions, and functions to read JSON.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::{activity::Activity, history::History};
use crate::value::Value;

/// After this time, a cancellation counts as arrived.
pub(super) const ARRIVES: Duration = Duration::from_millis(100);

/// A result, or an error.
pub(super) type Outcome<'t> = Result<Value<'t>, Value<'t>>;

/// A message that can be read.
pub(super) enum Message<'t> {
    Request { id: Value<'t>, method: Cow<'t, str>, params: Value<'t> },
    Notification { method: Cow<'t, str>, params: Value<'t> },
    Answer { id: Value<'t>, outcome: Outcome<'t> },
}

/// A request.
pub(super) struct Asked {
    pub(super) method: String,
    pub(super) params: Value<'static>,
    pub(super) entry: usize,
    pub(super) at: Duration,
    pub(super) cancelled: Option<Cancelled>,
    /// Whether the session that the params name was open at that time.
    pub(super) was_open: bool,
    /// Whether the request's value was offered at that time; `None` if this is not known.
    pub(super) is_offered: Option<bool>,
    /// Whether it sets an option to the value that it has, while nothing else is asked or at work in the session.
    pub(super) changes_nothing: bool,
    /// Whether the params are other ones than the schema has.
    pub(super) is_off_schema: bool,
}

/// The kind and time of a cancellation, and whether the messages prove that the agent saw it before its answer.
pub(super) struct Cancelled {
    pub(super) by: Cancel,
    pub(super) at: Duration,
    pub(super) is_proven: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cancel {
    /// The client cancelled the turn.
    Turn,
    /// The client closed the session.
    Close,
    /// One side withdrew the request, which the other side may ignore. Or the client deleted the session.
    Request,
}

#[derive(Default)]
pub(super) struct Session {
    pub(super) state: State,
    pub(super) options: Option<Vec<Value<'static>>>,
    pub(super) modes: Option<Value<'static>>,
    /// The status of each tool call, by id.
    pub(super) tools: BTreeMap<String, String>,
    /// The calls that a turn has left open at its end, until the agent reports them again.
    pub(super) left: BTreeSet<String>,
    pub(super) terminals: BTreeMap<String, bool>,
    pub(super) compactions: BTreeMap<String, bool>,
    /// The open prompts, in the order of their arrival.
    pub(super) turns: Vec<Prompted>,
    pub(super) steering: Steering,
    pub(super) history: History,
    /// What version 2 has instead of turns.
    pub(super) activity: Activity,
}

/// The turns of `_session/steering`, which have no prompt. In version 1, no message tells their end.
#[derive(Default)]
pub(super) struct Steering {
    /// The number of open requests.
    pub(super) open: usize,
    /// One has begun a turn, and no prompt was answered since.
    pub(super) has_begun: bool,
}

/// An open prompt.
pub(super) struct Prompted {
    pub(super) id: String,
    /// Whether it was sent while another prompt was open.
    pub(super) is_beside: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum State {
    /// A message named the session, but no call opened it.
    #[default]
    Stranger,
    /// A load is not answered yet.
    Loading,
    /// A resume is not answered yet.
    Resuming,
    Open,
    Closed,
}

impl Session {
    pub(super) fn is_open(&self) -> bool {
        !matches!(self.state, State::Stranger | State::Closed)
    }

    /// Whether it may have a turn.
    pub(super) fn is_busy(&self) -> bool {
        !self.turns.is_empty() || self.steering.open > 0 || self.steering.has_begun
    }
}

/// The session that params name.
pub(super) fn session_of<'v>(params: &'v Value<'v>) -> Option<&'v str> {
    params["sessionId"].as_str()
}

pub(super) fn text<'v>(value: &'v Value<'v>, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

pub(super) fn items<'v>(value: &'v Value<'v>) -> impl Iterator<Item = &'v Value<'v>> {
    value.as_array().into_iter().flatten()
}

/// Whether all values are different. Two that are missing are not one: the schema says that they are missing.
pub(super) fn differ<'v>(values: impl Iterator<Item = &'v Value<'v>>) -> bool {
    let mut seen = BTreeSet::new();
    values.filter(|value| !value.is_null()).all(|value| seen.insert(value.to_string()))
}
