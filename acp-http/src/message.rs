//! What the endpoint reads of a message, to route it: no more than its kind, its id and its session.

use std::borrow::Cow;

use acp_peer::rpc::id_key;
use serde::Deserialize;
use serde_json::value::RawValue;

/// A message, as far as it is read.
#[derive(Debug, PartialEq)]
pub(crate) enum Message {
    Request {
        method: String,
        id: Box<str>,
        session: Option<String>,
    },
    Notification {
        method: String,
        session: Option<String>,
    },
    /// The answer to a request of the other side.
    Answer {
        id: Box<str>,
        is_error: bool,
    },
}

/// Why a text is no message.
#[derive(Debug, PartialEq)]
pub(crate) enum NoMessage {
    Batch,
    Malformed,
}

#[derive(Deserialize)]
struct Envelope<'m> {
    #[serde(borrow)]
    method: Option<Cow<'m, str>>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'m RawValue>,
    #[serde(borrow)]
    params: Option<&'m RawValue>,
    #[serde(borrow)]
    error: Option<&'m RawValue>,
}

/// `null` is an id, too.
pub(crate) fn present<'de: 'm, 'm, D: serde::Deserializer<'de>>(value: D) -> Result<Option<&'m RawValue>, D::Error> {
    <&RawValue>::deserialize(value).map(Some)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfSession {
    session_id: Option<String>,
}

impl Message {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, NoMessage> {
        if bytes.trim_ascii_start().first() == Some(&b'[') {
            return Err(NoMessage::Batch);
        }
        let envelope: Envelope<'_> = serde_json::from_slice(bytes).map_err(|_| NoMessage::Malformed)?;
        let session = || serde_json::from_str::<OfSession>(envelope.params?.get()).ok()?.session_id;
        match (&envelope.method, envelope.id) {
            (Some(method), Some(id)) => {
                Ok(Self::Request { method: method.to_string(), id: key(id), session: session() })
            }
            (Some(method), None) => Ok(Self::Notification { method: method.to_string(), session: session() }),
            (None, Some(id)) => Ok(Self::Answer { id: key(id), is_error: envelope.error.is_some() }),
            (None, None) => Err(NoMessage::Malformed),
        }
    }

    pub(crate) fn session(&self) -> Option<&str> {
        match self {
            Self::Request { session, .. } | Self::Notification { session, .. } => session.as_deref(),
            Self::Answer { .. } => None,
        }
    }

    pub(crate) fn method(&self) -> &str {
        match self {
            Self::Request { method, .. } | Self::Notification { method, .. } => method,
            Self::Answer { .. } => "",
        }
    }
}

/// The session that the result of an answer names.
pub(crate) fn session_of_answer(bytes: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Answer {
        result: OfSession,
    }
    serde_json::from_slice::<Answer>(bytes).ok()?.result.session_id
}

fn key(id: &RawValue) -> Box<str> {
    id_key(id).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_routed_by_its_kind_its_id_and_its_session() {
        let request = r#"{"jsonrpc":"2.0","id":"a\u0062","method":"session/prompt","params":{"sessionId":"s\n"}}"#;
        let read = |text: &str| Message::read(text.as_bytes());
        let (method, session) = ("session/prompt".to_owned(), Some("s\n".to_owned()));
        assert_eq!(read(request), Ok(Message::Request { method, id: "\"ab\"".into(), session }));
        let (method, session) = ("m".to_owned(), None);
        assert_eq!(read(r#"{"method":"m","params":[1]}"#), Ok(Message::Notification { method, session }));
        let (method, session) = ("m".to_owned(), None);
        assert_eq!(read(r#"{"id":null,"method":"m"}"#), Ok(Message::Request { method, id: "null".into(), session }));
        assert_eq!(read(r#"{"id":3,"result":{}}"#), Ok(Message::Answer { id: "3".into(), is_error: false }));
        let refused = r#"{"id":3,"error":{"code":1,"message":""}}"#;
        assert_eq!(read(refused), Ok(Message::Answer { id: "3".into(), is_error: true }));
        assert_eq!(read(" [{}]"), Err(NoMessage::Batch));
        for wrong in ["", "{", "3", "{}", r#"{"id":1,"id":2,"method":"m"}"#, r#"{"method":"a","method":"b"}"#, "{} {}"]
        {
            assert_eq!(read(wrong), Err(NoMessage::Malformed), "{wrong}");
        }
    }
}
