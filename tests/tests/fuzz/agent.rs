//! An agent with every handler. No handler panics.

use acp_runtime::{
    agent::RequestMeta,
    prelude::*,
    schema::v1::{Meta as MetaMap, SessionInfo},
};
use serde_json::Value;

#[acp_agent(
    auth(agent(id = "key", name = "Key")),
    capabilities(image, audio, embedded_context, mcp_http, mcp_sse, additional_directories)
)]
#[derive(Clone)]
pub(crate) struct Target {
    /// The way in which it answers.
    #[config_option(values("plain", "fancy"), default = "plain", category = "mode")]
    style: String,
    /// Answer at all.
    #[config_option(default = true)]
    talk: bool,
}

#[acp_agent]
impl Target {
    async fn new_session(&self, _request: NewSessionRequest) -> OpenedSession<(), Self> {
        OpenedSession::new(())
    }

    async fn load_session(&self, request: LoadSessionRequest, replay: Replay) -> Result<()> {
        replay.user(request.cwd.display().to_string()).await
    }

    async fn resume_session(&self, _id: &SessionId) {}

    async fn list_sessions(&self, request: ListSessionsRequest) -> ListSessionsResponse {
        ListSessionsResponse::new(
            request.cwd.map(|cwd| SessionInfo::new("stored", cwd)).into_iter().collect::<Vec<_>>(),
        )
    }

    async fn close_session(&self, _session: ClosedSession<()>) {}

    async fn delete_session(&self, _session: Option<ClosedSession<()>>) {}

    async fn authenticate(&self, _request: AuthenticateRequest) {}

    async fn logout(&self) {}

    async fn cancel(&self, _id: &SessionId) {}

    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<PromptResponse> {
        if request.text().contains("ask") {
            let call = turn.tool_call("Ask").start().await?;
            if call.ask_permission().await?.is_allowed() {
                call.complete("yes").await?;
            }
        } else if turn.config().talk {
            for block in request.prompt {
                turn.message(block).await?;
            }
        }
        Ok(PromptResponse::new(StopReason::EndTurn))
    }

    /// Returns its params and their `_meta`.
    #[ext("_fuzz.dev/echo")]
    async fn echo(&self, value: Value, RequestMeta(meta): RequestMeta) -> (Value, Option<MetaMap>) {
        (value, meta)
    }

    /// Is there.
    #[ext("_fuzz.dev/probe")]
    async fn probe(&self) {}

    /// Ignores a notification with any params.
    #[ext(notification = "_fuzz.dev/note")]
    async fn note(&self, _value: Value) {}
}
