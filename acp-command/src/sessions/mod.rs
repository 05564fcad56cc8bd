//! `acp sessions`: the sessions that an agent keeps, or that are in the database of a store.

mod kept;
mod transcript;

use std::{env, path::PathBuf};

use acp_client::{
    Connection, Loading, Update, acp_client,
    values::{DeleteSessionRequest, ListSessionsRequest, SessionInfo, methods},
};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use self::{
    kept::{StoreArgs, Use},
    transcript::Transcript,
};
use crate::{
    agent::AgentArgs,
    exit::{Exit, Failure},
    screen,
};

/// The version of the JSON.
const SCHEMA: u32 = 1;

/// Lists, shows, exports and deletes the sessions that an agent keeps.
///
/// They are asked for from the agent, or read from the database of a store, which needs no agent.
#[derive(Debug, Args)]
pub(crate) struct Sessions {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    List(List),
    Show(Show),
    Export(Export),
    Delete(Delete),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each session: its id, the time of its last change, its folder, its title.
    Text,
    /// One JSON object, with the number of its `schema`.
    Json,
}

/// Lists the sessions, in the agent's order.
#[derive(Debug, Args)]
struct List {
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Only sessions of this folder.
    #[arg(long, value_name = "FOLDER")]
    cwd: Option<PathBuf>,
    /// The sessions of this principal, in the database of a store. [default: those of nobody in particular]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["agent", "command"])]
    principal: Option<String>,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    agent: AgentArgs,
}

/// A session, and where it works.
#[derive(Debug, Args)]
struct Named {
    /// The session's id.
    id: String,
    /// The folder of the session. [default: the one of the agent's list, or else the current one]
    #[arg(long, value_name = "FOLDER")]
    cwd: Option<PathBuf>,
}

/// Shows what was said in a session.
#[derive(Debug, Args)]
struct Show {
    #[command(flatten)]
    session: Named,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    agent: AgentArgs,
}

/// Prints the history of a session as JSON, one object a line, each with a `type`: `session`, then `update`.
#[derive(Debug, Args)]
struct Export {
    #[command(flatten)]
    session: Named,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    agent: AgentArgs,
}

/// Deletes sessions, and what the agent keeps of them.
#[derive(Debug, Args)]
struct Delete {
    /// The sessions' ids.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    agent: AgentArgs,
}

/// A client that offers nothing.
struct Nobody;

#[acp_client]
impl Nobody {}

impl Sessions {
    pub(crate) async fn run(self) -> Result<Exit, Failure> {
        if let Some(done) = self.what.of_store().await {
            return done.map(|()| Exit::Done);
        }
        let agent = match &self.what {
            What::List(List { agent, .. })
            | What::Show(Show { agent, .. })
            | What::Export(Export { agent, .. })
            | What::Delete(Delete { agent, .. }) => agent,
        };
        let connection = agent.connect(Nobody).await?;
        let done = match &self.what {
            What::List(list) => list.run(&connection).await,
            What::Show(show) => show.run(&connection).await,
            What::Export(export) => export.run(&connection).await,
            What::Delete(delete) => delete.run(&connection).await,
        };
        let _ = connection.close().await;
        done.map(|()| Exit::Done)
    }
}

impl What {
    /// Does it in the database that was named, if one was.
    async fn of_store(&self) -> Option<Result<(), Failure>> {
        let (store, how) = match self {
            Self::List(List { store, .. }) | Self::Show(Show { store, .. }) | Self::Export(Export { store, .. }) => {
                (store, Use::Looks)
            }
            Self::Delete(Delete { store, .. }) => (store, Use::Changes),
        };
        let sessions = match store.open(how).await {
            Ok(sessions) => sessions?,
            Err(failure) => return Some(Err(failure)),
        };
        Some(match self {
            Self::List(list) => list.of_store(&sessions).await,
            Self::Show(show) => sessions.show(&show.session.id).await,
            Self::Export(export) => sessions.export(&export.session.id).await,
            Self::Delete(delete) => sessions.delete(&delete.ids).await,
        })
    }
}

impl List {
    async fn run(&self, connection: &Connection) -> Result<(), Failure> {
        let mut request = ListSessionsRequest::new();
        request.cwd = self.folder()?;
        let (mut sessions, mut all) = (connection.list_sessions(request)?, Vec::new());
        while let Some(info) = sessions.next().await? {
            self.one(&info, &mut all)?;
        }
        self.end(&all)
    }

