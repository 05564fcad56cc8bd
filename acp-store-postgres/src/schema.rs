//! The tables, and the steps from each version of them to the next one.

use tokio_postgres::{Client, GenericClient, types::Type};

use crate::fault::Fault;

/// The lowest version of PostgreSQL that is accepted, as `server_version_num` has it.
const LOWEST: i64 = 140_000;

/// Step `n` makes version `n + 1` of version `n`. The version stands in the table `acp_store`. A step is never changed
/// after a release.
pub(crate) const STEPS: &[&str] = &[
    r#"
    -- The fencing tokens of all sessions.
    CREATE SEQUENCE tokens;

    CREATE TABLE sessions (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id text COLLATE "C" NOT NULL UNIQUE,
        cwd text COLLATE "C" NOT NULL,
        additional_directories text NOT NULL, -- JSON: ["/path", ..]
        title text,
        created bigint NOT NULL,              -- microseconds since 1970, UTC
        updated bigint NOT NULL,              -- the same
        options text NOT NULL,                -- JSON: {"id": true, "id": "value", ..}
        state_version bigint,
        state text,                           -- JSON of the agent's author
        last_seq bigint NOT NULL DEFAULT 0,   -- the place of the last entry
        token bigint NOT NULL,                -- of the last claim
        change bigint NOT NULL DEFAULT 0,     -- the number of the last commit under this token
        owner text,                           -- JSON: the process that has the session open
        lease_until bigint NOT NULL           -- microseconds since 1970, UTC, by the clock of the server
    );
    CREATE INDEX sessions_by_update ON sessions (updated, id);
    CREATE INDEX sessions_of_cwd ON sessions (hashtextextended(cwd, 0), updated, id);

    CREATE TABLE entries (
        session bigint NOT NULL REFERENCES sessions (number) ON DELETE CASCADE,
        seq bigint NOT NULL,                  -- the place in the session, from 1 on
        message_id text,
        said text NOT NULL,                   -- JSON: an update of the protocol
        PRIMARY KEY (session, seq)
    );
"#,
    // JSON: {"key": true, ..}
    "ALTER TABLE sessions ADD COLUMN permissions text NOT NULL DEFAULT '{}'",
    // The place from which on the entries are those of a turn that has not ended, or 0. And how long a lease lasts after each
    // renewal, in microseconds: leases of earlier versions were those of the runtime.
    "ALTER TABLE sessions ADD COLUMN unended bigint NOT NULL DEFAULT 0,
                          ADD COLUMN lease_time bigint NOT NULL DEFAULT 15000000",
    // The name of the session's principal, and the time until which somebody waits for the session. A list is that of one principal,
    // or of none: for these, the index has 0, because PostgreSQL does not know that rows with NULL are sorted by what follows.
    r#"ALTER TABLE sessions ADD COLUMN principal text COLLATE "C", ADD COLUMN wished_until bigint NOT NULL DEFAULT 0;
       DROP INDEX sessions_by_update;
       DROP INDEX sessions_of_cwd;
       CREATE INDEX sessions_of_principal ON sessions (coalesce(hashtextextended(principal, 0), 0), updated, id);
       CREATE INDEX sessions_of_principal_and_cwd
           ON sessions (coalesce(hashtextextended(principal, 0), 0), hashtextextended(cwd, 0), updated, id)"#,
];

/// The name of a schema as statements quote it.
pub(crate) fn quoted(schema: &str) -> String {
    format!("\"{}\"", schema.replace('"', "\"\""))
}

/// Brings the tables in `schema` to the version of the last step, in one transaction.
pub(crate) async fn migrate(client: &mut Client, schema: &str, steps: &[&str]) -> Result<(), Fault> {
    check_server(client).await?;
    if version(client, schema).await? == Some(steps.len()) {
        return Ok(());
    }
    let transaction = client.transaction().await?;
    // A step may take long, and so may the step of another process.
    transaction.batch_execute("SET LOCAL statement_timeout = 0").await?;
    // Other processes may do the same. The lock belongs to this schema, and ends with the transaction.
    let lock = "SELECT pg_advisory_xact_lock(hashtextextended('acp-store-postgres ' || $1, 0))";
    transaction.execute_typed(lock, &[(&schema, Type::TEXT)]).await?;
    let version = match version(&transaction, schema).await? {
        Some(version) => version,
        None => {
            make(&transaction, schema).await?;
            0
        }
    };
    let Some(missing) = steps.get(version..) else {
        return Err(Fault::Foreign(format!(
            "its tables have version {version}, and this program knows versions up to {}: start a newer one",
            steps.len()
        )));
    };
    transaction.batch_execute(&format!("SET LOCAL search_path = {}", quoted(schema))).await?;
    for step in missing {
        transaction.batch_execute(step).await?;
    }
    let now = i64::try_from(steps.len()).map_err(|error| Fault::column("version", error))?;
    transaction.execute_typed("UPDATE acp_store SET version = $1", &[(&now, Type::INT8)]).await?;
    Ok(transaction.commit().await?)
}

/// Refuses a server on which the statements would fail later.
async fn check_server(client: &Client) -> Result<(), Fault> {
    let facts = "SELECT current_setting('server_version_num')::bigint, current_setting('server_version'),
                        current_setting('server_encoding')";
    let row = client.query_typed_one(facts, &[]).await?;
    let (number, version, encoding): (i64, String, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    if number < LOWEST {
        return Err(Fault::Foreign(format!("its server is PostgreSQL {version}, and 14 is the oldest that will do")));
    }
    if encoding != "UTF8" {
        return Err(Fault::Foreign(format!(
            "its database has the encoding {encoding}: make one with `CREATE DATABASE .. ENCODING 'UTF8' TEMPLATE template0`"
        )));
    }
    Ok(())
}

/// The version of the tables; `None` if there is no store in the schema.
async fn version(client: &impl GenericClient, schema: &str) -> Result<Option<usize>, Fault> {
    // `to_regclass` may not see a table that another process has made since the transaction began.
    let found = "SELECT EXISTS (SELECT FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid
                                WHERE nspname = $1 AND relname = 'acp_store')";
    if !client.query_typed_one(found, &[(&schema, Type::TEXT)]).await?.try_get::<_, bool>(0)? {
        return Ok(None);
    }
    let table = format!("{}.acp_store", quoted(schema));
    let row = client.query_typed_opt(&format!("SELECT version FROM {table}"), &[]).await?;
    let version: i64 = row.ok_or_else(|| Fault::column("version", "it is not there"))?.try_get(0)?;
    usize::try_from(version).map(Some).map_err(|_| Fault::Foreign(format!("its tables have version {version}")))
}

/// Makes the schema if it is not there, and marks it as a store. A schema with other tables is refused.
async fn make(client: &impl GenericClient, schema: &str) -> Result<(), Fault> {
    let found = "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1),
                        EXISTS (SELECT FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid WHERE nspname = $1)";
    let row = client.query_typed_one(found, &[(&schema, Type::TEXT)]).await?;
    let quoted = quoted(schema);
    match (row.try_get(0)?, row.try_get(1)?) {
        (_, true) => {
            return Err(Fault::Foreign("it has tables of another program: name a schema that has none".to_owned()));
        }
        (false, _) => client.batch_execute(&format!("CREATE SCHEMA {quoted}")).await?,
        _ => {}
    }
    let mark =
        format!("CREATE TABLE {quoted}.acp_store (version bigint NOT NULL); INSERT INTO {quoted}.acp_store VALUES (0)");
    Ok(client.batch_execute(&mark).await?)
}

#[cfg(test)]
#[cfg(unix)]
#[path = "schema_tests.rs"]
mod tests;
