//! An agent that keeps notes, in a file of SQLite that the first argument names.

use std::sync::Arc;

use acp_runtime::{prelude::*, store::SessionStore};
use acp_store_sqlite::SqliteStore;
use serde::{Deserialize, Serialize};

/// What the user may choose.
#[derive(ConfigOptions, Clone)]
struct Config {
    /// How notes are shown.
    #[config_option(kind = "select", values("list" = "A list", "line" = "One line"), default = "list")]
    form: String,
}

#[acp_agent(name = "notes", config = Config, session = Session, store = store)]
struct Notes {
    store: Arc<dyn SessionStore>,
}

#[derive(Default, Serialize, Deserialize)]
struct Session {
    notes: Vec<String>,
}

#[acp_agent]
impl Notes {
    async fn new_session(&self, _request: NewSessionRequest) -> Session {
        Session::default()
    }

    async fn prompt(&self, session: &mut Session, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        session.notes.push(request.text());
        let between = if turn.config().form == "list" { "\n" } else { "; " };
        turn.message(session.notes.join(between)).await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args_os().nth(1).ok_or("usage: notes FILE")?;
    Ok(Notes { store: Arc::new(SqliteStore::open(file).await?) }.serve_stdio().await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn it_shows_all_notes_in_the_chosen_form() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(SqliteStore::open(folder.path().join("notes.db")).await.unwrap());
        let agent = acp_client::testing::connect(Notes { store }).await;
        let session = agent.session().await;
        session.turn("milk").await;
        assert_eq!(session.turn("bread").await.text(), "milk\nbread");
        session.set_option("form", "line").await.unwrap();
        assert_eq!(session.turn("salt").await.text(), "milk; bread; salt");
        agent.finish().await;
    }
}
