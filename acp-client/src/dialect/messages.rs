//! What the messages of an agent say: which session an update belongs to, its kind, the end of a turn.

use std::borrow::Cow;

use acp_peer::wire::decode::from_json;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::values::{SessionNotification, SessionUpdate, StopReason};

/// The session that params belong to. Most agents write `sessionId` first, so that position is tried first.
pub(crate) fn session_of(params: &str) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Of<'a> {
        #[serde(borrow)]
        session_id: Cow<'a, str>,
    }
    if let Some(rest) = params.strip_prefix(r#"{"sessionId":""#)
        && let Some(end) = memchr::memchr2(b'"', b'\\', rest.as_bytes())
        && rest.as_bytes()[end] == b'"'
    {
        return Some(Cow::Borrowed(&rest[..end]));
    }
    from_json(params).ok().map(|Of { session_id }| session_id)
}

/// The kind of an update: its word at `sessionUpdate`. `params` are those of the notification.
pub(crate) fn kind_of(params: &str) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Params<'a> {
        #[serde(borrow)]
        update: Tagged<'a>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Tagged<'a> {
        #[serde(borrow)]
        session_update: Cow<'a, str>,
    }
    from_json(params).ok().map(|Params { update }| update.session_update)
}

/// An update; the agent's text of it if the protocol does not have its kind.
pub(crate) fn update(params: &str) -> Result<SessionUpdate, Box<RawValue>> {
    #[derive(Deserialize)]
    struct Params<'a> {
        #[serde(borrow, default)]
        update: Option<&'a RawValue>,
    }
    from_json(params)
        .map(|SessionNotification { update, .. }| update)
        .map_err(|_| from_json(params).ok().and_then(|Params { update }| update).unwrap_or(RawValue::NULL).to_owned())
}

/// The method for what the user says to a turn that runs. The protocol does not have it; some agents and editors have agreed
/// on it.
pub(crate) const STEERING: &str = "_session/steering";

/// What became of a message to a turn that runs.
#[derive(Deserialize, Serialize)]
#[serde(tag = "outcome", rename_all = "camelCase")]
pub(crate) enum Outcome {
    Injected,
    StartedNewTurn,
    PromptRequired,
}

/// The answer to a message to a turn that runs.
pub(crate) fn steered(answer: &RawValue) -> serde_json::Result<Outcome> {
    from_json(answer.get())
}

/// The reason why a turn ended, in the answer to its prompt; `None` if the protocol does not have the agent's reason.
pub(crate) fn stop_reason(answer: &RawValue) -> serde_json::Result<Option<StopReason>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", expecting = "an object with `stopReason`")]
    struct Reason<'a> {
        #[serde(borrow)]
        stop_reason: &'a RawValue,
    }
    from_json(answer.get()).map(|Reason { stop_reason }| from_json(stop_reason.get()).ok())
}

/// The versions that the agent names in the error that none of them was asked for. `None` for another error.
pub(crate) fn supported_versions(error: &acp_peer::Error) -> Option<Vec<u16>> {
    /// The code of the schema of version 2 for a version that the agent does not support.
    const UNSUPPORTED_PROTOCOL_VERSION: i32 = -32022;
    if error.code() != UNSUPPORTED_PROTOCOL_VERSION {
        return None;
    }
    let named = error.data().and_then(|data| data.get("supported")?.as_array());
    let number = |version: &serde_json::Value| u16::try_from(version.as_u64()?).ok();
    Some(named.into_iter().flatten().filter_map(number).collect())
}
