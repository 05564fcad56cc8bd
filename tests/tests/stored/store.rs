//! A store in memory that fails, or does not answer, when a test says so.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use acp_runtime::{
    store::{
        Change, Claim, Cursor, Entry, Kept, Lease, ListFilter, MemoryStore, Page, SessionStore, StoreError, StoreFuture,
    },
    values::SessionId,
};

/// What the store does from now on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Mode {
    #[default]
    Well,
    Full,
    /// Does not answer.
    Silent,
    /// Does not answer commits until it is well again, and then keeps them.
    Slow,
    /// Does not renew leases until it is well again.
    SlowToRenew,
    /// Does not take leases back until it is well again.
    SlowToRelease,
    /// Refuses titles with a NUL, and entries and states with the text `unkeepable`, as no store can keep everything.
    Picky,
    /// Cannot read the data of sessions any more. Lists can still be read.
    Damaged,
}

/// A handle of the sessions of one process. Clones are the same handle.
#[derive(Clone, Default)]
pub(crate) struct Store {
    pub(crate) sessions: MemoryStore,
    mode: Arc<Mutex<Mode>>,
    /// Whether claims take sessions from living holders.
    forces: bool,
    commits: Arc<AtomicUsize>,
    renewals: Arc<AtomicUsize>,
}

impl Store {
    /// The handle of another process, which takes sessions from the first one as if its lease were over.
    pub(crate) fn of_another_process(&self) -> Self {
        Self { sessions: self.sessions.clone(), forces: true, ..Self::default() }
    }

    /// The handle of another process, which waits for its right.
    pub(crate) fn of_a_polite_process(&self) -> Self {
        Self { sessions: self.sessions.clone(), ..Self::default() }
    }

    pub(crate) fn set(&self, mode: Mode) {
        *self.mode.lock().expect("no test panics with the lock") = mode;
    }

    fn mode(&self) -> Mode {
        *self.mode.lock().expect("no test panics with the lock")
    }

    /// How many commits were kept.
    pub(crate) fn commits(&self) -> usize {
        self.commits.load(Ordering::SeqCst)
    }

    /// How many times a lease was renewed without a commit.
    pub(crate) fn renewals(&self) -> usize {
        self.renewals.load(Ordering::SeqCst)
    }

    async fn admit(&self) -> Result<(), StoreError> {
        match self.mode() {
            Mode::Well | Mode::Slow | Mode::SlowToRenew | Mode::SlowToRelease | Mode::Picky | Mode::Damaged => Ok(()),
            Mode::Full => Err(StoreError::full("no space left on device")),
            Mode::Silent => std::future::pending().await,
        }
    }

    /// The data of a session.
    pub(crate) async fn kept(&self, id: &str) -> Kept {
        self.sessions.read(&id.into()).await.expect("the session is kept")
    }

    /// The entries of a session, each as its kind and its text.
    pub(crate) async fn said(&self, id: &str) -> Vec<String> {
        let entries = self.sessions.replay(&id.into(), 0, 1000).await.expect("the session is kept");
        let told = |entry: &Entry| {
            let json: serde_json::Value =
                serde_json::from_str(&entry.to_json().expect("it has a JSON form")).expect("JSON");
            let kind = json["sessionUpdate"].as_str().unwrap_or_default();
            let text = json["content"]["text"].as_str().or(json["title"].as_str()).unwrap_or_default();
            format!("{kind}: {text}")
        };
        entries.iter().map(told).collect()
    }
}

fn refuse(change: &Change<'_>) -> Result<(), StoreError> {
    let refused = |subject: &str| Err(StoreError::invalid(subject, "it is refused"));
    if change.title.flatten().is_some_and(|title| title.contains('\0')) {
        return refused("the title");
    }
    if change.state.is_some_and(|state| state.json().contains("unkeepable")) {
        return refused("the state");
    }
    for entry in change.said {
        if entry.to_json()?.contains("unkeepable") {
            return refused(&format!("entry {}", entry.seq));
        }
    }
    Ok(())
}

impl SessionStore for Store {
    fn create<'a>(&'a self, id: &'a SessionId, kept: &'a Kept, claim: &'a Claim) -> StoreFuture<'a, Lease> {
        Box::pin(async move {
            self.admit().await?;
            self.sessions.create(id, kept, claim).await
        })
    }

    fn claim<'a>(&'a self, id: &'a SessionId, claim: &'a Claim) -> StoreFuture<'a, Lease> {
        Box::pin(async move {
            self.admit().await?;
            let claim = if self.forces { claim.clone().forced() } else { claim.clone() };
            self.sessions.claim(id, &claim).await
        })
    }

    fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.admit().await?;
            while self.mode() == Mode::SlowToRenew {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            self.renewals.fetch_add(1, Ordering::SeqCst);
            self.sessions.renew(lease).await
        })
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.admit().await?;
            while self.mode() == Mode::SlowToRelease {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            self.sessions.release(lease).await
        })
    }

    fn wish<'a>(&'a self, id: &'a SessionId, time: Duration) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.admit().await?;
            self.sessions.wish(id, time).await
        })
    }

    fn is_wished<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            self.admit().await?;
            self.sessions.is_wished(lease).await
        })
    }

    fn commit<'a>(&'a self, lease: &'a Lease, change: Change<'a>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.admit().await?;
            while self.mode() == Mode::Slow {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            if self.mode() == Mode::Picky {
                refuse(&change)?;
            }
            self.sessions.commit(lease, change).await?;
            self.commits.fetch_add(1, Ordering::SeqCst);
            Ok(())
        })
    }

    fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Kept> {
        Box::pin(async move {
            self.admit().await?;
            if self.mode() == Mode::Damaged {
                return Err(StoreError::corrupt("the column `options`", "it is no JSON"));
            }
            self.sessions.read(id).await
        })
    }

    fn replay<'a>(&'a self, id: &'a SessionId, after: u64, most: usize) -> StoreFuture<'a, Vec<Entry>> {
        Box::pin(async move {
            self.admit().await?;
            self.sessions.replay(id, after, most).await
        })
    }

    fn list<'a>(&'a self, filter: &'a ListFilter, after: Option<&'a Cursor>, most: usize) -> StoreFuture<'a, Page> {
        Box::pin(async move {
            self.admit().await?;
            self.sessions.list(filter, after, most).await
        })
    }

    fn delete<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            self.admit().await?;
            self.sessions.delete(id).await
        })
    }
}
