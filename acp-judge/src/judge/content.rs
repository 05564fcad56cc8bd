//! What fields hold: paths, lines, times, and data in Base64.

use super::{connection::Judge, rules, state::items};
use crate::{tape::Party, value::Value};

impl Judge {
    /// Checks the fields of params or of a result.
    pub(super) fn fields(&mut self, from: Party, what: &str, value: &Value<'_>) {
        walk(value, &mut |name, value| {
            if let Value::String(path) = value
                && matches!(name, "cwd" | "path" | "oldPath" | "additionalDirectories")
            {
                self.check(is_absolute(path), &rules::ABSOLUTE, from, || format!("`{what}` has {value} as `{name}`"));
            }
            // The schema of version 2 has no line 0, so it reports the line.
            if name == "line" && value.is_number() && self.version == 1 {
                self.check(*value != 0, &rules::LINES, from, || format!("`{what}` speaks of line 0"));
            }
            if let ("updatedAt", Value::String(time)) = (name, value)
                && from == Party::Agent
            {
                self.check(is_time(time), &rules::TIMES, from, || format!("`{what}` has {value} as `{name}`"));
            }
        });
        let update = &value["update"]["content"];
        let blocks = items(&value["prompt"]).chain(items(update)).chain(update.is_object().then_some(update));
        // The schema of version 2 says itself what is in Base64.
        let blocks = blocks.filter(|_| self.version == 1);
        let blocks: Vec<_> = blocks.flat_map(|block| [block, &block["content"]]).collect();
        for block in blocks.iter().flat_map(|block| [*block, &block["resource"]]) {
            let data = match block["type"].as_str() {
                Some("image" | "audio") => &block["data"],
                _ => &block["blob"],
            };
            if let Some(data) = data.as_str() {
                self.check(is_base64(data.as_bytes()), &rules::BASE64, from, || {
                    format!("`{what}` has data that is no Base64")
                });
            }
        }
    }
}

/// Whether a path is absolute, on Unix or Windows.
fn is_absolute(path: &str) -> bool {
    let bytes = path.as_bytes();
    let drive =
        bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'/' | b'\\');
    path.starts_with('/') || path.starts_with("\\\\") || drive
}

/// Whether a text begins as a day of ISO 8601, and has a time behind it or nothing.
fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_day = bytes.len() >= 10
        && bytes[..10]
            .iter()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 4 | 7) { *byte == b'-' } else { byte.is_ascii_digit() });
    let time = bytes.get(10..).unwrap_or_default();
    let is_digits = |from: usize| time.get(from..from + 2).is_some_and(|two| two.iter().all(u8::is_ascii_digit));
    is_day
        && (time.is_empty()
            || matches!(time[0], b'T' | b't' | b' ') && is_digits(1) && time.get(3) == Some(&b':') && is_digits(4))
}

/// Whether a text is Base64, with its padding or without.
fn is_base64(text: &[u8]) -> bool {
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let body = &text[..text.len() - padding];
    let is_whole = if padding == 0 { body.len() % 4 != 1 } else { padding <= 2 && text.len().is_multiple_of(4) };
    is_whole && body.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'))
}

/// Calls the function for each field of the protocol. Fields of vendors are left out.
fn walk(value: &Value<'_>, visit: &mut impl FnMut(&str, &Value<'_>)) {
    const OWN: [&str; 5] = ["_meta", "rawInput", "rawOutput", "requestedSchema", "content"];
    match value {
        Value::Object(object) => {
            for (name, value) in object.iter() {
                match value {
                    Value::Array(items) => items.iter().for_each(|item| {
                        visit(name, item);
                        // The fields in a list of contents are the protocol's own.
                        if name == "content" || !OWN.contains(&name) {
                            walk(item, visit);
                        }
                    }),
                    _ if OWN.contains(&name) => {}
                    _ => {
                        visit(name, value);
                        walk(value, visit);
                    }
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| walk(item, visit)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_data_are_read_by_their_form() {
        for time in ["2026-11-28", "2026-11-28T10:00:00Z", "2026-11-28t10:00+01:00", "2026-11-28 10:00"] {
            assert!(is_time(time), "{time}");
        }
        for time in ["", "yesterday", "1764324000", "28.11.2026", "2026-11-28T", "2026-11-28Tten", "2026/11/28"] {
            assert!(!is_time(time), "{time}");
        }
        for data in ["", "aGk=", "aGk", "aGkh", "-_-_"] {
            assert!(is_base64(data.as_bytes()), "{data}");
        }
        for data in ["a", "aGk==", "a b=", "aGk=aGk=", "data:image/png;base64,aGk="] {
            assert!(!is_base64(data.as_bytes()), "{data}");
        }
    }
}
