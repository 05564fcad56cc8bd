//! The journal of a session: what was said and is not committed to a store yet, as entries.
//!
//! [`Joined`] makes few entries of many updates. This module numbers them, and divides them into commits.
//!
//! An update joins an entry only if no client can tell the difference. Entries are values, so they replay in each
//! version.
//!
//! # What holds, with its tests
//!
//! - *The same conversation*
//!   (`runtime::session::journal::tests::properties::entries_show_the_same_conversation_as_the_updates`), in linear time
//!   (`runtime::session::journal::tests::joining_is_linear_in_the_updates`).
//! - *A commit that may be kept is repeated as it was*
//!   (`runtime::session::journal::tests::a_commit_that_failed_is_repeated_as_it_was_and_later_updates_follow_it`).
//! - *Messages keep their ids*
//!   (`runtime::dialect::toy_tests::kept_messages_have_their_ids_in_a_version_that_names_messages`).
//! - *Options come back in the order of dependence*
//!   (`runtime::config::tests::kept::an_option_that_starts_illegally_is_reset_before_its_dependents_come_back`).

mod joined;
mod patch;
#[cfg(test)]
mod tests;

use std::{mem, sync::Arc};

pub(crate) use joined::Joined;

use crate::{
    store::Entry,
    values::{ContentBlock, EmbeddedResourceResource, MessageId, SessionUpdate},
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
    /// `None` in most sessions at rest.
    open: Option<Box<Open>>,
}

#[derive(Debug)]
struct Open {
    /// The entries of the commit that was begun, and their bytes.
    batch: (Arc<[Entry]>, usize),
    /// The later entries, and their bytes.
    said: Joined,
    bytes: usize,
}

impl Journal {
    /// A journal behind the session's last committed entry, 0 without entries.
    pub(crate) fn behind(last: u64) -> Self {
        Self { last, open: None }
    }

    fn open(&mut self) -> &mut Open {
        let last = self.last;
        self.open
            .get_or_insert_with(|| Box::new(Open { batch: Default::default(), said: Joined::behind(last), bytes: 0 }))
    }

    /// Adds an update of so many bytes, with the id of its message if it is a piece of one. Returns whether it is a part of
    /// the conversation.
    pub(crate) fn add(&mut self, update: &SessionUpdate, message_id: Option<MessageId>, bytes: usize) -> bool {
        if !Joined::takes(update) {
            return false;
        }
        let open = self.open();
        open.said.add(update, message_id);
        open.bytes += text_of(update).map_or(bytes, str::len);
        true
    }

    /// Adds the user's prompt: one message, with its content as it is.
    pub(crate) fn add_prompt(&mut self, prompt: &[ContentBlock], message_id: Option<MessageId>) {
        let open = self.open();
        open.said.add_prompt(prompt, message_id);
        open.bytes += prompt.iter().map(size_of_content).sum::<usize>();
    }

    /// Whether everything is committed.
    pub(crate) fn is_empty(&self) -> bool {
        self.open.as_ref().is_none_or(|open| open.batch.0.is_empty() && open.said.entries().is_empty())
    }

    /// The bytes of what is not committed, about.
    pub(crate) fn bytes(&self) -> usize {
        self.open.as_ref().map_or(0, |open| open.batch.1 + open.bytes)
    }

    /// The bytes of what no commit was begun for, about.
    pub(crate) fn new_bytes(&self) -> usize {
        self.open.as_ref().map_or(0, |open| open.bytes)
    }

    /// The place of the last committed entry, 0 without entries.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// The place of the next new entry.
    pub(crate) fn next(&self) -> u64 {
        self.open.as_ref().map_or(self.last, |open| open.said.last()) + 1
    }

    /// The entries of the next commit: those of the last one, if it is not known to be [committed](Self::committed), and
    /// all entries otherwise. So there may be more entries after a commit.
    pub(crate) fn batch(&mut self) -> Arc<[Entry]> {
        let Some(open) = &mut self.open else { return Arc::default() };
        if open.batch.0.is_empty() {
            open.batch = (open.said.take().into(), mem::take(&mut open.bytes));
        }
        open.batch.0.clone()
    }

    /// Whether entries have come since the [batch](Self::batch) was made.
    pub(crate) fn has_more(&self) -> bool {
        self.open.as_ref().is_some_and(|open| !open.said.entries().is_empty())
    }

    /// The [batch](Self::batch) is committed.
    pub(crate) fn committed(&mut self) {
        let Some(open) = &mut self.open else { return };
        if let Some(last) = open.batch.0.last() {
            self.last = last.seq;
            open.batch = Default::default();
        }
        if open.said.is_forgettable() {
            self.open = None;
        }
    }

    /// The entries behind a place that are not committed yet, in their order.
    pub(crate) fn pending(&self, after: u64) -> impl Iterator<Item = &Entry> {
        let entries = self.open.iter().flat_map(|open| open.batch.0.iter().chain(open.said.entries()));
        entries.filter(move |entry| entry.seq > after)
    }
}

/// The text of a piece of a message. It costs less in an entry than on the wire.
fn text_of(update: &SessionUpdate) -> Option<&str> {
    match update {
        SessionUpdate::AgentMessageChunk(chunk) | SessionUpdate::AgentThoughtChunk(chunk) => match &chunk.content {
            ContentBlock::Text(text) => Some(&text.text),
            _ => None,
        },
        _ => None,
    }
}

/// The bytes of a content that is never large, about.
const SMALL: usize = 512;

/// The bytes of a content, about.
pub(crate) fn size_of_content(block: &ContentBlock) -> usize {
    match block {
        ContentBlock::Text(text) => text.text.len(),
        ContentBlock::Image(image) => image.data.len(),
        ContentBlock::Audio(audio) => audio.data.len(),
        ContentBlock::Resource(resource) => match &resource.resource {
            EmbeddedResourceResource::TextResourceContents(text) => text.text.len(),
            EmbeddedResourceResource::BlobResourceContents(blob) => blob.blob.len(),
            _ => SMALL,
        },
        _ => SMALL,
    }
}
