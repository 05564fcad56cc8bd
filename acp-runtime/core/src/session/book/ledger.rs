//! The right to write a session, and enough of what the store has to leave out what it has already.

use std::{
    hash::{DefaultHasher, Hash, Hasher as _},
    num::NonZeroU64,
    time::Duration,
};

use tokio::time::Instant;

use super::{no_answer, waited_for};
use crate::store::{Change, Kept, KeptOption, Lease, SessionStore, StoreError, Timestamp};

/// A session at rest has these few words, and not its data.
pub(super) struct Ledger {
    /// `None` once it is given back.
    pub(super) lease: Option<Lease>,
    /// The time of the last change that users see.
    updated: Timestamp,
    /// The store has the mark of a turn that has not ended, or may have it.
    pub(super) is_marked: bool,
    kept: Digests,
    /// When the lease has begun, or was renewed.
    renewed: Instant,
    /// The time when a call was given up, because the store did not answer.
    unanswered: Option<Instant>,
}

/// The digests of parts. A part is `None` if nobody knows what the store has.
#[derive(Clone, Copy, Default)]
struct Digests {
    options: Option<NonZeroU64>,
    permissions: Option<NonZeroU64>,
    state: Option<NonZeroU64>,
}

fn digest(part: impl FnOnce(&mut DefaultHasher)) -> Option<NonZeroU64> {
    let mut hasher = DefaultHasher::new();
    part(&mut hasher);
    NonZeroU64::new(hasher.finish().max(1))
}

impl Digests {
    fn of(change: &Change<'_>) -> Self {
        Self {
            options: change.options.and_then(|options| {
                digest(|hasher| {
                    for (id, value) in options {
                        id.as_str().hash(hasher);
                        match value {
                            KeptOption::Boolean(on) => on.hash(hasher),
                            KeptOption::Id(id) => id.hash(hasher),
                            other => serde_json::to_string(other).ok().hash(hasher),
                        }
                    }
                })
            }),
            permissions: change.permissions.and_then(|permissions| digest(|hasher| permissions.hash(hasher))),
            state: change.state.and_then(|state| digest(|hasher| (state.version(), state.json()).hash(hasher))),
        }
    }

    /// These, where they are known, and otherwise the others.
    fn or(self, other: Self) -> Self {
        Self {
            options: self.options.or(other.options),
            permissions: self.permissions.or(other.permissions),
            state: self.state.or(other.state),
        }
    }
}

impl Ledger {
    /// A session that is not claimed.
    pub(super) fn closed() -> Self {
        Self {
            lease: None,
            updated: Timestamp::from_micros(0),
            is_marked: false,
            kept: Digests::default(),
            renewed: Instant::now(),
            unanswered: None,
        }
    }

    /// A session that is claimed, and has these data.
    pub(super) fn opened(lease: Lease, kept: &Kept) -> Self {
        let digests = Digests::of(&Change::all(kept));
        Self {
            lease: Some(lease),
            updated: kept.updated,
            is_marked: kept.unended.is_some(),
            kept: digests,
            renewed: Instant::now(),
            unanswered: None,
        }
    }

    pub(super) fn lease(&self) -> Result<&Lease, StoreError> {
        self.lease.as_ref().ok_or_else(|| StoreError::unavailable("the session is over here"))
    }

    /// Commits a change, without the parts that the store has for certain. If nothing is left, the store is not asked. If
    /// this fails or is dropped, the next commit leaves out nothing.
    pub(super) async fn commit(&mut self, store: &dyn SessionStore, mut change: Change<'_>) -> Result<(), StoreError> {
        let (before, digests) = (self.kept, Digests::of(&change));
        change.options = change.options.filter(|_| digests.options != before.options);
        change.permissions = change.permissions.filter(|_| digests.permissions != before.permissions);
        change.state = change.state.filter(|_| digests.state != before.state);
        if change == Change::default() {
            return Ok(());
        }
        if change.title.is_some() || change.forgotten.is_some() || !change.said.is_empty() {
            // A clock that goes back moves no session back in the list. A session that has changed is never as it was created: see `unused`.
            self.updated = self.updated.after(Duration::from_micros(1)).max(Timestamp::now());
            change.updated = Some(self.updated);
        }
        let lease = self.lease()?.clone();
        self.kept = Digests {
            options: before.options.filter(|_| change.options.is_none()),
            permissions: before.permissions.filter(|_| change.permissions.is_none()),
            state: before.state.filter(|_| change.state.is_none()),
        };
        self.is_marked |= matches!(change.unended, Some(Some(_)));
        let committed = waited_for(store.commit(&lease, change)).await;
        match self.noted(committed) {
            Ok(()) => {
                self.kept = digests.or(before);
                self.is_marked &= change.unended != Some(None);
                Ok(())
            }
            // Nobody knows what the store has.
            Err(error @ StoreError::Unavailable { .. }) => Err(error),
            Err(error) => {
                self.kept = before;
                Err(error)
            }
        }
    }

    /// Makes the lease last from now on.
    pub(super) async fn renew(&mut self, store: &dyn SessionStore) -> Result<(), StoreError> {
        let renewed = waited_for(store.renew(self.lease()?)).await;
        self.noted(renewed)
    }

    /// What the store has answered, if it has.
    fn noted(&mut self, answer: Option<Result<(), StoreError>>) -> Result<(), StoreError> {
        if matches!(answer, Some(Ok(()))) {
            self.renewed = Instant::now();
        }
        answer.unwrap_or_else(|| {
            self.unanswered = Some(Instant::now());
            Err(no_answer())
        })
    }

    /// Whether another claim wins, because the lease was not renewed in its time.
    pub(super) fn is_over(&self) -> bool {
        self.lease.as_ref().is_none_or(|lease| self.renewed.elapsed() >= lease.time())
    }

    /// Whether the store has left a call without an answer since then. It would leave another one so, too.
    pub(super) fn was_unanswered_since(&self, then: Instant) -> bool {
        self.unanswered.is_some_and(|unanswered| unanswered > then)
    }

    /// These parts can never be kept as they are: no commit names them until they change.
    pub(super) fn give_up(&mut self, parts: Change<'_>) {
        self.kept = Digests::of(&parts).or(self.kept);
    }
}
