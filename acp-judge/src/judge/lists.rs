//! Lists of sessions: their filter, their pages, and what a delete takes out of them.

use super::{
    connection::Judge,
    rules,
    state::{Asked, Outcome, State, differ, items, text},
};
use crate::{tape::Party, value::Value};

impl Judge {
    pub(super) fn asks_for_page(&mut self, params: &Value<'_>) {
        if let Some(cursor) = params["cursor"].as_str() {
            let is_given = self.cursors.contains(cursor);
            self.check(is_given, &rules::CURSOR, Party::Client, || {
                format!("asks for the page of `{cursor}`, a cursor that it was not given")
            });
        }
    }

    /// Called for the answer to `session/list`.
    pub(super) fn list_answered(&mut self, asked: &Asked, outcome: &Outcome<'_>) {
        let cursor = asked.params["cursor"].as_str();
        if let Some(cursor) = cursor.filter(|cursor| !self.cursors.contains(*cursor)) {
            self.check(outcome.is_err(), &rules::CURSOR_REFUSED, Party::Agent, || {
                format!("answers a page for `{cursor}`, a cursor that it has not given")
            });
        }
        if let Ok(result) = outcome {
            self.listed(asked, result);
        }
    }

    fn listed(&mut self, asked: &Asked, result: &Value<'_>) {
        let agent = Party::Agent;
        let sessions = &result["sessions"];
        self.cursors.extend(result["nextCursor"].as_str().map(ToOwned::to_owned));
        self.listed.extend(items(sessions).map(|session| text(session, "sessionId").to_owned()));
        if items(sessions).count() > 1 {
            let differ = differ(items(sessions).map(|session| &session["sessionId"]));
            self.check(differ, &rules::LIST_IDS, agent, || "lists one session twice".to_owned());
        }
        let is_gone = |id: &str| self.deleted.get(id).is_some_and(|entry| *entry < asked.entry);
        let gone =
            items(sessions).map(|session| text(session, "sessionId")).find(|id| is_gone(id)).map(ToOwned::to_owned);
        if self.deleted.values().any(|entry| *entry < asked.entry) {
            self.check(gone.is_none(), &rules::UNLISTED, agent, || {
                format!("lists `{}`, which was deleted", gone.unwrap_or_default())
            });
        }
        let Some(cwd) = asked.params["cwd"].as_str().filter(|_| items(sessions).next().is_some()) else { return };
        let other = items(sessions).find(|session| session["cwd"] != cwd);
        self.check(other.is_none(), &rules::LISTED, agent, || {
            format!("a list for `{cwd}` has a session of {}", other.map_or(&Value::Null, |session| &session["cwd"]))
        });
    }

    /// Called for the answer to `session/delete`, before the state of the session changes.
    pub(super) fn delete_answered(&mut self, id: &str, outcome: &Outcome<'_>) {
        let was_deleted = self.deleted.contains_key(id);
        let is_open =
            self.sessions.get(id).is_some_and(|session| !matches!(session.state, State::Stranger | State::Closed));
        if was_deleted && !is_open {
            self.check(outcome.is_ok(), &rules::DELETE_AGAIN, Party::Agent, || {
                "refuses to delete a session that is deleted already".to_owned()
            });
        }
        if outcome.is_ok() && !id.is_empty() {
            self.deleted.insert(id.to_owned(), self.count.saturating_sub(1));
        }
    }
}
