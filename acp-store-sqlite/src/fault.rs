//! What goes wrong with a file, and how it is told.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use acp_store::StoreError;
use rusqlite::ErrorCode;

/// What goes wrong while a thread works on the file.
#[derive(Debug)]
pub(crate) enum Fault {
    /// An answer of the store.
    Store(StoreError),
    Sqlite(rusqlite::Error),
    Io(io::Error),
    /// The folder of the file cannot be made.
    Folder(PathBuf, io::Error),
    /// The file is not a store of sessions, or not one for this version.
    Foreign(String),
    /// A value in a column does not make sense.
    Column(&'static str, String),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Fault {
    /// A value in a column that does not make sense.
    pub(crate) fn column(name: &'static str, reason: impl fmt::Display) -> Self {
        Self::Column(name, reason.to_string())
    }

    /// Whether SQLite has found damage in its own structures.
    pub(crate) fn is_damage(&self) -> bool {
        let Self::Sqlite(error) = self else { return false };
        matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
    }

    /// Whether another process or thread holds a lock.
    pub(crate) fn is_busy(&self) -> bool {
        let Self::Sqlite(error) = self else { return false };
        matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
    }

    /// As the error of a store on this file.
    pub(crate) fn told(self, path: &Path) -> StoreError {
        let path = path.display();
        match self {
            Self::Store(error) => error,
            Self::Folder(folder, error) => {
                let reason = format!("the folder `{}` cannot be made: {error}", folder.display());
                match error.kind() {
                    io::ErrorKind::StorageFull => StoreError::full(reason),
                    _ => StoreError::unavailable(reason),
                }
            }
            Self::Io(error) if error.kind() == io::ErrorKind::StorageFull => {
                StoreError::full(format!("`{path}`: {error}"))
            }
            Self::Io(error) => StoreError::unavailable(format!("`{path}`: {error}")),
            Self::Foreign(reason) => StoreError::corrupt(format!("the file `{path}`"), reason),
            Self::Column(name, reason) => StoreError::corrupt(format!("the file `{path}`, column `{name}`"), reason),
            Self::Sqlite(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                    StoreError::corrupt(format!("the file `{path}`"), error)
                }
                Some(ErrorCode::DiskFull) => StoreError::full(format!("`{path}`: {error}")),
                Some(ErrorCode::TooBig) => StoreError::invalid("a value above 1 GB", error),
                Some(_) => StoreError::unavailable(format!("`{path}`: {error}")),
                // A column has a value of another type: somebody else has written it.
                None => StoreError::corrupt(format!("the file `{path}`"), error),
            },
        }
    }
}
