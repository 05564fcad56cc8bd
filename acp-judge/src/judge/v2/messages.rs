//! Messages of the user: their ids, which the answers to prompts name, and which a replay keeps.

use super::super::{
    activity::{Due, Foreground, Said},
    connection::Judge,
    rules,
    state::text,
};
use crate::{
    tape::Party,
    value::{Value, owned},
};

/// Adds an update to a message.
fn add(said: &mut Said, update: &Value<'_>) {
    match (text(update, "sessionUpdate"), &update["content"]) {
        ("user_message_chunk", block) => said.content.push(block.clone().into_owned()),
        (_, Value::Array(content)) => said.content = owned(content),
        (_, _) if update.get("content").is_some() => said.content.clear(),
        _ => {}
    }
}

impl Judge {
    pub(super) fn user_message(&mut self, id: &str, update: &Value<'_>, is_replay: bool) {
        let (entry, at) = (self.count.saturating_sub(1), self.now);
        let message = text(update, "messageId");
        let activity = &mut self.session(id).activity;
        // A prompt from before a resume may be inserted while the resume waits.
        let is_late = activity.inserted.contains_key(message) && !activity.users.contains_key(message);
        let is_history = is_replay && !is_late;
        if is_history && let Some(resume) = &mut activity.resume {
            return add(
                resume.users.entry(message.to_owned()).or_insert_with(|| Said { entry, at, ..Said::default() }),
                update,
            );
        }
        let is_new = !activity.users.contains_key(message);
        let said = activity.users.entry(message.to_owned()).or_insert_with(|| Said { entry, at, ..Said::default() });
        add(said, update);
        let is_prompts = !activity.open.is_empty();
        if is_new && is_prompts && activity.foreground == Foreground::Idle {
            activity.due.get_or_insert(Due { entry, at });
        }
        let again = activity.inserted.get_mut(message).map(|inserted| std::mem::replace(&mut inserted.is_said, true));
        let is_whole = update["sessionUpdate"] == "user_message" && update["content"].is_array();
        if let Some(again) = again {
            self.check(!again || !is_whole, &rules::ECHO_ONCE, Party::Agent, || {
                "sends the user message of a prompt with its content again".to_owned()
            });
        }
        if is_new {
            self.in_order(id, message);
        }
    }
}