    async fn of_store(&self, sessions: &kept::Sessions) -> Result<(), Failure> {
        let mut all = Vec::new();
        sessions.list(self.folder()?, self.principal.clone(), |info| self.one(&info, &mut all)).await?;
        self.end(&all)
    }

    fn folder(&self) -> Result<Option<PathBuf>, Failure> {
        let cwd = self.cwd.as_ref().map(|cwd| {
            let wrong = |error| Failure::usage(format!("`--cwd`: {} cannot be used: {error}", cwd.display()));
            cwd.canonicalize().map_err(wrong)
        });
        cwd.transpose()
    }

    fn one(&self, info: &SessionInfo, all: &mut Vec<Value>) -> Result<(), Failure> {
        match self.format {
            Format::Text => print(&format!("{}\n", line(info)))?,
            Format::Json => all.push(json!(info)),
        }
        Ok(())
    }

    fn end(&self, all: &[Value]) -> Result<(), Failure> {
        match self.format {
            Format::Text => Ok(()),
            Format::Json => print(&format!("{:#}\n", json!({"schema": SCHEMA, "sessions": all}))),
        }
    }
}

impl Named {
    /// Begins to load the session.
    async fn load(&self, connection: &Connection) -> Result<Loading, Failure> {
        let cwd = match &self.cwd {
            Some(cwd) => Some(cwd.clone()),
            None if connection.agent().agent_capabilities.session_capabilities.list.is_some() => {
                self.listed(connection).await?
            }
            None => None,
        };
        let cwd = match cwd {
            Some(cwd) => cwd.canonicalize().unwrap_or(cwd),
            None => {
                env::current_dir().map_err(|error| Failure::usage(format!("there is no current folder: {error}")))?
            }
        };
        Ok(connection.load_session(self.id.as_str(), cwd).await?)
    }

    /// The folder of the session in the agent's list.
    async fn listed(&self, connection: &Connection) -> Result<Option<PathBuf>, Failure> {
        let mut sessions = connection.list_sessions(ListSessionsRequest::new())?;
        while let Some(info) = sessions.next().await? {
            if info.session_id.as_str() == self.id {
                return Ok(Some(info.cwd));
            }
        }
        Ok(None)
    }
}

impl Show {
    async fn run(&self, connection: &Connection) -> Result<(), Failure> {
        let (mut loading, mut transcript) = (self.session.load(connection).await?, Transcript::default());
        while let Some(update) = loading.next().await? {
            if let Update::Known(update) = &update {
                print(&transcript.update(update))?;
            }
        }
        loading.finish().await?;
        print(transcript.end())
    }
}

impl Export {
    async fn run(&self, connection: &Connection) -> Result<(), Failure> {
        let mut loading = self.session.load(connection).await?;
        let head = json!({
            "type": "session", "schema": SCHEMA, "protocol": connection.version(),
            "agent": connection.agent().agent_info, "sessionId": self.session.id,
        });
        print(&format!("{head}\n"))?;
        while let Some(params) = loading.next_raw().await? {
            let params: Value = serde_json::from_str(&params).unwrap_or_default();
            print(&format!("{}\n", json!({"type": "update", "update": params["update"]})))?;
        }
        loading.finish().await?;
        Ok(())
    }
}

impl Delete {
    async fn run(&self, connection: &Connection) -> Result<(), Failure> {
        if connection.agent().agent_capabilities.session_capabilities.delete.is_none() {
            let text = "the agent does not offer `session/delete`: it did not advertise `sessionCapabilities.delete`";
            return Err(Failure::new(Exit::Failed, text));
        }
        for id in &self.ids {
            connection.call::<methods::DeleteSession>(&DeleteSessionRequest::new(id.as_str())).await?;
        }
        Ok(())
    }
}

/// A session as a line.
pub(crate) fn line(info: &SessionInfo) -> String {
    let updated = info.updated_at.as_deref().unwrap_or("-");
    let title = info.title.as_deref().unwrap_or_default().replace('\n', " ");
    format!("{}  {updated}  {}  {title}", info.session_id, info.cwd.display()).trim_end().to_owned()
}

fn print(text: &str) -> Result<(), Failure> {
    screen::write(text).map_err(|error| Failure::output(&error))
}
