//! The terms of a conversation: its bounds, how it may end early, and what is seen beside its messages.

use std::{path::PathBuf, time::Duration};

use super::model_server::Count;

/// Times and texts of a run.
pub(super) struct Settings {
    pub(super) prompts: Vec<String>,
    /// A prompt whose turn lasts long enough to be cancelled.
    pub(super) slow_prompt: String,
    /// The requests to the scripted model, if there is one.
    pub(super) model: Option<Count>,
    /// The folder of the sessions, if it is none of this machine.
    pub(super) cwd: Option<PathBuf>,
    pub(super) start: Duration,
    pub(super) answer: Duration,
    pub(super) turn: Duration,
    pub(super) cancel: Duration,
    pub(super) exit: Duration,
}

/// Why a scenario ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The agent ended.
    Ended,
    /// The agent needs a login.
    Login,
    /// There was no answer in time.
    Silent(String),
    /// A turn did not end in time.
    Endless(String),
    /// The agent refused what the scenario stands on.
    Refused(String),
    /// The agent agrees to version 2, and answers in the form of version 1.
    Blind,
    /// The agent does not have what the scenario needs.
    Without(&'static str),
    /// The agent is behind a URL, where this cannot be played.
    Far(&'static str),
}

/// What was seen of a rule that messages alone do not show.
pub(super) struct Observed {
    pub(super) rule: &'static str,
    pub(super) holds: bool,
    /// The entry of the recording beside which it was seen.
    pub(super) entry: usize,
    pub(super) text: String,
    /// The last lines that the agent has written to stderr, if it has ended.
    pub(super) stderr: Vec<String>,
}

/// What the client offers in `initialize`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Offers {
    All,
    Nothing,
}
