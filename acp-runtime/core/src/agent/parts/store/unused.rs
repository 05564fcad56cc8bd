//! Sessions that were opened, and never used: editors open one with each start. They are kept, because their client may load them, also
//! in another process. But no list shows them to anybody else.

use crate::store::Listed;

/// Whether anything was said in the session, or it has a title. Only this changes the time of its last change.
pub(super) fn is_used(listed: &Listed) -> bool {
    listed.title.is_some() || listed.updated > listed.created
}
