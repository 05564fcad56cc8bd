//! The names and forms of the draft on streams that can be resumed. It is a draft: what it renames is renamed here.
//!
//! A cursor is opaque: it is what the server calls a place in one of its streams.

use std::borrow::Cow;

use reqwest::header::HeaderName;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

/// The header with which a client says what it has read last.
pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Whether an answer to `initialize` says that streams can be resumed. The draft has the capability among the others; where no schema has
/// it, it stands in their `_meta`.
pub(crate) fn is_resumable(answer: &[u8]) -> bool {
    let Ok(answer) = serde_json::from_slice::<Value>(answer) else { return false };
    ["agentCapabilities", "capabilities"]
        .iter()
        .map(|name| &answer["result"][name])
        .flat_map(|capabilities| [capabilities, &capabilities["_meta"]])
        .any(|place| place["transport"]["resumable"].is_object())
}

/// The first message over a WebSocket that goes on with a connection.
const RESUME: &str = "stream/resume";
/// What a server says that goes on, in version 1.
const RESUMED: &str = "stream/resumed";
/// What a server says that cannot.
const RESUME_FAILED: &str = "stream/resume_failed";

/// A message of the transport itself.
pub(crate) enum Control {
    /// The stream goes on. The agent works on the prompt with this id.
    Resumed(Option<Box<RawValue>>),
    /// It cannot go on, for this reason.
    Failed(String),
}

/// Reads a notification that is one of the transport.
pub(crate) fn control(method: &str, params: Option<&RawValue>) -> Option<Control> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Params {
        reason: String,
        message: String,
        #[serde(rename = "_meta")]
        meta: Meta,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Meta {
        #[serde(rename = "acp/turnState")]
        turn: Turn,
    }
    #[derive(Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Turn {
        prompt_request_id: Option<Box<RawValue>>,
    }
    // Most notifications are updates.
    if !matches!(method, RESUMED | RESUME_FAILED) {
        return None;
    }
    let params: Params = params.and_then(|params| serde_json::from_str(params.get()).ok()).unwrap_or_default();
    if method == RESUMED {
        return Some(Control::Resumed(params.meta.turn.prompt_request_id));
    }
    let mut told =
        "messages were lost, and the server does not have them any more: connect again, and load the sessions"
            .to_owned();
    for part in [params.reason, params.message].iter().filter(|part| !part.is_empty()) {
        told.push_str(": ");
        told.push_str(part);
    }
    Some(Control::Failed(told))
}

/// The first message over a WebSocket that goes on behind these places, each with its session.
pub(crate) fn resume<'c>(cursors: impl Iterator<Item = (Option<&'c str>, &'c str)>) -> String {
    let cursor = |(session, cursor)| match session {
        Some(session) => json!({ "sessionId": session, "cursor": cursor }),
        None => json!({ "cursor": cursor }),
    };
    let cursors: Vec<_> = cursors.map(cursor).collect();
    json!({ "jsonrpc": "2.0", "method": RESUME, "params": { "cursors": cursors } }).to_string()
}

