//! The agent's open requests, by session. An agent that waits for an answer of this client is not silent.

use std::sync::Arc;

use tokio::time::Instant;

use super::entry::Entry;

/// A request of the agent, until its answer.
pub(crate) struct Asked(Vec<Arc<Entry>>);

impl Asked {
    /// A request that belongs to one of these sessions: it does not say to which.
    pub(crate) fn of(sessions: Vec<Arc<Entry>>) -> Self {
        for session in &sessions {
            session.lock().asked += 1;
        }
        Self(sessions)
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        for session in &self.0 {
            let mut inbox = session.lock();
            inbox.asked = inbox.asked.saturating_sub(1);
            inbox.heard = Some(Instant::now());
        }
    }
}
