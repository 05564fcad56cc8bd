//! Applies an update to the entry that it belongs to. Each function returns false, and changes nothing, if the update must
//! be an entry of its own.

use crate::{
    schema::MaybeUndefined,
    values::{CompactionUpdate, ContentBlock, ContentChunk, SessionUpdate, ToolCallUpdate},
};

/// A piece of a message, to a piece before it. The caller has compared the ids of the messages.
pub(super) fn message(said: &mut SessionUpdate, update: &SessionUpdate, chunk: &ContentChunk) -> bool {
    let before = match (said, update) {
        (SessionUpdate::UserMessageChunk(before), SessionUpdate::UserMessageChunk(_))
        | (SessionUpdate::AgentMessageChunk(before), SessionUpdate::AgentMessageChunk(_))
        | (SessionUpdate::AgentThoughtChunk(before), SessionUpdate::AgentThoughtChunk(_)) => before,
        _ => return false,
    };
    before.message_id == chunk.message_id && before.meta == chunk.meta && text(&mut before.content, &chunk.content)
}

/// Text, to text of the same annotations.
fn text(before: &mut ContentBlock, next: &ContentBlock) -> bool {
    match (before, next) {
        (ContentBlock::Text(before), ContentBlock::Text(next))
            if before.annotations == next.annotations && before.meta == next.meta =>
        {
            before.text.push_str(&next.text);
            true
        }
        _ => false,
    }
}

/// A change of a tool call, to the call or an earlier change. Fields that the change leaves out stay; a list replaces the
/// list before.
pub(super) fn tool_call(said: &mut SessionUpdate, change: &ToolCallUpdate) -> bool {
    if change.meta.is_some() {
        return false;
    }
    let ToolCallUpdate {
        tool_call_id: _,
        kind,
        status,
        title,
        name,
        content,
        locations,
        raw_input,
        raw_output,
        meta: _,
        ..
    } = change;
    match said {
        SessionUpdate::ToolCall(call) => {
            set(&mut call.kind, kind);
            set(&mut call.status, status);
            set(&mut call.title, title);
            replace(&mut call.name, name);
            set(&mut call.content, content);
            set(&mut call.locations, locations);
            replace(&mut call.raw_input, raw_input);
            replace(&mut call.raw_output, raw_output);
        }
        SessionUpdate::ToolCallUpdate(before) => {
            replace(&mut before.kind, kind);
            replace(&mut before.status, status);
            replace(&mut before.title, title);
            replace(&mut before.name, name);
            replace(&mut before.content, content);
            replace(&mut before.locations, locations);
            replace(&mut before.raw_input, raw_input);
            replace(&mut before.raw_output, raw_output);
        }
        _ => return false,
    }
    true
}

fn set<T: Clone>(field: &mut T, value: &Option<T>) {
    if let Some(value) = value {
        field.clone_from(value);
    }
}

fn replace<T: Clone>(field: &mut Option<T>, value: &Option<T>) {
    if value.is_some() {
        field.clone_from(value);
    }
}

/// The id of a plan, which only some plans have.
pub(super) fn plan_id(update: &SessionUpdate) -> Option<&str> {
    #[cfg(feature = "v2")]
    if let SessionUpdate::Plan(plan) = update {
        use crate::dialect::marks::{PLAN_ID, marked};
        return marked(&plan.meta, PLAN_ID)?.as_str();
    }
    let _ = update;
    None
}

/// The first update of a compaction. Its summary is known to begin here, so that pieces can be added to it.
pub(super) fn begun(update: &SessionUpdate) -> SessionUpdate {
    let mut update = update.clone();
    if let SessionUpdate::CompactionUpdate(CompactionUpdate { summary: summary @ MaybeUndefined::Undefined, .. }) =
        &mut update
    {
        *summary = MaybeUndefined::Value(Vec::new());
    }
    update
}

/// A change of a compaction or a piece of its summary, to an earlier one.
pub(super) fn compaction(said: &mut SessionUpdate, update: &SessionUpdate) -> bool {
    match (said, update) {
        (SessionUpdate::CompactionUpdate(before), SessionUpdate::CompactionUpdate(change)) => {
            let CompactionUpdate { compaction_id: _, status, summary, error, meta, .. } = change;
            before.status.clone_from(status);
            defined(&mut before.summary, summary);
            defined(&mut before.error, error);
            defined(&mut before.meta, meta);
        }
        (SessionUpdate::CompactionUpdate(before), SessionUpdate::CompactionSummaryChunk(chunk)) => {
            if chunk.meta.is_some() {
                return false;
            }
            match &mut before.summary {
                // The pieces before are in an earlier entry.
                MaybeUndefined::Undefined => return false,
                MaybeUndefined::Null => before.summary = MaybeUndefined::Value(vec![chunk.content.clone()]),
                MaybeUndefined::Value(summary) => {
                    if !summary.last_mut().is_some_and(|last| text(last, &chunk.content)) {
                        summary.push(chunk.content.clone());
                    }
                }
            }
        }
        (SessionUpdate::CompactionSummaryChunk(before), SessionUpdate::CompactionSummaryChunk(chunk)) => {
            return before.meta.is_none() && chunk.meta.is_none() && text(&mut before.content, &chunk.content);
        }
        _ => return false,
    }
    true
}

fn defined<T: Clone>(field: &mut MaybeUndefined<T>, value: &MaybeUndefined<T>) {
    if !value.is_undefined() {
        field.clone_from(value);
    }
}
