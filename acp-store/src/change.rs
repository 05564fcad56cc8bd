//! The parts of a session that a commit changes.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{
    entry::Entry,
    kept::{Kept, KeptOption, KeptState},
    time::Timestamp,
};
use crate::values::SessionConfigId;

/// The parts of a session that a commit changes. A part that is `None` stays as it was.
///
/// ```
/// use acp_store::Change;
///
/// let change = Change::default().title(Some("Six times seven"));
/// assert_eq!(change.title, Some(Some("Six times seven")));
/// assert_eq!(change.options, None, "they stay");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Change<'a> {
    /// The working directory, absolute.
    pub cwd: Option<&'a Path>,
    /// The other folders: all of them.
    pub additional_directories: Option<&'a [PathBuf]>,
    /// The title. `Some(None)` takes it away.
    pub title: Option<Option<&'a str>>,
    /// The time of the change, as users see it.
    pub updated: Option<Timestamp>,
    /// The options: all of them.
    pub options: Option<&'a BTreeMap<SessionConfigId, KeptOption>>,
    /// The lasting decisions: all of them.
    pub permissions: Option<&'a BTreeMap<String, bool>>,
    /// The author's state.
    pub state: Option<&'a KeptState>,
    /// The mark of a turn that has not ended: see [`Kept::unended`]. `Some(None)` takes it away.
    pub unended: Option<Option<u64>>,
    /// New entries. They follow one another, and the first one follows the session's last entry.
    pub said: &'a [Entry],
    /// The entries up to this place go, also new ones. A place behind the last entry drops all. The next new entry follows the last
    /// one that there was.
    pub forgotten: Option<u64>,
}

impl<'a> Change<'a> {
    /// New entries, and nothing else.
    pub fn said(said: &'a [Entry]) -> Self {
        Self { said, ..Self::default() }
    }

    /// All data of the session, but not its principal and the time of its begin. A state that is `None` stays.
    pub fn all(kept: &'a Kept) -> Self {
        let Kept {
            cwd,
            additional_directories,
            principal: _,
            title,
            created: _,
            updated,
            options,
            permissions,
            state,
            unended,
        } = kept;
        Self {
            cwd: Some(cwd),
            additional_directories: Some(additional_directories),
            title: Some(title.as_deref()),
            updated: Some(*updated),
            options: Some(options),
            permissions: Some(permissions),
            state: state.as_ref(),
            unended: Some(*unended),
            said: &[],
            forgotten: None,
        }
    }

    /// Sets [`Self::cwd`](field@Self::cwd).
    #[must_use]
    pub fn cwd(mut self, cwd: &'a Path) -> Self {
        self.cwd = Some(cwd);
        self
    }

    /// Sets [`Self::additional_directories`](field@Self::additional_directories).
    #[must_use]
    pub fn additional_directories(mut self, directories: &'a [PathBuf]) -> Self {
        self.additional_directories = Some(directories);
        self
    }

    /// Sets [`Self::title`](field@Self::title). `None` takes it away.
    #[must_use]
    pub fn title(mut self, title: Option<&'a str>) -> Self {
        self.title = Some(title);
        self
    }

    /// Sets [`Self::options`](field@Self::options).
    #[must_use]
    pub fn options(mut self, options: &'a BTreeMap<SessionConfigId, KeptOption>) -> Self {
        self.options = Some(options);
        self
    }

    /// Sets [`Self::permissions`](field@Self::permissions).
    #[must_use]
    pub fn permissions(mut self, permissions: &'a BTreeMap<String, bool>) -> Self {
        self.permissions = Some(permissions);
        self
    }

    /// Sets [`Self::state`](field@Self::state).
    #[must_use]
    pub fn state(mut self, state: &'a KeptState) -> Self {
        self.state = Some(state);
        self
    }

    /// Sets [`Self::unended`](field@Self::unended). `None` takes the mark away.
    #[must_use]
    pub fn unended(mut self, first: Option<u64>) -> Self {
        self.unended = Some(first);
        self
    }

    /// With new entries.
    #[must_use]
    pub fn and_said(mut self, said: &'a [Entry]) -> Self {
        self.said = said;
        self
    }

    /// Sets [`Self::forgotten`](field@Self::forgotten).
    #[must_use]
    pub fn forgotten(mut self, last: u64) -> Self {
        self.forgotten = Some(last);
        self
    }

    /// Changes the data in memory, but not the entries: for stores that keep them as they are.
    pub fn apply(&self, kept: &mut Kept) {
        let Self { cwd, additional_directories, title, updated, options, permissions, state, unended, .. } = *self;
        if let Some(cwd) = cwd {
            kept.cwd = cwd.to_owned();
        }
        if let Some(folders) = additional_directories {
            kept.additional_directories = folders.to_owned();
        }
        if let Some(title) = title {
            kept.title = title.map(str::to_owned);
        }
        kept.updated = updated.unwrap_or(kept.updated);
        if let Some(options) = options {
            kept.options.clone_from(options);
        }
        if let Some(permissions) = permissions {
            kept.permissions.clone_from(permissions);
        }
        if let Some(state) = state {
            kept.state = Some(state.clone());
        }
        kept.unended = unended.unwrap_or(kept.unended);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_is_not_named_stays() {
        let mut kept = Kept::new("/a");
        kept.title = Some("A title".to_owned());
        kept.options.insert("brave".into(), true.into());
        kept.unended = Some(3);
        let before = kept.clone();
        Change::default().apply(&mut kept);
        assert_eq!(kept, before);
        let mut change = Change::default();
        (change.title, change.unended) = (Some(None), Some(None));
        change.apply(&mut kept);
        assert_eq!(kept, Kept { title: None, unended: None, ..before });
        let all = Kept { created: kept.created, ..Kept::new("/b") };
        Change::all(&all).apply(&mut kept);
        assert_eq!(kept, all);
    }
}
