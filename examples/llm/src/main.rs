//! An agent on any server that speaks the chat API of OpenAI: Ollama, llama.cpp, vLLM, or a vendor.
//!
//! This file is the agent: who it is, its options, the life of its sessions, its commands. `turn` answers a prompt, `tools` are
//! the tools of the model with those of MCP servers, and `server` is the client of the chat API: `reply` reads its answers, and `key` keeps
//! its key. `flags` are those of the program.

mod flags;
mod key;
mod reply;
mod server;
#[cfg(test)]
mod tests;
mod tools;
mod turn;

use std::{env, path::PathBuf, process::ExitCode, sync::Arc};

use acp_runtime::{agent::Roots, prelude::*, session::OpenedBy};
use acp_store_sqlite::SqliteStore;
use anyhow::{Context as _, Result, ensure};
use flags::Flags;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use server::{Model, Server};
use tools::Servers;

const NO_MODEL: &str = "the server lists no models: set `OPENAI_MODEL` in the settings";

#[acp_agent(
    title = "LLM", config = Config, session = Session, store = store, clients = "many",
    capabilities(image, embedded_context, mcp_http), needs_auth,
    auth(agent(id = "key", name = "API key", description = "Checks the key in `OPENAI_API_KEY`"),
         terminal(id = "login", name = "Enter an API key", args("--login")))
)]
struct Llm {
    server: Arc<Server>,
    /// The model of new sessions. If it is empty, they have the first one that the server lists.
    model: String,
    store: Arc<dyn SessionStore>,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    /// What the agent may do.
    #[config_option(category = "mode")]
    mode: Mode,
    /// Which model answers.
    #[config_option(category = "model", default = Choice::default(), open)]
    model: Choice<Model>,
}

#[derive(SelectValue, Clone, Copy, Default, PartialEq)]
enum Mode {
    /// Answer questions, change nothing.
    Ask,
    /// Make a plan, change nothing.
    Plan,
    /// Edit files and run commands.
    #[default]
    Code,
}

#[derive(Serialize, Deserialize)]
struct Session {
    /// The conversation, in the form that the server reads.
    messages: Vec<Value>,
    #[serde(skip)]
    cwd: PathBuf,
    #[serde(skip)]
    servers: Servers,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let flags = match Flags::read() {
        Ok(Some(flags)) => flags,
        Ok(None) => return ExitCode::SUCCESS,
        Err(wrong) => {
            eprintln!("llm: {wrong}; `llm --help` lists the flags");
            return ExitCode::from(2);
        }
    };
    match run(flags).await {
        Ok(()) => ExitCode::SUCCESS,
        // The text alone: `main` would print a backtrace, too.
        Err(error) => {
            eprintln!("llm: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(flags: Flags) -> Result<()> {
    let sessions = SqliteStore::default_path("acp-llm")?;
    // It makes the folder of the sessions and of the key, which only the user may read.
    let store = Arc::new(SqliteStore::open(&sessions).await?);
    let server = Arc::new(Server::new(env::var("OPENAI_BASE_URL").ok(), env::var("OPENAI_API_KEY").ok(), sessions)?);
    if flags.login {
        return server.log_in().await;
    }
    let llm = Llm { server, model: env::var("OPENAI_MODEL").unwrap_or_default(), store };
    match flags.listen {
        Some(listen) => Ok(acp_example_listen::serve(llm, listen).await?),
        None => Ok(llm.serve_stdio().await?),
    }
}

#[acp_agent]
impl Llm {
    async fn initialize(&self) -> Initialized {
        let server = self.server.clone();
        Initialized::new().credentials(move || server.has_credentials())
    }

    async fn authenticate(&self) -> Result<()> {
        self.server.models().await.map(drop)
    }

    async fn new_session(&self, request: NewSessionRequest) -> Result<OpenedSession<Session, Config>> {
        let mut config = Config::with_default_options();
        match self.server.models().await {
            Err(error) if !self.model.is_empty() && server::has_no_list(&error) => {}
            models => config.model.offer(models?),
        }
        let first = config.model.values().first().map(|model| model.id().to_owned());
        let model = Some(self.model.clone()).filter(|named| !named.is_empty()).or(first);
        config.model.select(&model.context(NO_MODEL)?);
        let servers = Servers { waiting: request.mcp_servers, ..Servers::default() };
        Ok(OpenedSession::new(Session { messages: vec![], cwd: request.cwd, servers }).config(config))
    }

    async fn restore_session(&self, Restored(kept): Restored<Session>, roots: Roots) -> Session {
        Session { cwd: roots.cwd, servers: Servers { waiting: roots.mcp_servers, ..Servers::default() }, ..kept }
    }

    async fn session_opened(&self, how: OpenedBy, session: SessionHandle<Config>) -> Result<()> {
        if how == OpenedBy::New {
            return Ok(());
        }
        if let Err(error) = self.offer_models(&session).await {
            // The session can be read without the server.
            session.notice(NoticeSeverity::Error, error.to_string()).await?;
        }
        Ok(())
    }

    async fn session_ended(&self, session: ClosedSession<Session>) {
        for (_, server) in session.into_inner().servers.running {
            // It ends by the end of its input, or else by a signal. One that has died is no error.
            let _ = server.cancel().await;
        }
    }

    async fn prompt(&self, request: PromptRequest, session: &mut Session, turn: Turn<Config>) -> Result<StopReason> {
        if turn.config().model.id().is_empty() {
            // A session of an older version, without a model.
            turn.until_cancelled(self.offer_models(turn.session())).await??;
        }
        ensure!(!turn.config().model.id().is_empty(), NO_MODEL);
        if session.messages.is_empty()
            && let Some(title) = request.title()
        {
            turn.title(title).await?;
        }
        self.converse(session, &turn, turn::message(&request.prompt)).await
    }

    /// Forget the conversation
    #[command]
    async fn clear(&self, session: &mut Session, turn: Turn<Config>) -> Result<StopReason> {
        session.messages.clear();
        turn.clear_history();
        turn.message("The conversation is forgotten.").await?;
        Ok(StopReason::EndTurn)
    }

    /// Shorten the conversation to a summary
    #[command]
    async fn compact(&self, session: &mut Session, turn: Turn<Config>) -> Result<StopReason> {
        let ask = "Summarise our conversation, so that you can go on from the summary alone. Use no tools.";
        let kept = session.messages.clone();
        let end = self.converse(session, &turn, turn::message(&[ask.into()])).await;
        // The question and a whole summary are the new conversation. Without one, the old conversation goes on.
        let asked = session.messages.iter().nth_back(1).filter(|_| matches!(end, Ok(StopReason::EndTurn)));
        let whole = asked.is_some_and(|message| message["role"] == "user");
        session.messages = if whole { session.messages.split_off(session.messages.len() - 2) } else { kept };
        end
    }
}
