//! Values as rows, and rows as values.

use std::path::{Path, PathBuf};

use acp_schema::v1::SessionId;
use acp_store::{Change, Entry, Kept, KeptState, Listed, StoreError, Timestamp};
use serde_json::from_str;
use tokio_postgres::{Row, types::FromSql};

use crate::fault::Fault;

/// The most bytes of an id: an index of PostgreSQL takes no more than some 2,700.
const ID_BYTES: usize = 2500;

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
    pub(crate) state_version: Option<i64>,
    pub(crate) state: Option<String>,
    pub(crate) unended: i64,
}

/// The parts that a commit changes, as their columns have them. The others are `None`.
pub(crate) struct ChangeRow<'a> {
    pub(crate) cwd: Option<String>,
    pub(crate) additional_directories: Option<String>,
    pub(crate) title: Option<Option<&'a str>>,
    pub(crate) updated: Option<i64>,
    pub(crate) options: Option<String>,
    pub(crate) permissions: Option<String>,
    pub(crate) state_version: Option<i64>,
    pub(crate) state: Option<&'a str>,
    pub(crate) unended: Option<i64>,
    /// The entries up to this place go.
    pub(crate) forgotten: Option<i64>,
}

impl<'a> ChangeRow<'a> {
    pub(crate) fn of(change: &Change<'a>) -> Result<Self, StoreError> {
        Ok(Self {
            cwd: change.cwd.map(path_text).transpose()?,
            additional_directories: change.additional_directories.map(folders).transpose()?,
            title: change.title.map(title).transpose()?,
            updated: change.updated.map(Timestamp::as_micros),
            options: change.options.map(json).transpose()?,
            permissions: change.permissions.map(json).transpose()?,
            state_version: change.state.map(|state| i64::from(state.version())),
            state: change.state.map(KeptState::json),
            unended: change.unended.map(mark),
            forgotten: change.forgotten.map(signed),
        })
    }
}

impl KeptRow {
    pub(crate) fn of(kept: &Kept) -> Result<Self, StoreError> {
        let (state_version, state) =
            kept.state.as_ref().map(|state| (i64::from(state.version()), state.json().to_owned())).unzip();
        Ok(Self {
            cwd: path_text(&kept.cwd)?,
            additional_directories: folders(&kept.additional_directories)?,
            principal: principal(kept.principal.as_deref())?.map(str::to_owned),
            title: title(kept.title.as_deref())?.map(str::to_owned),
            created: kept.created.as_micros(),
            updated: kept.updated.as_micros(),
            options: json(&kept.options)?,
            permissions: json(&kept.permissions)?,
            state_version,
            state,
            unended: mark(kept.unended),
        })
    }
}

fn folders(folders: &[PathBuf]) -> Result<String, StoreError> {
    json(&folders.iter().map(|folder| path_text(folder)).collect::<Result<Vec<_>, _>>()?)
}

fn title(title: Option<&str>) -> Result<Option<&str>, StoreError> {
    title.map(|title| text("the title", title)).transpose()
}

pub(crate) fn principal(name: Option<&str>) -> Result<Option<&str>, StoreError> {
    name.map(|name| text("the principal", name)).transpose()
}

/// A place, or 0 for none.
fn mark(unended: Option<u64>) -> i64 {
    unended.map_or(0, signed)
}

fn json(value: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::invalid("a part of the session", error))
}

/// A text that a column can have. JSON always is one: it writes a NUL as `\u0000`.
pub(crate) fn text<'a>(subject: &str, text: &'a str) -> Result<&'a str, StoreError> {
    match has_nul(text) {
        false => Ok(text),
        true => Err(StoreError::invalid(subject, "PostgreSQL keeps no texts with a NUL (`\\0`)")),
    }
}

/// Whether no column can have the text, so that no row is found by it.
pub(crate) fn has_nul(text: &str) -> bool {
    text.contains('\0')
}

/// The id of a new session.
pub(crate) fn new_id(id: &SessionId) -> Result<&str, StoreError> {
    let length = id.as_str().len();
    match length > ID_BYTES {
        false => text("the id of the session", id.as_str()),
        true => {
            Err(StoreError::invalid("the id of the session", format!("it has {length} bytes, and may have {ID_BYTES}")))
        }
    }
}

/// A path as its text, without parts that have no meaning: `/a/` and `/a/.` are `/a`.
pub(crate) fn path_text(path: &Path) -> Result<String, StoreError> {
    let subject = || format!("the path `{}`", path.display());
    let plain: PathBuf = path.components().collect();
    let plain =
        plain.into_os_string().into_string().map_err(|_| StoreError::invalid(subject(), "it is not Unicode"))?;
    text(&subject(), &plain)?;
    Ok(plain)
}

/// A number without a sign, as a `bigint`: places and tokens never reach the half of it.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number of a column that has none below 0. Somebody else has written one that is.
pub(crate) fn unsigned(number: i64, name: &'static str) -> Result<u64, Fault> {
    u64::try_from(number).map_err(|_| Fault::column(name, format!("{number} is below 0")))
}

/// A column. Somebody else has written it if it has another type.
pub(crate) fn column<'a, T: FromSql<'a>>(row: &'a Row, index: usize, name: &'static str) -> Result<T, Fault> {
    row.try_get(index).map_err(|error| Fault::column(name, error))
}

fn time(row: &Row, index: usize, name: &'static str) -> Result<Timestamp, Fault> {
    column(row, index, name).map(Timestamp::from_micros)
}

/// The first five columns of a session's data, from the column `at` on.
fn begin(row: &Row, at: usize) -> Result<Kept, Fault> {
    let mut kept = Kept::new(column::<String>(row, at, "cwd")?);
    let name = "additional_directories";
    kept.additional_directories = from_str(column(row, at + 1, name)?).map_err(|error| Fault::column(name, error))?;
    kept.title = column(row, at + 2, "title")?;
    kept.created = time(row, at + 3, "created")?;
    kept.updated = time(row, at + 4, "updated")?;
    Ok(kept)
}

/// A session as the list shows it.
pub(crate) fn listed(row: &Row) -> Result<Listed, Fault> {
    Ok(Listed::new(column::<String>(row, 0, "id")?.into(), begin(row, 1)?))
}

/// The data of a session.
pub(crate) fn kept(row: &Row) -> Result<Kept, Fault> {
    let mut kept = begin(row, 0)?;
    kept.options = from_str(column(row, 5, "options")?).map_err(|error| Fault::column("options", error))?;
    kept.permissions = from_str(column(row, 8, "permissions")?).map_err(|error| Fault::column("permissions", error))?;
    kept.unended = Some(unsigned(column(row, 9, "unended")?, "unended")?).filter(|place| *place > 0);
    kept.principal = column(row, 10, "principal")?;
    let version: Option<i64> = column(row, 6, "state_version")?;
    if let Some((version, state)) = version.zip(column(row, 7, "state")?) {
        let version = u32::try_from(version).map_err(|error| Fault::column("state_version", error))?;
        kept.state = Some(KeptState::from_json(version, state).map_err(|error| Fault::column("state", error))?);
    }
    Ok(kept)
}

/// An entry, if the row has one.
pub(crate) fn entry(row: &Row) -> Result<Option<Entry>, Fault> {
    let Some(seq) = column::<Option<i64>>(row, 0, "seq")? else { return Ok(None) };
    let id: Option<String> = column(row, 1, "message_id")?;
    let entry = Entry::from_json(unsigned(seq, "seq")?, id.map(Into::into), column(row, 2, "said")?);
    entry.map(Some).map_err(|error| Fault::column("said", error))
}
