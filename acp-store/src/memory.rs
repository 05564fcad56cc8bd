//! Sessions in memory: for tests, and the shortest program that keeps the promises of a store.

use std::{
    collections::BTreeMap,
    mem,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde::{Serialize, de::DeserializeOwned};

use super::{
    Change, Claim, Cursor, Entry, Kept, KeptState, Lease, ListFilter, Listed, Owner, Page, SessionStore, Sharing,
    StoreError, StoreFuture, Timestamp,
};
use crate::values::SessionId;

/// A store whose sessions end with the process. A clone is another handle of the same sessions.
///
/// ```
/// use std::sync::Arc;
///
/// use acp_store::{MemoryStore, SessionStore};
///
/// let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
/// # let _ = store;
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryStore(Arc<Mutex<Sessions>>);

#[derive(Debug, Default)]
struct Sessions {
    by_id: BTreeMap<SessionId, Box<Session>>,
    /// The last token that was handed out. Tokens of the whole store, so that a session that is deleted and made again
    /// refuses the leases of the first one.
    token: u64,
}

#[derive(Debug)]
struct Session {
    row: Row,
    /// As JSON: a map has room for many, and most sessions have few.
    options: Box<str>,
    permissions: Box<str>,
    /// The place of the last entry that was dropped, and the entries behind it.
    forgotten: u64,
    said: Vec<Entry>,
    /// That of the last claim.
    token: u64,
    holder: Option<Holder>,
}

/// What is kept, without options and permissions.
#[derive(Debug)]
struct Row {
    cwd: Box<Path>,
    additional_directories: Box<[PathBuf]>,
    principal: Option<Box<str>>,
    title: Option<Box<str>>,
    created: Timestamp,
    updated: Timestamp,
    state: Option<KeptState>,
    unended: Option<u64>,
}

#[derive(Debug)]
struct Holder {
    owner: Arc<Owner>,
    /// The end of its lease, which lasts for `time` after each renewal.
    until: Timestamp,
    time: Duration,
    /// Until then, somebody waits for the session.
    wished_until: Timestamp,
}

/// All processes that share the store are this one.
const SHARING: Sharing = Sharing::OneMachine;

impl MemoryStore {
    /// A store without sessions.
    pub fn new() -> Self {
        Self::default()
    }

    /// A panic cannot leave a session half changed: each function changes it after its last check.
    fn lock(&self) -> MutexGuard<'_, Sessions> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A map as JSON. An empty one takes no memory.
fn text<V: Serialize, K: Serialize + Ord>(part: &BTreeMap<K, V>) -> Result<Box<str>, StoreError> {
    if part.is_empty() {
        return Ok(Box::default());
    }
    let json = serde_json::to_string(part).map_err(|error| StoreError::invalid("a part of the session", error))?;
    Ok(json.into())
}

fn map<K: DeserializeOwned + Ord, V: DeserializeOwned>(text: &str) -> Result<BTreeMap<K, V>, StoreError> {
    let text = if text.is_empty() { "{}" } else { text };
    serde_json::from_str(text).map_err(|error| StoreError::corrupt("a session in memory", error))
}

fn not_found(id: &SessionId) -> StoreError {
    StoreError::NotFound { session: id.clone() }
}

impl Sessions {
    fn session(&self, id: &SessionId) -> Result<&Session, StoreError> {
        self.by_id.get(id).map(|session| &**session).ok_or_else(|| not_found(id))
    }

    /// The session of a lease, if the lease is not lost.
    fn leased(&mut self, lease: &Lease) -> Result<&mut Session, StoreError> {
        match self.by_id.get_mut(lease.session()) {
            Some(session) if session.token == lease.token() => Ok(session),
            Some(_) => Err(StoreError::LeaseLost { session: lease.session().clone() }),
            None => Err(not_found(lease.session())),
        }
    }

    fn grant(&mut self, id: &SessionId, claim: &Claim) -> Result<Lease, StoreError> {
        let token = self.token + 1;
        let session = self.by_id.get_mut(id).ok_or_else(|| not_found(id))?;
        self.token = token;
        session.token = token;
        let (owner, time) = (claim.shared_owner().clone(), claim.time());
        let now = Timestamp::now();
        session.holder = Some(Holder { owner, until: now.after(time), time, wished_until: now });
        Ok(Lease::new(id, token, session.last(), claim.time()))
    }
}

impl From<Kept> for Row {
    fn from(kept: Kept) -> Self {
        let Kept { cwd, additional_directories, principal, title, created, updated, state, unended, .. } = kept;
        let (cwd, additional_directories) = (cwd.into(), additional_directories.into());
        let (principal, title) = (principal.map(Into::into), title.map(Into::into));
        Self { cwd, additional_directories, principal, title, created, updated, state, unended }
    }
}

impl Row {
    /// Without options and permissions.
    fn kept(&self) -> Kept {
        Kept { state: self.state.clone(), ..self.stateless() }
    }

    /// Without the state, too, which may be long.
    fn stateless(&self) -> Kept {
        let mut kept = Kept::new(self.cwd.as_ref());
        kept.additional_directories = self.additional_directories.to_vec();
        (kept.principal, kept.title) = (self.principal.clone().map(String::from), self.title.clone().map(String::from));
        (kept.created, kept.updated) = (self.created, self.updated);
        kept.unended = self.unended;
        kept
    }
}

impl Session {
    fn new(kept: Kept) -> Result<Self, StoreError> {
        let (options, permissions) = (text(&kept.options)?, text(&kept.permissions)?);
        Ok(Self { row: kept.into(), options, permissions, forgotten: 0, said: Vec::new(), token: 0, holder: None })
    }

    fn kept(&self) -> Result<Kept, StoreError> {
        Ok(Kept { options: map(&self.options)?, permissions: map(&self.permissions)?, ..self.row.kept() })
    }

    /// Changes all that the change names, or nothing.
    fn apply(&mut self, mut change: Change<'_>) -> Result<(), StoreError> {
        let options = change.options.take().map(text).transpose()?;
        let permissions = change.permissions.take().map(text).transpose()?;
        self.options = options.unwrap_or_else(|| mem::take(&mut self.options));
        self.permissions = permissions.unwrap_or_else(|| mem::take(&mut self.permissions));
        let mut kept = Kept { state: self.row.state.take(), ..self.row.stateless() };
        change.apply(&mut kept);
        self.row = kept.into();
        Ok(())
    }

    /// The place of the last entry that was said.
    fn last(&self) -> u64 {
        self.forgotten + self.said.len() as u64
    }

    /// How many of the entries have places up to this one.
    fn count_to(&self, place: u64) -> usize {
        usize::try_from(place.saturating_sub(self.forgotten))
            .map_or(self.said.len(), |count| count.min(self.said.len()))
    }

    fn forget(&mut self, last: u64) {
        let count = self.count_to(last);
        self.said.drain(..count);
        self.said.shrink_to_fit();
        self.forgotten += count as u64;
    }

    fn renew(&mut self, lease: &Lease) {
        if let Some(holder) = &mut self.holder {
            (holder.until, holder.time) = (Timestamp::now().after(lease.time()), lease.time());
        }
    }
}

impl SessionStore for MemoryStore {
    fn create<'a>(&'a self, id: &'a SessionId, kept: &'a Kept, claim: &'a Claim) -> StoreFuture<'a, Lease> {
        Box::pin(async move {
            let mut sessions = self.lock();
            if sessions.by_id.contains_key(id) {
                return Err(StoreError::Exists { session: id.clone() });
            }
            sessions.by_id.insert(id.clone(), Box::new(Session::new(kept.clone())?));
            sessions.grant(id, claim)
        })
    }

    fn claim<'a>(&'a self, id: &'a SessionId, claim: &'a Claim) -> StoreFuture<'a, Lease> {
        Box::pin(async move {
            let mut sessions = self.lock();
            if let Some(Holder { owner, until, time, .. }) = &sessions.session(id)?.holder {
                claim.admits(id, owner, *until, *time, Timestamp::now(), SHARING)?;
            }
            sessions.grant(id, claim)
        })
    }

    fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.lock().leased(lease)?.renew(lease);
            Ok(())
        })
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            if let Ok(session) = self.lock().leased(lease) {
                session.holder = None;
            }
            Ok(())
        })
    }

    fn wish<'a>(&'a self, id: &'a SessionId, time: Duration) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let mut sessions = self.lock();
            let session = sessions.by_id.get_mut(id).ok_or_else(|| not_found(id))?;
            if let Some(holder) = &mut session.holder {
                holder.wished_until = Timestamp::now().after(time);
            }
            Ok(())
        })
    }

    fn is_wished<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let mut sessions = self.lock();
            let holder = &sessions.leased(lease)?.holder;
            Ok(holder.as_ref().is_some_and(|holder| Timestamp::now() < holder.wished_until))
        })
    }

    fn commit<'a>(&'a self, lease: &'a Lease, change: Change<'a>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let places = Entry::places(lease.session(), change.said)?;
            let mut sessions = self.lock();
            let session = sessions.leased(lease)?;
            let adds = lease.adds(session.last(), places.as_ref())?;
            session.apply(change)?;
            if adds {
                session.said.extend_from_slice(change.said);
            }
            if let Some(last) = change.forgotten {
                session.forget(last);
            }
            session.renew(lease);
            Ok(())
        })
    }

    fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Kept> {
        Box::pin(async move { self.lock().session(id)?.kept() })
    }

    fn replay<'a>(&'a self, id: &'a SessionId, after: u64, most: usize) -> StoreFuture<'a, Vec<Entry>> {
        Box::pin(async move {
            let sessions = self.lock();
            let session = sessions.session(id)?;
            Ok(session.said[session.count_to(after)..].iter().take(most).cloned().collect())
        })
    }

    fn list<'a>(&'a self, filter: &'a ListFilter, after: Option<&'a Cursor>, most: usize) -> StoreFuture<'a, Page> {
        Box::pin(async move {
            let sessions = self.lock();
            let mut found: Vec<(&SessionId, &Row)> = sessions
                .by_id
                .iter()
                .map(|(id, session)| (id, &session.row))
                .filter(|(_, kept)| filter.principal.as_deref() == kept.principal.as_deref())
                .filter(|(_, kept)| filter.cwd.as_ref().is_none_or(|cwd| **cwd == *kept.cwd))
                .filter(|(id, kept)| after.is_none_or(|after| (kept.updated, *id) < (after.updated(), after.id())))
                .collect();
            found.sort_by(|(one, kept), (other, its)| (its.updated, other).cmp(&(kept.updated, one)));
            let is_last = found.len() <= most;
            let page = found.into_iter().take(most);
            let sessions: Vec<Listed> = page.map(|(id, kept)| Listed::new(id.clone(), kept.kept())).collect();
            let next = if is_last { None } else { sessions.last().map(Listed::cursor) };
            Ok(Page::new(sessions, next))
        })
    }

    fn delete<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, bool> {
        Box::pin(async move { Ok(self.lock().by_id.remove(id).is_some()) })
    }
}
