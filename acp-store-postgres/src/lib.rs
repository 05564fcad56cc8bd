//! Sessions that last, in a database of PostgreSQL: a [`SessionStore`] for agents on several machines.
//!
//! ```
//! use std::sync::Arc;
//!
//! use acp_runtime::store::{SessionStore, StoreError};
//! use acp_store_postgres::PostgresStore;
//!
//! async fn store() -> Result<Arc<dyn SessionStore>, StoreError> {
//!     Ok(Arc::new(PostgresStore::open("postgres://agent@db.example/agents").await?))
//! }
//! ```
//!
//! A session that was begun on one machine continues on another. Each call is one statement for each thing that it
//! reads or writes, and a commit is one statement.
//!
//! # The server
//!
//! PostgreSQL 14 or later, with a database whose encoding is UTF-8. The store makes its tables in a schema of their own,
//! `acp_sessions`; [`PostgresOptions::schema`] names another one, so that one database can hold several stores. The user
//! needs the right to make the schema (`CREATE` on the database). Or somebody else makes an empty one, and gives it to the
//! user.
//!
//! The store opens a connection when a call needs one, and keeps it: [`PostgresOptions::connections`] bounds their
//! number. They live in the async runtime that made them, so use a store in one runtime only.
//!
//! # A pooler
//!
//! The store works behind PgBouncer, with `pool_mode = session` and with `pool_mode = transaction`. (With `statement`, the
//! tables cannot be made.) With `session`, each connection of a store holds a connection of the server for as long as the
//! store is open: `default_pool_size` must be the sum of all. With `transaction`, the stores share few connections. No
//! promise of the store depends on the settings of a connection. But PgBouncer gives the settings of a store to other
//! clients of the same pool, and a new connection of the server may lack them. So give the stores a user of their own,
//! who has a pool of its own, and let the server make the settings:
//!
//! ```sql
//! ALTER ROLE agent SET statement_timeout = '10s';  -- the patience of the store
//! ALTER ROLE agent SET enable_bitmapscan = off;    -- pages are read by their index, also before the first ANALYZE
//! ALTER ROLE agent SET default_transaction_isolation = 'read committed'; -- if the server has another default
//! ```
//!
//! # TLS
//!
//! [`PostgresStore::open`] speaks without TLS: for a socket on this machine, or a network that you trust. If the URL asks for
//! TLS, such as by `sslmode=require`, it is refused. [`PostgresOptions::open_with`] takes any TLS for [`tokio_postgres`]. The
//! packages `tokio-postgres-rustls` (0.14) and `postgres-native-tls` (0.5) work, directly and with a PgBouncer between. So the
//! author chooses it, and other builds do not contain it:
//!
//! ```ignore
//! let mut roots = rustls::RootCertStore::empty();
//! roots.add(CertificateDer::from_pem_file("ca.crt")?)?;
//! let tls = rustls::ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
//! let config = "postgres://agent:secret@db.example/agents?sslmode=require".parse()?;
//! let store = PostgresStore::options().open_with(config, MakeRustlsConnect::new(tls)).await?;
//! ```
//!
//! **Say `sslmode=require`.** The default is `prefer`, which goes on without TLS if the server has none. Both packages verify
//! the certificate and the name of the host, as `verify-full` of `libpq` does. [`tokio_postgres::Config`] does not read
//! `verify-full`, `sslrootcert` and `sslcert`: certificates are given to the TLS. If the server wants TLS and the client has none,
//! the server says `no encryption` (28000).
//!
//! # Durability
//!
//! [`Durability`] decides. In both modes a commit that has returned outlives the end of the process, also by `kill -9`,
//! and no crash leaves a part of a commit. A commit that was refused with [`StoreError::Unavailable`] may have been kept:
//! repeat it, and it is kept once. In both modes a claim waits for the server's disk, because a token that is lost in a
//! crash could be given twice. If a standby takes the place of the server, all that it has not got is lost, tokens too:
//! let it be a synchronous one.
//!
//! # Several processes
//!
//! A session has one writer at a time, as the [trait](acp_store) says. If the process that has a session
//! open is gone, the session opens again at once from the same machine (on Linux, outside of other containers). From
//! another machine, nobody can know it: there the session opens when the lease is over, or by a [forced] claim.
//!
//! **The clock of the server** decides when a lease is over: it counts the time of a lease, and compares. The clocks of the
//! machines may differ as they like. If the server's clock jumps, leases end early or late. Then a session is taken
//! from a holder that lives, or opens late. Two never both write, because writes compare tokens and no times. The times
//! that users see (`created`, `updated`) are those that the agent gives.
//!
//! # The tables
//!
//! **To look into them**, use the command `psql`, also while agents run:
//!
//! ```sql
//! SET search_path = acp_sessions;
//! SELECT id, cwd, title, to_timestamp(updated / 1e6) FROM sessions ORDER BY updated DESC;
//! SELECT seq, said FROM entries JOIN sessions ON session = number WHERE id = 's1' ORDER BY seq;
//! ```
//!
//! | table, column | content |
//! |---|---|
//! | `sessions` | a row for each session |
//! | `number` | the session's number; `entries.session` refers to it |
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
//! | `change` | the number of the last commit under this token: an older one that arrives late changes nothing |
//! | `entries` | a row for each message, tool call or plan. One that was kept in the middle of a long turn goes on in a later row, with the same id |
//! | `session`, `seq` | the session's number, and the place in the session, from 1 on |
//! | `message_id` | the id of the message, if it has one |
//! | `said` | the update as JSON, in the shape of `acp_runtime::values::SessionUpdate` |
//! | `tokens` | a sequence: the last fencing token of all sessions |
//! | `acp_store` | one row: the version of the tables |
//!
//! Columns with JSON are texts, because `json` and `jsonb` change or refuse some values. PostgreSQL has no texts with a
//! NUL. So an id, a title, a principal, a path or a message id with a NUL is refused with [`StoreError::Invalid`]. In JSON a NUL is
//! `\u0000`, so messages, options and states may have one. An id has at most 2,500 bytes, because it stands in an index.
//!
//! **Versions.** A newer version of this package may change the tables when it opens the store, in one transaction. Of
//! several processes that do so at once, one changes them and the others wait. An older program refuses to open newer
//! tables, and changes nothing. End older programs before you start a newer one: those that run do not look again.
//!
//! **To back it up**, use `pg_dump --schema=acp_sessions`, also while agents run. End the agents before you restore it,
//! because tokens go back with it.
//!
//! **Deleted sessions** are gone for each query. Their bytes leave the server's files later (`VACUUM`), and its log and
//! backups later still.
//!
//! # When something is wrong
//!
//! A call waits for the server up to ten seconds ([`PostgresOptions::patience`]). Then, or if the connection is lost, it
//! fails with [`StoreError::Unavailable`]. The next call makes a new connection. The server gives a statement up after
//! the same time, also if nobody is there to tell it so.
//!
//! A schema that has other tables, or those of a later version, is refused with [`StoreError::Corrupt`], and nothing is
//! written to it. The same error tells of tables that were changed or removed, and of damage that the server finds.
//!
//! If the server's disk is full, a commit fails with [`StoreError::Full`], and nothing of it is kept. If there is no room for
//! the server's log, the server stops: then it is [`StoreError::Unavailable`]. When there is room again, commits succeed
//! again.
//!
//! [`SessionStore`]: acp_store::SessionStore
//! [forced]: acp_store::Claim::forced

