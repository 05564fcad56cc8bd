//! Sessions that last, in one file of SQLite: a [`SessionStore`] for agents of one machine.
//!
//! ```
//! use std::sync::Arc;
//!
//! use acp_runtime::store::{SessionStore, StoreError};
//! use acp_store_sqlite::SqliteStore;
//!
//! async fn store() -> Result<Arc<dyn SessionStore>, StoreError> {
//!     let path = SqliteStore::default_path("my-agent")?;
//!     Ok(Arc::new(SqliteStore::open(path).await?))
//! }
//! ```
//!
//! SQLite is compiled into the program, and only into programs that depend on this package.
//!
//! # Durability
//!
//! [`Durability`] decides. In both modes a commit that has returned outlives the end of the process, also by `kill -9`, and no
//! crash leaves a part of a commit.
//!
//! # Several processes
//!
//! Many processes may open one file, if all run on one machine and under one kernel, and the file is on a local file
//! system. A session has one writer at a time, as the [trait](acp_store) says. If the process that has a
//! session open is gone, the session opens again at once: on Linux always, on other Unix systems unless another process
//! has got its number. On Windows, and if the processes run in containers with process numbers of their own, the
//! session opens when the lease is over.
//!
//! A write waits up to ten seconds for writes of other processes. Reads do not wait for writes, nor writes for reads.
//!
//! # The file
//!
//! [`SqliteStore::default_path`] is `$XDG_DATA_HOME/my-agent/sessions.db`, or else
//! `~/.local/share/my-agent/sessions.db`. On macOS it is in `~/Library/Application Support`, on Windows in
//! `%LOCALAPPDATA%`. Only the user may read a new file and the folders made for it (0600 and 0700). SQLite keeps
//! `sessions.db-wal` and `sessions.db-shm` beside it: they are parts of it, so never copy, move or delete one of the
//! three alone.
//!
//! **To look into it**, use the command `sqlite3`, also while agents run (`-readonly` guards against a slip: without it, a
//! statement may also write):
//!
//! ```sh
//! sqlite3 -readonly sessions.db "SELECT id, cwd, title, datetime(updated/1e6, 'unixepoch') FROM sessions ORDER BY updated DESC"
//! sqlite3 -readonly sessions.db "SELECT seq, said FROM entries JOIN sessions ON session = number WHERE id = 's1' ORDER BY seq"
//! ```
//!
//! | table, column | content |
//! |---|---|
//! | `sessions` | a row for each session |
//! | `number` | the session's number in this file; `entries.session` refers to it |
//! | `id`, `cwd`, `title` | as clients know them |
//! | `principal` | the name of the user whose session it is; NULL for a session of nobody in particular |
//! | `additional_directories` | a JSON array of paths |
//! | `created`, `updated` | microseconds since the begin of 1970, UTC |
//! | `options` | a JSON object: for each option its id, and `true`, `false` or the id of its value |
//! | `permissions` | a JSON object: for each lasting decision of the user its key, and whether the tool may run |
//! | `state`, `state_version` | the author's state as JSON, and the version of the code that wrote it |
//! | `last_seq` | the place of the last entry, 0 without entries |
//! | `unended` | the place from which on the entries are those of a turn that has not ended, or 0. If no process has the session open, the turn was interrupted |
//! | `token`, `owner` | the last fencing token, and the process that has the session open (JSON) |
//! | `lease_until`, `lease_time` | the end of its lease, and how long the lease lasts after each renewal, in microseconds |
//! | `wished_until` | until then, another process waits for the session, in microseconds since the begin of 1970, UTC; or 0 |
//! | `entries` | a row for each message, tool call or plan. One that was kept in the middle of a long turn goes on in a later row, with the same id |
//! | `session`, `seq` | the session's number, and the place in the session, from 1 on |
//! | `message_id` | the id of the message, if it has one |
//! | `said` | the update as JSON, in the shape of `acp_runtime::values::SessionUpdate` |
//! | `tokens` | one row: the last fencing token of all sessions |
//!
//! **To back it up**, let SQLite copy it, also while agents run: `sqlite3 sessions.db "VACUUM INTO 'backup.db'"`, or
//! `sqlite3 sessions.db ".backup backup.db"`. Each makes one whole file. To go back to it, end the agents, remove
//! `sessions.db`, `sessions.db-wal` and `sessions.db-shm`, and put the copy in their place.
//!
//! **A program that has the store open never opens the file itself**, such as by `std::fs`, to read or to copy it. On Unix, a
//! process that closes a file gives up all its locks on this file, also those of the store. Then the next program that
//! closes the file, such as `sqlite3`, believes to be the last one, and removes the log that the store still writes. What is
//! told afterwards is lost when the process ends. Other processes may read it as they like, and `SqliteStore::open` may be
//! called many times. The same goes for a second copy of SQLite in the program (another crate that links the system's
//! library): it may not open this file. Give the file one name: symbolic links are followed, but with two hard links
//! SQLite keeps two logs.
//!
//! **Deleted sessions**, and entries that a commit drops, are overwritten in the file, and the log is emptied, unless another process reads or
//! writes at that moment: then a later commit writes over the log. The file does not shrink; `VACUUM` shrinks it.
//!
//! # When something is wrong
//!
//! A file that is damaged, or that is not a store of sessions, or that a later version has made, is refused with
//! [`StoreError::Corrupt`], and nothing is written to it. If SQLite finds damage later, this program writes no more to
//! the file, and reads the parts that can be read. `sqlite3 sessions.db .recover | sqlite3 saved.db` makes a store of the rest
//! of a damaged file, if this `sqlite3` has the command (the one from sqlite.org has it; that of Debian 12 says `SQL logic error`).
//!
//! On a full disk, a commit fails with [`StoreError::Full`], and nothing of it is kept. When there is room again,
//! commits succeed again.
//!
//! [`SessionStore`]: acp_store::SessionStore

