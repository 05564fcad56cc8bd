//! Diffs: the files that have changed, and a patch.
//!
//! See [Content](https://agentclientprotocol.com/protocol/v2/tool-calls#content).

use std::{
    fmt::Write as _,
    path::Path,
    time::{Duration, Instant},
};

use serde::Serialize;
use similar::{
    ChangeTag, DiffOp,
    algorithms::{Capture, Compact, Replace, myers},
    group_diff_ops,
};

use crate::values::{self, Meta};

/// The time that the comparison of two texts may take. After it, the patch is longer than it needs to be, and right.
const TIME: Duration = Duration::from_millis(50);

/// A change of one file.
#[derive(Serialize)]
#[serde(tag = "type", rename = "diff")]
pub(super) struct Diff<'a> {
    changes: [Change<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<Patch>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change<'a> {
    operation: &'static str,
    path: &'a Path,
    file_type: &'static str,
}

#[derive(Serialize)]
pub(super) struct Patch {
    format: &'static str,
    text: String,
}

impl Patch {
    pub(super) fn of_git(text: String) -> Self {
        Self { format: "git_patch", text }
    }
}

impl<'a> Diff<'a> {
    pub(super) fn of(diff: &'a values::Diff) -> Self {
        let values::Diff { path, old_text, new_text, meta, .. } = diff;
        let operation = if old_text.is_some() { "modify" } else { "add" };
        Self {
            changes: [Change { operation, path, file_type: "text" }],
            patch: patch(path, old_text.as_deref(), Some(new_text)).map(Patch::of_git),
            meta: meta.as_ref(),
        }
    }
}

/// A patch in git's format, with the absolute path on both sides. A text that is not there is a file that is not there. `None` if
/// nothing has changed.
pub(super) fn patch(path: &Path, old: Option<&str>, new: Option<&str>) -> Option<String> {
    if old == new {
        return None;
    }
    let name = quoted(&path.to_string_lossy());
    let mut text = format!("diff --git {name} {name}\n");
    text.push_str(match (old, new) {
        (None, _) => "new file mode 100644\n",
        (_, None) => "deleted file mode 100644\n",
        _ => "",
    });
    // Git leaves these two lines out if there are no hunks. But then it does not find an absolute path when it applies the patch.
    for (sign, is_there) in [("---", old.is_some()), ("+++", new.is_some())] {
        let side = if is_there { &name } else { "/dev/null" };
        // A name ends at a blank, unless a tab follows.
        let end = if side.contains(' ') { "\t" } else { "" };
        let _ = writeln!(text, "{sign} {side}{end}");
    }
    hunks(&mut text, old.unwrap_or_default(), new.unwrap_or_default());
    Some(text)
}

/// Writes the lines that differ, with three lines around them.
pub(super) fn hunks(text: &mut String, old: &str, new: &str) {
    // For git, only `\n` ends a line. For `TextDiff`, a lone `\r` ends one, too.
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    for group in group_diff_ops(compared(&old, &new), 3) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let of_old = place(first.old_range().start, last.old_range().end);
        let of_new = place(first.new_range().start, last.new_range().end);
        let _ = writeln!(text, "@@ -{of_old} +{of_new} @@");
        for change in group.iter().flat_map(|operation| operation.iter_changes(&old, &new)) {
            text.push(match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            });
            text.push_str(change.value());
            if !change.value().ends_with('\n') {
                text.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
}

/// How the new lines come from the old ones.
fn compared(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    // `capture_diff_slices` would do the same, and bring the code of five more algorithms.
    let mut operations = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) =
        myers::diff_deadline(&mut operations, old, 0..old.len(), new, 0..new.len(), Some(Instant::now() + TIME));
    operations.into_inner().into_inner().into_ops()
}

/// The lines of a hunk: the number of the first one, and how many they are. If there are none, the number is that of the line
/// before them.
fn place(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => (start + 1).to_string(),
        count => format!("{},{count}", start + 1),
    }
}

/// A name as git writes it with `core.quotePath` off: in quotes, if it has characters that need them.
pub(super) fn quoted(name: &str) -> String {
    if !name.contains(|char: char| char == '"' || char == '\\' || char.is_ascii_control()) {
        return name.to_owned();
    }
    let mut quoted = String::from("\"");
    for char in name.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\x07' => quoted.push_str("\\a"),
            '\x08' => quoted.push_str("\\b"),
            '\t' => quoted.push_str("\\t"),
            '\n' => quoted.push_str("\\n"),
            '\x0b' => quoted.push_str("\\v"),
            '\x0c' => quoted.push_str("\\f"),
            '\r' => quoted.push_str("\\r"),
            char if char.is_ascii_control() => {
                let _ = write!(quoted, "\\{:03o}", u32::from(char));
            }
            char => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
