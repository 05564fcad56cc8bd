//! Relative paths in updates, for agents that are lenient about them: a relative path is the path under the session's `cwd`.

use std::path::Path;

use crate::values::{ToolCallContent, ToolCallLocation};

/// Makes the paths absolute.
pub(super) fn resolve(cwd: &Path, content: &mut [ToolCallContent], locations: &mut [ToolCallLocation]) {
    let diffs = content.iter_mut().filter_map(|content| match content {
        ToolCallContent::Diff(diff) => Some(&mut diff.path),
        _ => None,
    });
    for path in diffs.chain(locations.iter_mut().map(|location| &mut location.path)) {
        if !path.is_absolute() {
            *path = cwd.join(&*path);
        }
    }
}