mod check;
mod db;
mod fault;
mod file;
mod path;
mod read;
mod rows;
mod schema;
mod tables;
mod threads;
mod write;

use std::{path::Path, path::PathBuf, sync::Arc, time::Duration};

use acp_schema::v1::SessionId;
use acp_store::{Change, Claim, Cursor, Entry, Kept, Lease, ListFilter, Page, SessionStore, StoreError, StoreFuture};

use self::{
    db::Db,
    file::Settings,
    rows::{ChangeRow, KeptRow, path_text},
    threads::Threads,
    write::Said,
};

pub use self::file::Durability;

/// So many reads run at the same time. Each is short: one page.
const READERS: usize = 2;

/// Sessions in a file of SQLite. A clone is another handle of the same open file.
///
/// The file is open until the last handle is dropped. A call waits for no disk: threads of the store do the work that
/// does.
#[derive(Clone, Debug)]
pub struct SqliteStore(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: Arc<Path>,
    durability: Durability,
    writer: Threads,
    readers: Threads,
}

/// How a store is opened. [`SqliteStore::options`] makes it.
#[derive(Clone, Debug, Default)]
pub struct SqliteOptions {
    durability: Durability,
    max_bytes: Option<u64>,
}

impl SqliteOptions {
    /// The events that a commit outlives. [`Durability::Durable`] is the default.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// The most bytes that the file may have, without its log. Above it, commits fail with [`StoreError::Full`]. There
    /// is no bound by default.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = Some(bytes);
        self
    }

    /// Opens the file at `path`, and makes it if there is none.
    ///
    /// # Errors
    ///
    /// [`StoreError::Invalid`] if `path` is a folder, [`StoreError::Corrupt`] if there is another file,
    /// [`StoreError::Unavailable`] if it cannot be opened or made.
    pub async fn open(self, path: impl Into<PathBuf>) -> Result<SqliteStore, StoreError> {
        let path: Arc<Path> = path.into().into();
        let Self { durability, max_bytes } = self;
        let (checked, damage) = Default::default();
        let settings = Settings { path: path.clone(), durability, max_bytes, checked, damage };
        let writer = Threads::new("acp-store-write", 1, &settings);
        let readers = Threads::new("acp-store-read", READERS, &settings);
        writer.run(|_| Ok(())).await?;
        Ok(SqliteStore(Arc::new(Inner { path, durability, writer, readers })))
    }
}

impl SqliteStore {
    /// Opens the file at `path`, and makes it if there is none. Commits outlive a loss of power.
    ///
    /// # Errors
    ///
    /// Those of [`SqliteOptions::open`].
    pub async fn open(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        Self::options().open(path).await
    }

