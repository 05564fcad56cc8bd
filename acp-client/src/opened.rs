//! The sessions that the client was told of, until it is told that they are over. A session counts also when its last
//! handle was dropped: the agent may still work in it, and what the client keeps for it must end with the connection.

use std::{
    collections::HashSet,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::values::SessionId;

/// Tells a client of any type about the sessions of its link.
pub(crate) trait Watcher: Send + Sync {
    fn opened(&self, id: &SessionId, folders: Vec<PathBuf>);
    fn closed(&self, id: &SessionId);
}

pub(crate) struct Opened {
    client: Arc<dyn Watcher>,
    /// `None` when the connection is over.
    open: Mutex<Option<HashSet<SessionId>>>,
}

impl Opened {
    pub(crate) fn new(client: Arc<dyn Watcher>) -> Arc<Self> {
        Arc::new(Self { client, open: Mutex::new(Some(HashSet::new())) })
    }

    fn open(&self) -> MutexGuard<'_, Option<HashSet<SessionId>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the client that all sessions are over, because the connection is.
    pub(crate) fn close(&self) {
        let open = self.open().take();
        for id in open.into_iter().flatten() {
            self.client.closed(&id);
        }
    }
}

impl Watcher for Opened {
    fn opened(&self, id: &SessionId, folders: Vec<PathBuf>) {
        // Nobody would tell the client of the end of a session that begins after the connection.
        let Some(open) = &mut *self.open() else { return };
        open.insert(id.clone());
        self.client.opened(id, folders);
    }

    fn closed(&self, id: &SessionId) {
        if let Some(open) = &mut *self.open() {
            open.remove(id);
        }
        self.client.closed(id);
    }
}
