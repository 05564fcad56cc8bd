//! What was said in a session, as far as the messages prove that a load has something to replay.

use crate::value::Value;

#[derive(Default)]
pub(super) struct History {
    /// A turn has ended in which both sides said something, and nothing came since that may have cleared it.
    is_there: bool,
    /// The turn that runs has prompts that are no commands, and no others.
    is_plain: bool,
    /// The agent has said something in the turn that runs.
    is_answered: bool,
    /// The number of open loads.
    loads: usize,
    /// Whether the open load has replayed something; `None` if nobody can know that it must.
    replayed: Option<bool>,
}

fn text<'v>(value: &'v Value<'_>, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

fn blocks<'v>(value: &'v Value<'v>) -> impl Iterator<Item = &'v Value<'v>> {
    value.as_array().into_iter().flatten()
}

/// Whether params of a prompt have a text that is no command.
fn is_plain(params: &Value<'_>) -> bool {
    let text = blocks(&params["prompt"]).map(|block| text(block, "text").trim_start()).find(|text| !text.is_empty());
    text.is_some_and(|text| !text.starts_with('/'))
}

/// Whether an update has a message of the agent that is not empty.
fn is_answer(update: &Value<'_>) -> bool {
    let content = &update["content"];
    let is_text = |block: &Value<'_>| !text(block, "text").trim().is_empty();
    let is_message = matches!(text(update, "sessionUpdate"), "agent_message_chunk" | "agent_message");
    is_message && (is_text(content) || blocks(content).any(is_text))
}

/// Whether an update is of a conversation.
fn is_said(update: &Value<'_>) -> bool {
    let kind = text(update, "sessionUpdate");
    ["user_message", "agent_message", "agent_thought", "tool_call", "plan", "terminal", "compaction"]
        .iter()
        .any(|what| kind.starts_with(what))
}

impl History {
    /// Called for a prompt; `is_first` if it begins a turn. A command may clear the conversation.
    pub(super) fn prompted(&mut self, params: &Value<'_>, is_first: bool) {
        let is_plain = is_plain(params);
        self.is_there &= is_plain;
        if is_first {
            (self.is_plain, self.is_answered) = (is_plain, false);
        } else {
            self.is_plain &= is_plain;
        }
    }

    pub(super) fn updated(&mut self, update: &Value<'_>) {
        if self.loads > 0 {
            self.replayed = self.replayed.map(|replayed| replayed || is_said(update));
        } else if text(update, "sessionUpdate").starts_with("compaction") {
            self.cleared();
        } else {
            self.is_answered |= is_answer(update);
        }
    }

    /// Called at the end of a turn. What was refused or cancelled need not be kept.
    pub(super) fn ended(&mut self, stop: Option<&str>) {
        self.is_there |= self.is_plain && self.is_answered && stop == Some("end_turn");
        (self.is_plain, self.is_answered) = (false, false);
    }

    /// Nobody knows what is left of the conversation.
    pub(super) fn cleared(&mut self) {
        (self.is_there, self.is_plain) = (false, false);
    }

    /// Called when a load begins; `is_idle` if the session does nothing else. Of two loads at once, nobody knows which one replays.
    pub(super) fn loads(&mut self, is_idle: bool) {
        self.loads += 1;
        self.replayed = (self.loads == 1 && is_idle && self.is_there).then_some(false);
    }

    /// Called when a load is answered. Returns whether it has replayed something, if it must.
    pub(super) fn loaded(&mut self) -> Option<bool> {
        self.loads = self.loads.saturating_sub(1);
        self.replayed.take()
    }
}
