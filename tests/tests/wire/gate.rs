//! An agent that declares `needs_auth`: who gets in, and when the door is shut again.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use acp_runtime::{
    agent::{Authenticated, MethodName, RequestMeta},
    prelude::*,
};
use acp_tests::peer::Peer;
use serde_json::{Value, json};

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "mode", values("ask", "code"), default = "ask")]
    mode: String,
}

/// Counts what gets through.
#[acp_agent(
    needs_auth,
    config = Config,
    auth(agent(id = "key", name = "Key"), terminal(id = "login", name = "Log in"))
)]
#[derive(Default)]
struct Gated {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    handled: AtomicUsize,
    /// What a terminal, or another process, leaves behind.
    credentials: AtomicBool,
}

impl Gated {
    fn count(&self) {
        self.shared.handled.fetch_add(1, Ordering::SeqCst);
    }
}

#[acp_agent]
impl Gated {
    async fn initialize(&self, request: InitializeRequest) -> Initialized {
        let shared = self.shared.clone();
        let answer = Initialized::new();
        match request.client_info.as_ref().map(|info| info.name.as_str()) {
            Some("known") => answer.authenticated(true),
            Some("terminal") => answer.credentials(move || shared.credentials.load(Ordering::SeqCst)),
            _ => answer,
        }
    }

    async fn authenticate(&self, RequestMeta(meta): RequestMeta) -> Result<()> {
        if meta.is_some() { Err(Error::internal_error("the key is refused")) } else { Ok(()) }
    }

    async fn logout(&self, RequestMeta(meta): RequestMeta) -> Result<()> {
        if meta.is_some() {
            return Err(Error::internal_error("the account is not reached"));
        }
        self.shared.credentials.store(false, Ordering::SeqCst);
        Ok(())
    }

    async fn new_session(&self) {
        self.count();
    }

    async fn load_session(&self, _request: LoadSessionRequest) {
        self.count();
    }

    async fn list_sessions(&self) -> ListSessionsResponse {
        self.count();
        ListSessionsResponse::new(Vec::new())
    }

    async fn delete_session(&self) {
        self.count();
    }

    async fn close_session(&self) {}

    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        self.count();
        match request.text().as_str() {
            "expired" => {
                turn.client().set_authenticated(false);
                return Err(Error::auth_required());
            }
            "wait" => turn.cancelled().await,
            _ => {}
        }
        Ok(StopReason::EndTurn)
    }

    #[ext("_acp-tests.dev/balance")]
    async fn balance(&self, _: Authenticated) -> Vec<u32> {
        vec![42]
    }

    #[ext("_acp-tests.dev/status")]
    async fn status(&self, client: Client) -> Vec<bool> {
        vec![client.is_authenticated()]
    }

    /// As an agent does that learns by itself that a token has come.
    #[ext("_acp-tests.dev/token")]
    async fn token(&self, client: Client) {
        client.set_authenticated(true);
    }
}

async fn serve(name: &str) -> (Peer, Arc<Shared>) {
    let agent = Gated::default();
    let shared = agent.shared.clone();
    let mut peer = Peer::serve(agent);
    let params = json!({ "protocolVersion": 1, "clientInfo": { "name": name, "version": "1" } });
    peer.call("initialize", params).await.expect("an answer");
    (peer, shared)
}

/// Every request that needs authentication, for a session that may be open.
fn gated(session: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("session/new", json!({ "cwd": "/", "mcpServers": [] })),
        ("session/load", json!({ "sessionId": session, "cwd": "/", "mcpServers": [] })),
        ("session/list", json!({})),
        ("session/set_config_option", json!({ "sessionId": session, "configId": "mode", "value": "code" })),
        ("session/set_mode", json!({ "sessionId": session, "modeId": "ask" })),
        ("session/prompt", acp_tests::peer::prompt(session, "hello")),
        ("_acp-tests.dev/balance", json!({})),
        ("session/delete", json!({ "sessionId": session })),
    ]
}

async fn all_refused(peer: &mut Peer, session: &str) {
    for (method, params) in gated(session) {
        assert_eq!(peer.call(method, params).await.expect_err("a refusal").code, -32000, "{method}");
    }
}

async fn authenticate(peer: &mut Peer) {
    assert_eq!(peer.call("authenticate", json!({ "methodId": "key" })).await, Ok(json!({})));
}

