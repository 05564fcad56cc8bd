//! The active sessions of an agent, by id.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::live::Session;
use crate::{
    agent::Handlers,
    schema::v1::SessionId,
    wire::{Error, Result},
};

pub(crate) struct Sessions<A: Handlers>(Mutex<HashMap<SessionId, Arc<Session<A>>>>);

impl<A: Handlers> Default for Sessions<A> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<A: Handlers> Sessions<A> {
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Session<A>>> {
        self.lock().get(id).cloned().ok_or_else(|| Error::session_not_found(id))
    }

    /// Adds a session. One of the same id is over: its turn is cancelled.
    pub(crate) fn insert(&self, session: Arc<Session<A>>) {
        let replaced = self.lock().insert(session.handle.id().clone(), session);
        if let Some(replaced) = replaced {
            replaced.cancel_turn();
        }
    }

    /// Adds a session whose id no other may have.
    pub(crate) fn insert_new(&self, session: Arc<Session<A>>) -> Result<()> {
        match self.lock().entry(session.handle.id().clone()) {
            Entry::Occupied(_) => {
                Err(Error::internal_error("the agent chose an id for the session that another session has"))
            }
            Entry::Vacant(entry) => {
                entry.insert(session);
                Ok(())
            }
        }
    }

    pub(crate) fn remove(&self, id: &SessionId) {
        self.lock().remove(id);
    }

    /// Cancels every turn: the client is gone.
    pub(crate) fn cancel_all(&self) {
        for session in self.lock().values() {
            session.cancel_turn();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<Session<A>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
