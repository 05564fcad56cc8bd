//! What the transport reads of a message, to send it: no more than its kind, its id and its session.

use std::borrow::Cow;

use acp_peer::{Error, rpc::id_key, wire::envelope::Incoming};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use crate::names::{CANCEL_REQUEST, REPEATABLE};

/// A message of the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) bytes: Bytes,
    pub(crate) kind: Kind,
    /// The session that the params name.
    pub(crate) session: Option<Box<str>>,
    /// It is one of this side, and the client knows nothing of it.
    pub(crate) is_own: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Request {
        /// Its text, as it was written.
        id: Box<str>,
        method: Box<str>,
    },
    Notification {
        method: Box<str>,
        /// The key of the request that it withdraws.
        withdrawn: Option<Box<str>>,
    },
    /// The answer to the question with this key.
    Answer { key: Box<str> },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named<'m> {
    #[serde(borrow, default)]
    session_id: Option<Cow<'m, str>>,
    #[serde(borrow, default)]
    request_id: Option<&'m RawValue>,
}

/// The session that params or a result name.
pub(crate) fn session_of(params: Option<&RawValue>) -> Option<Box<str>> {
    let named: Named<'_> = serde_json::from_str(params?.get()).ok()?;
    Some(named.session_id?.into())
}

/// The params of a message of this side.
pub(crate) fn params_of(message: &[u8]) -> Option<&RawValue> {
    match Incoming::read(message) {
        Incoming::Request { params, .. } | Incoming::Notification { params, .. } => params,
        _ => None,
    }
}

/// What stands for an id in tables. Some servers answer `3` with `"3"`.
pub(crate) fn key(id: &RawValue) -> Box<str> {
    let key = id_key(id);
    let digits = key.trim_matches('"');
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.into() } else { key.into() }
}

impl Message {
    /// Reads a message that this side has written.
    pub(crate) fn read(bytes: Vec<u8>) -> Option<Self> {
        let (kind, session) = match Incoming::read(&bytes) {
            Incoming::Request { id, method, params } => {
                (Kind::Request { id: id.get().into(), method: method.into() }, session_of(params))
            }
            Incoming::Notification { method, params } => {
                let withdrawn = params.filter(|_| method == CANCEL_REQUEST).and_then(|params| {
                    let named: Named<'_> = serde_json::from_str(params.get()).ok()?;
                    named.request_id.map(key)
                });
                (Kind::Notification { method: method.into(), withdrawn }, session_of(params))
            }
            Incoming::Response { id, .. } | Incoming::Bare { id } => (Kind::Answer { key: key(id) }, None),
            Incoming::Invalid { .. } | Incoming::Ignored(_) => return None,
        };
        Some(Self { bytes: bytes.into(), kind, session, is_own: false })
    }

    /// A message of this side.
    pub(crate) fn own(message: &Value) -> Option<Self> {
        Some(Self { is_own: true, ..Self::read(message.to_string().into())? })
    }

    pub(crate) fn method(&self) -> &str {
        match &self.kind {
            Kind::Request { method, .. } | Kind::Notification { method, .. } => method,
            Kind::Answer { .. } => "an answer",
        }
    }

    /// The key of a request.
    pub(crate) fn asks(&self) -> Option<Box<str>> {
        match &self.kind {
            Kind::Request { id, .. } => {
                let id: &RawValue = serde_json::from_str(id).expect("it was read as an id");
                Some(key(id))
            }
            _ => None,
        }
    }

    /// Whether the message may reach the agent twice, and means what it means once.
    pub(crate) fn is_repeatable(&self) -> bool {
        match &self.kind {
            Kind::Request { .. } => false,
            Kind::Notification { method, .. } => REPEATABLE.contains(&&**method),
            Kind::Answer { .. } => true,
        }
    }

    /// The answer to a request that was not delivered, or may not have been.
    pub(crate) fn failed(&self, error: &Error) -> Option<Bytes> {
        let Kind::Request { id, .. } = &self.kind else { return None };
        let error = json!(error);
        Some(format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Message {
        Message::read(text.into()).unwrap()
    }

    #[test]
    fn a_message_is_sent_by_its_kind_its_id_and_its_session() {
        let prompt = read(r#"{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"s\u0031"}}"#);
        assert_eq!(
            (prompt.method(), prompt.session.as_deref(), prompt.asks().as_deref()),
            ("session/prompt", Some("s1"), Some("7"))
        );
        let failed = prompt.failed(&Error::internal_error("no \"way\"")).unwrap();
        let failed: serde_json::Value = serde_json::from_slice(&failed).unwrap();
        assert_eq!((&failed["id"], &failed["error"]["message"]), (&json!(7), &json!("no \"way\"")));
        let cancel = read(r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}"#);
        assert_eq!(cancel.kind, Kind::Notification { method: "$/cancel_request".into(), withdrawn: Some("7".into()) });
        assert!(cancel.is_repeatable() && !prompt.is_repeatable());
        assert!(!read(r#"{"jsonrpc":"2.0","method":"_x/count","params":{}}"#).is_repeatable());
        let answer = read(r#"{"jsonrpc":"2.0","id":"a","result":{"sessionId":"x"}}"#);
        assert_eq!((&answer.kind, answer.session.as_deref()), (&Kind::Answer { key: "\"a\"".into() }, None));
        assert!(answer.is_repeatable() && answer.failed(&Error::in_doubt("")).is_none());
    }

    #[test]
    fn an_id_that_comes_back_as_a_text_is_the_same() {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        assert_eq!(key(&raw("3")), key(&raw("\"3\"")));
        assert_ne!(key(&raw("\"a\"")), key(&raw("\"b\"")));
        assert_eq!(&*key(&raw("\"\"")), "\"\"");
    }
}
