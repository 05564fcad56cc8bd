//! Finds the wrong part of a value that serde has read as a whole and then refused. For example, serde reads an
//! untagged union as a whole, and its error only has the place of the whole value. For each part, this module reads the
//! text again without the part. It does so only after an error. It does not search long texts, because each part needs
//! one more reading.

use serde_json::{Error, Result};

use super::pointer::{Step, stop};
use super::scan;

/// The limits of a search: the bytes of the text, and the number of readings.
const LONGEST: usize = 16 * 1024;
const READINGS: usize = 64;

/// One member of an object, or one element of a list, as a range of bytes.
struct Part<'t> {
    /// The key of a member.
    key: Option<&'t str>,
    index: usize,
    /// The start of the part. For a member, this is the start of the key.
    start: usize,
    value: usize,
    end: usize,
}

/// The path to the wrong part, from the value at which `error` stopped. It is empty if no part is surely wrong.
pub(super) fn inside<'t>(text: &'t str, error: &Error, read: &dyn Fn(&str) -> Result<()>) -> Vec<Step<'t>> {
    let end = stop(text, error).filter(|end| text.len() <= LONGEST && text.as_bytes()[*end] == b'}');
    let Some((end, start)) = end.and_then(|end| Some((end + 1, opening(text, end)?))) else { return Vec::new() };
    let mut search = Search { text, behind: text.len() - end, lacks: lacks(error).is_some(), read, left: READINGS };
    let (mut steps, mut value) = (Vec::new(), (start, end));
    while let Some(part) = parts(text, value.0).into_iter().find(|part| search.is_wrong(part)) {
        steps.push(match part.key {
            Some(key) => Step::Key(Some(key)),
            None => Step::Index(Some(part.index)),
        });
        value = (part.value, part.end);
    }
    steps
}

struct Search<'s> {
    text: &'s str,
    /// The number of bytes after the refused value.
    behind: usize,
    /// Whether the value was refused because a field is missing. Without one of its members, a further field may be
    /// missing.
    lacks: bool,
    read: &'s dyn Fn(&str) -> Result<()>,
    left: usize,
}

impl Search<'_> {
    fn is_wrong(&mut self, part: &Part<'_>) -> bool {
        let empty = match &self.text[part.value..part.end] {
            "[]" | "{}" => None,
            list if list.starts_with('[') => Some("[]"),
            object if object.starts_with('{') => Some("{}"),
            _ => None,
        };
        if empty.is_some_and(|empty| self.refused(part.value, part.end, empty).is_none()) {
            return true;
        }
        if self.lacks && part.key.is_some() {
            return false;
        }
        // The range includes the comma after the part. If there is none, it includes the comma before the part.
        let bytes = self.text.as_bytes();
        let next = scan::space(bytes, part.end);
        let before = self.text[..part.start].trim_end();
        let (start, end) = match bytes.get(next) {
            Some(b',') => (part.start, next + 1),
            _ => (before.strip_suffix(',').unwrap_or(before).len(), part.end),
        };
        match self.refused(start, end, "") {
            None => self.left > 0,
            Some(error) => part.key.is_some_and(|key| lacks(&error) == Some(key.to_owned())),
        }
    }

    /// Reads the text with `other` in the place of these bytes. Returns the error if the value is still refused.
    fn refused(&mut self, start: usize, end: usize, other: &str) -> Option<Error> {
        let text = [&self.text[..start], other, &self.text[end..]].concat();
        self.left = self.left.saturating_sub(1);
        let error = if self.left == 0 { Err(serde::de::Error::custom("enough")) } else { (self.read)(&text) }.err()?;
        let later = stop(&text, &error).is_some_and(|at| text.len() - at - 1 < self.behind);
        (!later).then_some(error)
    }
}

/// The missing field of a refused value.
fn lacks(error: &Error) -> Option<String> {
    let text = error.to_string();
    let field = text.strip_prefix("missing field `")?;
    Some(field[..field.find('`')?].to_owned())
}

/// The start of the object that ends at `end`.
fn opening(text: &str, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut open = Vec::new();
    let mut at = 0;
    while at < end {
        match bytes[at] {
            b'"' => {
                at = scan::string(bytes, at)?.end;
                continue;
            }
            b'{' | b'[' => open.push(at),
            b'}' | b']' => drop(open.pop()),
            _ => {}
        }
        at += 1;
    }
    open.pop()
}

