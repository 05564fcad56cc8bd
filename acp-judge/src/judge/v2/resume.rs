//! Resuming: the history, if the client asks for it, then the state, then the answer.

use super::{
    super::{
        activity::{Activity, Foreground, Resume, spoken},
        connection::Judge,
        rules,
        state::{Cancel, Outcome, State},
    },
    SAID_BY_AGENT, SAID_BY_USER,
};
use crate::{tape::Party, value::Value};

impl Judge {
    pub(super) fn resumes(&mut self, id: &str, params: &Value<'_>) {
        // Work may go on meanwhile, or be cancelled for it.
        self.cancel(id, Cancel::Request);
        let session = self.session(id);
        let was_open = session.is_open();
        if !was_open {
            session.state = State::Resuming;
        }
        let replays = params["replayFrom"].is_object();
        session.activity.resume = Some(Resume { replays, was_open, ..Resume::default() });
    }

    /// Called for each update. Returns whether the update is of the history.
    pub(super) fn replays(&mut self, id: &str, kind: &str) -> bool {
        let Some(Activity { resume: Some(resume), foreground, .. }) =
            self.sessions.get_mut(id).map(|session| &mut session.activity)
        else {
            return false;
        };
        if kind == "state_update" {
            (resume.is_shown, resume.is_early) = (true, false);
            return false;
        }
        let is_message = SAID_BY_AGENT.contains(&kind) || SAID_BY_USER.contains(&kind) || kind == "plan_update";
        if resume.is_shown {
            // What an idle session says after its state is of the history.
            let is_history = resume.replays && is_message && *foreground == Foreground::Idle;
            resume.is_early |= is_history;
            return is_history;
        }
        let is_asked = resume.replays || resume.was_open;
        self.check(is_asked || !is_message, &rules::RESUME, Party::Agent, || {
            format!("sends `{kind}` while it resumes")
        });
        true
    }

    /// Called when a resume is answered.
    pub(super) fn resumed(&mut self, id: &str, outcome: &Outcome<'_>) {
        let agent = Party::Agent;
        let activity = &mut self.session(id).activity;
        let Some(Resume { is_shown, is_early, users, replays, .. }) = activity.resume.take() else { return };
        // Work that has begun meanwhile may have been cancelled for it, also if the resume was withdrawn.
        activity.may_cancel |= activity.foreground != Foreground::Idle;
        if outcome.is_err() {
            return;
        }
        let is_replayed = |known: &String| users.contains_key(known);
        let renamed = users.iter().filter(|(id, _)| !activity.users.contains_key(*id)).find(|(_, said)| {
            let text = spoken(&said.content);
            let mut missing = activity.users.iter().filter(|(known, _)| !is_replayed(known));
            !text.is_empty() && missing.any(|(_, known)| spoken(&known.content) == text)
        });
        let renamed = renamed.map(|(id, _)| id.clone());
        let is_comparable = !users.is_empty() && !activity.users.is_empty();
        for (id, said) in users {
            activity.users.entry(id).or_insert(said);
        }
        if is_comparable {
            self.check(renamed.is_none(), &rules::REPLAY_IDS, agent, || {
                format!("replays a user message with the new id `{}`", renamed.unwrap_or_default())
            });
        }
        if !replays {
            self.weigh(&rules::RESUME, agent);
        }
        self.check(is_shown, &rules::RESUME_STATE, agent, || "answers, and has sent no `state_update`".to_owned());
        self.check(!is_early, &rules::RESUME_STATE, agent, || {
            "sends the state before the end of what it replays".to_owned()
        });
    }
}
