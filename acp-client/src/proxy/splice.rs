//! Replaces parts of a line, and keeps the rest unchanged.

use std::{borrow::Cow, fmt, ops::Range};

use memchr::memmem;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};

/// The position of `part` in `line`, which contains it. `None` for a text from elsewhere.
pub(super) fn place(line: &[u8], part: &str) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(line.as_ptr() as usize)?;
    let range = start..start.checked_add(part.len())?;
    (line.get(range.clone())? == part.as_bytes()).then_some(range)
}

/// Appends a line with its replacements, in the order of the line, and a line end.
pub(super) fn splice(out: &mut Vec<u8>, line: &[u8], replaced: &[(Range<usize>, &str)]) {
    let mut at = 0;
    for (range, text) in replaced {
        out.extend_from_slice(&line[at..range.start]);
        // A hook's JSON may have several lines; in a string, a line end would be escaped.
        out.extend(text.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
        at = range.end;
    }
    out.extend_from_slice(&line[at..]);
    out.push(b'\n');
}

/// The place for a new member of the object in the line: before its end.
pub(super) fn end(line: &[u8]) -> Range<usize> {
    let end = line.iter().rposition(|byte| *byte == b'}').unwrap_or(line.len());
    end..end
}

/// Whether the object in the line has more than one member `id`. Then its two readers could take different ones.
pub(super) fn has_two_ids(line: &[u8]) -> bool {
    // Most lines are decided without a second parse. An escape may hide a name.
    let is_plain = memmem::find_iter(line, b"\"id\"").nth(1).is_none() && memmem::find(line, b"\\u").is_none();
    if is_plain {
        return false;
    }
    struct Ids;
    impl<'de> Visitor<'de> for Ids {
        type Value = usize;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a message")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<usize, A::Error> {
            let mut ids = 0;
            while let Some(name) = members.next_key::<Cow<'de, str>>()? {
                ids += usize::from(name == "id");
                members.next_value::<IgnoredAny>()?;
            }
            Ok(ids)
        }
    }
    let ids = serde_json::Deserializer::from_slice(line).deserialize_map(Ids);
    // The reader of messages has judged the line already.
    ids.is_ok_and(|ids| ids > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_but_the_replaced_stays() {
        let line = br#" {"x":[1,2], "id" : "a" ,"params":{"b":0}}  "#;
        let text = std::str::from_utf8(line).unwrap();
        let id = place(line, &text[text.find(r#""a""#).unwrap()..][..3]).unwrap();
        let params = place(line, &text[text.find(r#"{"b""#).unwrap()..][..7]).unwrap();
        let mut out = Vec::new();
        splice(&mut out, line, &[(id, "7"), (params, "{\n}"), (end(line), r#","y":1"#)]);
        assert_eq!(String::from_utf8(out).unwrap(), " {\"x\":[1,2], \"id\" : 7 ,\"params\":{ },\"y\":1}  \n");
        assert_eq!(place(line, "\"a\""), None, "the same text elsewhere is not it");
    }
}
