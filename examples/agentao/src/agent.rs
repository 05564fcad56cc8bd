//! The agent: the life of a connection and of its sessions (C.1, C.2, C.6, C.7), and the switches (C.8 to C.10). `turn` has
//! its other block.

use std::{path::Path, path::PathBuf, sync::Arc};

use acp_runtime::agent::{Restored, Roots};
use acp_runtime::hooks::Resume;
use acp_runtime::{
    agent::RequestMeta, prelude::*, schema::Method, store::Kept, store::SessionStore, values::McpServer,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::schema::{SetModelRequest, SetModelResponse, methods};
use crate::{Config, Model, Piece, Providers, catalogue};

/// The agent.
#[acp_agent(title = "Agentao", config = Config, session = Session, store = store, capabilities(mcp_sse))]
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
    pub(crate) conversation: Vec<Piece>,
    /// The fingerprint of the MCP servers.
    servers: u64,
    #[serde(skip)]
    pub(crate) cwd: PathBuf,
}

type Opens = Result<OpenedSession<Session, Config>>;

#[acp_agent(parts(turn))]
impl Agentao {
    // C.1 initialize

    async fn initialize(&self) -> Initialized {
        let listed = json!([{ "method": methods::AskUser::NAME, "description": "Asks the user a question." },
                            { "method": methods::SetModel::NAME, "description": "Switches the model." }]);
        Initialized::new().meta("_agentao.cn/extensions", listed)
    }

    // C.2 session/new

    async fn new_session(&self, NewSessionRequest { cwd, mcp_servers, .. }: NewSessionRequest) -> Opens {
        let servers = check(&cwd, &mcp_servers)?;
        Ok(OpenedSession::new(Session { conversation: Vec::new(), servers, cwd }).config(self.providers.config(None)?))
    }

    // C.6 session/cancel: the runtime serves it, with an id and without one.

    // C.7 session/load

    async fn restore_session(
        &self,
        Restored(session): Restored<Session>,
        kept: Kept,
        Roots { cwd, mcp_servers, .. }: Roots,
        RequestMeta(meta): RequestMeta,
    ) -> Opens {
        let servers = check(&cwd, &mcp_servers)?;
        if self.same_roots && !Resume::is_resumed(meta.as_ref()) && (kept.cwd != cwd || session.servers != servers) {
            return Err(Error::invalid_request("name the `cwd` and the `mcpServers` of `session/new` again"));
        }
        let config = self.providers.config(Some(kept))?;
        Ok(OpenedSession::new(Session { servers, cwd, ..session }).config(config))
    }

    // C.8 session/set_config_option: the runtime serves it, and this function sees each change.

    #[on_change(Config::MODEL)]
    async fn switch_model(&self, change: Change<Choice>, config: &mut Config) -> Result<()> {
        config.model = self.providers.switch(change.old.id(), change.new)?;
        Ok(())
    }

    // C.9 _agentao.cn/set_model

    #[ext(methods::SetModel)]
    async fn set_model(&self, request: SetModelRequest, session: SessionHandle<Config>) -> Result<SetModelResponse> {
        let model = request.model.trim().to_owned();
        let value = Providers::beside(session.config().model.id(), &model)?;
        session.update_config(|config| config.model = catalogue(&value)).await?;
        Ok(SetModelResponse::new(model))
    }

    // C.10 session/set_mode: the option `mode` is the mode of the session.
}

/// Checks what the protocol leaves to agents. Returns a number that stands for the MCP servers, with their order and all that belongs
/// to them. It is the same in each version of this program. Who has it can test guesses of a secret, and no more.
fn check(cwd: &Path, servers: &[McpServer]) -> Result<u64> {
    if !cwd.is_dir() {
        return Err(Error::invalid_params("`cwd` is no folder: name one that exists"));
    }
    let is_blank = |server| ["name", "command", "url"].iter().any(|field| json!(server)[field] == "");
    if servers.iter().any(is_blank) {
        return Err(Error::invalid_params("one of `mcpServers` has an empty `name`, `command` or `url`: fill it in"));
    }
    // FNV-1a.
    let hash = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    Ok(json!(servers).to_string().bytes().fold(0xcbf2_9ce4_8422_2325, hash))
}