mod connections;
mod fault;
mod place;
mod read;
mod rows;
mod schema;
mod sql;
#[cfg(test)]
#[cfg(unix)]
#[path = "../tests/server/start.rs"]
mod start;
mod write;

use std::{fmt, sync::Arc, time::Duration};

use acp_schema::v1::SessionId;
use acp_store::{Change, Claim, Cursor, Entry, Kept, Lease, ListFilter, Page, SessionStore, StoreError, StoreFuture};
pub use tokio_postgres;
use tokio_postgres::{
    Config, NoTls, Socket,
    tls::{MakeTlsConnect, TlsConnect},
};

use self::{
    connections::Connections,
    rows::{ChangeRow, KeptRow, path_text, principal},
    schema::STEPS,
    sql::Sql,
    write::Said,
};

/// The events that a commit outlives when it has returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Durability {
    /// It outlives this process. If the server crashes, the last commits may be lost, each as a whole and the latest
    /// first: those of less than a second, with PostgreSQL's own settings. (`synchronous_commit = off`)
    Fast,
    /// It outlives a crash of the server and a loss of its power, if its disk is honest about its writes. (At least
    /// `synchronous_commit = local`. If the server's settings ask for more, such as for a standby, a commit waits for
    /// that.)
    #[default]
    Durable,
}

