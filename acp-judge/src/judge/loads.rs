//! Loading a session replays what was said in it, where the messages prove that something was.

use super::{
    activity::Foreground,
    connection::Judge,
    rules,
    state::{Asked, Outcome, session_of},
};
use crate::{tape::Party, value::Value};

impl Judge {
    /// Whether a request is to replay the whole conversation. Version 2 resumes for it.
    fn is_load(&self, method: &str, params: &Value<'_>) -> bool {
        match self.version {
            1 => method == "session/load",
            _ => method == "session/resume" && params["replayFrom"]["type"] == "start",
        }
    }

    /// Called for each request of the client, before the state of the session changes.
    pub(super) fn asks_for_history(&mut self, method: &str, params: &Value<'_>) {
        let is_load = self.is_load(method, params);
        let Some(session) = session_of(params).and_then(|id| self.sessions.get_mut(id)) else { return };
        if is_load {
            let activity = &session.activity;
            let is_idle = activity.foreground == Foreground::Idle && activity.open.is_empty() && !session.is_busy();
            session.history.loads(is_idle);
        } else if method.starts_with('_') || method == "session/delete" {
            // A vendor's request may clear the conversation, as commands do.
            session.history.cleared();
        }
    }

    /// Called for each answer of the agent.
    pub(super) fn loaded(&mut self, asked: &Asked, outcome: &Outcome<'_>) {
        let Asked { method, params, cancelled, .. } = asked;
        if !self.is_load(method, params) {
            return;
        }
        let Some(session) = session_of(params).and_then(|id| self.sessions.get_mut(id)) else { return };
        let replayed = session.history.loaded().filter(|_| outcome.is_ok() && cancelled.is_none());
        if let Some(replayed) = replayed {
            self.check(replayed, &rules::REPLAYED, Party::Agent, || {
                format!("answers `{method}`, and has replayed nothing of what was said in the session")
            });
        }
    }
}
