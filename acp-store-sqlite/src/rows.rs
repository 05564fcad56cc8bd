//! Values as rows, and rows as values.

use std::path::{Path, PathBuf};

use acp_store::{Change, Entry, Kept, KeptState, Listed, StoreError, Timestamp};
use rusqlite::{Row, ToSql, types::ToSqlOutput};
use serde::de::DeserializeOwned;

use crate::fault::Fault;

/// The data of a session, as its columns have them.
pub(crate) struct KeptRow {
    pub(crate) cwd: String,
    pub(crate) additional_directories: String,
    pub(crate) principal: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) options: String,
    pub(crate) permissions: String,
    pub(crate) state: Option<(u32, String)>,
    pub(crate) unended: i64,
}

/// The parts that a commit changes, as their columns have them. The others are `None`.
pub(crate) struct ChangeRow {
    pub(crate) cwd: Option<String>,
    pub(crate) additional_directories: Option<String>,
    pub(crate) title: Option<Option<String>>,
    pub(crate) updated: Option<i64>,
    pub(crate) options: Option<String>,
    pub(crate) permissions: Option<String>,
    pub(crate) state: Option<(u32, String)>,
    pub(crate) unended: Option<i64>,
}

/// So many bytes are a few pages of the file.
const SMALL: usize = 16 << 10;

impl ChangeRow {
    pub(crate) fn of(change: &Change<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            cwd: change.cwd.map(path_text).transpose()?,
            additional_directories: change.additional_directories.map(folders).transpose()?,
            title: change.title.map(|title| title.map(str::to_owned)),
            updated: change.updated.map(Timestamp::as_micros),
            options: change.options.map(json).transpose()?,
            permissions: change.permissions.map(json).transpose()?,
            state: change.state.map(|state| (state.version(), state.json().to_owned())),
            unended: change.unended.map(mark),
        })
    }

    /// Whether it is as small as a set of some options.
    pub(crate) fn is_small(&self) -> bool {
        let Self { cwd, additional_directories, title, options, permissions, state, .. } = self;
        let texts = [cwd, additional_directories, options, permissions].into_iter().flatten();
        let texts = texts.chain(title.as_ref().and_then(Option::as_ref)).chain(state.as_ref().map(|(_, state)| state));
        texts.map(String::len).sum::<usize>() <= SMALL
    }
}

impl KeptRow {
    pub(crate) fn of(kept: &Kept) -> Result<Self, StoreError> {
        Ok(Self {
            cwd: path_text(&kept.cwd)?,
            additional_directories: folders(&kept.additional_directories)?,
            principal: kept.principal.clone(),
            title: kept.title.clone(),
            created: kept.created.as_micros(),
            updated: kept.updated.as_micros(),
            options: json(&kept.options)?,
            permissions: json(&kept.permissions)?,
            state: kept.state.as_ref().map(|state| (state.version(), state.json().to_owned())),
            unended: mark(kept.unended),
        })
    }
}

fn folders(folders: &[PathBuf]) -> Result<String, StoreError> {
    json(&folders.iter().map(|folder| path_text(folder)).collect::<Result<Vec<_>, _>>()?)
}

/// A place, or 0 for none.
fn mark(unended: Option<u64>) -> i64 {
    unended.map_or(0, |place| i64::try_from(place).unwrap_or(i64::MAX))
}

fn json(value: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::invalid("a part of the session", error))
}

/// A path as its text, without parts that have no meaning: `/a/` and `/a/.` are `/a`.
pub(crate) fn path_text(path: &Path) -> Result<String, StoreError> {
    let path: PathBuf = path.components().collect();
    path.into_os_string()
        .into_string()
        .map_err(|path| StoreError::invalid(format!("the path `{}`", path.display()), "it is not Unicode"))
}

/// The columns of the list, as [`listed`] reads them.
pub(crate) const LISTED: &str = "id, cwd, additional_directories, title, created, updated";

/// A session as the list shows it.
pub(crate) fn listed(row: &Row<'_>) -> Result<Listed, Fault> {
    let mut kept = Kept::new(row.get::<_, String>(1)?);
    kept.additional_directories = parsed(row, 2, "additional_directories")?;
    kept.title = row.get(3)?;
    kept.created = Timestamp::from_micros(row.get(4)?);
    kept.updated = Timestamp::from_micros(row.get(5)?);
    Ok(Listed::new(row.get::<_, String>(0)?.into(), kept))
}

/// Finds a session's data by its id, as [`kept`] reads them.
pub(crate) const KEPT: &str = "
    SELECT cwd, additional_directories, title, created, updated, options, state_version, state, permissions, unended,
           principal
    FROM sessions WHERE id = ?1";

/// The data of a session.
pub(crate) fn kept(row: &Row<'_>) -> Result<Kept, Fault> {
    let mut kept = Kept::new(row.get::<_, String>(0)?);
    kept.additional_directories = parsed(row, 1, "additional_directories")?;
    kept.title = row.get(2)?;
    kept.created = Timestamp::from_micros(row.get(3)?);
    kept.updated = Timestamp::from_micros(row.get(4)?);
    kept.options = parsed(row, 5, "options")?;
    kept.permissions = parsed(row, 8, "permissions")?;
    kept.unended = Some(unsigned(row.get(9)?, "unended")?).filter(|place| *place > 0);
    kept.principal = row.get(10)?;
    if let Some((version, state)) = row.get::<_, Option<u32>>(6)?.zip(row.get(7)?) {
        kept.state = Some(KeptState::from_json(version, state).map_err(|error| Fault::column("state", error))?);
    }
    Ok(kept)
}

/// One entry, and the bytes that it takes. The columns are `seq, message_id, said`.
pub(crate) fn entry(row: &Row<'_>) -> Result<(Entry, usize), Fault> {
    let said: String = row.get(2)?;
    let bytes = said.len();
    let id: Option<String> = row.get(1)?;
    let entry = Entry::from_json(unsigned(row.get(0)?, "seq")?, id.map(Into::into), said);
    Ok((entry.map_err(|error| Fault::column("said", error))?, bytes))
}

pub(crate) fn parsed<T: DeserializeOwned>(row: &Row<'_>, column: usize, name: &'static str) -> Result<T, Fault> {
    let text = row.get_ref(column)?.as_str().map_err(|error| Fault::column(name, error))?;
    serde_json::from_str(text).map_err(|error| Fault::column(name, error))
}

/// A number of a column that has none below 0. Somebody else has written one that is.
pub(crate) fn unsigned(number: i64, name: &'static str) -> Result<u64, Fault> {
    u64::try_from(number).map_err(|_| Fault::column(name, format!("{number} is below 0")))
}

/// A number without a sign, as SQLite has none: places and tokens never reach the half of it.
pub(crate) struct Unsigned(pub(crate) u64);

impl ToSql for Unsigned {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(i64::try_from(self.0).unwrap_or(i64::MAX).into())
    }
}
