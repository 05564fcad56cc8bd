//! The agent, and its process: this program again, which serves HTTP.

use std::{env, sync::Arc, time::Duration};

use acp_http::{HttpOptions, ServeHttp as _};
use acp_runtime::{prelude::*, store::SessionStore};
use acp_store_postgres::PostgresStore;
use serde::{Deserialize, Serialize};
use tokio::signal::unix::{SignalKind, signal};

/// The line with which the process says where it serves.
pub(super) const SERVING: &str = "the agent serves ";

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
struct Counter {
    /// Of its process.
    number: String,
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Counter {
    /// Says the number of its process, that of the turn, the prompt, and ten numbers. `wait`: until the cancel.
    async fn prompt(&self, session: &mut Session, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        session.turns += 1;
        let prompt = request.text();
        turn.message(format!("[{}] {} {prompt}:", self.number, session.turns)).await?;
        if prompt == "wait" {
            turn.cancelled().await;
            return Ok(StopReason::Cancelled);
        }
        for number in 0..10 {
            tokio::time::sleep(Duration::from_millis(5)).await;
            turn.message(format!(" {number}")).await?;
        }
        turn.message(".").await?;
        Ok(StopReason::EndTurn)
    }
}

/// The end of an answer.
pub(super) const WHOLE: &str = ": 0 1 2 3 4 5 6 7 8 9.";

#[tokio::test]
#[ignore = "it is the agent of the other tests, and runs in their child processes"]
async fn child() {
    let var = |name: &str| env::var(name).expect("the tests name it");
    let store = PostgresStore::options().schema(var("ACP_STORE_SCHEMA")).open(&var("ACP_STORE_URL")).await;
    let mut terminated = signal(SignalKind::terminate()).expect("the system has signals");
    let server = Counter { number: var("ACP_NUMBER"), store: Arc::new(store.expect("the server answers")) }
        .serve_http(var("ACP_LISTEN"))
        .options(HttpOptions::new().drain_timeout(Duration::from_secs(60)))
        .with_graceful_shutdown(async move { _ = terminated.recv().await });
    let server = server.bind().await.expect("the port is free");
    println!("\n{SERVING}{}", server.url());
    server.serve().await.expect("the system accepts connections");
}
