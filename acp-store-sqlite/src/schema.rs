//! The tables, and the steps from each version of them to the next one.

use rusqlite::{Connection, TransactionBehavior};

use crate::fault::Fault;

/// Marks a file as a store of sessions: `ACPS`. It stands in the header of the file (`PRAGMA application_id`).
pub(crate) const APPLICATION: i32 = 0x4143_5053;

/// Step `n` makes version `n + 1` of version `n`. The version stands in the header of the file (`PRAGMA user_version`).
/// A step is never changed after a release.
pub(crate) const STEPS: &[&str] = &[
    "
    -- The last fencing token of all sessions. It has one row.
    CREATE TABLE tokens (last INTEGER NOT NULL) STRICT;
    INSERT INTO tokens VALUES (0);

    CREATE TABLE sessions (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        cwd TEXT NOT NULL,
        additional_directories TEXT NOT NULL, -- JSON: [\"/path\", ..]
        title TEXT,
        created INTEGER NOT NULL,             -- microseconds since 1970, UTC
        updated INTEGER NOT NULL,             -- the same
        options TEXT NOT NULL,                -- JSON: {\"id\": true, \"id\": \"value\", ..}
        state_version INTEGER,
        state TEXT,                           -- JSON of the agent's author
        last_seq INTEGER NOT NULL DEFAULT 0,  -- the place of the last entry
        token INTEGER NOT NULL,               -- of the last claim
        owner TEXT,                           -- JSON: the process that has the session open
        lease_until INTEGER NOT NULL          -- microseconds since 1970, UTC
    ) STRICT;
    CREATE INDEX sessions_by_update ON sessions (updated DESC, id DESC);
    CREATE INDEX sessions_of_cwd ON sessions (cwd, updated DESC, id DESC);

    CREATE TABLE entries (
        session INTEGER NOT NULL REFERENCES sessions (number) ON DELETE CASCADE,
        seq INTEGER NOT NULL,                 -- the place in the session, from 1 on
        message_id TEXT,
        said TEXT NOT NULL,                   -- JSON: an update of the protocol
        UNIQUE (session, seq)
    ) STRICT;
",
    // JSON: {"key": true, ..}
    "ALTER TABLE sessions ADD COLUMN permissions TEXT NOT NULL DEFAULT '{}'",
    // The place from which on the entries are those of a turn that has not ended, or 0. And how long a lease lasts after each
    // renewal, in microseconds: leases of earlier versions were those of the runtime.
    "ALTER TABLE sessions ADD COLUMN unended INTEGER NOT NULL DEFAULT 0;
     ALTER TABLE sessions ADD COLUMN lease_time INTEGER NOT NULL DEFAULT 15000000",
    // The name of the session's principal, and the time until which somebody waits for the session. A list is that of one principal.
    "ALTER TABLE sessions ADD COLUMN principal TEXT;
     ALTER TABLE sessions ADD COLUMN wished_until INTEGER NOT NULL DEFAULT 0;
     DROP INDEX sessions_by_update;
     DROP INDEX sessions_of_cwd;
     CREATE INDEX sessions_of_principal ON sessions (principal, updated DESC, id DESC);
     CREATE INDEX sessions_of_principal_and_cwd ON sessions (principal, cwd, updated DESC, id DESC)",
];

/// Brings the tables to the version of the last step, in one transaction.
pub(crate) fn migrate(connection: &mut Connection, steps: &[&str]) -> Result<(), Fault> {
    if version(connection)? == steps.len() {
        return Ok(());
    }
    // Another process may do the same. So the version is read again under the lock.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = version(&transaction)?;
    let Some(missing) = steps.get(version..) else {
        return Err(Fault::Foreign(format!(
            "its tables have version {version}, and this program knows versions up to {}: start a newer one",
            steps.len()
        )));
    };
    for step in missing {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", steps.len() as i64)?;
    Ok(transaction.commit()?)
}

fn version(connection: &Connection) -> Result<usize, Fault> {
    let version = connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))?;
    usize::try_from(version).map_err(|_| Fault::Foreign(format!("its tables have version {version}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows;

    fn count(connection: &Connection) -> i64 {
        connection.query_row("SELECT count(*) FROM sessions", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_file_of_an_older_version_keeps_its_sessions() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, STEPS).unwrap();
        let insert =
            "INSERT INTO sessions (id, cwd, additional_directories, created, updated, options, token, lease_until)
                      VALUES ('s', '/a', '[]', 1, 1, '{}', 1, 0)";
        connection.execute_batch(insert).unwrap();
        let next = "ALTER TABLE sessions ADD COLUMN archived INTEGER NOT NULL DEFAULT 0";
        let steps: Vec<&str> = STEPS.iter().copied().chain([next]).collect();
        migrate(&mut connection, &steps).unwrap();
        assert_eq!(version(&connection).unwrap(), steps.len());
        let archived = connection.query_row("SELECT archived FROM sessions", [], |row| row.get::<_, i64>(0));
        assert_eq!((archived.unwrap(), count(&connection)), (0, 1));
        migrate(&mut connection, &steps).unwrap();
    }

    #[test]
    fn a_session_of_the_first_version_comes_back_without_what_later_ones_added() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &STEPS[..1]).unwrap();
        connection
            .execute_batch(
                "INSERT INTO sessions (id, cwd, additional_directories, title, created, updated, options, token, lease_until)
                 VALUES ('s', '/a', '[\"/b\"]', 'A title', 1, 2, '{\"brave\":true}', 1, 0)",
            )
            .unwrap();
        migrate(&mut connection, STEPS).unwrap();
        let kept = connection.query_row(rows::KEPT, ["s"], |row| Ok(rows::kept(row).unwrap())).unwrap();
        assert_eq!((kept.title.as_deref(), &kept.options["brave"]), (Some("A title"), &true.into()));
        assert!(kept.permissions.is_empty() && kept.unended.is_none() && kept.principal.is_none());
    }

    #[test]
    fn a_step_that_fails_leaves_the_version_before() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, STEPS).unwrap();
        let failing = "DROP TABLE entries; ALTER TABLE nothing ADD COLUMN x";
        let steps: Vec<&str> = STEPS.iter().copied().chain([failing]).collect();
        assert!(migrate(&mut connection, &steps).is_err());
        assert_eq!(version(&connection).unwrap(), STEPS.len());
        connection.execute_batch("SELECT count(*) FROM entries").unwrap();
    }

    #[test]
    fn a_file_of_a_newer_version_is_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, STEPS).unwrap();
        connection.pragma_update(None, "user_version", STEPS.len() as i64 + 1).unwrap();
        let Err(Fault::Foreign(reason)) = migrate(&mut connection, STEPS) else { panic!("it is refused") };
        assert!(reason.contains("start a newer one"), "{reason}");
    }
}
