//! Turns: the rules for their beginning, for the updates in them, and for their end.

use super::{
    connection::Judge,
    rules,
    state::{ARRIVES, Asked, Cancel, Cancelled, Outcome, Prompted, State, session_of, text},
};
use crate::{tape::Party, value::Value};

impl Judge {
    pub(super) fn prompt(&mut self, id: &str, params: &Value<'_>) {
        let Some(session) = session_of(params).and_then(|id| self.sessions.get_mut(id)) else { return };
        let is_beside = !session.turns.is_empty();
        session.history.prompted(params, !session.is_busy());
        session.turns.push(Prompted { id: id.to_owned(), is_beside });
    }

    /// The client sends something to the turn that runs. It may begin a turn.
    pub(super) fn steers(&mut self, params: &Value<'_>) {
        self.opens_on_demand(params);
        if let Some(session) = session_of(params).and_then(|id| self.sessions.get_mut(id)) {
            session.steering.open += 1;
        }
    }

    pub(super) fn steered(&mut self, params: &Value<'_>, outcome: &Outcome<'_>) {
        let Some(session) = session_of(params).and_then(|id| self.sessions.get_mut(id)) else { return };
        session.steering.open = session.steering.open.saturating_sub(1);
        session.steering.has_begun |= matches!(outcome, Ok(result) if result["outcome"] == "startedNewTurn");
    }

    /// Cancels the open prompt of a session, and the agent's requests for permission.
    pub(super) fn cancel(&mut self, session: &str, by: Cancel) {
        let at = self.now;
        if self.version == 2 {
            self.stops(session, by);
        }
        for ((from, _), asked) in &mut self.open {
            if asked.params["sessionId"] != session {
                continue;
            }
            let is_at_work = match from {
                Party::Client => asked.method == "session/prompt",
                // On version 2, the agent withdraws these.
                Party::Agent => asked.method == "session/request_permission" && by == Cancel::Turn && self.version == 1,
            };
            if is_at_work && !matches!(&asked.cancelled, Some(known) if known.by == Cancel::Turn) {
                asked.cancelled = Some(Cancelled { by, at, is_proven: false });
            }
        }
    }

    /// Takes back the cancellation of turns, because their session was not closed.
    pub(super) fn resume_turns(&mut self, session: &str) {
        for asked in self.open.values_mut().filter(|asked| asked.params["sessionId"] == session) {
            if asked.cancelled.as_ref().is_some_and(|cancelled| cancelled.by == Cancel::Close) {
                asked.cancelled = None;
            }
        }
        let activity = &mut self.session(session).activity;
        activity.stopping.take_if(|stopping| stopping.by_close);
    }

    /// Records that the agent has seen a cancellation: a request of the turn was answered after it.
    pub(super) fn prove_cancel(&mut self, session: &str) {
        for ((from, _), asked) in &mut self.open {
            if *from == Party::Client
                && asked.params["sessionId"] == session
                && let Some(cancelled) = &mut asked.cancelled
            {
                cancelled.is_proven = true;
            }
        }
        if let Some(stopping) = &mut self.session(session).activity.stopping {
            stopping.is_proven = true;
        }
    }

    pub(super) fn turn_ended(&mut self, id: &str, asked: &Asked, outcome: &Outcome<'_>) {
        let agent = Party::Agent;
        let Some(session) = session_of(&asked.params).and_then(|id| self.sessions.get_mut(id)) else { return };
        let at = session.turns.iter().position(|prompt| prompt.id == id);
        let is_beside = at.is_some_and(|at| session.turns.remove(at).is_beside);
        let is_open = session.is_open();
        if outcome.is_ok() {
            session.steering.has_begun = false;
        }
        // Only an agent that takes no prompts during a turn is disturbed by them.
        let is_refused = matches!(outcome, Err(error) if error["code"] == -32600);
        if is_beside {
            self.check(!is_refused, &rules::ONE_TURN, Party::Client, || "prompts while a turn is at work".to_owned());
        }
        let (told, is_cancelled) = match outcome {
            Ok(result) => (format!("with {}", result["stopReason"]), result["stopReason"] == "cancelled"),
            Err(error) => (format!("with the error {}", error["code"]), false),
        };
        match &asked.cancelled {
            Some(Cancelled { by, at, is_proven }) => {
                let has_arrived = *is_proven || self.now.saturating_sub(*at) >= ARRIVES;
                let (rule, text) = match by {
                    Cancel::Turn => (&rules::CANCELLED, format!("a cancelled turn ends {told}")),
                    Cancel::Close => (&rules::CLOSE, format!("the turn of a closed session ends {told}")),
                    Cancel::Request => (&rules::CANCELLED, String::new()),
                };
                match (by, is_cancelled || has_arrived) {
                    (Cancel::Request, _) => {}
                    (_, true) => self.check(is_cancelled, rule, agent, || text),
                    (_, false) => self.doubt(rule, agent, text),
                }
            }
            // A client that hangs up cancels what it has begun.
            None => self.check(!is_cancelled || self.client_ended.is_some(), &rules::NOT_CANCELLED, agent, || {
                "a turn ends with `cancelled`, and nobody cancelled it".to_owned()
            }),
        }
        if !is_open {
            return;
        }
        let session = text(&asked.params, "sessionId");
        // Of several prompts, the first has the turn.
        if outcome.is_ok() && !is_cancelled && asked.cancelled.is_none() && at == Some(0) {
            self.open_calls(session);
        }
        if at == Some(0) {
            self.leave_calls(session);
        }
        let entry = self.session(session);
        if !entry.is_busy() {
            entry.history.ended(outcome.as_ref().ok().and_then(|result| result["stopReason"].as_str()));
        }
        self.in_step(session);
    }

