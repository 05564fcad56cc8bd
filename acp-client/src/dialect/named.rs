//! The session that a message of the agent names.

use std::borrow::Cow;

use acp_peer::wire::decode::from_json;
use serde::Deserialize;

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
