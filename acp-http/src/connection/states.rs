//! What the sessions of a connection do, as its client was told last: for a client that comes back, and for a server that ends. Only
//! version 2 tells it.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use memchr::memmem;
use serde::Deserialize;

pub(crate) struct States {
    /// The version of the protocol; 0 before `initialize` is answered.
    version: AtomicU64,
    told: Mutex<HashMap<Box<str>, Told>>,
    max: usize,
}

struct Told {
    /// The update; empty when the agent has taken a prompt and not said yet that it works.
    message: Vec<u8>,
    is_idle: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params<'m> {
    #[serde(borrow)]
    session_id: Cow<'m, str>,
    #[serde(borrow)]
    update: Update<'m>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Update<'m> {
    session_update: &'m str,
    state: &'m str,
}

impl States {
    pub(crate) fn new(max: usize) -> Self {
        Self { version: AtomicU64::new(0), told: Mutex::default(), max }
    }

    pub(crate) fn agree_on(&self, version: u64) {
        self.version.store(version, Ordering::Relaxed);
    }

    /// Whether `initialize` was answered.
    pub(crate) fn is_initialized(&self) -> bool {
        self.version.load(Ordering::Relaxed) > 0
    }

    /// Whether the agent tells its client what sessions do.
    pub(crate) fn are_told(&self) -> bool {
        self.version.load(Ordering::Relaxed) >= 2
    }

    /// A notification leaves.
    pub(crate) fn leaves(&self, message: &[u8]) {
        #[derive(Deserialize)]
        struct Envelope<'m> {
            #[serde(borrow)]
            params: Params<'m>,
        }
        // Most updates are something else.
        if !self.are_told() || memmem::find(message, br#""sessionUpdate":"state_update""#).is_none() {
            return;
        }
        let Ok(Envelope { params: Params { session_id, update } }) = serde_json::from_slice(message) else { return };
        if update.session_update == "state_update" {
            self.insert(&session_id, Told { message: message.to_vec(), is_idle: update.state == "idle" });
        }
    }

    /// The answer to a prompt leaves. In version 2, the turn goes on behind it.
    pub(crate) fn begins(&self, session: &str) {
        if self.are_told() {
            let message = self.of(session).unwrap_or_default();
            self.insert(session, Told { message, is_idle: false });
        }
    }

    fn insert(&self, session: &str, told: Told) {
        let mut all = self.told();
        if all.len() >= self.max && !all.contains_key(session) {
            all.retain(|_, told| !told.is_idle);
        }
        all.insert(session.into(), told);
    }

    /// The session has ended.
    pub(crate) fn forget(&self, session: &str) {
        self.told().remove(session);
    }

    /// What the client was told of this session.
    pub(crate) fn of(&self, session: &str) -> Option<Vec<u8>> {
        self.told().get(session).map(|told| told.message.clone()).filter(|message| !message.is_empty())
    }

    /// What the client was told of all sessions.
    pub(crate) fn all(&self) -> Vec<Vec<u8>> {
        self.told().values().map(|told| told.message.clone()).filter(|message| !message.is_empty()).collect()
    }

    /// Whether no session works, as far as the client knows.
    pub(crate) fn are_idle(&self) -> bool {
        self.told().values().all(|told| told.is_idle)
    }

    fn told(&self) -> MutexGuard<'_, HashMap<Box<str>, Told>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
