//! Diffs. In version 2 a diff lists changes of files, and may have a patch of git for them. The values have the old and the
//! new text of one file, so each hunk of the patch is a diff there.

use serde_json::{Map, Value, json};

use crate::dialect::original;

/// The diff as content of the values: a diff for each hunk, and a line of text for each change that no hunk shows. The first
/// keeps the original.
pub(super) fn content(diff: Value) -> Vec<Value> {
    let hunks = match diff["patch"]["format"].as_str() {
        Some("git_patch") => hunks(diff["patch"]["text"].as_str().unwrap_or_default()),
        _ => Vec::new(),
    };
    let mut content: Vec<Map<String, Value>> = Vec::new();
    let members = |value: Value| if let Value::Object(members) = value { members } else { Map::new() };
    for change in diff["changes"].as_array().into_iter().flatten() {
        let (operation, path) = (change["operation"].as_str(), change["path"].as_str());
        let (Some(operation), Some(path)) = (operation, path) else { continue };
        let old_path = change["oldPath"].as_str();
        if old_path.is_some() || !hunks.iter().any(|hunk| hunk.path == path) {
            let text = match old_path {
                Some(old) => format!("{operation}: {old} -> {path}"),
                None => format!("{operation}: {path}"),
            };
            content.push(members(json!({ "type": "content", "content": { "type": "text", "text": text } })));
        }
    }
    for Hunk { path, old, new } in hunks {
        content.push(members(json!({ "type": "diff", "path": path, "oldText": old, "newText": new })));
    }
    if let Some(first) = content.first_mut() {
        original::keep(first, diff);
    }
    content.into_iter().map(Value::Object).collect()
}

/// A hunk of a patch.
#[derive(Debug, PartialEq)]
struct Hunk {
    path: String,
    /// `None` if the file is a new one.
    old: Option<String>,
    new: String,
}

/// The hunks of a patch. Lines outside of hunks that name no file are skipped.
fn hunks(patch: &str) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    let (mut from, mut to) = (None, None);
    // The lines of the old and of the new file that the hunk still has.
    let mut left = (0, 0);
    let mut last = ' ';
    for line in patch.split_inclusive('\n') {
        let sign = line.chars().next().unwrap_or(' ');
        if let (Some(hunk), '\\') = (hunks.last_mut(), sign) {
            hunk.end_without_newline(last);
            continue;
        }
        if left != (0, 0) {
            let Some(hunk) = hunks.last_mut() else { break };
            // An editor may have removed the sign of an empty line.
            let text = line.strip_prefix([' ', '-', '+']).unwrap_or(line);
            if sign != '+' {
                hunk.old.get_or_insert_default().push_str(text);
                left.0 = usize::saturating_sub(left.0, 1);
            }
            if sign != '-' {
                hunk.new.push_str(text);
                left.1 = usize::saturating_sub(left.1, 1);
            }
            last = sign;
        } else if let Some(name) = line.strip_prefix("--- ") {
            from = file(name);
        } else if let Some(name) = line.strip_prefix("+++ ") {
            to = file(name);
        } else if line.starts_with("diff --git ") {
            (from, to) = (None, None);
        } else if let Some(lines) = line.strip_prefix("@@ ").and_then(lines)
            && let Some(path) = to.clone().or_else(|| from.clone())
        {
            left = lines;
            let old = from.is_some().then(String::new);
            hunks.push(Hunk { path, old, new: String::new() });
        }
    }
    hunks
}

impl Hunk {
    /// The last line of the file has no end. It is that of the old file, of the new one, or of both.
    fn end_without_newline(&mut self, sign: char) {
        let cut = |text: &mut String| text.truncate(text.strip_suffix('\n').unwrap_or(text).len());
        if sign != '+'
            && let Some(old) = &mut self.old
        {
            cut(old);
        }
        if sign != '-' {
            cut(&mut self.new);
        }
    }
}

/// The numbers of lines in `-a,b +c,d @@`.
fn lines(header: &str) -> Option<(usize, usize)> {
    let mut ranges = header.split(' ');
    let mut count = |sign| {
        let range = ranges.next()?.strip_prefix(sign)?;
        range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok())
    };
    Some((count('-')?, count('+')?))
}

/// The path in a line that names a file. `None` for `/dev/null`.
fn file(name: &str) -> Option<String> {
    let name = name.trim_end_matches(['\n', '\r']);
    let name = name.split_once('\t').map_or(name, |(name, _)| name);
    if name == "/dev/null" {
        return None;
    }
    match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
        Some(quoted) => Some(unquoted(quoted)),
        None => Some(name.to_owned()),
    }
}

/// A path as git quotes it: bytes as three octal digits, and the escapes of C.
fn unquoted(quoted: &str) -> String {
    let (mut path, mut rest) = (Vec::new(), quoted.as_bytes());
    while let [first, more @ ..] = rest {
        rest = more;
        if *first != b'\\' {
            path.push(*first);
            continue;
        }
        match *more {
            [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ref more @ ..] => {
                path.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                rest = more;
            }
            [escaped, ref more @ ..] => {
                path.push(match escaped {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    other => other,
                });
                rest = more;
            }
            [] => {}
        }
    }
    String::from_utf8_lossy(&path).into_owned()
}
