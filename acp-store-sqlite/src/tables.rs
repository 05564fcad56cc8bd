//! The tables of an open file: transactions, and statements that stay prepared.

use std::ops::Deref;

use rusqlite::{CachedStatement, Connection, Params};

use crate::fault::Fault;

/// The tables, by a connection. It keeps the statements that it has prepared.
#[derive(Clone, Copy)]
pub(crate) struct Tables<'c>(pub(crate) &'c Connection);

impl<'c> Tables<'c> {
    /// The statement, which stays prepared. Its values do not stay: they may be large.
    pub(crate) fn statement(self, sql: &'static str) -> rusqlite::Result<CachedStatement<'c>> {
        self.0.prepare_cached(sql)
    }

    /// Runs a statement that answers no rows, and tells how many it has changed.
    pub(crate) fn execute(self, sql: &'static str, values: impl Params) -> rusqlite::Result<usize> {
        self.statement(sql)?.execute(values)
    }

    /// Does the work in a transaction that writes: all of it or nothing.
    pub(crate) fn write<T>(self, work: impl FnOnce(Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.transact("BEGIN IMMEDIATE", work)
    }

    /// Does the work on one state of the file.
    pub(crate) fn read<T>(self, work: impl FnOnce(Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.transact("BEGIN", work)
    }

    fn transact<T>(self, begin: &'static str, work: impl FnOnce(Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.execute(begin, [])?;
        let done = work(self).and_then(|done| {
            self.execute("COMMIT", [])?;
            Ok(done)
        });
        if done.is_err() && !self.is_autocommit() {
            self.execute("ROLLBACK", [])?;
        }
        done
    }
}

impl Deref for Tables<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_does_not_stay_in_its_prepared_statement() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE notes (text)").unwrap();
        let (tables, insert) = (Tables(&connection), "INSERT INTO notes VALUES (?1)");
        assert_eq!(tables.execute(insert, ["a long text"]).unwrap(), 1);
        let sql = tables.statement(insert).unwrap().expanded_sql().unwrap();
        assert_eq!(sql, "INSERT INTO notes VALUES (NULL)");
    }

    #[test]
    fn a_transaction_that_fails_leaves_nothing_and_holds_no_lock() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE notes (text)").unwrap();
        let tables = Tables(&connection);
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
