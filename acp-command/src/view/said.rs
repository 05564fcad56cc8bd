//! A message of a recording, in the terms of those who make the overview.

use serde_json::Value;

/// A message.
pub(super) struct Said<'a> {
    pub(super) row: usize,
    pub(super) version: u64,
    pub(super) session: Option<usize>,
    /// The method; of an answer, the one that is answered.
    pub(super) method: &'a str,
    pub(super) what: What<'a>,
}

pub(super) enum What<'a> {
    Request(&'a Value),
    Notification(&'a Value),
    /// The row of the request, and what came.
    Answer(usize, Result<&'a Value, &'a Value>),
}

impl Said<'_> {
    /// The update of a session, if it is one, and its kind.
    pub(super) fn update(&self) -> Option<(&str, &Value)> {
        let What::Notification(params) = self.what else { return None };
        let update = (self.method == "session/update").then_some(&params["update"])?;
        Some((update["sessionUpdate"].as_str()?, update))
    }
}

/// The begin of a text.
pub(super) fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
