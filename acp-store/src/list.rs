//! The list of sessions, in pages.

use std::{fmt, path::PathBuf, str::FromStr};

use acp_peer::Error;

use super::{kept::Kept, time::Timestamp};
use crate::values::{SessionId, SessionInfo};

/// Which sessions are listed: always those of one principal, or those without one. The default is all sessions without a principal.
///
/// ```
/// use acp_store::ListFilter;
///
/// let of_ann = ListFilter::cwd(Some("/home/ann/project".into())).principal(Some("ann".to_owned()));
/// assert_eq!(ListFilter::default().principal, None, "sessions of nobody in particular");
/// # let _ = of_ann;
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ListFilter {
    /// Only sessions with this working directory.
    pub cwd: Option<PathBuf>,
    /// Only sessions of the principal with this name. `None`: only those without a principal.
    pub principal: Option<String>,
}

impl ListFilter {
    /// The sessions of one working directory, or all.
    pub fn cwd(cwd: impl Into<Option<PathBuf>>) -> Self {
        Self { cwd: cwd.into(), principal: None }
    }

    /// Sets [`Self::principal`](field@Self::principal).
    #[must_use]
    pub fn principal(mut self, name: impl Into<Option<String>>) -> Self {
        self.principal = name.into();
        self
    }
}

/// One session of a list: its data without options and state.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Listed {
    /// The session.
    pub id: SessionId,
    /// Its working directory.
    pub cwd: PathBuf,
    /// Its other folders.
    pub additional_directories: Vec<PathBuf>,
    /// Its title.
    pub title: Option<String>,
    /// The time of its begin.
    pub created: Timestamp,
    /// The time of its last change.
    pub updated: Timestamp,
}

impl Listed {
    /// A session by its data.
    pub fn new(id: SessionId, kept: Kept) -> Self {
        let Kept { cwd, additional_directories, title, created, updated, .. } = kept;
        Self { id, cwd, additional_directories, title, created, updated }
    }

    /// The place of this session in the list: where the next page begins.
    pub fn cursor(&self) -> Cursor {
        Cursor { updated: self.updated, id: self.id.clone() }
    }
}

impl From<Listed> for SessionInfo {
    /// The session as clients get it.
    fn from(listed: Listed) -> Self {
        let Listed { id, cwd, additional_directories, title, created: _, updated } = listed;
        let mut info = Self::new(id, cwd).title(title).updated_at(updated.to_string());
        info.additional_directories = additional_directories;
        info
    }
}

/// Some sessions, the newest first, and the place at which the next page begins.
///
/// ```
/// use acp_store::{Kept, Listed, Page};
///
/// let found: Vec<_> = ["s2", "s1"].map(|id| Listed::new(id.into(), Kept::new("/home/me/project"))).into();
/// // One session a page: the next page begins behind the first session.
/// let next = found.first().map(Listed::cursor);
/// let page = Page::new(found[..1].to_vec(), next);
/// assert_eq!(page.next.map(|next| next.id().clone()), Some("s2".into()));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Page {
    /// The sessions of this page.
    pub sessions: Vec<Listed>,
    /// The begin of the next page; `None` on the last page.
    pub next: Option<Cursor>,
}

impl Page {
    /// The page with these sessions. `next` is `None` if there are no more.
    pub fn new(sessions: Vec<Listed>, next: Option<Cursor>) -> Self {
        Self { sessions, next }
    }
}

/// A place in the list: behind one session. It stays a place, though that session is changed or deleted. Clients get it
/// as a text, which they must not read.
///
/// ```
/// use acp_store::{Cursor, Timestamp};
///
/// let cursor = Cursor::new(Timestamp::from_micros(7), "sess:1".into());
/// assert_eq!(cursor.to_string().parse(), Ok(cursor));
/// assert!("a cursor of another agent".parse::<Cursor>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    updated: Timestamp,
    id: SessionId,
}

impl Cursor {
    /// The place behind a session.
    pub fn new(updated: Timestamp, id: SessionId) -> Self {
        Self { updated, id }
    }

    /// The time of the session's last change.
    pub fn updated(&self) -> Timestamp {
        self.updated
    }

    /// The session.
    pub fn id(&self) -> &SessionId {
        &self.id
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.updated.as_micros(), self.id.as_str())
    }
}

/// The error of a text that is not a cursor of a store. A client gets it as invalid params.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the cursor is not one of this agent's: take `nextCursor` of its last answer")]
pub struct InvalidCursor;

impl From<InvalidCursor> for Error {
    fn from(error: InvalidCursor) -> Self {
        Self::invalid_params(error.to_string())
    }
}

impl FromStr for Cursor {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let (micros, id) = text.split_once(':').ok_or(InvalidCursor)?;
        Ok(Self { updated: Timestamp::from_micros(micros.parse().map_err(|_| InvalidCursor)?), id: id.into() })
    }
}
