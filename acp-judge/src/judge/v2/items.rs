//! Tool calls and terminals: both are upserts, may advertise that they can be cancelled, and end once.

use super::{
    super::{
        activity::{Item, ItemId},
        connection::Judge,
        rules,
        state::{ARRIVES, Asked, Outcome, State, differ, items, text},
    },
    FINAL,
};
use crate::{tape::Party, value::Value};

impl Judge {
    /// The record of a tool call or a terminal, with what an update says of its capabilities.
    fn item(&mut self, session: &str, id: ItemId, update: &Value<'_>) -> &mut Item {
        let now = self.now;
        let item = self.session(session).activity.items.entry(id).or_default();
        if let Some(capabilities) = update.get("capabilities") {
            let is_cancellable = capabilities["cancel"].is_object();
            if std::mem::replace(&mut item.is_cancellable, is_cancellable) && !is_cancellable {
                item.was_cancellable = Some(now);
            }
        }
        item
    }

    /// Whether the session has not had the tool call of an update.
    pub(super) fn is_new_item(&self, session: &str, update: &Value<'_>) -> bool {
        let id = ItemId::Tool(text(update, "toolCallId").to_owned());
        self.sessions.get(session).is_none_or(|session| !session.activity.items.contains_key(&id))
    }

    pub(super) fn tool_call_update(&mut self, session: &str, update: &Value<'_>, is_replay: bool) {
        let entry = self.count.saturating_sub(1);
        let item = self.item(session, ItemId::Tool(text(update, "toolCallId").to_owned()), update);
        let status = match update.get("status") {
            None if item.status.is_empty() => "pending",
            None => return,
            // `null` is the status of the beginning.
            Some(status) => status.as_str().unwrap_or("pending"),
        };
        let has_ended = FINAL.contains(&status);
        if has_ended && !item.has_ended {
            item.ended_at = entry;
        }
        let (had_ended, was) = (item.has_ended, std::mem::replace(&mut item.status, status.to_owned()));
        item.has_ended = has_ended;
        if !has_ended && !had_ended {
            return;
        }
        self.check(is_replay || !had_ended || was == status, &rules::CALL_ENDED, Party::Agent, || {
            format!("a tool call that was `{was}` is `{status}`")
        });
    }

    pub(super) fn terminal_update(&mut self, session: &str, update: &Value<'_>, is_replay: bool) {
        let entry = self.count.saturating_sub(1);
        let id = ItemId::Terminal(text(update, "terminalId").to_owned());
        let item = self.item(session, id.clone(), update);
        let had_ended = item.has_ended;
        let revives = had_ended && update.get("exitStatus").is_some_and(Value::is_null);
        let command = update["command"].as_str();
        let is_other = had_ended && command.is_some_and(|command| item.command.as_deref() != Some(command));
        item.command = command.map(ToOwned::to_owned).or(item.command.take());
        if update["exitStatus"].is_object() && !had_ended {
            (item.has_ended, item.ended_at, item.status) = (true, entry, "exited".to_owned());
            self.weigh(&rules::TERMINAL_ENDED, Party::Agent);
        }
        let wrong = match (revives, is_other) {
            (true, _) => "has exited, and has no exit status any more",
            (_, true) => "has exited, and has another command",
            _ => return,
        };
        self.check(is_replay, &rules::TERMINAL_ENDED, Party::Agent, || format!("{id} {wrong}"));
    }

    /// Called when a client cancels a tool call or a terminal. Returns whether the item can be cancelled.
    pub(super) fn cancels_item(&mut self, session: &str, method: &str, params: &Value<'_>) -> Option<bool> {
        let now = self.now;
        let id = match method {
            "tool_call/cancel" => ItemId::Tool(text(params, "toolCallId").to_owned()),
            _ => ItemId::Terminal(text(params, "terminalId").to_owned()),
        };
        let session = self.session(session);
        session.activity.may_cancel = true;
        if session.state != State::Open {
            return None;
        }
        let item = session.activity.items.get(&id);
        let is_offered = item.is_some_and(|item| item.is_cancellable);
        let was_offered = item.and_then(|item| item.was_cancellable);
        let may_cross = was_offered.is_some_and(|since| now.saturating_sub(since) < ARRIVES);
        let has_ended = item.is_some_and(|item| item.has_ended);
        self.check(is_offered || may_cross, &rules::CANCEL_OFFERED, Party::Client, || {
            format!("cancels {id}, which does not advertise it")
        });
        Some(is_offered && !has_ended)
    }

    pub(super) fn item_cancelled(&mut self, asked: &Asked, outcome: &Outcome<'_>) {
        if asked.is_offered != Some(false) {
            return;
        }
        self.weigh(&rules::CANCEL_REFUSED, Party::Agent);
        let text = match outcome {
            Ok(_) => "cancels what cannot be cancelled".to_owned(),
            Err(error) if error["code"] == -32602 => return,
            Err(error) => format!("refuses to cancel what cannot be cancelled with {}", error["code"]),
        };
        self.find(&rules::CANCEL_REFUSED, Party::Agent, format!("`{}`: {text}", asked.method));
    }

    /// Called at the end of a session. Checks that what has ended does not advertise that it can be cancelled.
    pub(super) fn left_cancellable(&mut self, session: &str) {
        let items = &mut self.session(session).activity.items;
        let left = items.iter_mut().filter(|(_, item)| item.has_ended && item.is_cancellable);
        let left: Vec<_> = left
            .map(|(id, item)| {
                item.is_cancellable = false;
                (item.ended_at, format!("{id} has ended, and still advertises `capabilities.cancel`"))
            })
            .collect();
        let was_cancellable = |item: &Item| item.has_ended && item.was_cancellable.is_some();
        if self.session(session).activity.items.values().any(was_cancellable) {
            self.weigh(&rules::CANCEL_LEFT, Party::Agent);
        }
        for (entry, text) in left {
            self.find_at(entry, &rules::CANCEL_LEFT, Party::Agent, text);
        }
    }

    pub(super) fn asks_for_permission(&mut self, session: &str, params: &Value<'_>) {
        let agent = Party::Agent;
        let ids = items(&params["options"]).map(|option| &option["optionId"]);
        self.check(differ(ids), &rules::CHOICES, agent, || "has two options with one id".to_owned());
        let subject = &params["subject"];
        let call = match text(subject, "type") {
            "tool_call" => &subject["toolCall"],
            "command" => subject,
            _ => return,
        };
        let id = ItemId::Tool(text(call, "toolCallId").to_owned());
        self.weigh(&rules::ASKED_LATE, agent);
        let item = self.sessions.get(session).and_then(|session| session.activity.items.get(&id));
        if let Some(status) = item.filter(|item| item.has_ended).map(|item| item.status.clone()) {
            let text = format!("asks for permission for a tool call that is `{status}`");
            self.find(&rules::ASKED_LATE, agent, text);
        } else if subject["type"] == "tool_call" {
            // A client reads it as an update of the tool call.
            self.tool_call_update(session, call, false);
        }
    }
}
