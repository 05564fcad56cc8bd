//! The tables of an open file: transactions, and statements that are prepared once.

use std::ops::Deref;

use rusqlite::{Connection, Params, Statement};

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

    /// Runs a statement that answers no rows, and tells how many it has changed. Its values may be large, and do not stay.
    pub(crate) fn execute(&mut self, sql: &'static str, values: impl Params) -> rusqlite::Result<usize> {
        let statement = self.statement(sql)?;
        let changed = statement.execute(values);
        statement.clear_bindings();
        changed
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
        self.execute(begin, [])?;
        let done = work(self).and_then(|done| {
            self.execute("COMMIT", [])?;
            Ok(done)
        });
        if done.is_err() && !self.connection.is_autocommit() {
            self.execute("ROLLBACK", [])?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_does_not_stay_in_its_prepared_statement() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE notes (text)").unwrap();
        let (mut tables, insert) = (Tables::new(&connection), "INSERT INTO notes VALUES (?1)");
        assert_eq!(tables.execute(insert, ["a long text"]).unwrap(), 1);
        let sql = tables.statement(insert).unwrap().expanded_sql().unwrap();
        assert_eq!(sql, "INSERT INTO notes VALUES (NULL)");
    }

    #[test]
    fn a_transaction_that_fails_leaves_nothing_and_holds_no_lock() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE notes (text)").unwrap();
        let mut tables = Tables::new(&connection);
        let failed: Result<(), Fault> = tables.write(|tables| {
            tables.execute("INSERT INTO notes VALUES ('lost')", [])?;
            Err(Fault::column("notes", "a mistake"))
        });
        assert!(failed.is_err() && connection.is_autocommit());
        tables.write(|tables| Ok(tables.execute("INSERT INTO notes VALUES ('kept')", [])?)).unwrap();
        let notes: String = connection.query_row("SELECT group_concat(text) FROM notes", [], |row| row.get(0)).unwrap();
        assert_eq!(notes, "kept");
    }
}
