//! The entries of a session: messages, tool calls, plans.

use std::ops::RangeInclusive;

use serde::de::IgnoredAny;

use super::error::StoreError;
use crate::values::{MessageId, SessionId, SessionUpdate};

/// One thing that was said: a whole message, a tool call with its result, a plan. A store never changes an entry.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// The place in the session. The first entry that was said has 1, each other the number after its predecessor's.
    pub seq: u64,
    /// The id of the message. A replay tells it again.
    pub message_id: Option<MessageId>,
    /// The message, tool call or plan.
    pub said: Said,
}

/// A message, tool call or plan, as a value of the author's side.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// An update that this version knows.
    Known(Box<SessionUpdate>),
    /// The JSON of an update that this version does not know. A later version has kept it. A store gives it back as it
    /// is.
    Unknown(String),
}

impl From<SessionUpdate> for Said {
    fn from(update: SessionUpdate) -> Self {
        Self::Known(Box::new(update))
    }
}

impl Entry {
    /// An entry at its place in the session.
    pub fn new(seq: u64, said: impl Into<Said>) -> Self {
        Self { seq, message_id: None, said: said.into() }
    }

    /// With the id of the message.
    #[must_use]
    pub fn message_id(mut self, id: impl Into<Option<MessageId>>) -> Self {
        self.message_id = id.into();
        self
    }

    /// The content of the entry, as a store keeps it: the JSON of
    /// [`SessionUpdate`], whatever version of the protocol the client spoke.
    ///
    /// # Errors
    ///
    /// [`StoreError::Invalid`]: the update has no JSON form, such as a path that is not Unicode.
    // Inline: only a program with a store compiles it. The readers of all updates are large.
    #[inline]
    pub fn to_json(&self) -> Result<String, StoreError> {
        match &self.said {
            Said::Known(update) => {
                serde_json::to_string(update).map_err(|error| StoreError::invalid(format!("entry {}", self.seq), error))
            }
            Said::Unknown(json) => Ok(json.clone()),
        }
    }

    /// An entry from the store.
    ///
    /// ```
    /// use acp_store::{Entry, Said};
    ///
    /// let json = r#"{"sessionUpdate":"of_a_later_version"}"#;
    /// let entry = Entry::from_json(1, None, json.to_owned())?;
    /// assert_eq!(entry.said, Said::Unknown(json.to_owned()));
    /// # Ok::<(), acp_store::StoreError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`StoreError::Invalid`]: the text is not JSON.
    // Inline, as `to_json`.
    #[inline]
    pub fn from_json(seq: u64, message_id: Option<MessageId>, json: String) -> Result<Self, StoreError> {
        let said = match serde_json::from_str::<SessionUpdate>(&json) {
            Ok(update) => update.into(),
            Err(_) => match serde_json::from_str::<IgnoredAny>(&json) {
                Ok(_) => Said::Unknown(json),
                Err(error) => return Err(StoreError::invalid(format!("entry {seq}"), error)),
            },
        };
        Ok(Self { seq, message_id, said })
    }

    /// The places of the entries of one commit; `None` if there are no entries.
    ///
    /// # Errors
    ///
    /// [`StoreError::OutOfOrder`]: they do not follow one another.
    pub fn places(session: &SessionId, said: &[Self]) -> Result<Option<RangeInclusive<u64>>, StoreError> {
        let Some((first, last)) = said.first().zip(said.last()) else { return Ok(None) };
        for (one, next) in said.iter().zip(&said[1..]) {
            if one.seq.checked_add(1) != Some(next.seq) {
                return Err(StoreError::OutOfOrder {
                    session: session.clone(),
                    next: one.seq.saturating_add(1),
                    given: next.seq,
                });
            }
        }
        Ok(Some(first.seq..=last.seq))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::ContentChunk;

    #[test]
    fn an_update_survives_its_json() {
        let chunk = ContentChunk::new("said".into()).message_id("m".to_owned());
        let entry = Entry::new(1, SessionUpdate::AgentMessageChunk(chunk)).message_id(MessageId::from("m"));
        let back = Entry::from_json(1, Some("m".into()), entry.to_json().unwrap()).unwrap();
        assert_eq!(back, entry);
    }

    #[test]
    fn an_update_of_a_later_version_survives() {
        for json in [
            r#"{"sessionUpdate":"smell","of":{"deep":[1.50,18446744073709551616]}}"#,
            // A kind that is known, in a shape that is not.
            r#"{"sessionUpdate":"agent_message_chunk","content":{"type":"hologram"}}"#,
            "7",
        ] {
            let entry = Entry::from_json(3, None, json.to_owned()).unwrap();
            assert_eq!(entry.said, Said::Unknown(json.to_owned()));
            assert_eq!(entry.to_json().unwrap(), json);
        }
        assert!(matches!(Entry::from_json(3, None, "{".to_owned()), Err(StoreError::Invalid { .. })));
    }
}
