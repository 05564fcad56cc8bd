//! What was said in a stored session, and is not committed yet.

use std::{
    pin::Pin,
    sync::{Arc, OnceLock},
    time::Duration,
};

use super::{Book, outside::SOON, turn::Renewing};
use crate::{
    schema::{MaybeUndefined, title_in},
    session::{
        history::{History, Unwritten as NotCommitted},
        journal::Journal,
        recorder::Recorder,
        remembered::Remembered,
    },
    store::Entry,
    values::{ContentBlock, MessageId, SessionId, SessionInfoUpdate, SessionUpdate},
};

/// What is not committed.
pub(super) struct Unwritten {
    pub(super) journal: Journal,
    /// The title that the agent has given since, or taken away.
    title: Option<Option<String>>,
    /// While there is a turn, its end commits.
    pub(super) turn: Option<Renewing>,
    /// The turn's options or permissions have changed, perhaps too late for its commit.
    pub(super) is_changed: bool,
    /// A commit was begun that waits for more.
    pub(super) is_awaited: bool,
}

impl Unwritten {
    pub(super) fn behind(last: u64) -> Self {
        Self { journal: Journal::behind(last), title: None, turn: None, is_changed: false, is_awaited: false }
    }

    /// What the next commit has to keep.
    pub(super) fn batch(&mut self) -> (Arc<[Entry]>, Option<Option<String>>) {
        (self.journal.batch(), self.title.clone())
    }

    /// The [batch](Self::batch) is committed. A newer title stays.
    pub(super) fn committed(&mut self, title: &Option<Option<String>>) {
        self.journal.committed();
        if self.title == *title {
            self.title = None;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.journal.is_empty() && self.title.is_none()
    }
}

impl Book {
    /// Whether something is not committed.
    pub(crate) fn has_unwritten(&self) -> bool {
        !self.unwritten().is_empty()
    }

    /// Something has changed: it is committed soon, or with the end of the turn. Returns whether there is a turn.
    pub(super) fn changed(&self) -> bool {
        let mut unwritten = self.unwritten();
        unwritten.is_changed = unwritten.turn.is_some();
        let has_turn = unwritten.is_changed;
        drop(unwritten);
        if !has_turn {
            self.await_commit(SOON);
        }
        has_turn
    }
}

impl Recorder for Book {
    fn said(&self, update: &SessionUpdate, message_id: Option<MessageId>) {
        let mut unwritten = self.unwritten();
        match update {
            SessionUpdate::SessionInfoUpdate(SessionInfoUpdate { title: MaybeUndefined::Undefined, .. }) => return,
            SessionUpdate::SessionInfoUpdate(SessionInfoUpdate { title, .. }) => {
                unwritten.title = Some(title.value().cloned());
            }
            update => unwritten.journal.add(update, message_id),
        }
        let is_outside = unwritten.turn.is_none();
        drop(unwritten);
        if is_outside {
            self.changed();
        }
    }

    fn prompted(&self, prompt: &[ContentBlock], message_id: Option<MessageId>) {
        let mut unwritten = self.unwritten();
        if unwritten.journal.last() == 0 && unwritten.journal.is_empty() && unwritten.title.is_none() {
            unwritten.title = title_in(prompt).map(Some);
        }
        unwritten.journal.add_prompt(prompt, message_id);
        let is_outside = unwritten.turn.is_none();
        drop(unwritten);
        // A turn that has just ended took it in.
        if is_outside {
            self.changed();
        }
    }

    fn options_changed(&self) {
        self.changed();
    }

    fn permissions_changed(&self) {
        // A decision that the user has taken back must not come back with the session, so it does not wait for the turn.
        if self.changed() {
            self.await_commit(Duration::ZERO);
        }
    }

    fn keep_permissions(self: Arc<Self>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        self.changed();
        Box::pin(async move { Self::keep_permissions(&self).await })
    }

    fn permissions(&self) -> &OnceLock<Arc<Remembered>> {
        &self.permissions
    }

    fn history(self: Arc<Self>, session: &SessionId) -> History {
        History::new(self.store.clone(), session.clone(), Some(self))
    }
}

impl NotCommitted for Book {
    fn unwritten(&self, after: u64) -> (u64, Vec<Entry>) {
        let unwritten = self.unwritten();
        (unwritten.journal.last(), unwritten.journal.pending(after).cloned().collect())
    }
}