/// Sessions in a schema of PostgreSQL. A clone is another handle of the same connections.
///
/// The connections are open until the last handle is dropped.
#[derive(Clone)]
pub struct PostgresStore(Arc<Inner>);

struct Inner {
    connections: Connections,
    sql: Sql,
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PostgresStore").field(&self.place()).finish()
    }
}

/// How a store is opened. [`PostgresStore::options`] makes it.
#[derive(Clone, Debug)]
pub struct PostgresOptions {
    durability: Durability,
    schema: String,
    connections: usize,
    patience: Duration,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self {
            durability: Durability::default(),
            schema: "acp_sessions".to_owned(),
            connections: 4,
            patience: Duration::from_secs(10),
        }
    }
}

impl PostgresOptions {
    /// The events that a commit outlives. [`Durability::Durable`] is the default.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// The schema of the tables. `acp_sessions` is the default. A name has 1 to 63 bytes, and is taken as it is written
    /// (`Agents` is not `agents`).
    #[must_use]
    pub fn schema(mut self, name: impl Into<String>) -> Self {
        self.schema = name.into();
        self
    }

    /// The most connections of this process: so many calls run at the same time, and others wait. 4 is the default.
    #[must_use]
    pub fn connections(mut self, number: usize) -> Self {
        self.connections = number;
        self
    }

    /// How long a call waits for the server, with a new connection if it needs one. Ten seconds are the default. Opening
    /// a store has no bound while its tables are brought to a new version.
    #[must_use]
    pub fn patience(mut self, time: Duration) -> Self {
        self.patience = time;
        self
    }

    /// Opens the store without TLS, and makes its tables if there are none. The [URL or list of
    /// keys](tokio_postgres::Config) names the server, the user and the database.
    ///
    /// # Errors
    ///
    /// Those of [`open_with`](Self::open_with).
    pub async fn open(self, url: &str) -> Result<PostgresStore, StoreError> {
        // The error does not quote the URL, which may have a password.
        let config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
            let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
            let help = if cause.contains("ssl") { place::HOW_TO_SPEAK_TLS } else { "" };
            StoreError::invalid("the URL of the database", format!("{error}{cause}{help}"))
        })?;
        if place::demands_tls(&config) {
            let reason = format!("it asks for TLS, which this function does not speak{}", place::HOW_TO_SPEAK_TLS);
            return Err(StoreError::invalid("the URL of the database", reason));
        }
        self.open_with(config, NoTls).await
    }

    /// Opens the store with a TLS of your choice, and makes its tables if there are none.
    ///
    /// ```
    /// use acp_runtime::store::StoreError;
    /// use acp_store_postgres::{PostgresStore, tokio_postgres::{Config, NoTls}};
    ///
    /// # async fn open() -> Result<PostgresStore, StoreError> {
    /// let mut config = Config::new();
    /// config.host("db.example").user("agent").password("secret").dbname("agents");
    /// // Instead of `NoTls`: `tokio_postgres_rustls::MakeRustlsConnect::new(..)`.
    /// PostgresStore::options().schema("reviewers").open_with(config, NoTls).await
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`StoreError::Invalid`] if an option has no sense, [`StoreError::Corrupt`] if the schema is no store, or one of a
    /// later version, [`StoreError::Unavailable`] if the server does not answer or refuses the user.
    pub async fn open_with<T>(self, mut config: Config, tls: T) -> Result<PostgresStore, StoreError>
    where
        T: MakeTlsConnect<Socket> + Clone + Send + Sync + 'static,
        T::Stream: Send + 'static,
        T::TlsConnect: Send,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        let Self { durability, schema, connections, patience } = self;
        if schema.is_empty() || schema.len() > 63 || rows::has_nul(&schema) {
            return Err(StoreError::invalid(format!("the schema `{schema}`"), "a name has 1 to 63 bytes and no NUL"));
        }
        if config.get_application_name().is_none() {
            config.application_name("acp-store-postgres");
        }
        let place = place::place(&config, &schema);
        let sql = Sql::new(&schema::quoted(&schema), durability == Durability::Fast);
        let connections = Connections::new(tls, config, place, patience, connections);
        let mut taken = connections.take(connections.deadline()).await?;
        let migrated = schema::migrate(&mut taken.client, &schema, STEPS).await;
        connections.ended(taken, migrated)?;
        Ok(PostgresStore(Arc::new(Inner { connections, sql })))
    }
}

