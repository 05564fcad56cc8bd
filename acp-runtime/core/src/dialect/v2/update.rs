//! Updates of a session. Those that both versions have pass unchanged.

use serde::{Serialize, Serializer};

use super::{content::Block, notification, plan, tool_call};
use crate::{
    dialect::{
        OutgoingUpdate,
        marks::{self, Unmarked, marked},
        members::append,
    },
    values::{
        AvailableCommand, AvailableCommandInput, AvailableCommandsUpdate, CompactionId, CompactionSummaryChunk,
        ContentChunk, MessageId, Meta, SessionUpdate, UnstructuredCommandInput,
    },
    wire::{Error, Result},
};

/// Writes an update. Writes nothing if this version has no such update.
// If the compiler inlined this function, each way to send an update would compile it again.
#[inline(never)]
pub(super) fn update(out: &mut Vec<u8>, said: OutgoingUpdate<'_>) -> Result<()> {
    let message_id = said.message_id();
    match said.update {
        SessionUpdate::UserMessageChunk(piece) => {
            message(out, said, message_id, piece, ["user_message_chunk", "user_message"])
        }
        SessionUpdate::AgentMessageChunk(piece) => {
            message(out, said, message_id, piece, ["agent_message_chunk", "agent_message"])
        }
        SessionUpdate::AgentThoughtChunk(piece) => {
            message(out, said, message_id, piece, ["agent_thought_chunk", "agent_thought"])
        }
        SessionUpdate::ToolCall(call) => written(out, said, &tool_call::begun(call)),
        SessionUpdate::ToolCallUpdate(change) if said.added > 0 => {
            tool_call::chunks(change, said.added).try_for_each(|chunk| written(out, said, &chunk))
        }
        SessionUpdate::ToolCallUpdate(change) => {
            written(out, said, &tool_call::changed(change, said.status, said.ends_cancellable))
        }
        SessionUpdate::Plan(plan) => written(out, said, &plan::whole(plan)),
        SessionUpdate::AvailableCommandsUpdate(update) => written(out, said, &commands(update)),
        SessionUpdate::CompactionSummaryChunk(piece) => written(out, said, &summary(piece)),
        // Modes are options.
        SessionUpdate::CurrentModeUpdate(_) => Ok(()),
        // The drafts of version 1 are drafts of version 2, too.
        other => written(out, said, other),
    }
}

fn written(out: &mut Vec<u8>, said: OutgoingUpdate<'_>, update: &impl Serialize) -> Result<()> {
    let wrong = std::cell::OnceCell::new();
    let written = notification(out, said.session, &|out| {
        let start = out.len();
        serde_json::to_writer(&mut *out, update)?;
        match said.members {
            [] => Ok(()),
            members => {
                append(out, start, members, super::VERSION).inspect_err(|error| drop(wrong.set(error.to_string())))
            }
        }
    });
    // What serde says is not for clients, but this is.
    written.map_err(|error| wrong.into_inner().map_or(error, Error::internal_error))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Message<'a, C> {
    session_update: &'static str,
    message_id: Option<MessageId>,
    content: C,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Unmarked<'a>>,
}

/// Writes a piece of a message. It is added to the pieces before, or it is the message from here on. `names` are those of the two
/// updates.
fn message(
    out: &mut Vec<u8>,
    said: OutgoingUpdate<'_>,
    message_id: Option<MessageId>,
    piece: &ContentChunk,
    names: [&'static str; 2],
) -> Result<()> {
    let ContentChunk { content, meta, .. } = piece;
    let [chunk, whole] = names;
    let (replaces, meta) = (marked(meta, marks::REPLACES), Unmarked::of(meta));
    let Some(replaces) = replaces else {
        return written(out, said, &Message { session_update: chunk, message_id, content: Block(content), meta });
    };
    // A mark of false is one of a message that is empty.
    let content = Some(Block(content)).filter(|_| *replaces == true);
    let content = content.as_slice();
    written(out, said, &Message { session_update: whole, message_id, content, meta })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SummaryChunk<'a> {
    session_update: &'static str,
    compaction_id: &'a CompactionId,
    content: Block<'a>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

fn summary(piece: &CompactionSummaryChunk) -> SummaryChunk<'_> {
    let CompactionSummaryChunk { compaction_id, content, meta, .. } = piece;
    SummaryChunk {
        session_update: "compaction_summary_chunk",
        compaction_id,
        content: Block(content),
        meta: meta.as_ref(),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CommandsUpdate<'a> {
    session_update: &'static str,
    available_commands: Commands<'a>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

#[derive(Serialize)]
struct Command<'a> {
    r#type: &'static str,
    name: &'a str,
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Input<'a>>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

#[derive(Serialize)]
struct Input<'a> {
    r#type: &'static str,
    #[serde(flatten)]
    text: &'a UnstructuredCommandInput,
}

fn commands(update: &AvailableCommandsUpdate) -> CommandsUpdate<'_> {
    let AvailableCommandsUpdate { available_commands, meta, .. } = update;
    let available_commands = Commands(available_commands);
    CommandsUpdate { session_update: "available_commands_update", available_commands, meta: meta.as_ref() }
}

/// A list of commands.
pub(super) struct Commands<'a>(pub(super) &'a [AvailableCommand]);

impl Serialize for Commands<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Command::of))
    }
}

impl<'a> Command<'a> {
    fn of(command: &'a AvailableCommand) -> Self {
        let AvailableCommand { name, description, input, meta, .. } = command;
        let input = match input {
            Some(AvailableCommandInput::Unstructured(text)) => Some(Input { r#type: "text", text }),
            _ => None,
        };
        Self { r#type: "command", name, description, input, meta: meta.as_ref() }
    }
}
