//! Updates on lines over the limit: they are lost, and a mark stands in their place.

use acp_peer::wire::decode::from_json;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The begin of a mark. Its params say what is missing, and their update is empty, so no handler takes it.
const BEGIN: &str = r#"{"_meta":{"acp_client/lost":"#;

/// The params of a mark.
#[derive(Serialize, Deserialize)]
struct Mark {
    #[serde(rename = "_meta")]
    meta: Meta,
    #[serde(rename = "sessionId")]
    session: String,
    update: Nothing,
}

#[derive(Serialize, Deserialize)]
struct Meta {
    #[serde(rename = "acp_client/lost")]
    lost: Lost,
}

#[derive(Serialize, Deserialize)]
struct Nothing {}

/// An update that was lost.
#[derive(Serialize, Deserialize)]
pub(crate) struct Lost {
    /// The kind of the update, if it could be read.
    pub(crate) kind: String,
    pub(crate) why: String,
}

/// The params of a mark in a session.
pub(crate) fn mark(session: &str, lost: Lost) -> Option<String> {
    let mark = Mark { meta: Meta { lost }, session: session.to_owned(), update: Nothing {} };
    serde_json::to_string(&mark).ok()
}

/// Reads the params of an update, if they are a mark.
pub(crate) fn read(params: &str) -> Option<Lost> {
    // Nearly no update is one.
    if !params.starts_with(BEGIN) {
        return None;
    }
    from_json(params).ok().map(|Mark { meta: Meta { lost }, .. }| lost)
}

/// The raw update of a mark.
pub(crate) fn nothing() -> Box<RawValue> {
    RawValue::from_string("{}".to_owned()).expect("it is an object")
}

/// The string behind the first such key. The text is cut off, so it cannot be read as JSON.
pub(super) fn text_after(text: &str, key: &str) -> Option<String> {
    let rest = text.split_once(key)?.1.trim_ascii_start().strip_prefix(':')?;
    serde_json::Deserializer::from_str(rest).into_iter().next()?.ok()
}
