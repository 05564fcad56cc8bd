//! A client and an agent that is written by hand: each line of the client, and its reaction to each line of the agent.
//! Areas such as INIT are those of the page `acp_client::requirements`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asked;
mod cancel;
mod envelopes;
mod opening;
mod sessions;
mod settings;
mod updates;

use std::time::Duration;

use acp_client::{
    Connection, Endpoint, Handlers, Result, Session, acp_client,
    transport::memory::{self, Lines},
};
use serde_json::{Value, json};
use tokio::time::timeout;

const SOON: Duration = Duration::from_secs(20);

/// An agent that is written by hand.
struct Agent(Lines);

impl Agent {
    /// The next line of the client.
    async fn line(&mut self) -> Option<String> {
        timeout(SOON, self.0.next_line()).await.expect("the client says something").unwrap()
    }

    async fn next(&mut self) -> Value {
        serde_json::from_str(&self.line().await.expect("the client is there")).unwrap()
    }

    async fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        self.say(&message.to_string()).await;
    }

    async fn say(&mut self, line: &str) {
        self.0.send(line).await.unwrap();
    }

    /// Answers the client's next message, which is a request. Returns it.
    async fn answer(&mut self, result: Value) -> Value {
        let request = self.next().await;
        assert!(request["method"].is_string() && !request["id"].is_null(), "no request: {request}");
        self.send(json!({ "id": request["id"], "result": result })).await;
        request
    }

    async fn refuse(&mut self, code: i64) -> Value {
        let request = self.next().await;
        self.send(json!({ "id": request["id"], "error": { "code": code, "message": "no" } })).await;
        request
    }

    /// Asks the client. Returns its answer.
    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(json!({ "id": "asked", "method": method, "params": params })).await;
        let answer = self.next().await;
        assert_eq!(answer["id"], "asked", "{answer}");
        answer
    }

    async fn update(&mut self, update: Value) {
        let params = json!({ "sessionId": "s", "update": update });
        self.send(json!({ "method": "session/update", "params": params })).await;
    }

    /// Checks that the client has sent no line that the test has not read.
    async fn hears_nothing(&mut self) {
        let answer = self.ask("_nobody/has_this", json!({})).await;
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
    }
}

/// A client without handlers of its own.
struct Nothing;

#[acp_client]
impl Nothing {}

/// Connects to an agent with this answer to `initialize`. If the answer has no version, the function adds version 1.
async fn connect_as(client: impl Handlers, mut hello: Value) -> (Result<Connection>, Agent) {
    let (near, far) = memory::pair();
    let mut agent = Agent(far.into_lines());
    if hello["protocolVersion"].is_null() {
        hello["protocolVersion"] = 1.into();
    }
    let (connection, _) = tokio::join!(Endpoint::over(near).connect_as(client), agent.answer(hello));
    (connection, agent)
}

/// Connects to an agent with these capabilities, and opens the session `s`.
async fn open_as(client: impl Handlers, capabilities: Value) -> (Connection, Session, Agent) {
    let (connection, mut agent) = connect_as(client, json!({ "agentCapabilities": capabilities })).await;
    let connection = connection.unwrap();
    let session = open(&connection, &mut agent, json!({ "sessionId": "s" })).await;
    (connection, session, agent)
}

async fn open(connection: &Connection, agent: &mut Agent, answer: Value) -> Session {
    let (session, _) = tokio::join!(connection.new_session("/project"), agent.answer(answer));
    session.unwrap()
}
