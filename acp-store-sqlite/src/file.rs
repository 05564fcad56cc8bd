//! The file: made in one step, checked before anything is written to it, opened.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use acp_runtime_core::store::StoreError;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::{
    Durability,
    fault::Fault,
    schema::{APPLICATION, STEPS, migrate},
};

/// How long a write waits for the writes of other processes.
const PATIENCE: Duration = Duration::from_secs(10);

/// How a store was asked to be opened.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) path: Arc<Path>,
    pub(crate) durability: Durability,
    pub(crate) max_bytes: Option<u64>,
    /// Whether a file that is not there is made. Only the first connection makes one.
    pub(crate) makes: bool,
    /// The damage that a connection has found. After that, nothing is written any more.
    pub(crate) damage: Arc<OnceLock<StoreError>>,
}

/// An open file.
pub(crate) struct Db {
    pub(crate) connection: Connection,
    settings: Settings,
    identity: Option<(u64, u64)>,
}

impl Db {
    /// Opens the file. If there is none, it is made.
    pub(crate) fn open(settings: &Settings) -> Result<Self, StoreError> {
        Self::opened(settings).map_err(|fault| fault.told(&settings.path))
    }

    fn opened(settings: &Settings) -> Result<Self, Fault> {
        let path = &*settings.path;
        match File::open(path) {
            Ok(file) => check(file, path)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound && settings.makes => make(path)?,
            Err(error) => return Err(error.into()),
        }
        let identity = identity(path);
        let mut connection = connect(path)?;
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
        Ok(Self { connection, settings: settings.clone(), identity })
    }

    /// Does the work in a transaction that writes: all of it or nothing.
    pub(crate) fn write<T>(&mut self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, StoreError> {
        if let Some(damage) = self.settings.damage.get() {
            return Err(damage.clone());
        }
        let path = &*self.settings.path;
        if self.identity.is_some() && self.identity != identity(path) {
            // A commit to the old file would be lost with it.
            let reason = format!("`{}` was removed or replaced: start this program again", path.display());
            return Err(StoreError::unavailable(reason));
        }
        self.transact(TransactionBehavior::Immediate, work)
    }

    /// Does the work on one state of the file.
    pub(crate) fn read<T>(&mut self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, StoreError> {
        self.transact(TransactionBehavior::Deferred, work)
    }

    fn transact<T>(
        &mut self,
        behavior: TransactionBehavior,
        work: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let done = (|| {
            let transaction = self.connection.transaction_with_behavior(behavior)?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })();
        done.map_err(|fault: Fault| {
            let is_damage = fault.is_damage();
            let error = fault.told(&self.settings.path);
            if is_damage {
                let _ = self.settings.damage.set(error.clone());
            }
            error
        })
    }
}

fn connect(path: &Path) -> Result<Connection, Fault> {
    // A path and nothing else: no `:memory:`, no URI, and no new file.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(std::path::absolute(path)?, flags)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}

/// Refuses a file that is no store of sessions, without SQLite: SQLite may write to a file when it opens it.
fn check(file: File, path: &Path) -> Result<(), Fault> {
    if file.metadata()?.is_dir() {
        let subject = format!("the path `{}`", path.display());
        return Err(StoreError::invalid(subject, "it is a folder; name a file in it, such as `sessions.db`").into());
    }
    let mut header = Vec::new();
    file.take(100).read_to_end(&mut header)?;
    if header.is_empty() {
        return Err(Fault::Foreign("it is empty: remove it if nothing is missing".to_owned()));
    }
    if !header.starts_with(b"SQLite format 3\0") {
        return Err(Fault::Foreign("it is not a file of SQLite".to_owned()));
    }
    match header.get(68..72) {
        Some(mark) if mark == APPLICATION.to_be_bytes() => Ok(()),
        Some(_) => Err(Fault::Foreign("it is a database of another program".to_owned())),
        None => Err(Fault::Foreign(format!("it ends after {} bytes", header.len()))),
    }
}

/// Makes the file in one step: another process finds it whole or not at all, and a file that is there is never written
/// to.
fn make(path: &Path) -> Result<(), Fault> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    make_folder(&folder)?;
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

/// Tells whether the path still leads to the same file. Unknown except on Unix.
fn identity(path: &Path) -> Option<(u64, u64)> {
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
