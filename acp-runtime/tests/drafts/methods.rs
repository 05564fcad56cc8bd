//! Each method of agents that is a draft: with a handler it is served and advertised, and without one it is neither.

use std::sync::{Arc, Mutex};

use acp_runtime::{
    prelude::*,
    schema::{
        Method, Side,
        v1::{
            ArchiveSessionRequest, AuthState, AuthStatusRequest, AuthStatusResponse, DisableProviderRequest,
            ForkSessionRequest, ListProvidersRequest, ListProvidersResponse, MessageMcpNotification,
            SessionStatusRequest, SessionStatusResponse, SetProviderRequest, SetSessionTitleRequest,
            SetSessionTitleResponse, UnarchiveSessionRequest, methods,
        },
    },
    session::Ended,
};
use serde_json::{Value, json};

use super::Client;

/// What the handlers were called with.
type Heard = Arc<Mutex<Vec<String>>>;

#[acp_agent(needs_auth, auth(agent(id = "key", name = "Key")))]
#[derive(Clone, Default)]
struct Every {
    heard: Heard,
}

impl Every {
    fn hear(&self, what: impl Into<String>) {
        self.heard.lock().unwrap().push(what.into());
    }
}

#[acp_agent]
impl Every {
    async fn authenticate(&self) {}

    async fn prompt(&self, turn: Turn<Self>) -> StopReason {
        turn.cancelled().await;
        StopReason::EndTurn
    }

    async fn list_sessions(&self) -> ListSessionsResponse {
        ListSessionsResponse::new(Vec::new())
    }

    async fn session_ended(&self, ended: Ended) {
        self.hear(format!("{ended:?}"));
    }

    #[draft]
    async fn auth_status(&self, _: AuthStatusRequest) -> AuthStatusResponse {
        AuthStatusResponse::new(AuthState::Unauthenticated)
    }

    #[draft]
    async fn list_providers(&self, _: ListProvidersRequest) -> ListProvidersResponse {
        ListProvidersResponse::new(Vec::new())
    }

    #[draft]
    async fn set_provider(&self, request: SetProviderRequest) -> Result<()> {
        self.hear(request.base_url);
        Ok(())
    }

    #[draft]
    async fn disable_provider(&self, request: DisableProviderRequest) {
        self.hear(request.provider_id.to_string());
    }

    #[draft]
    async fn archive_session(&self, request: ArchiveSessionRequest) -> Result<()> {
        match request.session_id.as_ref() {
            "unknown" => Err(Error::session_not_found("unknown")),
            _ => {
                self.hear("archived");
                Ok(())
            }
        }
    }

    #[draft]
    async fn unarchive_session(&self, request: UnarchiveSessionRequest) {
        self.hear(request.session_id.to_string());
    }

    #[draft]
    async fn session_status(&self, request: SessionStatusRequest) -> Result<SessionStatusResponse> {
        Err(Error::session_not_found(request.session_id.as_ref()))
    }

    #[draft]
    async fn set_session_title(
        &self,
        request: SetSessionTitleRequest,
        session: SessionHandle<Self>,
    ) -> Result<SetSessionTitleResponse> {
        session.info(SessionInfoUpdate::new().title(request.title.clone())).await?;
        Ok(SetSessionTitleResponse::new(request.title))
    }

    #[draft]
    async fn fork_session(&self, request: ForkSessionRequest) -> Result<()> {
        self.hear(request.session_id.to_string());
        Ok(())
    }

    #[draft]
    async fn message_mcp_notification(&self, notification: MessageMcpNotification) {
        self.hear(notification.method);
    }
}

#[acp_agent]
#[derive(Clone)]
struct Least;

#[acp_agent]
impl Least {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

/// The requests of drafts, each with the capability that tells of it, and params that fit.
fn drafts() -> [(&'static str, &'static str, Value); 9] {
    fn name<M: Method>() -> &'static str {
        assert_eq!(M::SIDE, Side::Agent);
        M::NAME
    }
    let session = json!({ "sessionId": "s" });
    let provider = json!({ "providerId": "p", "apiType": "openai", "baseUrl": "http://here" });
    [
        (name::<methods::AuthStatus>(), "/auth/status", json!({})),
        (name::<methods::ListProviders>(), "/providers", json!({})),
        (name::<methods::SetProvider>(), "/providers", provider),
        (name::<methods::DisableProvider>(), "/providers", json!({ "providerId": "p" })),
        (name::<methods::ArchiveSession>(), "/sessionCapabilities/archive", session.clone()),
        (name::<methods::UnarchiveSession>(), "/sessionCapabilities/archive", session.clone()),
        (name::<methods::SessionStatus>(), "/sessionCapabilities/status", session),
        (name::<methods::SetSessionTitle>(), "/sessionCapabilities/title", json!({ "sessionId": "s", "title": "t" })),
        (name::<methods::ForkSession>(), "/sessionCapabilities/fork", json!({ "sessionId": "s", "cwd": "/" })),
    ]
}

