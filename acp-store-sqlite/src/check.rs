//! Whether a file is a store of sessions, before anything is written to it.
//!
//! **Nothing but SQLite opens a file that may be a store.** On POSIX, a process that closes a file loses all locks that it
//! has on this file, also those of its other descriptors. Without its locks, a connection looks as if it had ended: the next
//! program that closes the file believes to be the last one, and removes the log to which this process goes on to write.
//! SQLite knows all its descriptors of a file in this process, and closes none while another one has locks.

use std::{fs::Metadata, path::Path};

use acp_store::StoreError;
#[cfg(unix)]
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::{fault::Fault, schema::APPLICATION};

/// The length of a file's header.
const HEADER: u64 = 100;

/// Refuses a file that is no store of sessions. Nothing is written to it or beside it.
pub(crate) fn check(path: &Path, metadata: &Metadata) -> Result<(), Fault> {
    if metadata.is_dir() {
        let subject = format!("the path `{}`", path.display());
        return Err(StoreError::invalid(subject, "it is a folder; name a file in it, such as `sessions.db`").into());
    }
    if metadata.is_file() && metadata.len() == 0 {
        return Err(Fault::Foreign("it is empty: remove it if nothing is missing".to_owned()));
    }
    let mark = if metadata.is_file() { mark(path)? } else { None };
    match mark {
        None => Err(Fault::Foreign("it is not a file of SQLite".to_owned())),
        Some(_) if metadata.len() < HEADER => Err(Fault::Foreign(format!("it ends after {} bytes", metadata.len()))),
        Some(APPLICATION) => Ok(()),
        Some(_) => Err(Fault::Foreign("it is a database of another program".to_owned())),
    }
}

/// The mark of the program that has made this file, or `None` if it is no file of SQLite.
#[cfg(unix)]
fn mark(path: &Path) -> Result<Option<i32>, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let read = Connection::open_with_flags(unchanging(&std::path::absolute(path)?), flags).and_then(|connection| {
        // While another process moves its log into the file, the file may be shorter than its header says. In this mode,
        // SQLite reads the mark nevertheless.
        connection.pragma_update(None, "writable_schema", true)?;
        connection.pragma_query_value(None, "application_id", |row| row.get(0))
    });
    match read {
        Ok(mark) => Ok(Some(mark)),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The path as the URI of a file that never changes: SQLite takes no locks on it, looks for no log, and makes none.
#[cfg(unix)]
fn unchanging(path: &Path) -> String {
    use std::{fmt::Write as _, os::unix::ffi::OsStrExt as _};

    let mut uri = String::from("file://");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' => uri.push('/'),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(*byte)),
            byte => write!(uri, "%{byte:02x}").expect("a string takes all that is written to it"),
        }
    }
    uri + "?immutable=1"
}

/// The same. Here, the locks of a process do not depend on what it closes.
#[cfg(not(unix))]
fn mark(path: &Path) -> Result<Option<i32>, Fault> {
    use std::io::Read as _;

    let mut header = Vec::new();
    std::fs::File::open(path)?.take(HEADER).read_to_end(&mut header)?;
    let mark = header.get(68..72).and_then(|mark| mark.try_into().ok()).map_or(0, i32::from_be_bytes);
    Ok(header.starts_with(b"SQLite format 3\0").then_some(mark))
}
