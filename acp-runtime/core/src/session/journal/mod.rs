//! The journal of a session: what was said and is not committed to a store yet, as entries.
//!
//! [`Joined`] makes few entries of many updates. This module numbers them, and divides them into commits.

mod joined;
mod patch;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub(crate) use joined::Joined;

use crate::{
    store::Entry,
    values::{ContentBlock, MessageId, SessionUpdate},
};

/// What was said and is not committed yet.
///
/// A commit takes the oldest entries as a [`batch`](Self::batch). Nobody knows whether a commit that failed was kept, so the
/// batch stays as it is until it is [committed](Self::committed): the next commit repeats it. Updates that come
/// meanwhile are entries of the next batch.
#[derive(Debug)]
pub(crate) struct Journal {
    /// The place of the last committed entry, 0 without entries.
    last: u64,
    /// The entries of the commit that was begun.
    batch: Arc<[Entry]>,
    /// The later entries.
    said: Joined,
}

impl Journal {
    /// A journal behind the session's last committed entry, 0 without entries.
    pub(crate) fn behind(last: u64) -> Self {
        Self { last, batch: Arc::default(), said: Joined::behind(last) }
    }

    /// Adds an update, with the id of its message if it is a piece of one.
    pub(crate) fn add(&mut self, update: &SessionUpdate, message_id: Option<MessageId>) {
        self.said.add(update, message_id);
    }

    /// Adds the user's prompt: one message, with its content as it is.
    pub(crate) fn add_prompt(&mut self, prompt: &[ContentBlock], message_id: Option<MessageId>) {
        self.said.add_prompt(prompt, message_id);
    }

    /// Whether everything is committed.
    pub(crate) fn is_empty(&self) -> bool {
        self.batch.is_empty() && self.said.entries().is_empty()
    }

    /// The place of the last committed entry, 0 without entries.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// The entries of the next commit: those of the last one, if it is not known to be [committed](Self::committed), and
    /// all entries otherwise. So there may be more entries after a commit.
    pub(crate) fn batch(&mut self) -> Arc<[Entry]> {
        if self.batch.is_empty() {
            self.batch = self.said.take().into();
        }
        self.batch.clone()
    }

    /// The [batch](Self::batch) is committed.
    pub(crate) fn committed(&mut self) {
        if let Some(last) = self.batch.last() {
            self.last = last.seq;
            self.batch = Arc::default();
        }
    }

    /// The entries behind a place that are not committed yet, in their order.
    pub(crate) fn pending(&self, after: u64) -> impl Iterator<Item = &Entry> {
        self.batch.iter().chain(self.said.entries()).filter(move |entry| entry.seq > after)
    }
}
