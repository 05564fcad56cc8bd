//! The folders of a session. They hold from the request on, since the agent may need them before it answers. If the session
//! does not open, the folders from before hold again.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::inbox::Entry;
use crate::link::Link;

/// A session that is being opened. Dropped before it is granted, it takes its folders back.
pub(crate) struct Opening {
    link: Arc<Link>,
    entry: Arc<Entry>,
    folders: Vec<PathBuf>,
    number: u64,
    is_granted: bool,
}

impl Opening {
    /// Tells the client of the folders; the first is the working directory.
    pub(crate) fn begin(link: &Arc<Link>, entry: &Arc<Entry>, cwd: &Path, more: &[PathBuf]) -> Self {
        let folders = std::iter::once(cwd).chain(more.iter().map(|folder| &**folder));
        let folders: Vec<_> = folders.map(ToOwned::to_owned).collect();
        let mut current = entry.folders();
        current.last += 1;
        let number = current.last;
        link.client().opened(&entry.id, folders.clone());
        drop(current);
        Self { link: link.clone(), entry: entry.clone(), folders, number, is_granted: false }
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
            Some(before) => self.link.client().opened(&self.entry.id, before.clone()),
            None => self.link.client().closed(&self.entry.id),
        }
    }
}
