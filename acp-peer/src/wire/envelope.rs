//! Classifies a line: a request, a notification, a response, or a line that is answered with an error. One scan decodes
//! only the method. The params stay raw, so that only the method's handler parses them.
//!
//! JSON-RPC 2.0 defines which lines are answered. A broken request is answered, with its id if the id can be read. A
//! notification or a response is never answered, even if it is broken.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::error::{Error, Result};
use super::quoted::Redacted;
use super::{decode, scan};

/// The data of an error answer is decoded only up to this many bytes, because the decoded values of a small JSON text
/// can be large.
const ERROR_DATA: usize = 1024 * 1024;

/// The kind of a line. All parts borrow from the line.
#[derive(Debug)]
#[expect(missing_docs, reason = "each variant says what its parts are")]
pub enum Incoming<'a> {
    /// A request. The answer repeats the text of `id` unchanged. `params` is an object or an array.
    Request { id: &'a RawValue, method: Cow<'a, str>, params: Option<&'a RawValue> },
    /// A notification; it is not answered.
    Notification { method: Cow<'a, str>, params: Option<&'a RawValue> },
    /// The answer to our request with this `id`. A malformed answer becomes an error. Otherwise its request would wait
    /// for ever.
    Response { id: &'a RawValue, outcome: Result<&'a RawValue> },
    /// A call without its method, or an answer without its outcome. If a request with this `id` is open, it is an
    /// answer.
    Bare { id: &'a RawValue },
    /// A line that is answered with `error`.
    Invalid { id: Option<&'a RawValue>, error: Error },
    /// A line that is not answered and has no effect. The text is the reason, for a log.
    Ignored(&'static str),
}

impl<'a> Incoming<'a> {
    /// Reads one line.
    pub fn read(line: &'a [u8]) -> Self {
        let text = match std::str::from_utf8(line) {
            Ok(text) => text,
            Err(error) => return unreadable(format!("is not UTF-8 (byte {})", error.valid_up_to() + 1)),
        };
        if !text.trim_start_matches([' ', '\t', '\r', '\n']).starts_with('{') {
            return no_object(text);
        }
        if let Some(members) = Members::find(text) {
            return members.classify();
        }
        let (members, end) = Members::scan(text);
        match end {
            Ok(()) => members.classify(),
            Err(error) => unreadable(format!("is not JSON: {}", Redacted(&error))),
        }
    }

    /// Classifies a line of more than `limit` bytes by its beginning, `head`.
    pub fn too_long(head: &'a [u8], limit: usize) -> Self {
        let text = match std::str::from_utf8(head) {
            Ok(text) => text,
            // The cut has split the last character.
            Err(error) if error.error_len().is_none() => {
                std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(error) => return unreadable(format!("is not UTF-8 (byte {})", error.valid_up_to() + 1)),
        };
        // If a value is cut, its first half could look like another value. But every member before the last comma is
        // whole.
        let (members, end) = Members::scan(&text[..text.rfind(',').unwrap_or(0)]);
        let answers = Members::scan(text).0.answers;
        if let Err(error) = end
            && error.is_syntax()
        {
            return unreadable(format!("is not JSON: {}", Redacted(&error)));
        }
        let text = format!("the message is longer than {limit} bytes");
        let id = members.id.filter(|id| is_legal_id(id));
        if !answers {
            return Self::Invalid { id, error: Error::invalid_request(text) };
        }
        match id {
            Some(id) if id.get() != "null" => Self::Response { id, outcome: Err(Error::unreadable_answer(text)) },
            _ => Self::Ignored("an answer without a readable id is too long"),
        }
    }
}

fn unreadable<'a>(why: String) -> Incoming<'a> {
    Incoming::Invalid { id: None, error: Error::new(Error::PARSE_ERROR, format!("the message {why}")) }
}

fn invalid<'a>(id: Option<&'a RawValue>, why: &'static str) -> Incoming<'a> {
    Incoming::Invalid { id, error: Error::invalid_request(why) }
}

fn no_object<'a>(text: &str) -> Incoming<'a> {
    match serde_json::from_str::<IgnoredAny>(text) {
        Err(error) => unreadable(format!("is not JSON: {}", Redacted(&error))),
        Ok(_) if text.trim_ascii_start().starts_with('[') => {
            invalid(None, "batches are not supported: send each message on a line of its own")
        }
        Ok(_) => invalid(None, "the message is not a JSON object"),
    }
}

/// The members of a JSON-RPC object, up to the end of the scan. If a member occurs twice, the last one counts.
#[derive(Debug, Default)]
struct Members<'a> {
    jsonrpc: Option<&'a RawValue>,
    id: Option<&'a RawValue>,
    method: Option<&'a RawValue>,
    params: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
    /// Whether `result` or `error` came before any method. Its value may be cut.
    answers: bool,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Key {
    Jsonrpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    #[serde(other)]
    Unknown,
}

impl Key {
    fn of(name: &str) -> Self {
        match name {
            "jsonrpc" => Self::Jsonrpc,
            "id" => Self::Id,
            "method" => Self::Method,
            "params" => Self::Params,
            "result" => Self::Result,
            "error" => Self::Error,
            _ => Self::Unknown,
        }
    }
}

impl<'a> Members<'a> {
    /// Finds the members of an object in the usual form. All other texts need [`scan`](Self::scan).
    fn find(text: &'a str) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut members = Self::default();
        let mut at = scan::space(bytes, 0);
        if *bytes.get(at)? != b'{' {
            return None;
        }
        loop {
            let start = scan::space(bytes, at + 1);
            let key = scan::string(bytes, start).filter(|key| key.escapes == 0)?;
            let colon = scan::space(bytes, key.end);
            if *bytes.get(colon)? != b':' {
                return None;
            }
            let value = scan::space(bytes, colon + 1);
            let end = scan::value(bytes, value)?;
            if let Some(member) = members.member(Key::of(&text[start + 1..key.end - 1])) {
                *member = Some(scan::raw(&text[value..end])?);
            }
            at = scan::space(bytes, end);
            match *bytes.get(at)? {
                b',' => {}
                b'}' => break,
                _ => return None,
            }
        }
        (scan::space(bytes, at + 1) == bytes.len()).then_some(members)
    }

    /// The field for the value of a key.
    fn member(&mut self, key: Key) -> Option<&mut Option<&'a RawValue>> {
        Some(match key {
            Key::Jsonrpc => &mut self.jsonrpc,
            Key::Id => &mut self.id,
            Key::Method => &mut self.method,
            Key::Params => &mut self.params,
            Key::Result => {
                self.answers |= self.method.is_none();
                &mut self.result
            }
            Key::Error => {
                self.answers |= self.method.is_none();
                &mut self.error
            }
            Key::Unknown => return None,
        })
    }

    /// The members before the end of the text or before its first mistake.
    fn scan(text: &'a str) -> (Self, serde_json::Result<()>) {
        let mut members = Self::default();
        let mut json = serde_json::Deserializer::from_str(text);
        let end = members.deserialize(&mut json).and_then(|()| json.end());
        (members, end)
    }

    fn classify(self) -> Incoming<'a> {
        match self.method.map(text) {
            Some(Some(method)) => self.call(method),
            _ if self.result.is_some() || self.error.is_some() => self.response(),
            Some(None) => self.refuse("`method` is not a string"),
            None => match self.id.filter(|id| is_legal_id(id) && id.get() != "null") {
                Some(id) => Incoming::Bare { id },
                None => self.refuse(BARE),
            },
        }
    }

    fn call(self, method: Cow<'a, str>) -> Incoming<'a> {
        let params = self.params.filter(|params| params.get() != "null");
        let wrong = if !self.is_version_2() {
            Some("`jsonrpc` is not \"2.0\"")
        } else if params.is_some_and(|params| !params.get().starts_with(['{', '['])) {
            Some("`params` is neither an object nor an array")
        } else {
            None
        };
        match (self.id, wrong) {
            (None, None) => Incoming::Notification { method, params },
            (None, Some(why)) => Incoming::Ignored(why),
            (Some(id), None) if is_legal_id(id) => Incoming::Request { id, method, params },
            (Some(_), wrong) => self.refuse(wrong.unwrap_or("`id` is neither a string, a number nor null")),
        }
    }

    fn refuse(self, why: &'static str) -> Incoming<'a> {
        invalid(self.id.filter(|id| is_legal_id(id)), why)
    }

    fn response(self) -> Incoming<'a> {
        let id = match self.id {
            Some(id) if is_legal_id(id) && id.get() != "null" => id,
            Some(id) if id.get() == "null" => return Incoming::Ignored("an answer to no request: its id is null"),
            _ => return Incoming::Ignored("an answer without a readable id"),
        };
        // Some peers write the unused one of `result` and `error` as null.
        let error = self.error.filter(|error| error.get() != "null");
        let outcome = match (self.result, error) {
            _ if !self.is_version_2() => Err(malformed("`jsonrpc` is not \"2.0\"")),
            (Some(result), None) => Ok(result),
            (Some(result), Some(_)) if result.get() != "null" => Err(malformed("it has a result and an error")),
            (_, Some(error)) => Err(decode_error(error)),
            (None, None) => Err(bare_answer()),
        };
        Incoming::Response { id, outcome }
    }

    fn is_version_2(&self) -> bool {
        self.jsonrpc.is_some_and(|raw| raw.get() == "\"2.0\"" || text(raw).is_some_and(|text| text == "2.0"))
    }
}

impl<'de> DeserializeSeed<'de> for &mut Members<'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Members<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON-RPC message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key()? {
            match self.member(key) {
                Some(member) => *member = Some(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// The text of a JSON string. Most strings contain no escapes, and then the text borrows from the line.
fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    decode::from_json(raw.get()).ok().map(Cow::Owned)
}

fn is_legal_id(id: &RawValue) -> bool {
    matches!(id.get().as_bytes(), [b'"' | b'-' | b'0'..=b'9', ..] | b"null")
}

fn decode_error(raw: &RawValue) -> Error {
    #[derive(Deserialize)]
    struct Received<'a> {
        code: i32,
        message: String,
        #[serde(borrow)]
        data: Option<&'a RawValue>,
    }
    let Ok(Received { code, message, data }) = decode::from_json(raw.get()) else {
        return malformed("its error has no integer `code` or no string `message`");
    };
    let error = Error::new(code, message);
    let data = data.filter(|data| data.get().len() <= ERROR_DATA && data.get() != "null");
    match data.and_then(|data| decode::from_json::<serde_json::Value>(data.get()).ok()) {
        Some(data) => error.with_data(data),
        None => error,
    }
}

/// The error of a message that is no call.
pub(crate) const BARE: &str = "the message has no `method`";

/// The outcome of an answer that has none: a program in JavaScript leaves out a result that is `undefined`.
pub(crate) fn bare_answer() -> Error {
    malformed("it has neither a result nor an error")
}

fn malformed(why: &str) -> Error {
    Error::unreadable_answer(format!("the peer's answer is malformed: {why}"))
}

#[cfg(test)]
#[path = "envelope_tests.rs"]
mod tests;