impl PostgresStore {
    /// Opens the store without TLS, and makes its tables if there are none. Commits outlive a crash of the server.
    ///
    /// # Errors
    ///
    /// Those of [`PostgresOptions::open_with`].
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::options().open(url).await
    }

    /// How a store is opened, with its defaults.
    ///
    /// ```
    /// use acp_runtime::store::StoreError;
    /// use acp_store_postgres::{Durability, PostgresStore};
    ///
    /// # async fn open() -> Result<PostgresStore, StoreError> {
    /// PostgresStore::options().durability(Durability::Fast).open("host=/run/postgresql dbname=agents").await
    /// # }
    /// ```
    pub fn options() -> PostgresOptions {
        PostgresOptions::default()
    }

    /// The schema, the database and its server, for people.
    pub fn place(&self) -> &str {
        self.0.connections.place()
    }
}

/// One call: with a connection, and not for longer than the patience.
macro_rules! call {
    ($store:expr, $room:ident :: $function:ident ( $($value:expr),* )) => {{
        let inner = &*$store.0;
        let deadline = inner.connections.deadline();
        let taken = inner.connections.take(deadline).await?;
        let result = inner.connections.bounded(deadline, $room::$function(&taken.client, &inner.sql, $($value),*)).await;
        inner.connections.ended(taken, result)
    }};
}

impl SessionStore for PostgresStore {
    fn create<'a>(&'a self, id: &'a SessionId, kept: &'a Kept, claim: &'a Claim) -> StoreFuture<'a, Lease> {
        Box::pin(async move {
            let kept = KeptRow::of(kept)?;
            call!(self, write::create(id, &kept, claim))
        })
    }

    fn claim<'a>(&'a self, id: &'a SessionId, claim: &'a Claim) -> StoreFuture<'a, Lease> {
        Box::pin(async move { call!(self, write::claim(id, claim)) })
    }

    fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(async move { call!(self, write::renew(lease)) })
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(async move { call!(self, write::release(lease)) })
    }

    fn wish<'a>(&'a self, id: &'a SessionId, time: Duration) -> StoreFuture<'a, ()> {
        Box::pin(async move { call!(self, write::wish(id, time)) })
    }

    fn is_wished<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, bool> {
        Box::pin(async move { call!(self, read::is_wished(lease)) })
    }

    fn commit<'a>(&'a self, lease: &'a Lease, change: Change<'a>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let (said, change) = (Said::of(lease.session(), change.said)?, ChangeRow::of(&change)?);
            call!(self, write::commit(lease, &change, &said))
        })
    }

    fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Kept> {
        Box::pin(async move { call!(self, read::kept(id)) })
    }

    fn replay<'a>(&'a self, id: &'a SessionId, after: u64, most: usize) -> StoreFuture<'a, Vec<Entry>> {
        Box::pin(async move { call!(self, read::replay(id, after, most)) })
    }

    fn list<'a>(&'a self, filter: &'a ListFilter, after: Option<&'a Cursor>, most: usize) -> StoreFuture<'a, Page> {
        Box::pin(async move {
            // No session has another path or another name, so nothing is found by it.
            let Ok(cwd) = filter.cwd.as_deref().map(path_text).transpose() else { return Ok(Page::default()) };
            let Ok(principal) = principal(filter.principal.as_deref()) else { return Ok(Page::default()) };
            call!(self, read::list((principal, cwd.as_deref()), after, most))
        })
    }

    fn delete<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, bool> {
        Box::pin(async move { call!(self, write::delete(id)) })
    }
}
