//! A handler of `initialize`: what it adds to the answer, and what it cannot change.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use acp_runtime::{
    agent::RequestMeta,
    prelude::*,
    values::{AuthMethodAgent, AuthMethodTerminal},
};
use acp_tests::peer::Peer;
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Says of itself what the client's `_meta` asks for.
#[acp_agent(
    title = "Declared",
    version = "1.0.0",
    auth(agent(id = "key", name = "Key"), terminal(id = "login", name = "Log in")),
    capabilities(audio),
    ext_listing = "_acp-tests.dev/extensions"
)]
#[derive(Clone, Default)]
struct Open {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    initialized: AtomicUsize,
    go: Notify,
}

#[acp_agent]
impl Open {
    async fn initialize(&self, request: InitializeRequest, meta: RequestMeta, client: Client) -> Result<Initialized> {
        self.shared.initialized.fetch_add(1, Ordering::SeqCst);
        assert!(!client.can_read_files(), "nothing may be asked of the client before the answer");
        let wanted = meta.0.unwrap_or_default();
        let answer = Initialized::new();
        match wanted.get("want").and_then(Value::as_str) {
            Some("wait") => {
                self.shared.go.notified().await;
                Ok(answer.title("Waited"))
            }
            Some("fail") => Err(Error::internal_error("no model is there")),
            Some("name") => Ok(answer
                .name(format!("for-{}", request.client_info.map(|info| info.name).unwrap_or_default()))
                .title("At run time")
                .version("2.0.0")),
            Some("ways") => Ok(answer
                .auth_method(AuthMethodAgent::new("account", "Account"))
                .auth_methods([AuthMethodTerminal::new("login", "Log in now"), AuthMethodTerminal::new("sso", "SSO")])),
            Some("meta") => Ok(answer.meta("acp-tests.dev/build", 7).meta("_acp-tests.dev/extensions", "mine")),
            _ => Ok(answer),
        }
    }

    async fn authenticate(&self, _request: AuthenticateRequest) {}

    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(turn.client().can_read_files().to_string()).await?;
        Ok(StopReason::EndTurn)
    }

    /// Does nothing.
    #[ext("_acp-tests.dev/nothing")]
    async fn nothing(&self) {}
}

fn wanting(want: &str) -> Value {
    json!({
        "protocolVersion": 1,
        "clientCapabilities": { "fs": { "readTextFile": true } },
        "clientInfo": { "name": "editor", "version": "3" },
        "_meta": { "want": want },
    })
}

async fn answered(want: &str) -> (Peer, Value) {
    let mut peer = Peer::serve(Open::default());
    let answer = peer.call("initialize", wanting(want)).await.expect("an answer");
    (peer, answer)
}

#[tokio::test]
async fn a_handler_of_initialize_says_who_the_agent_is() {
    let (_, answer) = answered("name").await;
    assert_eq!(answer["agentInfo"], json!({ "name": "for-editor", "title": "At run time", "version": "2.0.0" }));
    let (_, answer) = answered("nothing").await;
    assert_eq!(answer["agentInfo"], json!({ "name": "open", "title": "Declared", "version": "1.0.0" }));
}

#[tokio::test]
async fn a_handler_of_initialize_cannot_change_what_is_inferred() {
    let (mut peer, answer) = answered("meta").await;
    assert_eq!(answer["protocolVersion"], 1);
    assert_eq!(answer["agentCapabilities"]["promptCapabilities"]["audio"], true);
    assert_eq!(answer["_meta"]["acp-tests.dev/build"], 7);
    assert_eq!(answer["_meta"]["_acp-tests.dev/extensions"][0]["name"], "_acp-tests.dev/nothing");
    let id = peer.new_session().await;
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "true", "the client's capabilities count from the answer on");
}

