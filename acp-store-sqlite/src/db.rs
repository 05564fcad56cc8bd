//! An open file: work on its tables, and its log.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
    },
    time::Duration,
};

use acp_store::StoreError;
use rusqlite::{Connection, hooks::Wal};

use crate::{
    fault::Fault,
    file::{Durability, PATIENCE, Settings, identity, opened, replaced},
    tables::Tables,
};

/// A log of so many pages is moved into the file. SQLite would do so within a commit, so that its caller waits.
const LONG_LOG: i32 = 1000;

/// How long readers may keep the log from being emptied.
const READERS: Duration = Duration::from_millis(200);

/// So many statements stay prepared: all that there are.
const STATEMENTS: usize = 32;

/// An open file.
#[derive(Debug)]
pub(crate) struct Db {
    connection: Connection,
    settings: Settings,
    /// The pages of the log after the last commit.
    log: Arc<AtomicI32>,
}

impl Db {
    /// A connection to the file. If the store has not seen the file yet, it is checked first, or made.
    pub(crate) fn open(settings: &Settings) -> Result<Self, StoreError> {
        Self::connect(settings).map_err(|fault| fault.told(&settings.path))
    }

    fn connect(settings: &Settings) -> Result<Self, Fault> {
        let mut connection = opened(settings)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        let log = Arc::new(AtomicI32::new(0));
        let pages_of_log = log.clone();
        connection.wal_hook(Some(move |_: &mut Wal, pages| {
            pages_of_log.store(pages, Ordering::Relaxed);
            Ok(())
        }))?;
        Ok(Self { connection, settings: settings.clone(), log })
    }

    /// Does the work, which writes: in one statement, or in a transaction.
    pub(crate) fn write<T>(&self, work: impl FnOnce(Tables<'_>) -> Result<T, Fault>) -> Result<T, StoreError> {
        self.writable()?;
        work(Tables(&self.connection)).map_err(|fault| self.told(fault))
    }

    /// Does the work, which writes in one statement. It waits for nobody: `None`, if another process writes.
    pub(crate) fn write_at_once<T>(
        &self,
        work: impl FnOnce(Tables<'_>) -> Result<T, Fault>,
    ) -> Option<Result<T, StoreError>> {
        if let Err(error) = self.writable() {
            return Some(Err(error));
        }
        self.connection.busy_timeout(Duration::ZERO).ok()?;
        let done = work(Tables(&self.connection));
        self.connection.busy_timeout(PATIENCE).ok()?;
        match done {
            Err(fault) if fault.is_busy() => None,
            done => Some(done.map_err(|fault| self.told(fault))),
        }
    }

    /// Does the work, which reads.
    pub(crate) fn read<T>(&self, work: impl FnOnce(Tables<'_>) -> Result<T, Fault>) -> Result<T, StoreError> {
        work(Tables(&self.connection)).map_err(|fault| self.told(fault))
    }

    /// Refuses to write to a file that is damaged or another one: a commit to it would be lost.
    fn writable(&self) -> Result<(), StoreError> {
        if let Some(damage) = self.settings.damage.get() {
            return Err(damage.clone());
        }
        let path = &*self.settings.path;
        match self.settings.checked.get() {
            Some(checked) if *checked != identity(path) => Err(replaced(path)),
            _ => Ok(()),
        }
    }

    fn told(&self, fault: Fault) -> StoreError {
        let is_damage = fault.is_damage();
        let error = fault.told(&self.settings.path);
        if is_damage {
            let _ = self.settings.damage.set(error.clone());
        }
        error
    }

    /// Tells whether the log is to be moved into the file.
    pub(crate) fn has_long_log(&self) -> bool {
        self.log.load(Ordering::Relaxed) >= LONG_LOG
    }

    /// Moves a long log into the file, as far as no reader and no writer is in the way. It waits for the disk. What fails
    /// here is tried again behind a later commit.
    pub(crate) fn shorten_log(&self) {
        self.move_log("PRAGMA wal_checkpoint(PASSIVE)");
    }

    /// Moves the log into the file, and empties it: it still has what was deleted. If readers or another process are in the way, a later commit
    /// writes over it.
    pub(crate) fn empty_log(&self) {
        if self.connection.busy_timeout(READERS).is_ok() {
            self.move_log("PRAGMA wal_checkpoint(TRUNCATE)");
            let _ = self.connection.busy_timeout(PATIENCE);
        }
    }

    fn move_log(&self, how: &str) {
        let moved = self.connection.query_row(how, [], |row| {
            let (pages, moved): (i64, i64) = (row.get("log")?, row.get("checkpointed")?);
            Ok(pages == moved)
        });
        self.log.store(0, Ordering::Relaxed);
        if matches!(moved, Ok(true)) && self.settings.durability == Durability::Fast {
            // The first commit to a log that begins anew waits for the disk. Here, no caller waits. Nobody misses a token.
            let _ = self.write(|tables| Ok(tables.execute("UPDATE tokens SET last = last + 1", [])?));
        }
    }
}
