//! The folders of a session. They hold from the request on, since the agent may need them before it answers. If the session
//! does not open, the folders from before hold again.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::entry::Entry;
use crate::opened::{Opened, Watcher as _};

/// A session that is being opened. Dropped before it is granted, it takes its folders back.
pub(crate) struct Opening {
    client: Arc<Opened>,
    entry: Arc<Entry>,
    folders: Vec<PathBuf>,
    number: u64,
    is_granted: bool,
}

impl Opening {
    /// Tells the client of the folders; the first is the working directory.
    pub(crate) fn begin(client: &Arc<Opened>, entry: &Arc<Entry>, cwd: &Path, more: &[PathBuf]) -> Self {
        let folders = std::iter::once(cwd).chain(more.iter().map(|folder| &**folder));
        let folders: Vec<_> = folders.map(ToOwned::to_owned).collect();
        let mut current = entry.folders();
        current.last += 1;
        let number = current.last;
        client.opened(&entry.id, folders.clone());
        drop(current);
        Self { client: client.clone(), entry: entry.clone(), folders, number, is_granted: false }
    }

    /// The agent has opened the session.
    pub(crate) fn grant(&mut self) {
        self.is_granted = true;
        self.entry.folders().granted = Some(self.folders.clone());
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        if self.is_granted {
            return;
        }
        let current = self.entry.folders();
        // The folders of a later request hold already.
        if current.last != self.number {
            return;
        }
        match &current.granted {
            Some(before) => self.client.opened(&self.entry.id, before.clone()),
            None => self.client.closed(&self.entry.id),
        }
    }
}
