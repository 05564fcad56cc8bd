//! What was said in a stored session, and is not committed yet.

use std::{
    collections::BTreeMap,
    pin::Pin,
    sync::{Arc, OnceLock},
    time::Duration,
};

use super::{Book, Holding, outside::SOON, turn::Running};
use crate::{
    config::transaction::Keeping,
    schema::{MaybeUndefined, title_in},
    session::{
        history::{History, Unwritten as NotCommitted},
        journal::Journal,
        recorder::{Recorder, Room},
        remembered::Remembered,
    },
    store::{Change, Entry, KeptOption},
    values::{ContentBlock, MessageId, SessionConfigId, SessionId, SessionInfoUpdate, SessionUpdate},
};

/// A turn that has said so much is committed while it runs, in bytes.
pub(super) const MUCH: usize = 256 << 10;
/// A turn that has said so much and is not committed waits for the store.
const TOO_MUCH: usize = 4 * MUCH;

/// What is not committed.
pub(super) struct Unwritten {
    pub(super) journal: Journal,
    /// The title that the agent has given since, or taken away.
    title: Option<Option<Box<str>>>,
    /// What was said up to this place is [dropped](Book::clear); 0 if nothing is.
    pub(super) forgotten: u64,
    /// While there is a turn, its end commits.
    pub(super) turn: Option<Running>,
    /// A turn has ended.
    pub(super) ends: bool,
    /// The turn's options or permissions have changed, perhaps too late for its commit.
    pub(super) is_changed: bool,
    /// A commit was begun that waits for more.
    pub(super) is_awaited: bool,
    /// Somebody [watches](Book::watch).
    pub(super) is_watched: bool,
    /// The session, for its hand-over to another process.
    pub(super) holding: Option<Arc<dyn Holding>>,
}

/// What the next commit has to keep.
pub(super) struct Batch {
    pub(super) said: Arc<[Entry]>,
    title: Option<Option<Box<str>>>,
    forgotten: u64,
    pub(super) ends: bool,
}

impl Batch {
    pub(super) fn change(&self) -> Change<'_> {
        let mut change = Change::said(&self.said);
        change.title = self.title.as_ref().map(Option::as_deref);
        change
    }

    /// The place up to which entries go. They go together with the change of the state.
    pub(super) fn forgotten(&self) -> Option<u64> {
        (self.forgotten > 0).then_some(self.forgotten)
    }

    /// The turn goes on behind it.
    pub(super) fn within_turn(self) -> Self {
        Self { ends: false, ..self }
    }
}

impl Unwritten {
    pub(super) fn behind(last: u64) -> Self {
        let journal = Journal::behind(last);
        Self {
            journal,
            title: None,
            forgotten: 0,
            turn: None,
            ends: false,
            is_changed: false,
            is_awaited: false,
            is_watched: false,
            holding: None,
        }
    }

    pub(super) fn batch(&mut self) -> Batch {
        Batch { said: self.journal.batch(), title: self.title.clone(), forgotten: self.forgotten, ends: self.ends }
    }

    /// The [batch](Self::batch) is committed. A newer title stays.
    pub(super) fn committed(&mut self, batch: &Batch) {
        self.journal.committed();
        if self.title == batch.title {
            self.title = None;
        }
        self.ends &= !batch.ends;
    }

    /// What the batch has dropped is gone from the store.
    pub(super) fn forgot(&mut self, batch: &Batch) {
        if self.forgotten == batch.forgotten {
            self.forgotten = 0;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.journal.is_empty() && self.title.is_none() && self.forgotten == 0 && !self.ends
    }

    /// Whether entries are not committed.
    pub(super) fn has_said(&self) -> bool {
        !self.journal.is_empty()
    }

    /// Whether it is time to commit a part of the turn.
    pub(super) fn is_much(&self) -> bool {
        self.journal.new_bytes() >= MUCH
    }
}

impl Book {
    /// Whether something is not committed.
    pub(crate) fn has_unwritten(&self) -> bool {
        !self.unwritten().is_empty()
    }

    /// The place of the last entry that is committed.
    pub(crate) fn last(&self) -> u64 {
        self.unwritten().journal.last()
    }

    /// Something has changed: it is committed soon, or with the end of the turn. Returns whether there is a turn.
    pub(super) fn changed(self: &Arc<Self>) -> bool {
        let mut unwritten = self.unwritten();
        unwritten.is_changed = unwritten.turn.is_some();
        let has_turn = unwritten.is_changed;
        drop(unwritten);
        if !has_turn {
            self.await_commit(SOON);
        }
        has_turn
    }

    /// Something was said. `unwritten` is locked.
    fn said_more(self: &Arc<Self>, unwritten: std::sync::MutexGuard<'_, Unwritten>) {
        let (is_outside, is_much) = (unwritten.turn.is_none(), unwritten.is_much() && !unwritten.is_awaited);
        drop(unwritten);
        if is_outside {
            self.await_commit(SOON);
        } else if is_much {
            self.await_commit(Duration::ZERO);
        }
    }
}

impl Recorder for Book {
    fn said(self: Arc<Self>, update: &SessionUpdate, message_id: Option<MessageId>, bytes: usize) {
        let mut unwritten = self.unwritten();
        match update {
            SessionUpdate::SessionInfoUpdate(SessionInfoUpdate { title: MaybeUndefined::Undefined, .. }) => return,
            SessionUpdate::SessionInfoUpdate(SessionInfoUpdate { title, .. }) => {
                unwritten.title = Some(title.value().map(|title| title.as_str().into()));
            }
            update => {
                if !unwritten.journal.add(update, message_id, bytes) {
                    return;
                }
            }
        }
        self.said_more(unwritten);
    }

    fn prompted(self: Arc<Self>, prompt: &[ContentBlock], message_id: Option<MessageId>) {
        let mut unwritten = self.unwritten();
        if unwritten.journal.last() == 0 && unwritten.journal.is_empty() && unwritten.title.is_none() {
            unwritten.title = title_in(prompt).map(|title| Some(title.into()));
        }
        unwritten.journal.add_prompt(prompt, message_id);
        // Outside of a turn: one that has just ended took it in.
        self.said_more(unwritten);
    }

    fn room(self: Arc<Self>) -> Option<Room> {
        if self.unwritten().journal.bytes() < TOO_MUCH {
            return None;
        }
        Some(Box::pin(async move { Ok(self.commit_said().await?) }))
    }

    fn options_changed(self: Arc<Self>) {
        self.changed();
    }

    fn keep_options(self: Arc<Self>, options: BTreeMap<SessionConfigId, KeptOption>) -> Keeping {
        Box::pin(async move { Ok(self.commit_options(options).await?) })
    }

    fn permissions_changed(self: Arc<Self>) {
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

    fn clear(self: Arc<Self>) {
        Self::clear(&self);
    }

    fn history(self: Arc<Self>, session: &SessionId) -> History {
        let forgotten = self.unwritten().forgotten;
        History::new(self.books.store.clone(), session.clone(), Some(self)).behind(forgotten)
    }
}

impl NotCommitted for Book {
    fn unwritten(&self, after: u64) -> (u64, Vec<Entry>) {
        let unwritten = self.unwritten();
        (unwritten.journal.last(), unwritten.journal.pending(after).cloned().collect())
    }
}