// AUTH-04, AUTH-05
#[tokio::test]
async fn sessions_are_for_clients_that_have_authenticated() {
    let (mut peer, shared) = serve("new").await;
    all_refused(&mut peer, "s").await;
    assert_eq!(shared.handled.load(Ordering::SeqCst), 0, "no handler runs");
    let refused = peer.call("authenticate", json!({ "methodId": "key", "_meta": {} })).await.unwrap_err();
    assert_eq!(refused.code, -32603);
    all_refused(&mut peer, "s").await;
    authenticate(&mut peer).await;
    let id = peer.new_session().await;
    for (method, params) in gated(&id) {
        peer.call(method, params).await.unwrap_or_else(|refusal| panic!("{method}: {refusal:?}"));
    }
}

// AUTH-07
#[tokio::test]
async fn a_logout_shuts_the_door_for_open_sessions_and_their_options_too() {
    let (mut peer, _) = serve("new").await;
    authenticate(&mut peer).await;
    let (id, other) = (peer.new_session().await, peer.new_session().await);
    let running = peer.prompt(&other, "wait").await;
    assert_eq!(peer.call("logout", json!({ "_meta": {} })).await.unwrap_err().code, -32603);
    assert_eq!(peer.turn(&id, "hello").await, "end_turn", "a logout that failed shuts nothing");
    assert_eq!(peer.call("logout", json!({})).await, Ok(json!({})));
    all_refused(&mut peer, &id).await;
    assert_eq!(peer.call("_acp-tests.dev/status", json!({})).await, Ok(json!([false])));
    peer.cancel(&other).await;
    assert_eq!(peer.stop_reason(running).await, "cancelled", "what runs can still be cancelled");
    assert_eq!(peer.call("session/close", json!({ "sessionId": other })).await, Ok(json!({})));
    authenticate(&mut peer).await;
    assert_eq!(peer.turn(&id, "hello").await, "end_turn", "the session is as it was");
}

#[tokio::test]
async fn an_agent_that_has_credentials_lets_every_client_in() {
    let (mut peer, _) = serve("known").await;
    peer.new_session().await;
    assert_eq!(peer.call("logout", json!({})).await, Ok(json!({})));
    all_refused(&mut peer, "s").await;
}

// AUTH-02
#[tokio::test]
async fn a_login_in_a_terminal_opens_the_door() {
    let (mut peer, shared) = serve("terminal").await;
    all_refused(&mut peer, "s").await;
    shared.credentials.store(true, Ordering::SeqCst);
    peer.new_session().await;
    assert_eq!(peer.call("logout", json!({})).await, Ok(json!({})));
    all_refused(&mut peer, "s").await;
}

#[tokio::test]
async fn an_agent_opens_and_shuts_the_door_by_itself() {
    let (mut peer, _) = serve("new").await;
    peer.call("_acp-tests.dev/token", json!({})).await.expect("an answer");
    let id = peer.new_session().await;
    let turn = peer.prompt(&id, "expired").await;
    assert_eq!(peer.answer(turn).await.unwrap_err().code, -32000);
    all_refused(&mut peer, &id).await;
}

#[tokio::test]
async fn a_method_without_a_handler_is_unknown_behind_a_shut_door_too() {
    let (mut peer, _) = serve("new").await;
    let resume = json!({ "sessionId": "s", "cwd": "/" });
    assert_eq!(peer.call("session/resume", resume).await.unwrap_err().code, -32601);
    assert_eq!(peer.call("session/nonsense", json!({})).await.unwrap_err().code, -32601);
}

/// Handles methods that the schema does not know, or for which it has no other handler.
#[acp_agent(needs_auth, auth(agent(id = "key", name = "Key")))]
#[derive(Clone)]
struct Wide;

#[acp_agent]
impl Wide {
    async fn authenticate(&self) {}

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[method("session/set_model")]
    async fn set_model(&self) {}

    #[method("editor/open")]
    async fn open(&self) {}

    #[method("editor/save")]
    async fn save(&self, _: Authenticated) {}

    #[fallback]
    async fn others(&self, method: MethodName) -> Value {
        if *method == *"session/set_config_option" { json!({ "configOptions": [] }) } else { json!({}) }
    }
}

#[tokio::test]
async fn methods_of_sessions_that_the_schema_does_not_know_are_behind_the_door_too() {
    let mut peer = Peer::serve(Wide);
    peer.initialize(json!({})).await;
    let shut = [
        "session/set_model",
        "session/set_mode",
        "session/set_config_option",
        "session/delete",
        "session/nonsense",
        "editor/save",
    ];
    for method in shut {
        assert_eq!(peer.call(method, json!({})).await.unwrap_err().code, -32000, "{method}");
    }
    for method in ["editor/open", "_acp-tests.dev/any"] {
        assert!(peer.call(method, json!({})).await.is_ok(), "{method}");
    }
    authenticate(&mut peer).await;
    for method in shut {
        assert!(peer.call(method, json!({})).await.is_ok(), "{method}");
    }
}
