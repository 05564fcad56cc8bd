//! The full form of an agent: config, session and agent are three structs.
//!
//! A script takes the place of a language model (`script`), so that the agent runs anywhere. The rest is like a real
//! coding agent: options, a plan, tool calls that ask before they edit, streaming, cancellation, and sessions that last,
//! in a file of SQLite.

mod options;
mod script;
#[cfg(test)]
mod tests;

use std::{path::PathBuf, sync::Arc};

use acp_example_listen::Listen;
use acp_runtime::{agent::Roots, prelude::*, store::SessionStore};
use acp_store_sqlite::SqliteStore;
use options::Config;
use script::{Edit, Piece, Script};
use serde::{Deserialize, Serialize};

/// A coding agent without a model. Over HTTP, several clients follow one session.
#[acp_agent(name = "coder", title = "Coder", config = Config, session = Session, store = store, clients = "many")]
struct Coder {
    store: Arc<dyn SessionStore>,
}

/// The agent's own state of a session. The runtime keeps it, the options, and what was said.
#[derive(Serialize, Deserialize)]
struct Session {
    cwd: PathBuf,
}

/// Serves one client over stdio. Its sessions are kept in the file `store`. `None` is the place for data of this user.
///
/// # Errors
///
/// The store cannot be opened, or stdio cannot be read.
pub async fn serve(store: Option<PathBuf>) -> Result<(), Box<dyn std::error::Error>> {
    Ok(serve_on(open(store).await?).await?)
}

/// Serves clients over HTTP, and a page for the browser. As [`serve`] otherwise.
///
/// # Errors
///
/// The store cannot be opened, or the port. Other machines could reach the agent without a login. Or the feature `listen` is missing.
pub async fn listen(store: Option<PathBuf>, listen: Listen) -> Result<(), Box<dyn std::error::Error>> {
    Ok(acp_example_listen::serve(Coder { store: open(store).await? }, listen).await?)
}

async fn open(store: Option<PathBuf>) -> Result<Arc<SqliteStore>, Box<dyn std::error::Error>> {
    let path = store.map_or_else(|| SqliteStore::default_path("acp-coder"), Ok)?;
    Ok(Arc::new(SqliteStore::open(path).await?))
}

/// Serves one client over stdio. Any store keeps its sessions, such as one of PostgreSQL.
///
/// # Errors
///
/// Stdio cannot be read.
pub async fn serve_on(store: Arc<dyn SessionStore>) -> Result<()> {
    Coder { store }.serve_stdio().await
}

#[acp_agent]
impl Coder {
    async fn new_session(&self, request: NewSessionRequest) -> Session {
        Session { cwd: request.cwd }
    }

    /// The client says where the session works from now on.
    async fn restore_session(&self, roots: Roots) -> Session {
        Session { cwd: roots.cwd }
    }

    async fn prompt(&self, session: &mut Session, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        let mut script = Script::of(&request.text(), turn.config().mode);
        while let Some(piece) = turn.until_cancelled(script.next()).await? {
            match piece {
                Piece::Thought(thought) => turn.thought(thought).await?,
                Piece::Plan(entries) => turn.plan(entries).await?,
                Piece::Text(text) => turn.message(text).await?,
                Piece::Edit => edit(&turn, Edit::of(&session.cwd, turn.client()).await?).await?,
                Piece::Overloaded => turn.update_config(|config| config.model = config.model.other()).await?,
            }
        }
        Ok(StopReason::EndTurn)
    }
}

/// Edits a file if the user allows it.
async fn edit(turn: &Turn<Config>, edit: Edit) -> Result<()> {
    let call = turn
        .tool_call(format!("Edit {}", edit.path.display()))
        .kind(ToolKind::Edit)
        .location(&edit.path)
        .content(edit.diff())
        .start()
        .await?;
    if turn.config().brave {
        call.in_progress().await?;
    } else {
        let permission = call.ask_permission().await?;
        if !permission.is_allowed() {
            let why = match permission.error() {
                Some(_) => "the client could not ask for permission",
                None => "rejected by the user",
            };
            call.fail(why).await?;
            return turn.message("Without permission I left the file alone.").await;
        }
    }
    edit.apply(turn.client()).await?;
    call.complete(edit.diff()).await?;
    turn.message("The note is in the file.").await
}
