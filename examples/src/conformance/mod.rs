//! An agent for conformance suites and load generators. It advertises every optional capability of the protocol. The
//! words of a prompt choose the behaviour that it shows (`scenario`).

mod scenario;

use std::{path::PathBuf, sync::Arc, time::Duration};

use acp_runtime::{agent::Roots, prelude::*, store::MemoryStore};
use serde::Serialize;

/// The session's options.
#[derive(ConfigOptions, Clone)]
struct Config {
    /// What the agent may do.
    #[config_option(category = "mode")]
    mode: Mode,
    /// Which model answers.
    #[config_option(category = "model")]
    model: Model,
    /// Run tools without asking first.
    #[config_option(kind = "boolean", default = false)]
    brave_mode: bool,
}

#[derive(SelectValue, Clone, Copy, Debug, Default, PartialEq)]
enum Mode {
    /// Change what is to be changed.
    #[default]
    Code,
    /// Answer only.
    Ask,
}

#[derive(SelectValue, Clone, Copy, Debug, Default, PartialEq)]
enum Model {
    /// Quick answers.
    #[default]
    Fast,
    /// Deeper reasoning.
    Smart,
}

/// The state that a session keeps between turns.
#[derive(Serialize)]
struct Session {
    cwd: PathBuf,
}

/// The agent. It keeps its sessions in memory, so that clients can list and load them while it runs.
#[acp_agent(
    name = "conformance",
    title = "Conformance",
    config = Config,
    session = Session,
    store = store,
    auth(
        agent(id = "key", name = "API key", description = "Taken from the agent's environment"),
        terminal(id = "login", name = "Log in", args("--login")),
    ),
    capabilities(image, audio, embedded_context, mcp_http, mcp_sse, additional_directories),
)]
struct Conformance {
    store: Arc<MemoryStore>,
}

/// Serves one client over stdio.
///
/// # Errors
///
/// Stdio cannot be taken over or read.
pub async fn serve() -> Result<()> {
    Conformance { store: Arc::default() }.serve_stdio().await
}

/// The answer to `_tck/slow`, if it is not cancelled.
#[derive(Serialize)]
struct Slow {
    waited: u64,
}

#[acp_agent]
impl Conformance {
    async fn new_session(&self, request: NewSessionRequest) -> Session {
        Session { cwd: request.cwd }
    }

    async fn restore_session(&self, roots: Roots) -> Session {
        Session { cwd: roots.cwd }
    }

    async fn authenticate(&self) {}

    async fn logout(&self) {}

    async fn prompt(&self, session: &mut Session, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        scenario::play(&request.text(), &session.cwd, &turn).await
    }

    /// Waits for five seconds, or until the request is withdrawn.
    #[ext("_tck/slow")]
    async fn slow(&self) -> Result<Slow> {
        tokio::time::sleep(Duration::from_secs(5)).await;
        Ok(Slow { waited: 5 })
    }
}
