//! Where a session works, and relative paths in updates: for an agent that is lenient about them, a relative path is the path
//! under the session's `cwd`.

use std::path::{Path, PathBuf};

use crate::values::{ToolCallContent, ToolCallLocation};

/// The directories of a session. An idle session has one allocation for them, unless the client names more than the `cwd`.
#[derive(Clone, Debug)]
pub(crate) struct WorkingDirectories {
    pub(crate) cwd: Box<Path>,
    pub(crate) additional: Box<[PathBuf]>,
}

impl WorkingDirectories {
    /// Makes the paths absolute.
    pub(super) fn resolve(&self, content: &mut [ToolCallContent], locations: &mut [ToolCallLocation]) {
        let diffs = content.iter_mut().filter_map(|content| match content {
            ToolCallContent::Diff(diff) => Some(&mut diff.path),
            _ => None,
        });
        for path in diffs.chain(locations.iter_mut().map(|location| &mut location.path)) {
            if !path.is_absolute() {
                *path = self.cwd.join(&*path);
            }
        }
    }
}