    pub(super) fn update(&mut self, params: &Value<'_>) {
        let agent = Party::Agent;
        let (id, update) = (text(params, "sessionId"), &params["update"]);
        let kind = text(update, "sessionUpdate");
        self.speaks_of(id, "`session/update`");
        self.update_gates(kind);
        let (state, is_busy) =
            self.sessions.get(id).map(|session| (session.state, session.is_busy())).unwrap_or_default();
        // A load of an open session replays its history, too.
        let is_history = self.is_loading(id);
        if let Some(session) = self.sessions.get_mut(id) {
            session.history.updated(update);
        }
        let is_of_turn = matches!(
            kind,
            "user_message_chunk"
                | "agent_message_chunk"
                | "agent_thought_chunk"
                | "tool_call"
                | "tool_call_update"
                | "plan"
        );
        if is_of_turn && state == State::Resuming {
            self.find(&rules::RESUME, agent, format!("sends `{kind}` while it resumes"));
        } else if is_of_turn && state == State::Open && !is_history {
            self.check(is_busy, &rules::IN_TURN, agent, || format!("sends `{kind}` outside of a turn"));
        }
        match kind {
            "tool_call" | "tool_call_update" => self.tool_call(id, update, is_history),
            "available_commands_update" => self.commands(&update["availableCommands"]),
            "config_option_update" => self.options(id, &update["configOptions"]),
            "current_mode_update" => self.mode_update(id, &update["currentModeId"]),
            "compaction_update" | "compaction_summary_chunk" if !is_history => self.compaction(id, kind, update),
            _ => {}
        }
    }

    /// Checks that an agent may name a session.
    pub(super) fn speaks_of(&mut self, id: &str, what: &str) {
        let state = self.sessions.get(id).map(|session| session.state).unwrap_or_default();
        let client = Party::Client;
        // The agent may be opening this session at the moment.
        let is_new = state == State::Stranger
            && (self.is_asking(client, "session/new") || self.is_asking(client, "session/fork"));
        self.weigh(&rules::SESSION, Party::Agent);
        let text = match state {
            _ if is_new => return,
            State::Loading | State::Resuming | State::Open => return,
            State::Closed => format!("{what} is about a session that was closed, or could not be opened"),
            State::Stranger => format!("{what} is about a session that nobody opened"),
        };
        self.find(&rules::SESSION, Party::Agent, text);
    }

    fn compaction(&mut self, id: &str, kind: &str, update: &Value<'_>) {
        let compaction = text(update, "compactionId").to_owned();
        let ends = matches!(update["status"].as_str(), Some("completed" | "failed" | "cancelled"));
        let compactions = &mut self.session(id).compactions;
        let before = compactions.get(&compaction).copied();
        if kind == "compaction_update" {
            compactions.insert(compaction.clone(), ends || before == Some(true));
        }
        self.weigh(&rules::COMPACTION, Party::Agent);
        let wrong = match (kind, before) {
            (_, Some(true)) => "goes on after its end",
            ("compaction_summary_chunk", None) => "has a summary before it begins",
            ("compaction_update", None) if ends => "ends, and never began",
            _ => return,
        };
        self.find(&rules::COMPACTION, Party::Agent, format!("the compaction `{compaction}` {wrong}"));
    }
}
