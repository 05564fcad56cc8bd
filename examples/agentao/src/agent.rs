//! The agent: the life of a connection and of its sessions (C.1, C.2, C.6, C.7), and the switches (C.8 to C.10).

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use acp_runtime::{
    agent::{Restored, Roots},
    prelude::*,
    schema::Method as _,
    store::{Kept, SessionStore},
    values::McpServer,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    model::{Message, Model},
    options::{self, Config, Live, Providers},
    resume,
    schema::{self, SetModelRequest, SetModelResponse},
};

/// The agent.
#[acp_agent(title = "Agentao", config = Config, session = Session, shared = Live, store = store, capabilities(mcp_sse))]
pub struct Agentao {
    /// Where sessions are kept.
    pub store: Arc<dyn SessionStore>,
    /// The models and their credentials.
    pub providers: Providers,
    /// The language model.
    pub model: Arc<dyn Model>,
    /// Whether a load has to name the `cwd` and the MCP servers of `session/new` again.
    pub same_roots: bool,
}

/// What is kept of a session beside what was said.
#[derive(Serialize, Deserialize)]
pub struct Session {
    pub(crate) conversation: Vec<Message>,
    /// Of the MCP servers.
    fingerprint: u64,
    #[serde(skip)]
    pub(crate) cwd: PathBuf,
}

#[acp_agent]
impl Agentao {
    // C.1 initialize

    async fn initialize(&self) -> Initialized {
        let methods = [
            json!({ "method": schema::methods::AskUser::NAME, "description": "Asks the user a question." }),
            json!({ "method": schema::methods::SetModel::NAME, "description": "Switches the model." }),
        ];
        Initialized::new().meta("_agentao.cn/extensions", methods.to_vec())
    }

    // C.2 session/new

    async fn new_session(&self, request: NewSessionRequest) -> Result<OpenedSession<Session, Config, Live>> {
        check(&request.cwd, &request.mcp_servers).await?;
        let fingerprint = fingerprint(&request.mcp_servers);
        let session = Session { conversation: Vec::new(), fingerprint, cwd: request.cwd };
        Ok(OpenedSession::new(session).config(self.providers.config()).shared(Live::default()))
    }

    // C.3 session/prompt

    async fn prompt(
        &self,
        request: PromptRequest,
        session: &mut Session,
        State(live): State<Live>,
        turn: Turn<Config>,
    ) -> Result<StopReason> {
        session.conversation.push(Message::User(request.text()));
        self.converse(session, &live, &turn).await
    }

    // C.6 session/cancel: the runtime serves it, with an id and without one.

    // C.7 session/load

    async fn restore_session(
        &self,
        Restored(session): Restored<Session>,
        kept: Kept,
        roots: Roots,
        RequestMeta(meta): RequestMeta,
    ) -> Result<OpenedSession<Session, Config, Live>> {
        check(&roots.cwd, &roots.mcp_servers).await?;
        let fingerprint = fingerprint(&roots.mcp_servers);
        if self.same_roots && !resume::is_resumed(&meta) {
            if kept.cwd != roots.cwd {
                return Err(Error::invalid_request("`cwd` is not that of `session/new`: use the same folder"));
            }
            if session.fingerprint != fingerprint {
                return Err(Error::invalid_request(
                    "`mcpServers` are not those of `session/new`: name the same ones in the same order",
                ));
            }
        }
        let config = self.providers.config_of(&kept.options)?;
        let session = Session { fingerprint, cwd: roots.cwd, ..session };
        Ok(OpenedSession::new(session).config(config).shared(Live::default()))
    }

    // C.8 session/set_config_option: the runtime serves it, and this function sees each change.

    #[on_change(Config::MODEL)]
    async fn switch_model(&self, change: Change<Choice>, State(live): State<Live>, config: &mut Config) -> Result<()> {
        config.model = self.providers.switch(change.old.id(), change.new.id(), &live)?;
        Ok(())
    }

    // C.9 _agentao.cn/set_model

    #[ext(schema::methods::SetModel)]
    async fn set_model(&self, request: SetModelRequest, session: SessionHandle<Config>) -> Result<SetModelResponse> {
        let value = self.providers.beside(session.config().model.id(), &request.model)?;
        session.update_config(|config| config.model.select(&value)).await?;
        Ok(SetModelResponse::new(options::model_of(session.config().model.id())))
    }

    // C.10 session/set_mode: the option `mode` is the mode of the session.
}

/// Checks what the protocol leaves to agents.
async fn check(cwd: &Path, servers: &[McpServer]) -> Result<()> {
    if !cwd.is_dir() {
        return Err(Error::invalid_params("`cwd` is no folder: name one that exists"));
    }
    match servers.iter().position(|server| server.name().is_empty()) {
        Some(at) => {
            Err(Error::invalid_params(format!("the MCP server at `/mcpServers/{at}` has no name: give it one")))
        }
        None => Ok(()),
    }
}

/// A number that stands for MCP servers, with their order and all that belongs to them. It is the same in each version of this
/// program, and nobody can read a secret from it.
fn fingerprint(servers: &[McpServer]) -> u64 {
    // FNV-1a.
    let bytes = json!(servers).to_string();
    bytes.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
