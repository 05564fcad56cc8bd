//! The active sessions of an agent, by id.

use std::{
    borrow::Borrow,
    collections::HashSet,
    hash::{Hash, Hasher},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::live::Session;
use crate::{
    agent::Handlers,
    schema::v1::SessionId,
    wire::{Error, Result},
};

pub(crate) struct Sessions<A: Handlers>(Mutex<HashSet<ById<A>>>);

/// A session by the id that it holds: a table with keys of its own would take twice the memory and more.
struct ById<A: Handlers>(Arc<Session<A>>);

impl<A: Handlers> Borrow<str> for ById<A> {
    fn borrow(&self) -> &str {
        self.0.handle.id().as_ref()
    }
}

impl<A: Handlers> Hash for ById<A> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Borrow::<str>::borrow(self).hash(state);
    }
}

impl<A: Handlers> PartialEq for ById<A> {
    fn eq(&self, other: &Self) -> bool {
        Borrow::<str>::borrow(self) == Borrow::<str>::borrow(other)
    }
}

impl<A: Handlers> Eq for ById<A> {}

impl<A: Handlers> Default for Sessions<A> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<A: Handlers> Sessions<A> {
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Session<A>>> {
        self.lock().get(id).map(|found| found.0.clone()).ok_or_else(|| Error::session_not_found(id))
    }

    /// Adds a session. One of the same id is over: its turn is cancelled.
    pub(crate) fn insert(&self, session: Arc<Session<A>>) {
        let replaced = self.lock().replace(ById(session));
        if let Some(replaced) = replaced {
            replaced.0.cancel_turn();
        }
    }

    /// Adds a session whose id no other may have.
    pub(crate) fn insert_new(&self, session: Arc<Session<A>>) -> Result<()> {
        if !self.lock().insert(ById(session)) {
            return Err(Error::internal_error("the agent chose an id for the session that another session has"));
        }
        Ok(())
    }

    pub(crate) fn remove(&self, id: &SessionId) {
        self.lock().remove::<str>(id.as_ref());
    }

    /// Cancels every turn: the client is gone.
    pub(crate) fn cancel_all(&self) {
        for session in self.lock().iter() {
            session.0.cancel_turn();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<ById<A>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
