//! What is answered with an error that has the id `null`: lines that are no messages, and nothing else.

use super::{connection::Judge, rules};
use crate::{tape::Party, value::Value};

/// A longer line may be too long for its reader, who then knows no id.
const LONG: usize = 1024 * 1024;

impl Judge {
    /// A line came that its reader cannot take for a message. `code` is the code of the error that answers it, if it is known.
    pub(super) fn unreadable(&mut self, from: Party, code: Option<i64>) {
        self.unread.entry(from).or_default().push_back(code);
    }

    pub(super) fn read_line(&mut self, from: Party, line: &[u8]) {
        if line.len() > LONG {
            self.unreadable(from, None);
        }
    }

    /// Called for an error with the id `null`.
    pub(super) fn refuses_line(&mut self, from: Party, error: &Value<'_>) {
        let code = error["code"].as_i64().unwrap_or_default();
        let unread = self.unread.entry(from.other()).or_default();
        // Lines before it may have been passed over in silence.
        let fits = unread.iter().position(|expected| expected.is_none_or(|expected| expected == code));
        let next = match fits {
            Some(fits) => unread.drain(..=fits).next_back(),
            None => unread.pop_front(),
        };
        match next {
            Some(Some(expected)) => self.check(code == expected, &rules::UNREADABLE, from, || {
                format!("answers a line that is no message with {code}, and not with {expected}")
            }),
            Some(None) => {}
            // Its reader may find more wrong with a line than this judge does.
            None if matches!(code, -32700 | -32600) => {}
            None => self.find(
                &rules::SILENT,
                from,
                format!("answers {code} with the id null, and no request was unreadable"),
            ),
        }
    }
}
