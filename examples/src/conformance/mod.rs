//! An agent for conformance suites and load generators. It advertises every optional capability of the protocol. The
//! words of a prompt choose the behaviour that it shows (`scenario`).

mod scenario;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use acp_runtime::prelude::*;
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
#[derive(Clone, Default)]
struct Session {
    cwd: PathBuf,
    /// Prompts and their answers.
    turns: Vec<(String, String)>,
}

/// The agent. In memory, it keeps sessions that were closed or had a turn, so that clients can list and load them.
#[acp_agent(
    name = "conformance",
    title = "Conformance",
    config = Config,
    session = Session,
    auth(
        agent(id = "key", name = "API key", description = "Taken from the agent's environment"),
        terminal(id = "login", name = "Log in", args("--login")),
    ),
    capabilities(image, audio, embedded_context, mcp_http, mcp_sse, additional_directories),
)]
struct Conformance {
    kept: Mutex<HashMap<SessionId, Session>>,
}

/// Serves one client over stdio.
///
/// # Errors
///
/// Stdio cannot be taken over or read.
pub async fn serve() -> Result<()> {
    Conformance { kept: Mutex::default() }.serve_stdio().await
}

/// The answer to `_tck/slow`, if it is not cancelled.
#[derive(Serialize)]
struct Slow {
    waited: u64,
}

#[acp_agent]
impl Conformance {
    async fn new_session(&self, request: NewSessionRequest) -> Session {
        Session { cwd: request.cwd, turns: Vec::new() }
    }

    async fn load_session(&self, request: LoadSessionRequest, replay: Replay) -> Result<Session> {
        let session = self.find(&request.session_id)?;
        for (prompt, answer) in &session.turns {
            replay.user(prompt.as_str()).await?;
            replay.agent(answer.as_str()).await?;
        }
        Ok(session)
    }

    async fn resume_session(&self, request: ResumeSessionRequest) -> Result<Session> {
        self.find(&request.session_id)
    }

    async fn list_sessions(&self, request: ListSessionsRequest) -> Result<ListSessionsResponse> {
        if request.cursor.is_some() {
            return Err(Error::invalid_params("`cursor` is none of this agent's: it lists all sessions at once"));
        }
        let wanted = |cwd: &Path| request.cwd.as_deref().is_none_or(|wanted| wanted == cwd);
        let kept = self.kept();
        let sessions = kept.iter().filter(|(_, session)| wanted(&session.cwd));
        Ok(ListSessionsResponse::new(
            sessions.map(|(id, session)| SessionInfo::new(id.clone(), session.cwd.clone())).collect::<Vec<_>>(),
        ))
    }

    async fn close_session(&self, id: &SessionId, session: ClosedSession<Session>) {
        self.kept().insert(id.clone(), session.into_inner());
    }

    async fn delete_session(&self, request: DeleteSessionRequest) {
        self.kept().remove(&request.session_id);
    }

    async fn authenticate(&self) {}

    async fn logout(&self) {}

    async fn prompt(&self, session: &mut Session, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        let prompt = request.text();
        let outcome = scenario::play(&prompt, &session.cwd, &turn).await?;
        // The large prompts of a load generator are not stored.
        if prompt.len() < 4096 {
            session.turns.push((prompt, outcome.answer));
            self.kept().insert(turn.id().clone(), session.clone());
        }
        Ok(outcome.stop_reason)
    }

    /// Waits for five seconds, or until the request is withdrawn.
    #[ext("_tck/slow")]
    async fn slow(&self) -> Result<Slow> {
        tokio::time::sleep(Duration::from_secs(5)).await;
        Ok(Slow { waited: 5 })
    }
}

impl Conformance {
    fn find(&self, id: &SessionId) -> Result<Session> {
        self.kept().get(id).cloned().ok_or_else(|| Error::session_not_found(id.as_ref()))
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<SessionId, Session>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
