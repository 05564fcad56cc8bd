//! The names and forms of the draft on streams that can be resumed. It is a draft: what it renames is renamed here.
//!
//! A cursor is opaque to clients. It names the stream and the number of a message in it.

use std::{fmt, str::FromStr};

use axum::http::HeaderName;
use serde_json::{Value, json};
use uuid::Uuid;

/// The header with which a client says what it has read last.
pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The capability of a server whose streams can be resumed.
pub(crate) fn capability(retention: &crate::Retention) -> (&'static str, Value) {
    let resumable = json!({ "retentionMessages": retention.messages, "retentionSeconds": retention.time.as_secs() });
    ("transport", json!({ "resumable": resumable }))
}

/// A place in a stream: behind the message with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) stream: Uuid,
    pub(crate) number: u64,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:x}", self.stream.simple(), self.number)
    }
}

impl FromStr for Cursor {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (stream, number) = text.split_once('-').ok_or(())?;
        let stream = Uuid::try_parse(stream).map_err(|_| ())?;
        let number = u64::from_str_radix(number, 16).map_err(|_| ())?;
        Ok(Self { stream, number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        let cursor = Cursor { stream: Uuid::new_v4(), number: 4711 };
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
        for wrong in ["", "1", "-1", "x-1", &format!("{}-", Uuid::new_v4().simple())] {
            assert_eq!(wrong.parse::<Cursor>(), Err(()), "{wrong}");
        }
    }
}
