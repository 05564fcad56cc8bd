//! Requests for permission: they have a title of their own, and the tool call or its command is their subject.
//!
//! See [Requesting permission](https://agentclientprotocol.com/protocol/v2/tool-calls#requesting-permission).

use std::path::Path;

use serde::Serialize;
use serde_json::{
    Value, json,
    value::{RawValue, to_raw_value},
};

use super::tool_call;
use crate::{
    dialect::marks::{self, Unmarked, marked},
    values::{PermissionOption, RequestPermissionRequest, SessionId, ToolCallId, ToolCallUpdate, ToolKind},
    wire::Result,
};

/// The params of a request for permission.
pub(super) fn params(request: &RequestPermissionRequest) -> Result<Box<RawValue>> {
    let RequestPermissionRequest { session_id, tool_call, options, meta, .. } = request;
    let subject = match marked(meta, marks::COMMAND) {
        Some(command) => Subject::Command(command),
        None => Subject::ToolCall { tool_call: tool_call::call(tool_call, None) },
    };
    let title = title(tool_call);
    Ok(to_raw_value(&Params { session_id, title, subject, options, meta: Unmarked::of(meta) })?)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    session_id: &'a SessionId,
    title: &'a str,
    subject: Subject<'a>,
    options: &'a [PermissionOption],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Unmarked<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Subject<'a> {
    ToolCall {
        tool_call: tool_call::Call<'a>,
    },
    /// The members of the subject, as [`command`] made them.
    Command(&'a Value),
}

/// The subject of a permission for a command, but for its type. The call is one that the client knows.
pub(crate) fn command(line: &str, cwd: &Path, call: Option<&ToolCallId>) -> Value {
    let mut subject = json!({ "command": line, "cwd": cwd });
    if let Some(id) = call {
        subject["toolCallId"] = json!(id);
    }
    subject
}

/// What the user reads above the question: the title of the call, or else the name of its tool, or else what such tools do.
fn title(call: &ToolCallUpdate) -> &str {
    let given = [&call.title, &call.name].into_iter().flatten().find(|text| !text.is_empty());
    given.map_or_else(|| of_kind(call.kind), String::as_str)
}

fn of_kind(kind: Option<ToolKind>) -> &'static str {
    match kind {
        Some(ToolKind::Read) => "Read files",
        Some(ToolKind::Edit) => "Edit files",
        Some(ToolKind::Delete) => "Delete files",
        Some(ToolKind::Move) => "Move files",
        Some(ToolKind::Search) => "Search",
        Some(ToolKind::Execute) => "Run a command",
        Some(ToolKind::Think) => "Think",
        Some(ToolKind::Fetch) => "Fetch data",
        Some(ToolKind::SwitchMode) => "Switch the mode",
        _ => "Use a tool",
    }
}
