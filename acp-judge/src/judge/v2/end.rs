//! The end of a tape: what did not come, although there was time.

use std::time::Duration;

use super::super::{
    activity::{Activity, Foreground},
    connection::{Judge, PATIENCE},
    rules,
    state::ARRIVES,
};
use crate::tape::Party;

impl Judge {
    /// Called with the time until which the client waited.
    pub(in super::super) fn end_of_v2(&mut self, until: Duration) {
        let open: Vec<_> = self.sessions.iter().filter(|(_, session)| session.is_open()).collect();
        let open: Vec<_> = open.into_iter().map(|(id, _)| id.clone()).collect();
        for id in open {
            self.left_cancellable(&id);
            let activity = std::mem::take(&mut self.session(&id).activity);
            self.left_over(&activity, until);
        }
    }

    fn left_over(&mut self, activity: &Activity, until: Duration) {
        let agent = Party::Agent;
        let last = self.count.saturating_sub(1);
        let is_long_ago = |at: Duration| until.saturating_sub(at) >= PATIENCE;
        let Activity { stopping, due, inserted, unblocked, useless, useless_since, open, .. } = activity;
        let mut found = Vec::new();
        if let Some(stopping) = stopping.as_ref().filter(|stopping| !stopping.by_close && is_long_ago(stopping.at)) {
            found.push((stopping.entry, &rules::CANCELLED, "does not report `idle` after a cancellation"));
        }
        if let Some(due) = due.filter(|due| is_long_ago(due.at)) {
            found.push((due.entry, &rules::WORK, "inserts a prompt, and no work begins"));
        }
        for inserted in inserted.values().filter(|inserted| !inserted.is_said && is_long_ago(inserted.at)) {
            found.push((inserted.entry, &rules::ECHO, "inserts a prompt, and does not send its user message"));
        }
        if unblocked.is_some_and(is_long_ago) {
            found.push((last, &rules::ACTION, "stays in `requires_action` after the user's last answer"));
        }
        let has_ended = useless_since.is_some_and(|since| until.saturating_sub(since) >= ARRIVES);
        if has_ended && !useless.is_empty() {
            let text = "leaves requests to the user open when their work is cancelled";
            found.push((last, &rules::WITHDRAWN, text));
        }
        let idle_since = activity.idle_since;
        for prompt in open.iter().filter(|_| activity.foreground == Foreground::Idle) {
            let asked = self.open.get(&(Party::Client, prompt.id.clone())).filter(|asked| asked.cancelled.is_none());
            if let Some(asked) = asked.filter(|asked| is_long_ago(asked.at.max(idle_since))) {
                found.push((asked.entry, &rules::MISSING, "`session/prompt` is not answered, and the session is idle"));
            }
        }
        for (entry, rule, text) in found {
            self.find_at(entry, rule, agent, text.to_owned());
        }
    }
}
