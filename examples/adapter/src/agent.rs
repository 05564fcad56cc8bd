//! Who the agent is, and the life of its sessions.
//!
//! What each handler of a session needs is the shared part of the session: the sender of the conversation's operations.
//! Only a turn reads the events, so they are the session's own state. The store keeps what was said, and the core's own
//! view of the conversation.

use std::{env, sync::Arc};

use acp_runtime::{
    prelude::*,
    store::{Kept, MemoryStore},
    values::{AuthMethodAgent, AvailableCommand},
};
use serde::{Deserialize, Serialize};

use crate::{
    core::{Conversation, Core, Events, Op, Rollout},
    options::Config,
};

/// Serves the conversations of a core.
#[acp_agent(
    name = "adapter", title = "Adapter", config = Config, session = Session, shared = Conversation, store = store,
    turns = "steer", needs_auth, lenient(mcp_servers, content, paths)
)]
#[derive(Clone, Default)]
pub(crate) struct Adapter {
    pub(crate) core: Core,
    store: Arc<MemoryStore>,
}

/// A conversation between its turns.
#[derive(Serialize)]
pub(crate) struct Session {
    /// A stream cannot be kept: `restore_session` opens another one.
    #[serde(skip)]
    pub(crate) events: Events,
    #[serde(flatten)]
    pub(crate) rollout: Rollout,
}

/// The params of a method that the schema does not have any more. Some clients still call it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SetModel {
    model_id: String,
}

type Opening = OpenedSession<Session, Config, Conversation>;

#[acp_agent(parts(turn, commands))]
impl Adapter {
    async fn initialize(&self) -> Initialized {
        let key = env::var("ADAPTER_API_KEY").ok();
        let answer = Initialized::new().version(env!("CARGO_PKG_VERSION")).authenticated(key.is_some());
        self.core.account.send_replace(key);
        match env::var_os("NO_BROWSER") {
            Some(_) => answer,
            None => answer.auth_method(AuthMethodAgent::new("browser", "Sign in with the browser")),
        }
        .auth_method(AuthMethodAgent::new("api-key", "Use the key in ADAPTER_API_KEY"))
    }

    async fn authenticate(&self, request: AuthenticateRequest) -> Result<()> {
        let key = match request.method_id.as_ref() {
            "api-key" => {
                env::var("ADAPTER_API_KEY").map_err(|_| Error::invalid_params("`ADAPTER_API_KEY` is not set"))?
            }
            _ => "from the browser".to_owned(),
        };
        self.core.account.send_replace(Some(key));
        Ok(())
    }

    async fn logout(&self) {
        self.core.account.send_replace(None);
    }

    async fn new_session(&self) -> Result<Opening> {
        self.open(Rollout::default(), Config::of(&self.core.models.borrow())?)
    }

    async fn restore_session(&self, kept: Kept) -> Result<Opening> {
        let mut config = Config::of(&self.core.models.borrow())?;
        config.restore_options(&kept.options)?;
        self.open(kept.state.map_or_else(|| Ok(Rollout::default()), |state| state.read())?, config)
    }

    /// Tells which commands there are besides the declared ones, and follows the catalogue for as long as the session lives.
    async fn session_opened(&self, session: SessionHandle<Config>) -> Result<()> {
        session.commands([AvailableCommand::new("standup", "A prompt of your own: what happened yesterday")]).await?;
        let mut models = self.core.models.subscribe();
        // It may have changed since the session was opened.
        models.mark_changed();
        while models.changed().await.is_ok() {
            let models = models.borrow_and_update().clone();
            session.update_config(|config| config.offer(&models)).await?;
        }
        Ok(())
    }

    /// The core takes model, effort and approval in one operation.
    #[on_change]
    async fn configure(&self, changes: Changes<Config>, Shared(core): Shared<Conversation>) {
        core.submit(Op::Configure(changes.after().settings()));
    }

    #[method("session/set_model")]
    async fn set_model(&self, params: SetModel, session: SessionHandle<Config>) -> Result<()> {
        session.set_for_client(Config::MODEL, params.model_id).await
    }
}

impl Adapter {
    fn open(&self, rollout: Rollout, config: Config) -> Result<Opening> {
        let (conversation, events) = self.core.open(rollout.clone());
        conversation.submit(Op::Configure(config.settings()));
        Ok(OpenedSession::new(Session { events, rollout }).shared(conversation).config(config))
    }
}