#[tokio::test(flavor = "current_thread")]
async fn a_draft_without_a_handler_is_not_advertised_and_not_found() {
    let mut client = Client::of(Least).await;
    for (method, capability, params) in drafts() {
        assert_eq!(client.capability(capability), None, "{method}");
        assert_eq!(client.refused(method, params).await, -32601, "{method}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_draft_with_a_handler_is_advertised_and_decoded() {
    let mut client = Client::of(Every::default()).await;
    client.call("authenticate", json!({ "methodId": "key" })).await;
    for (method, capability, _) in drafts() {
        assert_eq!(client.capability(capability), Some(&json!({})), "{method}");
        assert_eq!(client.refused(method, json!([])).await, -32602, "{method}");
    }
    for (method, _, params) in drafts().into_iter().filter(|(_, _, params)| *params != json!({})) {
        assert_eq!(client.refused(method, json!({})).await, -32602, "{method} takes {params}");
    }
}

/// The methods of sessions need a login. That which tells of the login does not, and neither do those of providers.
#[tokio::test(flavor = "current_thread")]
async fn the_drafts_of_sessions_need_a_login() {
    let mut client = Client::of(Every::default()).await;
    for (method, _, params) in drafts() {
        let answer = client.ask(method, params).await;
        let needs = method.starts_with("session/");
        assert_eq!(answer["error"]["code"] == -32000, needs, "{method}: {answer}");
    }
    assert_eq!(client.call("auth/status", json!({})).await, json!({ "state": "unauthenticated" }));
}

#[tokio::test(flavor = "current_thread")]
async fn what_handlers_answer_is_the_answer() {
    let agent = Every::default();
    let mut client = Client::of(agent.clone()).await;
    client.call("authenticate", json!({ "methodId": "key" })).await;
    assert_eq!(client.call("providers/list", json!({})).await, json!({ "providers": [] }));
    let provider = json!({ "providerId": "p", "apiType": "openai", "baseUrl": "http://here" });
    assert_eq!(client.call("providers/set", provider).await, json!({}));
    assert_eq!(client.call("providers/disable", json!({ "providerId": "p" })).await, json!({}));
    assert_eq!(client.call("session/unarchive", json!({ "sessionId": "s" })).await, json!({}));
    let status = client.ask("session/status", json!({ "sessionId": "s" })).await;
    assert_eq!(status["error"]["code"], -32002);
    assert_eq!(status["error"]["data"], json!({ "sessionId": "s" }));
    assert_eq!(*agent.heard.lock().unwrap(), ["http://here", "p", "s"]);
}

#[tokio::test(flavor = "current_thread")]
async fn a_title_is_set_in_an_active_session() {
    let mut client = Client::of(Every::default()).await;
    client.call("authenticate", json!({ "methodId": "key" })).await;
    assert_eq!(client.refused("session/set_title", json!({ "sessionId": "s", "title": "t" })).await, -32002);
    let id = client.open().await;
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "session/set_title", "params": { "sessionId": id, "title": "t" } });
    client.send(&request).await;
    let told = client.message().await;
    assert_eq!(told["params"]["update"], json!({ "sessionUpdate": "session_info_update", "title": "t" }));
    assert_eq!(client.message().await["result"], json!({ "title": "t" }));
}

#[tokio::test(flavor = "current_thread")]
async fn an_archived_session_ends_with_its_turn() {
    let agent = Every::default();
    let mut client = Client::of(agent.clone()).await;
    client.call("authenticate", json!({ "methodId": "key" })).await;
    assert_eq!(client.refused("session/archive", json!({ "sessionId": "unknown" })).await, -32002);
    assert_eq!(client.call("session/archive", json!({ "sessionId": "stored" })).await, json!({}));
    let id = client.open().await;
    let prompt = json!({ "sessionId": id, "prompt": [] });
    client.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": prompt })).await;
    let archive = json!({ "jsonrpc": "2.0", "id": 2, "method": "session/archive", "params": { "sessionId": id } });
    client.send(&archive).await;
    let turn = client.message().await;
    assert_eq!((&turn["id"], &turn["result"]["stopReason"]), (&json!(1), &json!("cancelled")));
    assert_eq!(client.message().await["id"], 2);
    assert_eq!(client.refused("session/prompt", json!({ "sessionId": id, "prompt": [] })).await, -32002);
    assert_eq!(*agent.heard.lock().unwrap(), ["archived", "archived", "Closed"]);
}

#[tokio::test(flavor = "current_thread")]
async fn a_notification_of_a_server_reaches_its_handler_and_a_request_does_not() {
    let agent = Every::default();
    let mut client = Client::of(agent.clone()).await;
    let params = json!({ "serverId": "m", "requestId": "1", "method": "notifications/progress" });
    client.send(&json!({ "jsonrpc": "2.0", "method": "mcp/message", "params": params })).await;
    assert_eq!(client.refused("mcp/message", params).await, -32601);
    assert_eq!(*agent.heard.lock().unwrap(), ["notifications/progress"]);
    assert_eq!(client.agent["_meta"], Value::Null);
}
