//! Hosts on one store, each as if it were a process: a session moves from one to another, and each principal has its own sessions, also
//! after a restart.

use std::{path::Path, sync::Arc};

use acp_runtime::{
    agent::{Host, ServeOptions},
    prelude::*,
    store::SessionStore,
    transport::{
        Context, Principal, Transport,
        memory::{self, Lines},
    },
};
use acp_store_postgres::PostgresStore;
use acp_store_sqlite::SqliteStore;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::start::Server;

#[derive(Default, Serialize, Deserialize)]
struct Session {
    said: Vec<String>,
}

/// Says what was said so far.
#[acp_agent(session = Session, store = store)]
#[derive(Clone)]
struct Notebook {
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Notebook {
    async fn prompt(&self, session: &mut Session, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        session.said.push(request.text());
        turn.message(session.said.join(" ")).await?;
        if request.text() == "wait" {
            turn.cancelled().await;
        }
        Ok(StopReason::EndTurn)
    }
}

/// A client of one host.
struct Client {
    lines: Lines,
    sent: i64,
    said: String,
}

impl Client {
    async fn of(host: &Host<Notebook>, principal: Option<&str>) -> Self {
        let (client, transport) = memory::pair();
        let context = principal.map_or_else(Context::new, |name| Context::new().with(Principal::new(name)));
        tokio::spawn(host.serve(transport.with_context(context), ServeOptions::new()));
        let mut client = Self { lines: client.into_lines(), sent: 0, said: String::new() };
        client.call("initialize", json!({ "protocolVersion": 1 })).await.expect("it is an agent");
        client
    }

    async fn send(&mut self, method: &str, params: Value) -> i64 {
        self.sent += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.sent, "method": method, "params": params });
        self.lines.send(&request.to_string()).await.expect("the agent reads");
        self.sent
    }

    async fn next(&mut self) -> Value {
        let line = self.lines.next_line().await.expect("a line").expect("a message");
        let message: Value = serde_json::from_str(&line).expect("JSON");
        self.said.push_str(message["params"]["update"]["content"]["text"].as_str().unwrap_or_default());
        message
    }

    /// The result of a request, or the code of its error.
    async fn answer(&mut self, id: i64) -> Result<Value, i64> {
        loop {
            let mut message = self.next().await;
            if message["id"] == id {
                return match message["error"]["code"].as_i64() {
                    Some(code) => Err(code),
                    None => Ok(message["result"].take()),
                };
            }
        }
    }

    async fn call(&mut self, method: &str, params: Value) -> Result<Value, i64> {
        let id = self.send(method, params).await;
        self.answer(id).await
    }

    async fn new_session(&mut self) -> String {
        let opened = self.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await.expect("a session");
        opened["sessionId"].as_str().expect("an id").to_owned()
    }

    async fn load(&mut self, session: &str) -> Result<Value, i64> {
        self.call("session/load", opening(session)).await
    }

    /// What the agent answers to a prompt.
    async fn told(&mut self, session: &str, text: &str) -> Result<String, i64> {
        self.said.clear();
        self.call("session/prompt", prompt(session, text)).await?;
        Ok(std::mem::take(&mut self.said))
    }

    async fn listed(&mut self) -> Vec<String> {
        let list = self.call("session/list", json!({})).await.expect("a list");
        let ids = list["sessions"].as_array().expect("sessions").iter().map(|one| one["sessionId"].as_str());
        ids.map(|id| id.expect("an id").to_owned()).collect()
    }
}

fn opening(session: &str) -> Value {
    json!({ "sessionId": session, "cwd": "/", "mcpServers": [] })
}

fn prompt(session: &str, text: &str) -> Value {
    json!({ "sessionId": session, "prompt": [{ "type": "text", "text": text }] })
}

async fn host(open: &impl AsyncFn() -> Arc<dyn SessionStore>) -> Host<Notebook> {
    Host::new(Notebook { store: open().await })
}

/// Not found, as a code.
const UNKNOWN: i64 = -32002;

