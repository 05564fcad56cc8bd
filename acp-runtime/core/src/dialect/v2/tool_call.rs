//! Tool calls: one update, with what has changed. The first one of an id begins the call.
//!
//! See [Tool calls](https://agentclientprotocol.com/protocol/v2/tool-calls).

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{changes, content::Block, diff};
use crate::{
    dialect::Control,
    values::{
        Content, Meta, ToolCall, ToolCallContent, ToolCallId, ToolCallLocation, ToolCallStatus, ToolCallUpdate,
        ToolKind,
    },
};

/// A call as an update of the session.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Update<'a> {
    session_update: &'static str,
    #[serde(flatten)]
    call: Call<'a>,
    /// The inner `None` is null: the client may not cancel the call any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    capabilities: Option<Option<()>>,
}

/// What has changed of a call.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Call<'a> {
    tool_call_id: &'a ToolCallId,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<ToolKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Contents<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    locations: Option<&'a [ToolCallLocation]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_input: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_output: Option<&'a Value>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Status {
    Known(ToolCallStatus),
    /// Version 1 has no such status.
    Other(&'static str),
}

impl Status {
    fn of(status: ToolCallStatus, control: Option<Control>) -> Self {
        match control {
            Some(Control::Paused) => Self::Other("paused"),
            Some(Control::Cancelled) => Self::Other("cancelled"),
            Some(Control::Cancellable) | None => Self::Known(status),
        }
    }
}

/// A call that begins. What it leaves out is the default.
pub(super) fn begun(call: &ToolCall) -> Update<'_> {
    let ToolCall { tool_call_id, title, name, kind, status, content, locations, raw_input, raw_output, meta, .. } =
        call;
    let status = Some(*status).filter(|status| *status != ToolCallStatus::Pending);
    update(Call {
        tool_call_id,
        title: Some(title),
        name: name.as_deref(),
        kind: Some(*kind).filter(|kind| *kind != ToolKind::Other),
        status: status.map(Status::Known),
        content: Some(Contents(content)).filter(|content| !content.0.is_empty()),
        locations: Some(&**locations).filter(|locations| !locations.is_empty()),
        raw_input: raw_input.as_ref(),
        raw_output: raw_output.as_ref(),
        meta: meta.as_ref(),
    })
}

/// A call that has changed. `ends_cancellable` says that the client could cancel it until now.
pub(super) fn changed(change: &ToolCallUpdate, control: Option<Control>, ends_cancellable: bool) -> Update<'_> {
    Update { capabilities: ends_cancellable.then_some(None), ..update(call(change, control)) }
}

/// What has changed of a call, in another message.
pub(super) fn call(change: &ToolCallUpdate, control: Option<Control>) -> Call<'_> {
    let ToolCallUpdate {
        tool_call_id, title, name, kind, status, content, locations, raw_input, raw_output, meta, ..
    } = change;
    Call {
        tool_call_id,
        title: title.as_deref(),
        name: name.as_deref(),
        kind: *kind,
        status: status.map(|status| Status::of(status, control)),
        content: content.as_deref().map(Contents),
        locations: locations.as_deref(),
        raw_input: raw_input.as_ref(),
        raw_output: raw_output.as_ref(),
        meta: meta.as_ref(),
    }
}

fn update(call: Call<'_>) -> Update<'_> {
    Update { session_update: "tool_call_update", call, capabilities: None }
}

/// The content of a call.
struct Contents<'a>(&'a [ToolCallContent]);

impl Serialize for Contents<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(pieces(self.0))
    }
}

#[derive(Serialize)]
struct Shown<'a> {
    r#type: &'static str,
    content: Block<'a>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

/// The contents of version 1 as those of version 2: changes of files that follow each other are one diff.
fn pieces(content: &[ToolCallContent]) -> impl Iterator<Item = Piece<'_>> {
    content.chunk_by(|one, next| changes::is_change(one) && changes::is_change(next)).map(Piece)
}

/// One content, or changes of files.
struct Piece<'a>(&'a [ToolCallContent]);

impl Serialize for Piece<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            [first, ..] if changes::is_change(first) => changes::Changes::of(self.0).serialize(serializer),
            [ToolCallContent::Content(Content { content, meta, .. })] => {
                Shown { r#type: "content", content: Block(content), meta: meta.as_ref() }.serialize(serializer)
            }
            [ToolCallContent::Diff(of_file)] => diff::Diff::of(of_file).serialize(serializer),
            [other] => other.serialize(serializer),
            // A piece has one content, unless it has changes of files.
            _ => serializer.serialize_none(),
        }
    }
}

/// Contents that are added to those of a call.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Chunk<'a> {
    session_update: &'static str,
    tool_call_id: &'a ToolCallId,
    content: Piece<'a>,
}

/// The last contents of a change, as so many pieces that are added to those before.
pub(super) fn chunks(change: &ToolCallUpdate, added: usize) -> impl Iterator<Item = Chunk<'_>> {
    let all = change.content.as_deref().unwrap_or_default();
    let added = &all[all.len().saturating_sub(added)..];
    pieces(added).map(|content| Chunk {
        session_update: "tool_call_content_chunk",
        tool_call_id: &change.tool_call_id,
        content,
    })
}
