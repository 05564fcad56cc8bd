//! The file: made in one step, checked before anything is written to it, opened.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use acp_store::StoreError;
use rusqlite::{Connection, OpenFlags};

use crate::{
    check::check,
    fault::Fault,
    schema::{APPLICATION, STEPS, migrate},
};

/// How long a write waits for the writes of other processes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// The events that a commit outlives when it has returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Durability {
    /// It outlives the process. If the machine loses its power or its system crashes, the last commits may be lost,
    /// each as a whole and the latest first; the file stays good. (`PRAGMA synchronous = NORMAL`: SQLite syncs the log
    /// only when it moves it into the file.)
    Fast,
    /// It outlives the process, a crash of the system and a loss of power, if the disk is honest about its writes. Each
    /// commit waits for the disk. (`PRAGMA synchronous = FULL`: SQLite syncs the log before the commit returns.)
    #[default]
    Durable,
}

/// How a store was asked to be opened.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) path: Arc<Path>,
    pub(crate) durability: Durability,
    pub(crate) max_bytes: Option<u64>,
    /// The file that the first connection has checked or made. Further connections are to this file.
    pub(crate) checked: Arc<OnceLock<Identity>>,
    /// The damage that a connection has found. After that, nothing is written any more.
    pub(crate) damage: Arc<OnceLock<StoreError>>,
}

/// Tells whether a path leads to the same file as before. Unknown except on Unix.
pub(crate) type Identity = Option<(u64, u64)>;

/// A connection to the file. If the store has not seen the file yet, it is checked first, or made.
pub(crate) fn opened(settings: &Settings) -> Result<Connection, Fault> {
    let path = &*settings.path;
    let mut now = identity(path);
    match settings.checked.get() {
        Some(checked) if *checked == now => {}
        Some(_) => return Err(replaced(path).into()),
        None => {
            match fs::metadata(path) {
                Ok(metadata) => check(path, &metadata)?,
                // The error about a file in the place of a folder names the folder.
                Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                    make(path)?
                }
                Err(error) => return Err(error.into()),
            }
            now = identity(path);
        }
    }
    let connection = connected(settings)?;
    let _ = settings.checked.set(now);
    Ok(connection)
}

/// A connection of the store, in the mode that it was asked for.
fn connected(settings: &Settings) -> Result<Connection, Fault> {
    let mut connection = connect(&settings.path)?;
    migrate(&mut connection, STEPS)?;
    // A copy that SQLite has made (`VACUUM INTO`) is in another mode.
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(io::Error::other("this file system cannot hold a write-ahead log of SQLite").into());
    }
    let level = match settings.durability {
        Durability::Fast => "NORMAL",
        Durability::Durable => "FULL",
    };
    connection.pragma_update(None, "synchronous", level)?;
    connection.pragma_update(None, "fullfsync", true)?; // on macOS, a plain fsync does not reach the disk
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "secure_delete", true)?; // what users delete does not stay in free pages
    if let Some(bytes) = settings.max_bytes {
        let size: u64 = connection.pragma_query_value(None, "page_size", |row| row.get::<_, u32>(0))?.into();
        let pages = i64::try_from((bytes / size).clamp(1, u32::MAX.into())).unwrap_or(i64::MAX);
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
    }
    Ok(connection)
}

fn connect(path: &Path) -> Result<Connection, Fault> {
    // A path and nothing else: no `:memory:`, no URI, and no new file.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(std::path::absolute(path)?, flags)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}

/// Makes the file in one step: another process finds it whole or not at all, and a file that is there is never written
/// to.
fn make(path: &Path) -> Result<(), Fault> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    make_folder(&folder).map_err(|error| Fault::Folder(folder.clone(), error))?;
    let draft = draft(&folder, path)?;
    let made = fill(&draft).and_then(|()| match fs::hard_link(&draft, path) {
        // Another process was faster. Its file is as good.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(_) if !path.exists() => Ok(fs::rename(&draft, path)?), // a file system without links
        linked => Ok(linked?),
    });
    let _ = fs::remove_file(&draft);
    made?;
    #[cfg(unix)]
    File::open(&folder)?.sync_all()?;
    Ok(())
}

fn fill(draft: &Path) -> Result<(), Fault> {
    let mut connection = connect(draft)?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    migrate(&mut connection, STEPS)?;
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.close().map_err(|(_, error)| Fault::from(error))
}

/// A new, empty file beside the path. Only its owner may read it: SQLite gives its other files the same rights.
fn draft(folder: &Path, path: &Path) -> Result<PathBuf, Fault> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it names no file"))?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let mut draft = OsString::from(".");
    draft.push(name);
    draft.push(format!(".{}-{now:x}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)));
    let draft = folder.join(draft);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&draft)?;
    Ok(draft)
}

/// The folders that are missing. Only their owner may enter them. Those that are there are left as they are.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Another file is at the path than the one that is open.
pub(crate) fn replaced(path: &Path) -> StoreError {
    StoreError::unavailable(format!("`{}` was removed or replaced: start this program again", path.display()))
}

/// Tells whether the path still leads to the same file.
pub(crate) fn identity(path: &Path) -> Identity {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        // `Some` of no file, so that a file that was removed is another one than before.
        Some(fs::metadata(path).map_or((0, 0), |metadata| (metadata.dev(), metadata.ino())))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}
