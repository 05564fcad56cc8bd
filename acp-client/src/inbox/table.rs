//! All sessions that the client or its agent has named.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{asked::Asked, entry::Entry, intake::Intake};
use crate::{dialect::messages::session_of, gauge::Gauge, values::SessionId};

/// The limit of sessions that the agent names but this client does not know, or has closed.
const STRANGERS: usize = 64;

/// The sessions of a connection, by their ids.
pub(crate) struct Table {
    sessions: Mutex<HashMap<SessionId, Arc<Entry>>>,
    gauge: Arc<Gauge>,
    intake: Option<Arc<dyn Intake>>,
}

impl Table {
    pub(crate) fn new(gauge: Arc<Gauge>, intake: Option<Arc<dyn Intake>>) -> Self {
        Self { sessions: Mutex::default(), gauge, intake }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<Entry>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, sessions: &mut HashMap<SessionId, Arc<Entry>>, id: SessionId) -> Arc<Entry> {
        let entry = Entry::new(id.clone(), self.gauge.clone(), self.intake.clone());
        sessions.insert(id, entry.clone());
        entry
    }

    /// The session with this id, which the client knows from here on. The session is made if it is missing: an update
    /// may arrive before the answer that opens the session.
    pub(crate) fn known(&self, id: &SessionId) -> Arc<Entry> {
        let mut sessions = self.lock();
        let entry = match sessions.get(id) {
            Some(entry) => entry.clone(),
            None => {
                // No handle of these sessions is left, so nobody can take their updates.
                sessions.retain(|_, entry| !entry.is_known() || Arc::strong_count(entry) > 1);
                self.add(&mut sessions, id.clone())
            }
        };
        entry.know();
        entry
    }

    /// As [`Self::known`], but the agent names the session. If there are too many unknown sessions, the oldest of them
    /// is dropped.
    pub(crate) fn spoken_of(&self, id: &str) -> Arc<Entry> {
        let mut sessions = self.lock();
        if let Some(entry) = sessions.get(id) {
            return entry.clone();
        }
        let strangers = || sessions.values().filter(|entry| !entry.is_known());
        // The newest may be the session that the agent is about to open.
        if strangers().count() >= STRANGERS
            && let Some(oldest) = strangers().min_by_key(|entry| entry.age).map(|entry| entry.id.clone())
        {
            tracing::debug!("dropped the updates of a session that nobody knows");
            sessions.remove(&oldest);
        }
        self.add(&mut sessions, SessionId::from(id))
    }

    /// The session that these params belong to, if the agent or this client has named it.
    pub(crate) fn of(&self, params: &str) -> Option<Arc<Entry>> {
        self.lock().get(&*session_of(params)?).cloned()
    }

    /// A request of the agent with these params. One that names no session may be of any.
    pub(crate) fn asked(&self, params: &str) -> Asked {
        let sessions = self.lock();
        Asked::of(match session_of(params) {
            Some(id) => sessions.get(&*id).cloned().into_iter().collect(),
            None => sessions.values().cloned().collect(),
        })
    }

    /// Removes a session that is over.
    pub(crate) fn forget(&self, id: &SessionId) {
        let entry = self.lock().remove(id);
        if let Some(entry) = entry {
            entry.folders().forget();
            entry.forget();
        }
    }

    /// Closes all sessions, because no message comes any more.
    pub(crate) fn close(&self) {
        let sessions: Vec<_> = self.lock().values().cloned().collect();
        for session in sessions {
            session.close();
        }
    }
}
