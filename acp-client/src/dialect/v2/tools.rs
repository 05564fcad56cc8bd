//! Tool calls. In version 2, the first update of a call is none of its own kind, `null` clears a member, and content may be
//! appended. The values have a kind for the first update, and replace lists.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{controls::Controls, diffs, is_known};
use crate::{
    dialect::original,
    values::{ToolCallStatus, ToolKind},
};

/// Above this number of calls of a session, they are forgotten.
const MOST_CALLS: usize = 4096;
/// The bound on the content that is kept of a call, to append to it. A larger one is passed on, and not appended to.
const MOST_CONTENT: usize = 64 * 1024;

/// The tool calls of a session.
#[derive(Default)]
pub(super) struct Tools {
    calls: HashMap<Box<str>, Call>,
    /// The number of questions without a call.
    questions: u64,
}

/// What is kept of a call.
#[derive(Default)]
struct Call {
    /// The client has got its first update.
    is_told: bool,
    title: Option<Box<str>>,
    name: Option<Box<str>>,
    kind: Option<Value>,
    /// `None` if it is too large.
    content: Option<Vec<Value>>,
    bytes: usize,
    controls: Controls,
}

impl Tools {
    /// Takes an update of a call, and makes it one of the values.
    pub(super) fn update(&mut self, mut update: Map<String, Value>) -> Option<Map<String, Value>> {
        let call = self.patched(&mut update)?;
        let is_first = !std::mem::replace(&mut call.is_told, true);
        if is_first {
            call.complete(&mut update);
        }
        let is_over = matches!(update.get("status").and_then(Value::as_str), Some("completed" | "failed"));
        if is_over {
            (call.content, call.bytes) = (None, 0);
        }
        let kind = if is_first { "tool_call" } else { "tool_call_update" };
        update.insert("sessionUpdate".to_owned(), kind.into());
        Some(update)
    }

    /// Takes a piece of content. The update has all content of the call. `None` if the call has too much of it.
    pub(super) fn chunk(&mut self, mut update: Map<String, Value>) -> Option<Map<String, Value>> {
        let piece = update.remove("content")?;
        let call = self.call(update.get("toolCallId")?.as_str()?);
        let pieces = content(vec![piece]);
        let bytes = size(&pieces);
        call.bytes += bytes;
        if call.bytes > MOST_CONTENT {
            call.content = None;
        }
        let content = call.content.as_mut()?;
        content.extend(pieces);
        let content = content.clone();
        let is_first = !std::mem::replace(&mut call.is_told, true);
        if is_first {
            call.complete(&mut update);
        }
        let kind = if is_first { "tool_call" } else { "tool_call_update" };
        update.insert("sessionUpdate".to_owned(), kind.into());
        update.insert("content".to_owned(), content.into());
        Some(update)
    }

    /// The call that permission is asked for. The question may be the first that is said of it, or leave out what was said
    /// before.
    pub(super) fn asked(&mut self, mut update: Map<String, Value>, title: &str) -> Option<Map<String, Value>> {
        let call = self.patched(&mut update)?;
        if call.title.is_none() {
            update.insert("title".to_owned(), title.into());
        }
        call.complete(&mut update);
        Some(update)
    }

    /// Whether the agent lets the client cancel this call alone.
    pub(super) fn can_cancel(&self, id: &str) -> bool {
        self.calls.get(id).is_some_and(|call| call.controls.can_cancel())
    }

    /// The id of the call in a question that names none.
    pub(super) fn question(&mut self) -> String {
        self.questions += 1;
        format!("acp_client/question-{}", self.questions)
    }

    fn call(&mut self, id: &str) -> &mut Call {
        if self.calls.len() >= MOST_CALLS && !self.calls.contains_key(id) {
            self.calls.clear();
        }
        let new = || Call { content: Some(Vec::new()), ..Call::default() };
        self.calls.entry(id.into()).or_insert_with(new)
    }

    /// Takes the members of an update over, and gives them the shapes of the values.
    fn patched(&mut self, update: &mut Map<String, Value>) -> Option<&mut Call> {
        let call = self.call(update.get("toolCallId")?.as_str()?);
        let mut lost = Map::new();
        let text = |member: &Value| member.as_str().map(Box::from);
        if let Some(name) = update.get("name") {
            call.name = text(name);
        }
        if let Some(title) = update.get("title") {
            call.title = text(title);
            if title.is_null() {
                update.insert("title".to_owned(), call.shown());
            }
        }
        if let Some(kind) = update.get_mut("kind") {
            if !is_known::<ToolKind>(kind) {
                lose(&mut lost, "kind", kind, "other");
            }
            call.kind = Some(kind.clone());
        }
        if let Some(status) = update.get("status") {
            call.controls.ended(matches!(status.as_str(), Some("completed" | "failed" | "cancelled")));
        }
        if let Some(status) = update.get_mut("status")
            && !is_known::<ToolCallStatus>(status)
        {
            let nearest = match status.as_str() {
                None => "pending",
                Some("cancelled") => "failed",
                // Also one that is paused, or of a status that nobody knows.
                Some(_) => "in_progress",
            };
            lose(&mut lost, "status", status, nearest);
        }
        if let Some(given) = update.get_mut("content") {
            let pieces = given.as_array_mut().map(std::mem::take).unwrap_or_default();
            let pieces = content(pieces);
            call.bytes = size(&pieces);
            call.content = (call.bytes <= MOST_CONTENT).then(|| pieces.clone());
            *given = pieces.into();
        }
        if let Some(locations) = update.get_mut("locations")
            && locations.is_null()
        {
            *locations = json!([]);
        }
        if let Some(capabilities) = update.remove("capabilities") {
            call.controls.offered(&capabilities);
            lost.insert("capabilities".to_owned(), capabilities);
        }
        if !lost.is_empty() {
            original::keep(update, lost.into());
        }
        Some(call)
    }
}

impl Call {
    /// Adds what the first update of the values must have.
    fn complete(&self, update: &mut Map<String, Value>) {
        let title = update.get("title").and_then(Value::as_str).filter(|title| !title.is_empty());
        if title.is_none() {
            let shown = self.title.as_deref().map(Value::from).unwrap_or_else(|| self.shown());
            update.insert("title".to_owned(), shown);
        }
        if let Some(kind) = &self.kind {
            update.entry("kind").or_insert_with(|| kind.clone());
        }
    }

    /// What is shown of a call without a title.
    fn shown(&self) -> Value {
        self.name.as_deref().unwrap_or_default().into()
    }
}

/// Replaces a value that the values do not have, and keeps it. A `null` says no more than the replacement.
fn lose(lost: &mut Map<String, Value>, name: &str, value: &mut Value, nearest: &str) {
    let value = std::mem::replace(value, nearest.into());
    if !value.is_null() {
        lost.insert(name.to_owned(), value);
    }
}

/// The content of a call in the shapes of the values.
fn content(pieces: Vec<Value>) -> Vec<Value> {
    let is_diff = |piece: &Value| piece["type"] == "diff";
    pieces.into_iter().flat_map(|piece| if is_diff(&piece) { diffs::content(piece) } else { vec![piece] }).collect()
}

fn size(pieces: &[Value]) -> usize {
    pieces.iter().map(|piece| piece.to_string().len()).sum()
}
