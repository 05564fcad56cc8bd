//! The messages of a session, by their ids. Only a new one can be told as chunks.

use std::collections::VecDeque;

/// The ids of so many messages are kept.
const MOST_MESSAGES: usize = 256;

/// The messages of a session, by their ids: the newest are last.
#[derive(Default)]
pub(super) struct Messages(VecDeque<Box<str>>);

impl Messages {
    /// Returns whether the message is a new one.
    pub(super) fn said(&mut self, id: &str) -> bool {
        if self.0.iter().rev().any(|said| &**said == id) {
            return false;
        }
        if self.0.len() == MOST_MESSAGES {
            self.0.pop_front();
        }
        self.0.push_back(id.into());
        true
    }
}
