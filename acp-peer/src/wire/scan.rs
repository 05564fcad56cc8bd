//! Finds the ends of values in a JSON text, and checks the text by [RFC 8259]. It searches strings many bytes at a
//! time, because a prompt can contain a picture: serde_json takes three times as long for it. Nested values need memory
//! but no stack.
//!
//! [RFC 8259]: https://www.rfc-editor.org/rfc/rfc8259

use serde::de::value::{BorrowedStrDeserializer, MapDeserializer};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde_json::value::RawValue;

/// A string in a text, including its quotes.
#[derive(Debug)]
pub(super) struct Text {
    /// The position after the closing quote.
    pub(super) end: usize,
    /// The number of escapes in the string.
    pub(super) escapes: usize,
}

/// The position after the white space that begins at `at`.
pub(super) fn space(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\n' | b'\r') = text.get(at) {
        at += 1;
    }
    at
}

/// The end of the value that begins at `at`. `None` if there is no value, or if it is not JSON.
pub(super) fn value(text: &[u8], mut at: usize) -> Option<usize> {
    // The open lists and objects: true for an object.
    let mut open: Vec<bool> = Vec::new();
    loop {
        at = match *text.get(at)? {
            b'"' => string(text, at)?.end,
            b'-' | b'0'..=b'9' => number(text, at)?,
            b't' => word(text, at, b"true")?,
            b'f' => word(text, at, b"false")?,
            b'n' => word(text, at, b"null")?,
            bracket @ (b'{' | b'[') => {
                let is_object = bracket == b'{';
                let next = space(text, at + 1);
                if *text.get(next)? == closing(is_object) {
                    next + 1
                } else {
                    open.push(is_object);
                    at = if is_object { key(text, next)? } else { next };
                    continue;
                }
            }
            _ => return None,
        };
        // After a value comes another value, or the end of its list or object.
        loop {
            let Some(&is_object) = open.last() else { return Some(at) };
            at = space(text, at);
            match *text.get(at)? {
                b',' => {
                    let next = space(text, at + 1);
                    at = if is_object { key(text, next)? } else { next };
                    break;
                }
                bracket if bracket == closing(is_object) => {
                    open.pop();
                    at += 1;
                }
                _ => return None,
            }
        }
    }
}

/// The string that begins at `at`.
pub(super) fn string(text: &[u8], at: usize) -> Option<Text> {
    if *text.get(at)? != b'"' {
        return None;
    }
    let (mut at, mut escapes) = (at + 1, 0);
    loop {
        at = plain(text, at)?;
        if text[at] == b'"' {
            return Some(Text { end: at + 1, escapes });
        }
        escapes += 1;
        at += match *text.get(at + 1)? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => 2,
            b'u' if text.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit) => 6,
            _ => return None,
        };
    }
}

/// The end of the plain bytes of a string. There is the closing quote or an escape.
fn plain(text: &[u8], mut at: usize) -> Option<usize> {
    // The first words are checked without a search. Most strings are short, and a string with one escape has many. A
    // search for each escape would take longer.
    const NEAR: usize = 4;
    for _ in 0..NEAR {
        let Some(word) = text.get(at..).and_then(<[u8]>::first_chunk) else { break };
        match ends(u64::from_le_bytes(*word)) {
            0 => at += 8,
            found => {
                at += found.trailing_zeros() as usize / 8;
                return (text[at] >= b' ').then_some(at);
            }
        }
    }
    let far = text.get(at..)?;
    let count = memchr::memchr2(b'"', b'\\', far)?;
    (!has_control(&far[..count])).then_some(at + count)
}

/// Looks at eight bytes. Sets the top bit of the first one that is a quote, a backslash or a control character. May
/// also set bits above it.
fn ends(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let below = |word: u64, bound: u8| word.wrapping_sub(ONES * u64::from(bound)) & !word;
    let is = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (below(word, b' ') | is(b'"') | is(b'\\')) & (ONES << 7)
}

/// Looks at all bytes, even after a hit. Without an early end, the compiler can check many bytes at a time.
fn has_control(text: &[u8]) -> bool {
    text.iter().fold(false, |found, byte| found | (*byte < b' '))
}

/// The start of the value after the key that begins at `at`.
fn key(text: &[u8], at: usize) -> Option<usize> {
    let colon = space(text, string(text, at)?.end);
    (*text.get(colon)? == b':').then(|| space(text, colon + 1))
}

fn closing(is_object: bool) -> u8 {
    if is_object { b'}' } else { b']' }
}

fn word(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    text[at..].starts_with(word).then_some(at + word.len())
}

fn number(text: &[u8], at: usize) -> Option<usize> {
    let digits = |at: usize| at + text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let start = at + usize::from(text[at] == b'-');
    let mut end = digits(start);
    if end == start || (text[start] == b'0' && end > start + 1) {
        return None;
    }
    if text.get(end) == Some(&b'.') {
        let fraction = end + 1;
        end = digits(fraction);
        if end == fraction {
            return None;
        }
    }
    if let Some(b'e' | b'E') = text.get(end) {
        let exponent = end + 1 + usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        end = digits(exponent);
        if end == exponent {
            return None;
        }
    }
    Some(end)
}

/// Raw JSON of a text that was already checked to be one JSON value. It is not checked again.
pub(super) fn raw(json: &str) -> Option<&RawValue> {
    <&RawValue>::deserialize(Found(json)).ok()
}

/// Hands over raw JSON in the form that serde_json itself uses: an object with one member, whose key is the requested
/// name. If serde_json changes this form, the result is an error, and serde_json reads the text itself.
pub(super) struct Found<'de>(pub(super) &'de str);

impl<'de> Deserializer<'de> for Found<'de> {
    type Error = serde_json::Error;

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_map(MapDeserializer::new(std::iter::once((name, BorrowedStrDeserializer::new(self.0)))))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(Self::Error::custom("only raw JSON is read from this"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq
        tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
