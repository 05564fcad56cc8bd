//! Where a session works, and relative paths in updates: for an agent that is lenient about them, a relative path is the path
//! under the session's `cwd`.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, Weak},
};

use crate::values::{ToolCallContent, ToolCallLocation};

/// The directories of a session. Most sessions of a process work in the same ones, and then they share them: an idle session has
/// one word for them.
#[derive(Clone, Debug)]
pub(crate) struct WorkingDirectories(Arc<Both>);

#[derive(Debug, PartialEq)]
struct Both {
    cwd: Box<Path>,
    additional: Box<[PathBuf]>,
}

/// The directories that were named last.
static LAST: Mutex<Weak<Both>> = Mutex::new(Weak::new());

impl WorkingDirectories {
    pub(crate) fn new(cwd: &Path, additional: &[PathBuf]) -> Self {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let same = last.upgrade().filter(|both| &*both.cwd == cwd && &*both.additional == additional);
        Self(same.unwrap_or_else(|| {
            let both = Arc::new(Both { cwd: cwd.into(), additional: additional.into() });
            *last = Arc::downgrade(&both);
            both
        }))
    }

    pub(crate) fn cwd(&self) -> &Path {
        &self.0.cwd
    }

    pub(crate) fn additional(&self) -> &[PathBuf] {
        &self.0.additional
    }

    /// Makes the paths absolute.
    pub(super) fn resolve(&self, content: &mut [ToolCallContent], locations: &mut [ToolCallLocation]) {
        let diffs = content.iter_mut().filter_map(|content| match content {
            ToolCallContent::Diff(diff) => Some(&mut diff.path),
            _ => None,
        });
        for path in diffs.chain(locations.iter_mut().map(|location| &mut location.path)) {
            if !path.is_absolute() {
                *path = self.cwd().join(&*path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_that_work_in_the_same_directories_share_them() {
        let of = |cwd: &str, additional: &[PathBuf]| WorkingDirectories::new(Path::new(cwd), additional);
        let (one, same) = (of("/shared", &[]), of("/shared", &[]));
        // Another test may name others in between.
        let is_shared =
            || Arc::ptr_eq(&of("/shared", &[]).0, &one.0) || Arc::ptr_eq(&of("/a", &[]).0, &of("/a", &[]).0);
        assert!((0..100).any(|_| is_shared()));
        let others = [of("/other", &[]), of("/shared", &["/more".into()])];
        assert!(others.iter().all(|other| !Arc::ptr_eq(&one.0, &other.0)));
        assert_eq!((one.cwd(), same.cwd(), others[1].additional()), (same.cwd(), one.cwd(), &["/more".into()][..]));
    }
}