    /// How a store is opened, with its defaults.
    ///
    /// ```
    /// use acp_runtime::store::StoreError;
    /// use acp_store_sqlite::{Durability, SqliteStore};
    ///
    /// # async fn open() -> Result<SqliteStore, StoreError> {
    /// SqliteStore::options().durability(Durability::Fast).open("/home/me/sessions.db").await
    /// # }
    /// ```
    pub fn options() -> SqliteOptions {
        SqliteOptions::default()
    }

    /// Where the sessions of the agent `app` are if nobody says otherwise. [The package](crate#the-file) lists the
    /// places.
    ///
    /// # Errors
    ///
    /// [`StoreError::Invalid`] if `app` is not the name of a folder, [`StoreError::Unavailable`] if the user has no home
    /// folder.
    pub fn default_path(app: &str) -> Result<PathBuf, StoreError> {
        path::default_path(app)
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

impl SessionStore for SqliteStore {
    fn create<'a>(&'a self, id: &'a SessionId, kept: &'a Kept, claim: &'a Claim) -> StoreFuture<'a, Lease> {
        Box::pin(async move {
            let (id, kept, claim) = (id.clone(), KeptRow::of(kept)?, claim.clone());
            self.0.writer.run(move |db| db.write(|tables| write::create(tables, &id, &kept, &claim))).await
        })
    }

    fn claim<'a>(&'a self, id: &'a SessionId, claim: &'a Claim) -> StoreFuture<'a, Lease> {
        Box::pin(async move {
            let (id, claim) = (id.clone(), claim.clone());
            self.0.writer.run(move |db| db.write(|tables| write::claim(tables, &id, &claim))).await
        })
    }

    fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let lease = lease.clone();
            self.0.writer.run(move |db| db.write(|tables| write::renew(tables, &lease))).await
        })
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let lease = lease.clone();
            self.0.writer.run(move |db| db.write(|tables| write::release(tables, &lease))).await
        })
    }

    fn wish<'a>(&'a self, id: &'a SessionId, time: Duration) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let id = id.clone();
            self.0.writer.run(move |db| db.write(|tables| write::wish(tables, &id, time))).await
        })
    }

    fn is_wished<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let lease = lease.clone();
            self.0.readers.run(move |db| db.read(|tables| read::is_wished(tables, &lease))).await
        })
    }

    fn commit<'a>(&'a self, lease: &'a Lease, change: Change<'a>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let said = Said::of(lease.session(), &change)?;
            let change = ChangeRow::of(&change)?;
            if self.0.durability == Durability::Fast && said.is_empty() && change.is_small() {
                // It does not wait for the disk, and a thread would cost more than the work.
                let commit = |db: &Db| db.write_at_once(|tables| write::change_parts(tables, lease, &change, None));
                if let Some(done) = self.0.writer.at_once(commit) {
                    return done;
                }
            }
            let lease = lease.clone();
            let forgets = said.forgets();
            let commit = move |db: &Db| {
                db.write(|tables| write::commit(tables, &lease, &change, said))?;
                if forgets {
                    db.empty_log();
                }
                Ok(())
            };
            self.0.writer.run(commit).await
        })
    }

    fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Kept> {
        Box::pin(async move {
            let id = id.clone();
            self.0.readers.run(move |db| db.read(|tables| read::kept(tables, &id))).await
        })
    }

    fn replay<'a>(&'a self, id: &'a SessionId, after: u64, most: usize) -> StoreFuture<'a, Vec<Entry>> {
        Box::pin(async move {
            let id = id.clone();
            self.0.readers.run(move |db| db.read(|tables| read::replay(tables, &id, after, most))).await
        })
    }

    fn list<'a>(&'a self, filter: &'a ListFilter, after: Option<&'a Cursor>, most: usize) -> StoreFuture<'a, Page> {
        Box::pin(async move {
            let cwd = filter.cwd.as_deref().map(path_text).transpose()?;
            let (principal, after) = (filter.principal.clone(), after.cloned());
            let list = move |db: &Db| {
                let of = (principal.as_deref(), cwd.as_deref());
                db.read(|tables| read::list(tables, of, after.as_ref(), most))
            };
            self.0.readers.run(list).await
        })
    }

    fn delete<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let id = id.clone();
            let delete = move |db: &Db| {
                let was_there = db.write(|tables| write::delete(tables, &id))?;
                if was_there {
                    db.empty_log();
                }
                Ok(was_there)
            };
            self.0.writer.run(delete).await
        })
    }
}