/// The parts of the list or object that begins at `start`. Other values have no parts.
fn parts(text: &str, start: usize) -> Vec<Part<'_>> {
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
    let is_object = match bytes[start] {
        b'{' => true,
        b'[' => false,
        _ => return parts,
    };
    let mut at = scan::space(bytes, start + 1);
    while let Some(part) = part(text, at, is_object, parts.len()) {
        at = scan::space(bytes, part.end);
        parts.push(part);
        match bytes.get(at) {
            Some(b',') => at = scan::space(bytes, at + 1),
            _ => break,
        }
    }
    parts
}

fn part(text: &str, start: usize, is_object: bool, index: usize) -> Option<Part<'_>> {
    let bytes = text.as_bytes();
    if !is_object {
        return Some(Part { key: None, index, start, value: start, end: scan::value(bytes, start)? });
    }
    let key = (*bytes.get(start)? == b'"').then(|| scan::string(bytes, start)).flatten()?.end;
    let value = scan::space(bytes, scan::space(bytes, key) + 1);
    Some(Part { key: text.get(start + 1..key - 1), index, start, value, end: scan::value(bytes, value)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use acp_schema::v1::NewSessionRequest;

    fn place(servers: &str) -> String {
        let text = format!(r#"{{"cwd":"/", "mcpServers":{servers}, "_meta":{{}}}}"#);
        let read = |text: &str| super::super::decode::from_json::<NewSessionRequest>(text).map(drop);
        let error = read(&text).unwrap_err();
        let message = crate::wire::undecodable::of_method(&text, &error, &read).message().to_owned();
        message.rsplit_once(" at `").map_or(message.clone(), |(_, place)| place.trim_end_matches('`').to_owned())
    }

    #[test]
    fn the_place_is_that_of_the_part_that_is_wrong() {
        let right = r#"{"name":"b","command":"/b","args":[],"env":[]}"#;
        for (wrong, at) in [
            (r#"{"name":"a","command":5,"args":[],"env":[]}"#, "/command"),
            (r#"{"env":[], "args" : [ ] , "command":"/a", "name": {"secret":1} }"#, "/name"),
            (r#"{"name":"a","command":"/a","args":["x",{"secret":"x"},"y"],"env":[]}"#, "/args/1"),
            (r#"{"name":"a","command":"/a","args":"x","env":[]}"#, "/args"),
            (
                r#"{"name":"a","command":"/a","args":[],"env":[{"name":"a","value":"b"},{"name":"a","value":5}]}"#,
                "/env/1/value",
            ),
            (r#"{"name":"a","command":"/a","args":[],"env":[{"name":"a"}]}"#, "/env/0"),
            (r#"{"name":"a","url":5,"headers":[],"type":"http"}"#, "/url"),
            (r#"{"type":"sse","name":"a","url":"http://a","headers":{"secret":"x"}}"#, "/headers"),
            // In these values, no part is surely wrong.
            (r#"{"name":"a","command":"/a","args":[]}"#, ""),
            (r#"{"name":5,"command":6,"args":[],"env":[]}"#, ""),
            (r#"{}"#, ""),
        ] {
            assert_eq!(place(&format!("[{wrong}]")), format!("/mcpServers/0{at}"), "{wrong}");
            assert_eq!(place(&format!("[{right}, {wrong} ]")), format!("/mcpServers/1{at}"), "{wrong}");
            assert_eq!(place(&format!("[{right},{wrong},{{}},{right}]")), format!("/mcpServers/1{at}"), "{wrong}");
        }
    }

    #[test]
    fn what_is_long_is_not_searched() {
        let long = format!(r#"[{{"name":"{}","command":5,"args":[],"env":[]}}]"#, "n".repeat(LONGEST));
        assert_eq!(place(&long), "/mcpServers/0");
        let many = (0..200).map(|at| format!(r#""k{at}":0,"#)).collect::<String>();
        assert_eq!(place(&format!(r#"[{{{many}"name":"a","command":5,"args":[],"env":[]}}]"#)), "/mcpServers/0");
    }
}
