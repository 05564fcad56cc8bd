//! The places that were read last, in the stream of the connection and in those of its sessions.

use std::collections::HashMap;

use tokio::time::Instant;

/// A WebSocket may carry several streams. Each has its cursors.
#[derive(Default)]
pub(super) struct Places {
    is_resumable: bool,
    /// Of the session, or of the connection itself.
    last: HashMap<Option<Box<str>>, Place>,
    has_moved: bool,
}

struct Place {
    cursor: Box<str>,
    at: Instant,
}

impl Places {
    /// The server says that it resumes.
    pub(super) fn resumable(&mut self) {
        self.is_resumable = true;
    }

    /// Whether a lost WebSocket can come back.
    pub(super) fn are_resumable(&self) -> bool {
        self.is_resumable && !self.last.is_empty()
    }

    /// A message with this cursor has come. Returns false if it is the one that came last.
    pub(super) fn moves(&mut self, session: Option<Box<str>>, cursor: Box<str>) -> bool {
        let at = Instant::now();
        let last = self.last.insert(session, Place { cursor: cursor.clone(), at });
        let is_new = last.is_none_or(|last| last.cursor != cursor);
        self.has_moved |= is_new;
        is_new
    }

    /// When a message of the session has come last.
    pub(super) fn heard(&self, session: &Option<Box<str>>) -> Option<Instant> {
        self.last.get(session).map(|place| place.at)
    }

    /// Whether a message has come since the last call.
    pub(super) fn has_moved(&mut self) -> bool {
        std::mem::take(&mut self.has_moved)
    }

    /// The session has ended.
    pub(super) fn forget(&mut self, session: &str) {
        // The server may have one stream for all: then this cursor may be the last one.
        if let Some(place) = self.last.remove(&Some(session.into())) {
            let own = self.last.entry(None).or_insert_with(|| Place { cursor: place.cursor.clone(), at: place.at });
            if own.at < place.at {
                *own = place;
            }
        }
    }

    /// All cursors, with their sessions.
    pub(super) fn all(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        self.last.iter().map(|(session, place)| (session.as_deref(), &*place.cursor))
    }
}