// AUTH-01, AUTH-02, AUTH-10
#[tokio::test]
async fn ways_to_authenticate_may_be_known_at_run_time_only() {
    let (mut peer, answer) = answered("ways").await;
    let (key, account) = (json!({ "id": "key", "name": "Key" }), json!({ "id": "account", "name": "Account" }));
    assert_eq!(answer["authMethods"], json!([key, account]), "this client has no terminal for the others");
    for id in ["key", "account"] {
        assert_eq!(peer.call("authenticate", json!({ "methodId": id })).await, Ok(json!({})), "{id}");
    }
    for id in ["login", "sso", "nonsense"] {
        assert_eq!(peer.call("authenticate", json!({ "methodId": id })).await.unwrap_err().code, -32602, "{id}");
    }

    let mut peer = Peer::serve(Open::default());
    let mut params = wanting("ways");
    params["clientCapabilities"] = json!({ "auth": { "terminal": true } });
    let answer = peer.call("initialize", params).await.expect("an answer");
    let ways: Vec<_> = answer["authMethods"].as_array().expect("a list").iter().map(|way| &way["name"]).collect();
    assert_eq!(ways, ["Key", "Log in now", "Account", "SSO"], "a way takes the place of the one with its id");
    for id in ["login", "sso"] {
        assert_eq!(peer.call("authenticate", json!({ "methodId": id })).await.unwrap_err().code, -32602, "{id}");
    }
}

// INIT-12
#[tokio::test]
async fn nothing_is_served_before_a_waiting_initialize_is_answered() {
    let agent = Open::default();
    let shared = agent.shared.clone();
    let mut peer = Peer::serve(agent);
    let first = peer.request("initialize", wanting("wait")).await;
    let new = || json!({ "cwd": "/", "mcpServers": [] });
    assert_eq!(peer.call("session/new", new()).await.unwrap_err().code, -32600);
    assert_eq!(peer.call("initialize", wanting("name")).await.unwrap_err().code, -32600, "one at a time");
    shared.go.notify_one();
    assert_eq!(peer.answer(first).await.expect("an answer")["agentInfo"]["title"], "Waited");
    peer.call("session/new", new()).await.expect("a session");
    assert_eq!(peer.call("initialize", wanting("name")).await.unwrap_err().code, -32600);
    assert_eq!(shared.initialized.load(Ordering::SeqCst), 1, "a refused `initialize` does not reach the handler");
}

/// Some clients do not wait for the answer.
#[tokio::test]
async fn a_session_may_be_asked_for_right_behind_an_initialize_that_does_not_wait() {
    let mut peer = Peer::serve(Open::default());
    let (first, initialize) = peer.request_message("initialize", wanting("name"));
    let (second, new) = peer.request_message("session/new", json!({ "cwd": "/", "mcpServers": [] }));
    peer.send_together(&[initialize, new]).await;
    assert!(peer.answer(first).await.is_ok());
    assert!(peer.answer(second).await.is_ok());
}

#[tokio::test]
async fn an_initialize_that_failed_or_was_withdrawn_can_be_tried_again() {
    let mut peer = Peer::serve(Open::default());
    assert_eq!(peer.call("initialize", wanting("fail")).await.unwrap_err().message, "no model is there");
    let waiting = peer.request("initialize", wanting("wait")).await;
    peer.notify("$/cancel_request", json!({ "requestId": waiting })).await;
    assert_eq!(peer.answer(waiting).await.unwrap_err().code, -32800);
    assert_eq!(peer.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await.unwrap_err().code, -32600);
    peer.call("initialize", wanting("name")).await.expect("an answer");
    peer.new_session().await;
}

/// Offers what it cannot carry out.
#[acp_agent]
#[derive(Clone)]
struct Boastful;

#[acp_agent]
impl Boastful {
    async fn initialize(&self) -> Initialized {
        Initialized::new().auth_method(AuthMethodAgent::new("key", "Key"))
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[tokio::test]
async fn a_way_that_nobody_carries_out_is_not_offered() {
    let mut peer = Peer::serve(Boastful);
    let refused = peer.call("initialize", wanting("nothing")).await.unwrap_err();
    assert_eq!(refused.code, -32603);
    assert!(refused.message.contains("`authenticate`"), "{refused:?}");
}
