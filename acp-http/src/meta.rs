//! Adds a member to the `_meta` of a message. All other bytes of the message stay as they are.

use std::{fmt, io::Write as _, ops::Range};

use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Appends `message` with this member (`"name":value`) in the `_meta` of its params or of its result.
///
/// An error, and params or results that are no objects, have no place for it: there the message itself gets a `_meta`.
pub(crate) fn append(out: &mut Vec<u8>, message: &[u8], member: fmt::Arguments<'_>) {
    let (at, before, after) = place(message);
    out.extend_from_slice(&message[..at.start]);
    out.extend_from_slice(before);
    out.write_fmt(member).expect("a vector takes all");
    out.extend_from_slice(after);
    out.extend_from_slice(&message[at.end..]);
}

/// The bytes of the message that the member replaces, usually none, and the bytes around the member there.
fn place(message: &[u8]) -> (Range<usize>, &'static [u8], &'static [u8]) {
    const META: &[u8] = br#""_meta":{"#;
    let behind = |at: usize| at..at;
    let of_message = || (behind(message.len().saturating_sub(1)), &br#","_meta":{"#[..], &b"}"[..]);
    let Some(object) = object(message) else { return of_message() };
    let is_empty = message[object..].trim_ascii_start().first() == Some(&b'}');
    let new = || (behind(object), META, if is_empty { &b"}"[..] } else { b"}," });
    // Most messages have no `_meta` at all.
    if memmem::find(&message[object..], br#""_meta""#).is_none() {
        return new();
    }
    #[derive(Deserialize)]
    struct OfMeta<'m> {
        #[serde(borrow, default, rename = "_meta", deserialize_with = "crate::message::present")]
        meta: Option<&'m RawValue>,
    }
    // The object is the last member of the message.
    let Ok(read) = serde_json::from_slice::<OfMeta<'_>>(&message[object - 1..message.len() - 1]) else {
        return of_message();
    };
    let Some(meta) = read.meta.map(RawValue::get) else { return new() };
    let start = meta.as_ptr().addr() - message.as_ptr().addr();
    let end = start + meta.len();
    match meta.strip_prefix('{').map(str::trim_ascii_start) {
        // The last member counts, where a proxied message has one of this name already.
        Some("}") => (end - 1..end, b"", b"}"),
        Some(_) => (end - 1..end, b",", b"}"),
        None => of_message(),
    }
}

/// The place behind the brace that opens the params or the result of a message, as the runtime writes messages.
fn object(message: &[u8]) -> Option<usize> {
    let mut rest = message.strip_prefix(br#"{"jsonrpc":"2.0","#)?;
    if let Some(id) = rest.strip_prefix(br#""id":"#) {
        rest = scalar(id)?.strip_prefix(b",")?;
    }
    rest = match rest.strip_prefix(br#""method":"#) {
        Some(method) => scalar(method)?.strip_prefix(br#","params":{"#)?,
        None => rest.strip_prefix(br#""result":{"#)?,
    };
    Some(message.len() - rest.len())
}

/// The bytes behind a string or a number.
fn scalar(text: &[u8]) -> Option<&[u8]> {
    let Some(string) = text.strip_prefix(b"\"") else {
        return text.iter().position(|byte| *byte == b',').map(|end| &text[end..]);
    };
    let mut is_escaped = false;
    let end = string.iter().position(|byte| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    });
    end.map(|end| &string[end + 1..])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn with(message: &str) -> String {
        let mut out = Vec::new();
        append(&mut out, message.as_bytes(), format_args!(r#""a/b":{}"#, 5));
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_other_bytes_of_a_message_stay_as_they_are() {
        for (message, expected) in [
            (
                r#"{"jsonrpc":"2.0","method":"m","params":{"x": 1.50}}"#,
                r#"{"jsonrpc":"2.0","method":"m","params":{"_meta":{"a/b":5},"x": 1.50}}"#,
            ),
            (
                r#"{"jsonrpc":"2.0","method":"m","params":{ }}"#,
                r#"{"jsonrpc":"2.0","method":"m","params":{"_meta":{"a/b":5} }}"#,
            ),
            (
                r#"{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":{"_meta":{}}}}"#,
                r#"{"jsonrpc":"2.0","id":7,"method":"m","params":{"_meta":{"a/b":5},"x":{"_meta":{}}}}"#,
            ),
            (
                r#"{"jsonrpc":"2.0","id":"a,\"result\":{\\","result":{"x":1,"_meta":{"y":[2]}}}"#,
                r#"{"jsonrpc":"2.0","id":"a,\"result\":{\\","result":{"x":1,"_meta":{"y":[2],"a/b":5}}}"#,
            ),
            (
                r#"{"jsonrpc":"2.0","id":null,"result":{"_meta":{}}}"#,
                r#"{"jsonrpc":"2.0","id":null,"result":{"_meta":{"a/b":5}}}"#,
            ),
        ] {
            assert_eq!(with(message), expected);
        }
    }

    #[test]
    fn where_params_have_no_place_the_message_has_one() {
        for message in [
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":[{"_meta":{}}]}"#,
            r#"{"jsonrpc":"2.0","method":"m"}"#,
            r#"{"jsonrpc":"2.0","method":"m","params":[1]}"#,
            r#"{"jsonrpc":"2.0","method":"m","params":{"_meta":null}}"#,
            r#"{"jsonrpc":"2.0","method":"m","params":{"_meta":"text"}}"#,
            r#"{"method":"m","params":{"x":1},"jsonrpc":"2.0"}"#,
        ] {
            let mut expected: Value = serde_json::from_str(message).unwrap();
            expected["_meta"] = json!({ "a/b": 5 });
            let read: Value = serde_json::from_str(&with(message)).unwrap();
            assert_eq!(read, expected, "{message}");
        }
    }
}
