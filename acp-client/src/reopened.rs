//! What names a session that is opened again: its id, and then its folder. The two traits are for errors only: both parameters
//! take texts, so their order is easily mistaken.

use std::path::PathBuf;

use crate::values::SessionId;

/// The id of a session: a [`SessionId`], or a text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no id of a session",
    label = "the id of the session comes first, and then its folder",
    note = "write `resume_session(id, cwd)` and `load_session(id, cwd)`: `id` is a `SessionId` or a text"
)]
pub trait NamesSession {
    /// The id.
    fn id(self) -> SessionId;
}

#[diagnostic::do_not_recommend]
impl<T: Into<SessionId>> NamesSession for T {
    fn id(self) -> SessionId {
        self.into()
    }
}

/// The folder of a session: a path, or a text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no folder of a session",
    label = "the folder of the session comes second, behind its id",
    note = "write `resume_session(id, cwd)` and `load_session(id, cwd)`: `cwd` is a `PathBuf`, a `&Path` or a text, and absolute"
)]
pub trait NamesFolder {
    /// The path.
    fn folder(self) -> PathBuf;
}

#[diagnostic::do_not_recommend]
impl<T: Into<PathBuf>> NamesFolder for T {
    fn folder(self) -> PathBuf {
        self.into()
    }
}
