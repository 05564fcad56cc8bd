//! The sessions in a store's database, without an agent.

use std::{fs, path::PathBuf};

use acp_client::values::{SessionId, SessionInfo};
use acp_store::{Entry, Kept, ListFilter, Said, SessionStore, StoreError};
use acp_store_postgres::{
    PostgresStore,
    tokio_postgres::{Config, NoTls},
};
use acp_store_sqlite::SqliteStore;
use clap::Args;
use serde_json::{Value, json};

use super::{SCHEMA, print, transcript::Transcript};
use crate::exit::{Exit, Failure};

/// So many sessions or entries are read at once.
const PAGE: usize = 200;

/// The arguments that name a database.
#[derive(Debug, Args)]
#[command(next_help_heading = "Instead of an agent: the database of a store")]
pub(super) struct StoreArgs {
    /// The file of `acp-store-sqlite`. One of an earlier version is brought to the version of this program, as when an agent opens it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["postgres", "agent", "command"])]
    sqlite: Option<PathBuf>,
    /// The database of `acp-store-postgres`, `postgres://user@host/database`. Other users of this machine can see it: with a password, put it in a
    /// file, and name this as `@FILE`.
    #[arg(long, value_name = "URL|@FILE", conflicts_with_all = ["agent", "command"])]
    postgres: Option<String>,
    /// The schema of the tables.
    #[arg(long, value_name = "NAME", default_value = "acp_sessions", requires = "postgres")]
    schema: String,
}

/// Whether a store is only looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Looks,
    Changes,
}

/// The sessions of a database.
pub(super) struct Sessions(Box<dyn SessionStore>);

impl StoreArgs {
    /// The sessions of the database that was named, if one was.
    pub(super) async fn open(&self, how: Use) -> Result<Option<Sessions>, Failure> {
        Ok(match (&self.sqlite, &self.postgres) {
            (Some(path), _) => Some(Sessions(Box::new(sqlite(path.clone()).await?))),
            (None, Some(url)) => Some(Sessions(Box::new(self.of_postgres(url, how).await?))),
            (None, None) => None,
        })
    }

    async fn of_postgres(&self, url: &str, how: Use) -> Result<PostgresStore, Failure> {
        let url = match url.strip_prefix('@') {
            Some(path) => fs::read_to_string(path)
                .map_err(|error| Failure::usage(format!("the file of the URL, {path}, cannot be read: {error}")))?,
            None => url.to_owned(),
        };
        let open = || PostgresStore::options().schema(self.schema.as_str()).connections(1);
        // Nothing is made where there is no store, and tables of an earlier version stay so: agents may be at work on them.
        if let Ok(mut config) = url.trim().parse::<Config>() {
            let options = config.get_options().unwrap_or_default();
            config.options(format!("{options} -c default_transaction_read_only=on").trim().to_owned());
            let store = open().open_with(config, NoTls).await.map_err(|error| {
                let help =
                    "help: this program reads the tables that an agent with the same version of the store has made";
                not_opened(&error).and(help)
            })?;
            if how == Use::Looks {
                return Ok(store);
            }
        }
        // It also says what is wrong with a URL.
        open().open(url.trim()).await.map_err(|error| not_opened(&error))
    }
}

async fn sqlite(path: PathBuf) -> Result<SqliteStore, Failure> {
    // The store makes a file if there is none.
    if !path.is_file() {
        return Err(Failure::usage(format!("there is no file {}", path.display())));
    }
    SqliteStore::open(path).await.map_err(|error| not_opened(&error))
}

fn not_opened(error: &StoreError) -> Failure {
    match error {
        StoreError::Invalid { .. } => Failure::usage(error.to_string()),
        _ => Failure::not_run(error.to_string()),
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::new(Exit::Failed, error.to_string())
    }
}

impl Sessions {
    /// The next sessions, the newest first.
    pub(super) async fn list(
        &self,
        cwd: Option<PathBuf>,
        principal: Option<String>,
        mut each: impl FnMut(SessionInfo) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let filter = ListFilter::cwd(cwd).principal(principal);
        let mut after = None;
        loop {
            let page = self.0.list(&filter, after.as_ref(), PAGE).await?;
            page.sessions.into_iter().try_for_each(|listed| each(listed.into()))?;
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(()),
            }
        }
    }

    /// All that was said in a session, in its order.
    async fn said(&self, id: &SessionId, mut each: impl FnMut(Entry) -> Result<(), Failure>) -> Result<(), Failure> {
        let mut last = 0;
        loop {
            let page = self.0.replay(id, last, PAGE).await?;
            let Some(entry) = page.last() else { return Ok(()) };
            last = entry.seq;
            page.into_iter().try_for_each(&mut each)?;
        }
    }

    pub(super) async fn show(&self, id: &str) -> Result<(), Failure> {
        let mut transcript = Transcript::default();
        let shows = |entry: Entry| match &entry.said {
            Said::Known(update) => print(&transcript.update(update)),
            Said::Unknown(_) => Ok(()),
        };
        self.said(&id.into(), shows).await?;
        print(transcript.end())
    }

    pub(super) async fn export(&self, id: &str) -> Result<(), Failure> {
        let id = SessionId::from(id);
        let Kept { cwd, title, updated, principal, .. } = self.0.read(&id).await?;
        let head = json!({
            "type": "session", "schema": SCHEMA, "protocol": 1, "sessionId": id, "cwd": cwd, "title": title,
            "updatedAt": updated.to_string(), "principal": principal,
        });
        print(&format!("{head}\n"))?;
        let exports = |entry: Entry| {
            let update: Value = serde_json::from_str(&entry.to_json()?).unwrap_or_default();
            print(&format!("{}\n", json!({"type": "update", "update": update})))
        };
        self.said(&id, exports).await
    }

    /// Deletes all that are there, and tells of the others.
    pub(super) async fn delete(&self, ids: &[String]) -> Result<(), Failure> {
        let mut missing = Vec::new();
        for id in ids {
            if !self.0.delete(&id.as_str().into()).await? {
                missing.push(format!("`{id}`"));
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        Err(Failure::new(Exit::Failed, format!("no session {} is kept here", missing.join(", "))))
    }
}
