//! The working directories of sessions, for an agent that is lenient about relative paths in its updates.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    client::line::Cwds,
    values::{ToolCallContent, ToolCallLocation},
};

/// By the address of a session's output. The sessions of other agents are smaller without a path of their own.
#[derive(Default)]
pub(crate) struct WorkingDirectories(Mutex<HashMap<usize, PathBuf>>);

impl WorkingDirectories {
    fn lock(&self) -> MutexGuard<'_, HashMap<usize, PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cwds for WorkingDirectories {
    fn enter(&self, output: usize, cwd: &Path) {
        self.lock().insert(output, cwd.to_owned());
    }

    fn leave(&self, output: usize) {
        self.lock().remove(&output);
    }

    fn resolve(&self, output: usize, content: &mut [ToolCallContent], locations: &mut [ToolCallLocation]) {
        let diffs = content.iter_mut().filter_map(|content| match content {
            ToolCallContent::Diff(diff) => Some(&mut diff.path),
            _ => None,
        });
        let relative = diffs.chain(locations.iter_mut().map(|location| &mut location.path));
        let relative = relative.filter(|path| !path.is_absolute());
        let mut relative = relative.peekable();
        if relative.peek().is_none() {
            return;
        }
        let known = self.lock();
        let Some(cwd) = known.get(&output) else { return };
        relative.for_each(|path| *path = cwd.join(&*path));
    }
}
