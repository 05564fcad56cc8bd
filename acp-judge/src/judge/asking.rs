//! An agent's requests to its client: permission, files, terminals, elicitations.

use super::{
    connection::Judge,
    rules,
    state::{Asked, Cancel, Outcome, State, differ, items, session_of, text},
    tools::has_ended,
};
use crate::{tape::Party, value::Value};

impl Judge {
    pub(super) fn agent_asks(&mut self, method: &str, params: &Value<'_>) {
        self.agent_gates(method, params);
        let session = session_of(params).unwrap_or_default().to_owned();
        if session_of(params).is_some() && !method.starts_with('_') {
            self.speaks_of(&session, &format!("`{method}`"));
        }
        if self.version == 2 {
            return self.agent_asks_v2(method, &session, params);
        }
        match method {
            "session/request_permission" => self.permission(&session, params),
            "terminal/output" | "terminal/wait_for_exit" | "terminal/kill" | "terminal/release" => {
                let terminal = text(params, "terminalId");
                self.terminal(&session, terminal, &format!("`{method}` names"));
                if method == "terminal/release"
                    && let Some(released) = self.session(&session).terminals.get_mut(terminal)
                {
                    *released = true;
                }
            }
            "elicitation/create" => self.elicits(params),
            _ => {}
        }
    }

    pub(super) fn elicits(&mut self, params: &Value<'_>) {
        if params["mode"] == "url" {
            let id = text(params, "elicitationId").to_owned();
            let is_new = self.elicitations.insert(id.clone());
            self.check(is_new, &rules::ELICITATION, Party::Agent, || {
                format!("`{id}` is the id of an open elicitation")
            });
        }
    }

    fn permission(&mut self, id: &str, params: &Value<'_>) {
        let agent = Party::Agent;
        let options = &params["options"];
        let well = items(options).next().is_some() && differ(items(options).map(|option| &option["optionId"]));
        self.check(well, &rules::CHOICES, agent, || {
            if items(options).next().is_some() {
                "has two options with one id"
            } else {
                "asks for permission without options"
            }
            .to_owned()
        });
        let call = &params["toolCall"]["toolCallId"];
        let Some(session) = self.sessions.get(id).filter(|session| session.state == State::Open) else { return };
        let (status, is_busy) = (call.as_str().and_then(|call| session.tools.get(call)).cloned(), session.is_busy());
        self.check(status.is_some(), &rules::ASKED_FIRST, agent, || {
            "asks for permission for a tool call that was not reported".to_owned()
        });
        self.weigh(&rules::ASKED_LATE, agent);
        match status {
            Some(status) if has_ended(&status) => {
                let text = format!("asks for permission for a tool call that is `{status}`");
                self.find(&rules::ASKED_LATE, agent, text);
            }
            _ => {
                self.check(is_busy, &rules::ASKED_BESIDE, agent, || "asks for permission outside of a turn".to_owned())
            }
        }
    }

    /// Called when an agent names a terminal in a request or in content.
    pub(super) fn terminal(&mut self, session: &str, id: &str, what: &str) {
        self.weigh(&rules::TERMINAL, Party::Agent);
        let wrong = match self.session(session).terminals.get(id) {
            Some(false) => return,
            Some(true) => "was released",
            None => "the session does not have",
        };
        self.find(&rules::TERMINAL, Party::Agent, format!("{what} the terminal `{id}`, which {wrong}"));
    }

    /// Called for a client's answer.
    pub(super) fn client_answers(&mut self, asked: &Asked, outcome: &Outcome<'_>) {
        let Asked { method, params, cancelled, .. } = asked;
        let session = text(params, "sessionId");
        match (&**method, outcome) {
            ("session/request_permission", outcome) => {
                if let Ok(result) = outcome {
                    let outcome = &result["outcome"];
                    let (is_cancelled, option) = (outcome["outcome"] == "cancelled", &outcome["optionId"]);
                    if cancelled.as_ref().is_some_and(|cancelled| cancelled.by == Cancel::Turn) {
                        self.check(is_cancelled, &rules::CANCEL_PERMISSION, Party::Client, || {
                            format!("answers {} in a turn that it cancelled", outcome["outcome"])
                        });
                    }
                    let is_offered = items(&params["options"]).any(|offered| offered["optionId"] == *option);
                    // Version 2 has outcomes of vendors.
                    let is_vendors = self.version == 2 && text(outcome, "outcome").starts_with('_');
                    self.check(is_cancelled || is_vendors || is_offered, &rules::CHOSEN, Party::Client, || {
                        format!("selects {option}, which is no option")
                    });
                }
                self.prove_cancel(session);
            }
            ("terminal/create", Ok(result)) if self.version == 1 => {
                let id = text(result, "terminalId").to_owned();
                self.session(session).terminals.insert(id, false);
            }
            // An elicitation that is not accepted will not be completed by a later message.
            ("elicitation/create", outcome) if !matches!(outcome, Ok(result) if result["action"] == "accept") => {
                self.elicitations.remove(text(params, "elicitationId"));
            }
            _ => {}
        }
    }

    /// Called at the end of a session. Checks that its terminals were released.
    pub(super) fn left_terminals_of(&mut self, session: &str) {
        let terminals = &self.session(session).terminals;
        if terminals.is_empty() {
            return;
        }
        let left: Vec<_> =
            terminals.iter().filter(|(_, released)| !**released).map(|(id, _)| format!("`{id}`")).collect();
        self.check(left.is_empty(), &rules::RELEASED, Party::Agent, || format!("does not release {}", left.join(", ")));
    }

    /// Called at the end of the connection. An agent whose turn was cut off had no time to release its terminals.
    pub(super) fn left_terminals(&mut self) {
        let idle = self.sessions.iter().filter(|(_, session)| session.is_open() && !session.is_busy());
        let idle: Vec<_> = idle.map(|(id, _)| id.clone()).collect();
        idle.iter().for_each(|id| self.left_terminals_of(id));
    }
}