/// The place behind a message over a WebSocket, and the session that it names: in the `_meta` of its params or its result, or in its own.
pub(crate) fn cursor(message: &[u8]) -> Option<(Option<Box<str>>, Box<str>)> {
    #[derive(Deserialize)]
    struct Envelope<'m> {
        #[serde(borrow, default)]
        params: Option<&'m RawValue>,
        #[serde(borrow, default)]
        result: Option<&'m RawValue>,
        #[serde(borrow, default, rename = "_meta")]
        meta: Option<Meta<'m>>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Within<'m> {
        #[serde(borrow, default)]
        session_id: Option<Cow<'m, str>>,
        #[serde(borrow, default, rename = "_meta")]
        meta: Option<Meta<'m>>,
    }
    #[derive(Deserialize)]
    struct Meta<'m> {
        #[serde(borrow, default, rename = "acp/cursor")]
        cursor: Option<Cow<'m, str>>,
    }
    let envelope: Envelope<'_> = serde_json::from_slice(message).ok()?;
    let within = |raw: Option<&'_ RawValue>| -> (Option<Box<str>>, Option<Box<str>>) {
        let Some(Ok(within)) = raw.map(|raw| serde_json::from_str::<Within<'_>>(raw.get())) else {
            return (None, None);
        };
        (within.session_id.map(Into::into), within.meta.and_then(|meta| meta.cursor).map(Into::into))
    };
    let ((session, in_params), (_, in_result)) = (within(envelope.params), within(envelope.result));
    let own = || envelope.meta.and_then(|meta| meta.cursor).map(Into::into);
    Some((session, in_params.or(in_result).or_else(own)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_says_that_its_streams_can_be_resumed_among_its_capabilities_or_in_their_meta() {
        for yes in [
            r#"{"id":1,"result":{"agentCapabilities":{"_meta":{"transport":{"resumable":{"retentionMessages":1}}}}}}"#,
            r#"{"id":1,"result":{"agentCapabilities":{"transport":{"resumable":{}}}}}"#,
            r#"{"id":1,"result":{"capabilities":{"transport":{"resumable":{}}}}}"#,
        ] {
            assert!(is_resumable(yes.as_bytes()), "{yes}");
        }
        for no in [
            "",
            r#"{"id":1,"result":{"agentCapabilities":{}}}"#,
            r#"{"id":1,"result":{"agentCapabilities":{"transport":{"resumable":null}}}}"#,
            r#"{"id":1,"error":{"agentCapabilities":{"transport":{"resumable":{}}}}}"#,
        ] {
            assert!(!is_resumable(no.as_bytes()), "{no}");
        }
    }

    #[test]
    fn a_cursor_is_found_where_the_message_has_a_place_for_it() {
        let found = |text: &str| cursor(text.as_bytes()).map(|(session, cursor)| (session.unwrap_or_default(), cursor));
        let of = |session: &str, cursor: &str| Some((session.into(), cursor.into()));
        assert_eq!(found(r#"{"method":"m","params":{"sessionId":"s","_meta":{"acp/cursor":"1-a"}}}"#), of("s", "1-a"));
        assert_eq!(found(r#"{"id":1,"result":{"_meta":{"x":1,"acp/cursor":"1-b"}}}"#), of("", "1-b"));
        assert_eq!(found(r#"{"id":1,"error":{},"_meta":{"acp/cursor":"1-c"}}"#), of("", "1-c"));
        for none in ["", "{}", r#"{"params":{"update":{"_meta":{"acp/cursor":"x"}}}}"#, r#"{"params":[1]}"#] {
            assert_eq!(found(none), None, "{none}");
        }
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        let params = raw(r#"{"sessionId":"s","_meta":{"acp/turnState":{"state":"running","promptRequestId":3}}}"#);
        let Some(Control::Resumed(Some(id))) = control(RESUMED, Some(&params)) else { panic!("it says what runs") };
        assert_eq!(id.get(), "3");
        let params = raw(r#"{"reason":"expired_cursor","message":"gone"}"#);
        let Some(Control::Failed(why)) = control(RESUME_FAILED, Some(&params)) else { panic!("it says why") };
        assert!(why.ends_with("load the sessions: expired_cursor: gone"), "{why}");
        assert!(matches!(control(RESUMED, None), Some(Control::Resumed(None))));
        assert!(control("session/update", None).is_none());
        let text = resume([(None, "a"), (Some("s"), "b")].into_iter());
        let sent: serde_json::Value = serde_json::from_str(&text).unwrap();
        let cursors = serde_json::json!([{ "cursor": "a" }, { "cursor": "b", "sessionId": "s" }]);
        assert_eq!(sent["params"]["cursors"], cursors, "{text}");
    }
}
