//! The tables of an open file: transactions, and statements that are prepared once.

use std::ops::Deref;

use rusqlite::{Connection, Statement};

use crate::fault::Fault;

/// A connection, and the statements that it has prepared.
pub(crate) struct Tables<'c> {
    connection: &'c Connection,
    prepared: Vec<(&'static str, Statement<'c>)>,
}

impl<'c> Tables<'c> {
    pub(crate) fn new(connection: &'c Connection) -> Self {
        Self { connection, prepared: Vec::new() }
    }

    /// The statement, which stays prepared. There are few, so a list finds it.
    pub(crate) fn statement(&mut self, sql: &'static str) -> rusqlite::Result<&mut Statement<'c>> {
        let found = self.prepared.iter().position(|(known, _)| *known == sql);
        let at = found.unwrap_or(self.prepared.len());
        if found.is_none() {
            self.prepared.push((sql, self.connection.prepare(sql)?));
        }
        Ok(&mut self.prepared[at].1)
    }

    /// Does the work in a transaction that writes: all of it or nothing.
    pub(crate) fn write<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.transact("BEGIN IMMEDIATE", work)
    }

    /// Does the work on one state of the file.
    pub(crate) fn read<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.transact("BEGIN", work)
    }

    fn transact<T>(
        &mut self,
        begin: &'static str,
        work: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.statement(begin)?.execute([])?;
        let done = work(self).and_then(|done| {
            self.statement("COMMIT")?.execute([])?;
            Ok(done)
        });
        if done.is_err() && !self.connection.is_autocommit() {
            self.statement("ROLLBACK")?.execute([])?;
        }
        done
    }
}

impl Deref for Tables<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}
