//! An agent with turns as fast as its store, and changes outside of turns: the client's sets meet commits of all kinds.

use std::{env, process::Command, sync::Arc, time::Duration};

use acp_client::{Update, values::SessionUpdate as Said};
use acp_runtime::{prelude::*, store::SessionStore, values::SessionInfoUpdate};
use acp_store_postgres::PostgresStore;
use acp_store_sqlite::SqliteStore;
use acp_store_suite::processes;
use serde::{Deserialize, Serialize};

use super::{
    coder::{Coder, SERVING},
    kills::{prompt_of, survives_kills},
    start::Server,
};

#[derive(SelectValue, Clone, Copy, PartialEq, Debug, Default)]
enum Model {
    #[default]
    Fast,
    Smart,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    #[config_option(default = false)]
    brave: bool,
}

#[derive(Default, Serialize, Deserialize)]
struct Session {
    turns: usize,
}

#[acp_agent(config = Config, session = Session, store = store)]
struct Fast {
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Fast {
    async fn prompt(&self, session: &mut Session, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        session.turns += 1;
        turn.message(format!("{} {}", session.turns, request.text())).await?;
        let (handle, title) = (turn.session().clone(), format!("{} turns", session.turns));
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(5)).await;
            handle.info(SessionInfoUpdate::new().title(title)).await
        });
        Ok(StopReason::EndTurn)
    }
}

/// The turns of the agent, which counts them in its state.
fn turns_of(history: &[Update]) -> usize {
    for (index, turn) in history.chunks(2).enumerate() {
        let prompt = prompt_of(index + 1);
        let [begin, said] = turn else { panic!("turn {} has a part only: {turn:?}", index + 1) };
        let Some(Said::UserMessageChunk(begin)) = begin.known() else { panic!("{begin:?}") };
        assert_eq!(begin.content, prompt.as_str().into());
        assert_eq!(said.text(), Some(&*format!("{} {prompt}", index + 1)), "the state is that of the turn");
    }
    history.len() / 2
}

#[tokio::test]
#[ignore = "it is the agent of the other tests, and runs in their child processes"]
async fn child() {
    let store: Arc<dyn SessionStore> = match env::var("ACP_STORE_FILE") {
        Ok(file) => Arc::new(SqliteStore::open(file).await.expect("the file opens")),
        Err(_) => {
            let url = env::var("ACP_STORE_URL").expect("the tests name it");
            let options = PostgresStore::options().schema("fast");
            Arc::new(options.open(&url).await.expect("the server answers"))
        }
    };
    println!("\n{SERVING}");
    Fast { store }.serve_stdio().await.expect("stdio is read");
}

async fn start(variable: &str, value: &str) -> Coder {
    let mut command: Command = processes::child("lasting::fast::child");
    command.env(variable, value);
    Coder::start_in_harness(command).await
}

#[tokio::test]
async fn a_killed_agent_with_fast_turns_loses_nothing_that_its_client_was_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sessions.db");
    let file = file.to_str().expect("it is Unicode");
    println!("SQLite: {}", survives_kills(60, turns_of, async || start("ACP_STORE_FILE", file).await).await);
}

#[tokio::test]
async fn a_killed_agent_with_fast_turns_loses_nothing_on_a_server() {
    let Some(server) = Server::shared() else { return };
    let url = server.url();
    println!("PostgreSQL: {}", survives_kills(60, turns_of, async || start("ACP_STORE_URL", &url).await).await);
}
