//! The names and forms of the draft on streams that can be resumed. It is a draft: what it renames is renamed here.
//!
//! A cursor is opaque to clients. It names the stream and the number of a message in it. Each message over a stream has one in its
//! `_meta`, and as the id of its event. What the draft leaves open is chosen here:
//!
//! - `stream/resume` is `{"cursors": [..], "connectionId"?: ".."}`. A cursor is a text, or an object with a member `cursor`. A client that sends
//!   no header `Acp-Connection-Id` with its upgrade, such as a page in a browser, names the connection in the message.
//! - `stream/resumed` is the acknowledgement in version 1, with the turn of a session in its `_meta`.
//! - The message itself has a `_meta` where neither params nor result has a place for one, which is so for errors.
//!
//! See [the draft](https://agentclientprotocol.com/rfds/durable-resumable-http-transport).

use std::{fmt, str::FromStr};

use axum::http::HeaderName;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{Retention, meta};

/// The header with which a client says what it has read last.
pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The first message over a WebSocket that goes on with a connection.
pub(crate) const RESUME: &str = "stream/resume";

/// Adds the capability of a server whose streams can be resumed to an answer to `initialize`. `connection` is the id for clients that do
/// not read the headers of an upgrade.
pub(crate) fn advertise(message: &mut Value, retention: &Retention, connection: Option<Uuid>) {
    let resumable = json!({ "retentionMessages": retention.messages, "retentionSeconds": retention.time.as_secs() });
    let mut transport = Map::from_iter([("resumable".to_owned(), resumable)]);
    if let Some(connection) = connection {
        transport.insert("connectionId".to_owned(), connection.simple().to_string().into());
    }
    let Some(result) = message.get_mut("result") else { return };
    // The name of version 1, and that of version 2.
    let name = if result.get("agentCapabilities").is_some() { "agentCapabilities" } else { "capabilities" };
    if let Some(capabilities) = result.get_mut(name).and_then(Value::as_object_mut) {
        capabilities.insert("transport".to_owned(), transport.into());
    }
}

/// Appends a message with its place in the stream.
pub(crate) fn append_with_cursor(out: &mut Vec<u8>, message: &[u8], cursor: Cursor) {
    meta::append(out, message, format_args!(r#""acp/cursor":"{cursor}""#));
}

/// What a client wants to go on with.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Resume {
    #[serde(default)]
    pub(crate) connection_id: Option<String>,
    cursors: Vec<Place>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(untagged)]
enum Place {
    Cursor(String),
    Of { cursor: String },
}

impl Resume {
    /// The request for a resume, if the message is one. `Err` if its params are not as they must be.
    pub(crate) fn read(message: &[u8]) -> Result<Self, ResumeFailed> {
        #[derive(Deserialize)]
        struct Envelope {
            params: Resume,
        }
        serde_json::from_slice(message).map(|Envelope { params }| params).map_err(|_| ResumeFailed::Malformed)
    }

    /// The place of the client. A WebSocket has one stream, so the last one of its places counts.
    pub(crate) fn place(&self) -> Result<Cursor, ResumeFailed> {
        let mut last: Option<Cursor> = None;
        for place in &self.cursors {
            let (Place::Cursor(text) | Place::Of { cursor: text }) = place;
            let cursor: Cursor = text.parse().map_err(|()| ResumeFailed::Unknown)?;
            match last {
                Some(last) if last.stream != cursor.stream => return Err(ResumeFailed::Unknown),
                Some(last) if last.number >= cursor.number => {}
                _ => last = Some(cursor),
            }
        }
        last.ok_or(ResumeFailed::Malformed)
    }
}

/// Why a WebSocket does not go on with a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResumeFailed {
    Malformed,
    /// Something else came first.
    Missing,
    Connection,
    Unknown,
    Expired,
}

impl ResumeFailed {
    /// The message that says so.
    pub(crate) fn message(self) -> String {
        let (reason, text) = match self {
            Self::Malformed => ("malformed", "`stream/resume` has no list `cursors` with a cursor"),
            Self::Missing => {
                ("missing", "the first message over a WebSocket with `Acp-Connection-Id` is `stream/resume`")
            }
            Self::Connection => {
                ("unknown_connection", "there is no such connection: open a WebSocket and `initialize`")
            }
            Self::Unknown => ("unknown_cursor", "the cursor is not one of this connection: load the session"),
            Self::Expired => {
                ("expired_cursor", "what was said behind the cursor is not kept any more: load the session")
            }
        };
        json!({ "jsonrpc": "2.0", "method": "stream/resume_failed", "params": { "reason": reason, "message": text } })
            .to_string()
    }
}

/// The acknowledgement of a resume in version 1. `session` has a turn if its prompt, the request with this id, is not answered.
pub(crate) fn resumed(session: Option<(&str, Option<Value>)>) -> Vec<u8> {
    let params = session.map_or_else(
        || json!({}),
        |(session, prompt)| {
            let turn = match prompt {
                Some(id) => json!({ "state": "running", "promptRequestId": id }),
                None => json!({ "state": "idle" }),
            };
            json!({ "sessionId": session, "_meta": { "acp/turnState": turn } })
        },
    );
    json!({ "jsonrpc": "2.0", "method": "stream/resumed", "params": params }).to_string().into_bytes()
}

/// The state of a session of version 2 that has had no turn yet.
pub(crate) fn idle(session: &str) -> Vec<u8> {
    let params = json!({ "sessionId": session, "update": { "sessionUpdate": "state_update", "state": "idle" } });
    json!({ "jsonrpc": "2.0", "method": "session/update", "params": params }).to_string().into_bytes()
}

/// A place in a stream: behind the message with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) stream: u64,
    pub(crate) number: u64,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}-{:x}", self.stream, self.number)
    }
}

impl FromStr for Cursor {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (stream, number) = text.split_once('-').ok_or(())?;
        let read = |text: &str| {
            let is_ours = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            u64::from_str_radix(text, 16).ok().filter(|_| is_ours).ok_or(())
        };
        Ok(Self { stream: read(stream)?, number: read(number)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        for cursor in [Cursor { stream: u64::MAX, number: 4711 }, Cursor { stream: 0, number: 0 }] {
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
        for wrong in ["", "1", "-1", "x-1", "1-", "+1-1", "1-1-1", "1-A", "10000000000000000-1"] {
            assert_eq!(wrong.parse::<Cursor>(), Err(()), "{wrong}");
        }
    }

    #[test]
    fn the_last_place_of_a_client_counts() {
        let place = |cursors: &str| {
            let text = format!(r#"{{"jsonrpc":"2.0","method":"stream/resume","params":{{"cursors":{cursors}}}}}"#);
            Resume::read(text.as_bytes()).and_then(|resume| resume.place())
        };
        let at = |number| Ok(Cursor { stream: 1, number });
        assert_eq!(place(r#"["1-2","1-a","1-3"]"#), at(10));
        assert_eq!(place(r#"[{"sessionId":"s","cursor":"1-2"}]"#), at(2));
        assert_eq!(place(r#"["1-2","2-3"]"#), Err(ResumeFailed::Unknown));
        assert_eq!(place(r#"["x"]"#), Err(ResumeFailed::Unknown));
        for wrong in ["[]", "{}", "5", "[5]"] {
            assert_eq!(place(wrong), Err(ResumeFailed::Malformed), "{wrong}");
        }
    }
}
