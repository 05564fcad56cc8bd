//! The folders of a session, as its requests give them.

use std::path::PathBuf;

/// The folders of one session, as its requests gave them.
#[derive(Default)]
pub(crate) struct Folders {
    /// Those of the last request that the agent granted; `None` while the session is not open.
    pub(super) granted: Option<Vec<PathBuf>>,
    /// The number of the last request.
    pub(super) last: u64,
}

impl Folders {
    /// The session is over. Nothing brings its folders back.
    pub(crate) fn forget(&mut self) {
        self.last += 1;
        self.granted = None;
    }
}
