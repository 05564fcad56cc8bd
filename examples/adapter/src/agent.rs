//! Who the agent is, and the life of its sessions.
//!
//! The core keeps the conversations. What each handler of a session needs is the shared part of the session: the
//! sender of the conversation's operations. Only a turn reads the events, so they are the session's own state.

use std::{env, path::PathBuf};

use acp_runtime::{
    prelude::*,
    values::{AuthMethodAgent, AvailableCommand, ToolCall},
};
use serde::Deserialize;

use crate::{
    core::{Conversation, Core, Events, Op, Rollout},
    options::Config,
};

/// Serves the conversations of a core.
#[acp_agent(
    name = "adapter", title = "Adapter", config = Config, session = Events, shared = Conversation,
    turns = "steer", needs_auth, lenient(mcp_servers, content, paths)
)]
#[derive(Default)]
pub(crate) struct Adapter {
    pub(crate) core: Core,
}

/// The params of a method that the schema does not have any more. Some clients still call it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SetModel {
    model_id: String,
}

type Opening = OpenedSession<Events, Config, Conversation>;

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

    async fn new_session(&self, request: NewSessionRequest, id: &SessionId) -> Result<Opening> {
        self.open(id, request.cwd)
    }

    async fn load_session(&self, request: LoadSessionRequest, replay: Replay) -> Result<Opening> {
        let id = request.session_id;
        let kept = self.core.rollouts().get(id.as_ref()).cloned();
        let exchanges = kept.ok_or_else(|| Error::session_not_found(id.as_ref()))?.exchanges;
        for (turn, exchange) in exchanges.into_iter().enumerate() {
            replay.user(exchange.input).await?;
            for (call, command) in exchange.commands.into_iter().enumerate() {
                let call = ToolCall::new(format!("{turn}-{call}"), command);
                replay.update(call.kind(ToolKind::Execute).status(ToolCallStatus::Completed)).await?;
            }
            replay.agent(exchange.answer).await?;
        }
        self.open(&id, request.cwd)
    }

    async fn list_sessions(&self) -> ListSessionsResponse {
        let rollouts = self.core.rollouts();
        let info = |(id, rollout): (&String, &Rollout)| {
            let title = rollout.exchanges.first().map(|exchange| exchange.input.clone());
            SessionInfo::new(id.clone(), rollout.cwd.clone()).title(title)
        };
        ListSessionsResponse::new(rollouts.iter().map(info).collect::<Vec<_>>())
    }

    async fn close_session(&self) {}

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
    async fn configure(&self, changes: Changes<Config>, State(core): State<Conversation>) {
        core.submit(Op::Configure(changes.after().settings()));
    }

    #[method("session/set_model")]
    async fn set_model(&self, params: SetModel, session: SessionHandle<Config>) -> Result<()> {
        if !session.config().model.offers(&params.model_id) {
            return Err(Error::invalid_params(format!("there is no model `{}`", params.model_id)));
        }
        session.update_config(|config| config.model.select(&params.model_id)).await
    }
}

impl Adapter {
    fn open(&self, id: &SessionId, cwd: PathBuf) -> Result<Opening> {
        let config = Config::of(&self.core.models.borrow())?;
        let (conversation, events) = self.core.open(id.as_ref(), cwd);
        conversation.submit(Op::Configure(config.settings()));
        Ok(OpenedSession::new(events).shared(conversation).config(config))
    }
}
