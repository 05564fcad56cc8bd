//! What a declaration bounds: the age and the number of the sessions that are kept. When a principal opens or lists sessions, a task deletes
//! those of its sessions that are too old or too many, at most once an hour.
//!
//! A session that a process has is left alone, and so is one that is changed meanwhile. A session that was never used has an age at which it goes in any case.
//!
//! The lease of a session at rest is over, though its process has it. So a process says once in a while which sessions it has
//! (`Holds`), and a sweep waits for longer than that. It also leaves alone what a process of this machine has that lives.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::time::{Instant, sleep};

use super::unused::is_used;
use crate::{
    TARGET,
    session::book::{Book, LEASE, within},
    store::{Claim, Cursor, ListFilter, Listed, Owner, SessionStore, StoreError, Timestamp},
    values::SessionId,
};

/// How long a principal's sessions are left alone after they were looked through.
const AGAIN: Duration = Duration::from_secs(60 * 60);
/// How often a process renews the leases of its sessions at rest.
const HELD: Duration = Duration::from_secs(60 * 60);
/// For so long after the end of its lease, a session may be one of a process that lives.
const PATIENCE: Duration = Duration::from_secs(3 * 60 * 60);
/// How long a session is kept that was never used. An editor that stays open has its session for so long.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The sessions of one page.
const PAGE: usize = 100;

/// The bounds of a declaration.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    /// How long a session is kept after its last change.
    pub(super) kept_for: Option<Duration>,
    /// How many sessions are kept: those with the latest changes.
    pub(super) kept_at_most: Option<u32>,
    /// How many entries a load replays: the last ones.
    pub(super) replayed_at_most: Option<u32>,
}

impl Bounds {
    pub(super) fn are_declared(self) -> bool {
        self.kept_for.is_some() || self.kept_at_most.is_some()
    }
}

/// The sessions of which a process has some.
type IsActive = Box<dyn Fn(&SessionId) -> bool + Send + Sync>;

/// When the sessions of each principal were looked through.
#[derive(Default)]
pub(super) struct Sweeps(Mutex<HashMap<Option<String>, Instant>>);

impl Sweeps {
    /// Begins to look through the sessions of a principal, if it is time.
    pub(super) fn begin(
        &self,
        store: &Arc<dyn SessionStore>,
        principal: Option<String>,
        bounds: Bounds,
        is_active: IsActive,
    ) {
        let now = Instant::now();
        let mut swept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        swept.retain(|_, last| now.duration_since(*last) < AGAIN);
        if swept.contains_key(&principal) {
            return;
        }
        swept.insert(principal.clone(), now);
        let sweep = Sweep {
            store: store.clone(),
            filter: ListFilter::default().principal(principal),
            claim: Claim::new(&Owner::new(), LEASE).patient(PATIENCE),
            is_active,
        };
        tokio::spawn(async move {
            if let Err(error) = sweep.run(bounds, Timestamp::now()).await {
                tracing::warn!(target: TARGET, %error, "sessions that are too old or too many are not deleted");
            }
        });
    }
}

/// Whether the process says which sessions it has.
#[derive(Clone, Default)]
pub(super) struct Holds(Arc<AtomicBool>);

impl Holds {
    /// Begins to say so. `books` are those of the sessions that the process has; `None` ends it.
    pub(super) fn begin(&self, books: impl Fn() -> Option<Vec<Arc<Book>>> + Send + 'static) {
        if self.0.swap(true, Ordering::Relaxed) {
            return;
        }
        let ends = Ends(self.clone());
        tokio::spawn(async move {
            let _ends = ends;
            loop {
                sleep(HELD).await;
                let Some(books) = books() else { return };
                for book in books {
                    book.hold().await;
                }
            }
        });
    }
}

/// If the runtime of the task ends before its agent, the next session begins another task.
struct Ends(Holds);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.0.store(false, Ordering::Relaxed);
    }
}

/// One look through the sessions of a principal.
struct Sweep {
    store: Arc<dyn SessionStore>,
    filter: ListFilter,
    /// It is no claim of the process, which would win over the process's own.
    claim: Claim,
    is_active: IsActive,
}

impl Sweep {
    async fn run(&self, bounds: Bounds, now: Timestamp) -> Result<(), StoreError> {
        // Those of the last month were looked through then, if a process ran. Older ones cost nothing but their place.
        let (unused_since, long_since) = (before(now, UNUSED), before(now, UNUSED * 2));
        self.each(Some(unused_since), |listed| match listed.updated < long_since {
            true => Fate::End,
            false if is_used(listed) => Fate::Stays,
            false => Fate::Goes,
        })
        .await?;
        if let Some(kept_for) = bounds.kept_for {
            self.each(Some(before(now, kept_for)), |_| Fate::Goes).await?;
        }
        if let Some(kept_at_most) = bounds.kept_at_most {
            let mut count = 0;
            self.each(None, |listed| {
                count += u32::from(is_used(listed));
                if count > kept_at_most && is_used(listed) { Fate::Goes } else { Fate::Stays }
            })
            .await?;
        }
        Ok(())
    }

    /// Decides about each session whose last change was before `since`, or about each one.
    async fn each(&self, since: Option<Timestamp>, mut decide: impl FnMut(&Listed) -> Fate) -> Result<(), StoreError> {
        let mut after = since.map(|since| Cursor::new(since, SessionId::from("")));
        loop {
            let page = within(self.store.list(&self.filter, after.as_ref(), PAGE)).await?;
            for listed in &page.sessions {
                match decide(listed) {
                    Fate::Stays => {}
                    Fate::Goes => self.delete(listed).await?,
                    Fate::End => return Ok(()),
                }
            }
            after = page.next;
            if after.is_none() {
                return Ok(());
            }
        }
    }

    /// Deletes a session that no process has, and that nobody has changed since it was listed.
    async fn delete(&self, listed: &Listed) -> Result<(), StoreError> {
        if (self.is_active)(&listed.id) {
            return Ok(());
        }
        let lease = match within(self.store.claim(&listed.id, &self.claim)).await {
            Ok(lease) => lease,
            Err(StoreError::Held { .. } | StoreError::NotFound { .. }) => return Ok(()),
            Err(error) => return Err(error),
        };
        let is_same = match within(self.store.read(&listed.id)).await {
            Ok(kept) => kept.updated == listed.updated,
            // A damaged session is of no use, and goes with its age.
            Err(StoreError::Corrupt { .. }) => true,
            Err(error) => return Err(error),
        };
        if is_same {
            within(self.store.delete(&listed.id)).await.map(drop)
        } else {
            within(self.store.release(&lease)).await
        }
    }
}

/// What becomes of a session.
enum Fate {
    Stays,
    Goes,
    /// No session behind this one is of interest.
    End,
}

fn before(now: Timestamp, time: Duration) -> Timestamp {
    Timestamp::from_micros(now.as_micros().saturating_sub(i64::try_from(time.as_micros()).unwrap_or(i64::MAX)))
}
