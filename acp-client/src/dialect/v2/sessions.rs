//! What the client keeps of each session of a connection.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use super::{controls::Terminals, messages::Messages, tools::Tools, turns::Turns};

/// Above this number of sessions, those at rest are forgotten. An agent may name any number of them.
const MOST: usize = 1024;

/// All sessions that the client or its agent has named.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<Box<str>, Session>>);

/// What is kept of one.
#[derive(Default)]
pub(super) struct Session {
    pub(super) turns: Turns,
    pub(super) tools: Tools,
    pub(super) terminals: Terminals,
    pub(super) messages: Messages,
}

impl Sessions {
    /// Works on a session. The function must not call who waits for an answer: that may come back here.
    pub(super) fn with<T>(&self, id: &str, work: impl FnOnce(&mut Session) -> T) -> T {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = sessions.get_mut(id) {
            return work(session);
        }
        if sessions.len() >= MOST {
            sessions.retain(|_, session| !session.turns.is_at_rest());
        }
        work(sessions.entry(id.into()).or_default())
    }

    pub(super) fn forget(&self, id: &str) {
        let session = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        // Its prompts end here, outside of the lock.
        drop(session);
    }

    pub(super) fn close(&self) {
        let sessions = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        drop(sessions);
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
