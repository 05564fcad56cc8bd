//! Tool calls: an agent first reports one, then updates it, and ends it once.

use super::{
    connection::Judge,
    rules,
    state::{items, text},
};
use crate::{tape::Party, value::Value};

pub(super) fn has_ended(status: &str) -> bool {
    matches!(status, "completed" | "failed")
}

impl Judge {
    pub(super) fn tool_call(&mut self, id: &str, update: &Value<'_>, is_history: bool) {
        let agent = Party::Agent;
        let call = text(update, "toolCallId").to_owned();
        let is_new = update["sessionUpdate"] == "tool_call";
        let told = update["status"].as_str();
        let session = self.session(id);
        session.left.remove(&call);
        let tools = &mut session.tools;
        let before = tools.get(&call).cloned();
        let now = told.or(before.as_deref()).unwrap_or("pending").to_owned();
        tools.insert(call.clone(), now.clone());
        if is_history {
            return;
        }
        self.weigh(if is_new { &rules::CALL_ID } else { &rules::CALL_FIRST }, agent);
        if has_ended(&now) {
            self.weigh(&rules::CALL_ENDED, agent);
        }
        match &before {
            None if !is_new => {
                self.find(&rules::CALL_FIRST, agent, "`tool_call_update` is about a call that was not reported");
            }
            // The id is reported once as a mistake. Then the call counts as a new one, so that its status may begin
            // again.
            Some(_) if is_new => self.find(&rules::CALL_ID, agent, "`tool_call` has an id that the session has had"),
            Some(before) if has_ended(before) && now != *before => {
                self.find(&rules::CALL_ENDED, agent, format!("a tool call that was `{before}` is `{now}`"));
            }
            _ => {}
        }
        for terminal in items(&update["content"]).filter(|content| content["type"] == "terminal") {
            self.terminal(id, text(terminal, "terminalId"), "a tool call shows");
        }
    }

    /// Checks the open tool calls at the end of a turn: those that the end of an earlier turn has not left open.
    pub(super) fn open_calls(&mut self, id: &str) {
        let session = self.session(id);
        if session.tools.is_empty() {
            return;
        }
        let open = session.tools.iter().filter(|(call, status)| !has_ended(status) && !session.left.contains(*call));
        let open = open.count();
        self.check(open == 0, &rules::CALL_OPEN, Party::Agent, || {
            let calls = if open == 1 { "a tool call has".to_owned() } else { format!("{open} tool calls have") };
            format!("a turn ends, and {calls} not")
        });
    }

    /// Called at the end of a turn: the next one has calls of its own.
    pub(super) fn leave_calls(&mut self, id: &str) {
        let session = self.session(id);
        let open = session.tools.iter().filter(|(_, status)| !has_ended(status)).map(|(call, _)| call.clone());
        session.left = open.collect();
    }
}
