//! Changes of files, several in one diff: added, modified, deleted, moved and copied, with one patch.
//!
//! See [Content](https://agentclientprotocol.com/protocol/v2/tool-calls#content).

use std::{fmt::Write as _, path::Path};

use serde::Serialize;
use serde_json::Value;

use super::diff::{self, Patch, quoted};
use crate::{
    dialect::marks::{self, marked},
    values::{self, ToolCallContent},
};

/// The changes of several files.
#[derive(Serialize)]
#[serde(tag = "type", rename = "diff")]
pub(super) struct Changes<'a> {
    changes: Vec<Change<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<Patch>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change<'a> {
    operation: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_path: Option<&'a str>,
    path: &'a Path,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'a str>,
    #[serde(skip)]
    texts: Option<&'a values::Diff>,
}

/// Whether this is the change of a file, and not only a diff of version 1.
pub(super) fn is_change(content: &ToolCallContent) -> bool {
    mark_of(content).is_some()
}

fn mark_of(content: &ToolCallContent) -> Option<&Value> {
    match content {
        ToolCallContent::Content(content) => marked(&content.meta, marks::CHANGE),
        ToolCallContent::Diff(diff) => marked(&diff.meta, marks::CHANGE),
        _ => None,
    }
}

impl<'a> Changes<'a> {
    pub(super) fn of(contents: &'a [ToolCallContent]) -> Self {
        let changes: Vec<_> = contents.iter().filter_map(Change::of).collect();
        let patch: String = changes.iter().filter_map(Change::patch).collect();
        Self { changes, patch: (!patch.is_empty()).then(|| Patch::of_git(patch)) }
    }
}

impl<'a> Change<'a> {
    fn of(content: &'a ToolCallContent) -> Option<Self> {
        let mark = mark_of(content)?;
        let text = |name| mark.get(name).and_then(Value::as_str);
        let texts = if let ToolCallContent::Diff(diff) = content { Some(diff) } else { None };
        let path = match texts {
            Some(diff) => diff.path.as_path(),
            None => Path::new(text("path")?),
        };
        Some(Self {
            operation: text("operation")?,
            old_path: text("oldPath"),
            path,
            file_type: text("fileType"),
            mime_type: text("mimeType"),
            texts,
        })
    }

    /// Its part of the patch.
    fn patch(&self) -> Option<String> {
        let old = self.texts.and_then(|diff| diff.old_text.as_deref());
        let new = self.texts.map(|diff| &*diff.new_text);
        match (self.operation, self.old_path) {
            ("move", Some(from)) => self.moved(["rename from", "rename to"], from, old.zip(new)),
            ("copy", Some(from)) => self.moved(["copy from", "copy to"], from, old.zip(new)),
            ("add", _) => diff::patch(self.path, None, Some(new?)),
            ("delete", _) => diff::patch(self.path, Some(old?), None),
            _ => diff::patch(self.path, Some(old?), Some(new?)),
        }
    }

    /// The part of a file that has another path. Without texts, its content is the same.
    fn moved(&self, words: [&str; 2], from: &str, texts: Option<(&str, &str)>) -> Option<String> {
        if self.file_type == Some("directory") {
            return None;
        }
        let [word_from, word_to] = words;
        let (from, to) = (quoted(from), quoted(&self.path.to_string_lossy()));
        let mut patch = format!("diff --git {from} {to}\n");
        let texts = texts.filter(|(old, new)| old != new);
        if texts.is_none() {
            patch.push_str("similarity index 100%\n");
        }
        let _ = writeln!(patch, "{word_from} {from}\n{word_to} {to}");
        if let Some((old, new)) = texts {
            // A name ends at a blank, unless a tab follows.
            let end = |name: &str| if name.contains(' ') { "\t" } else { "" };
            let _ = writeln!(patch, "--- {from}{}\n+++ {to}{}", end(&from), end(&to));
            diff::hunks(&mut patch, old, new);
        }
        Some(patch)
    }
}
