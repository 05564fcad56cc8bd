//! Version 2: the routing of its messages, and one file for each area of its own rules. The order of messages is their
//! subject, because `session/update` tells what an answer tells on version 1.

mod background;
mod end;
mod items;
mod messages;
mod prompts;
mod resume;
mod work;

use super::{
    activity::{Foreground, Prompt},
    connection::Judge,
    rules,
    state::{Asked, Cancel, Outcome, State, items, session_of, text},
};
use crate::{tape::Party, value::Value};

/// Updates with a message of the agent.
pub(super) const SAID_BY_AGENT: [&str; 4] =
    ["agent_message", "agent_message_chunk", "agent_thought", "agent_thought_chunk"];
/// Updates with a message of the user.
pub(super) const SAID_BY_USER: [&str; 2] = ["user_message", "user_message_chunk"];

/// The statuses that a tool call keeps.
pub(super) const FINAL: [&str; 3] = ["completed", "failed", "cancelled"];

/// Requests of the agent to the user.
fn is_question(method: &str) -> bool {
    matches!(method, "session/request_permission" | "elicitation/create")
}

impl Judge {
    /// Called for a client's request, with its id. Returns whether the value that it sets, or the cancellation that it
    /// asks for, is offered.
    pub(super) fn client_asks_v2(&mut self, id: &str, method: &str, params: &Value<'_>) -> Option<bool> {
        let session = session_of(params).unwrap_or_default();
        match method {
            "auth/login" => self.authenticates(params),
            "session/prompt" => {
                self.opens_on_demand(params);
                let activity = &mut self.session(session).activity;
                let is_first = activity.foreground == Foreground::Idle && activity.open.is_empty();
                activity.open.push(Prompt { id: id.to_owned(), is_first });
                self.session(session).history.prompted(params, is_first);
            }
            "session/resume" => self.resumes(session, params),
            "session/set_config_option" => {
                self.opens_on_demand(params);
                return self.sets_option(params);
            }
            "session/close" => self.cancel(session, Cancel::Close),
            "session/delete" => self.cancel(session, Cancel::Request),
            "session/list" => self.asks_for_page(params),
            "tool_call/cancel" | "terminal/cancel" => return self.cancels_item(session, method, params),
            // A vendor's request may end the work.
            _ if method.starts_with('_') => self.stops(session, Cancel::Request),
            _ => {}
        }
        None
    }

    /// Called for an agent's answer, before the state of the session changes.
    pub(super) fn agent_answers_v2(&mut self, id: &str, asked: &Asked, outcome: &Outcome<'_>) {
        let Asked { method, params, .. } = asked;
        let session = session_of(params).unwrap_or_default();
        let is_of_baseline = self.is_of_baseline(asked, session);
        if let Err(error) = outcome {
            self.refuses(asked, session, error, is_of_baseline);
        }
        match &**method {
            "session/prompt" => self.prompt_answered(session, id, asked, outcome),
            "session/resume" => self.resumed(session, outcome),
            "session/close" if outcome.is_ok() => self.closed(session),
            "tool_call/cancel" | "terminal/cancel" => self.item_cancelled(asked, outcome),
            _ => {}
        }
    }

    /// Whether the answer to `initialize` obliges the agent to have the method of a request. Called for each answer.
    fn is_of_baseline(&mut self, asked: &Asked, session: &str) -> bool {
        let method = &*asked.method;
        let offers = self.agent.as_ref().map(|agent| &agent["capabilities"]["session"]);
        let is_of_baseline = match method {
            "session/new" | "session/list" | "session/resume" | "session/close" | "session/prompt" => {
                offers.is_some_and(Value::is_object)
            }
            "session/delete" => offers.is_some_and(|offers| offers["delete"].is_object()),
            "session/set_config_option" => {
                let options = self.sessions.get(session).and_then(|session| session.options.as_ref());
                options.is_some_and(|options| !options.is_empty())
            }
            "auth/login" | "auth/logout" => {
                let ways = self.agent.as_ref().map(|agent| items(&agent["authMethods"]));
                ways.is_some_and(|mut ways| ways.next().is_some())
            }
            _ => false,
        };
        if is_of_baseline {
            self.weigh(&rules::BASELINE, Party::Agent);
        }
        let is_open = self.sessions.get(session).is_some_and(|session| session.state == State::Open);
        if method == "session/close" && !is_open {
            self.weigh(&rules::CLOSE_AGAIN, Party::Agent);
        }
        is_of_baseline
    }

    /// Checks a refusal: whether the agent may refuse, and the data of the error.
    fn refuses(&mut self, asked: &Asked, session: &str, error: &Value<'_>, is_of_baseline: bool) {
        let (agent, method) = (Party::Agent, &*asked.method);
        let is_open = self.sessions.get(session).is_some_and(|session| session.state == State::Open);
        let code = error["code"].as_i64().unwrap_or_default();
        if is_of_baseline && code == -32601 {
            return self.find(&rules::BASELINE, agent, format!("does not have `{method}`"));
        }
        if method == "session/close" && !is_open && code != -32000 {
            self.find(&rules::CLOSE_AGAIN, agent, format!("refuses to close a session that is not active with {code}"));
        }
        let of_session = ["session/", "tool_call/", "terminal/"].iter().any(|area| method.starts_with(area));
        if code == -32002 && of_session && !session.is_empty() && !is_open {
            self.check(error["data"]["sessionId"] == session, &rules::ERROR_DATA, agent, || {
                format!("refuses `{method}` with -32002, and the data does not have the id of the session")
            });
        }
    }

    /// Called for an agent's request.
    pub(super) fn agent_asks_v2(&mut self, method: &str, session: &str, params: &Value<'_>) {
        match method {
            "session/request_permission" => self.asks_for_permission(session, params),
            "elicitation/create" => self.elicits(params),
            _ => {}
        }
    }

    /// Called for `session/update`.
    pub(super) fn update_of_v2(&mut self, params: &Value<'_>) {
        let (id, update) = (text(params, "sessionId"), &params["update"]);
        let kind = text(update, "sessionUpdate");
        self.speaks_of(id, "`session/update`");
        let is_replay = self.replays(id, kind);
        if let Some(session) = self.sessions.get_mut(id) {
            session.history.updated(update);
        }
        match kind {
            "state_update" => self.state_update(id, update),
            _ if SAID_BY_USER.contains(&kind) => self.user_message(id, update, is_replay),
            _ if SAID_BY_AGENT.contains(&kind) => self.in_work(id, kind, is_replay),
            "plan_update" => self.in_work(id, kind, is_replay),
            "tool_call_update" => {
                if self.is_new_item(id, update) || update["status"] == "in_progress" {
                    self.in_work(id, kind, is_replay);
                }
                self.tool_call_update(id, update, is_replay);
            }
            "terminal_update" => self.terminal_update(id, update, is_replay),
            "available_commands_update" => self.commands(&update["availableCommands"]),
            "config_option_update" => self.options(id, &update["configOptions"]),
            _ => {}
        }
    }
}