async fn each_has_its_own(open: impl AsyncFn() -> Arc<dyn SessionStore>) {
    let principals = [Some("ann"), Some("bob"), None];
    let mut sessions = Vec::new();
    {
        let host = host(&open).await;
        for principal in principals {
            let mut client = Client::of(&host, principal).await;
            let session = client.new_session().await;
            assert_eq!(client.told(&session, "one").await.as_deref(), Ok("one"));
            client.call("session/close", json!({ "sessionId": session })).await.expect("it closes");
            sessions.push(session);
        }
    }
    // Another process, later.
    let host = host(&open).await;
    for (own, principal) in principals.into_iter().enumerate() {
        let mut client = Client::of(&host, principal).await;
        assert_eq!(client.listed().await, [&*sessions[own]], "{principal:?}");
        for other in (0..3).filter(|other| *other != own) {
            let session = &sessions[other];
            for method in ["session/load", "session/resume"] {
                assert_eq!(client.call(method, opening(session)).await, Err(UNKNOWN), "{principal:?}, {method}");
            }
            assert_eq!(client.told(session, "two").await, Err(UNKNOWN), "{principal:?}");
            assert_eq!(client.call("session/close", json!({ "sessionId": session })).await, Err(UNKNOWN));
            // To delete what is not there is no error, and changes nothing.
            client.call("session/delete", json!({ "sessionId": session })).await.expect("nothing is deleted");
        }
        client.load(&sessions[own]).await.expect("it is its own");
        assert_eq!(client.told(&sessions[own], "two").await.as_deref(), Ok("one two"), "{principal:?}");
        client.call("session/close", json!({ "sessionId": sessions[own] })).await.expect("it closes");
    }
}

async fn an_idle_session_moves(open: impl AsyncFn() -> Arc<dyn SessionStore>) {
    let (one, other) = (host(&open).await, host(&open).await);
    let (mut first, mut second) = (Client::of(&one, Some("ann")).await, Client::of(&other, Some("ann")).await);
    let mut bob = Client::of(&other, Some("bob")).await;
    let session = first.new_session().await;
    assert_eq!(first.told(&session, "one").await.as_deref(), Ok("one"));
    assert_eq!(bob.load(&session).await, Err(UNKNOWN), "he does not wait for it");
    second.load(&session).await.expect("it is handed over");
    assert_eq!(second.told(&session, "two").await.as_deref(), Ok("one two"));
    assert_eq!(first.told(&session, "three").await, Err(UNKNOWN), "it is not here any more");

    // A turn keeps the session.
    let running = second.send("session/prompt", prompt(&session, "wait")).await;
    second.said.clear();
    while second.said.is_empty() {
        second.next().await;
    }
    let loading = first.send("session/load", opening(&session)).await;
    assert_eq!(first.listed().await, [&*session], "the connection does not wait");
    second
        .lines
        .send(&json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": session } }).to_string())
        .await
        .expect("the agent reads");
    assert_eq!(second.answer(running).await.expect("a turn")["stopReason"], "cancelled");
    first.answer(loading).await.expect("it is handed over behind the turn");
    assert_eq!(first.told(&session, "three").await.as_deref(), Ok("one two wait three"));
}

async fn on_file(path: &Path) -> Arc<dyn SessionStore> {
    Arc::new(SqliteStore::open(path).await.expect("the store"))
}

#[tokio::test]
async fn each_principal_has_its_own_sessions_in_a_file_also_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sessions.db");
    each_has_its_own(async || on_file(&path).await).await;
}

#[tokio::test]
async fn an_idle_session_moves_between_two_that_have_one_file_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sessions.db");
    an_idle_session_moves(async || on_file(&path).await).await;
}

async fn on_server(server: &Server, schema: &str) -> Arc<dyn SessionStore> {
    Arc::new(PostgresStore::options().schema(schema).open(&server.url()).await.expect("the server answers"))
}

#[tokio::test]
async fn each_principal_has_its_own_sessions_on_a_server_also_after_a_restart() {
    let Some(server) = Server::shared() else { return };
    each_has_its_own(async || on_server(server, "principals").await).await;
}

#[tokio::test]
async fn an_idle_session_moves_between_two_that_use_one_server() {
    let Some(server) = Server::shared() else { return };
    an_idle_session_moves(async || on_server(server, "hand_over").await).await;
}
