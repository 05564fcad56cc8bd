//! Each wait of a client ends: whatever the agent sends, and whatever it keeps to itself. The tests speak for the agent,
//! line by line.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod cancel;
mod ends;
mod limits;
mod lists;
mod login;
mod permissions;
mod released;
mod sessions;
mod silence;
mod too_long;
mod unread;

use std::time::Duration;

use acp_client::{
    Call, ConnectOptions, Connection, Endpoint, Handlers, Session,
    transport::memory::{self, Lines},
    values::ClientCapabilities,
};
use serde_json::{Value, json};
use tokio::time::timeout;

/// A wait that takes longer has no bound. Most of these tests stop the clock.
const LONG: Duration = Duration::from_secs(3600);

async fn soon<T>(work: impl Future<Output = T>) -> T {
    timeout(LONG, work).await.expect("the wait has a bound")
}

/// A client without handlers.
struct Plain;

impl Handlers for Plain {
    fn capabilities() -> ClientCapabilities {
        ClientCapabilities::new()
    }

    fn call(call: Call<'_, Self>) {
        call.unhandled();
    }
}

/// The agent's end of a connection.
struct Agent(Lines);

impl Agent {
    async fn next(&mut self) -> Value {
        let line = soon(self.0.next_line()).await.unwrap().expect("the client is there");
        serde_json::from_str(&line).unwrap()
    }

    async fn send(&mut self, message: Value) {
        self.0.send(&message.to_string()).await.unwrap();
    }

    /// Answers the next request, and returns it.
    async fn answer(&mut self, result: Value) -> Value {
        let request = self.next().await;
        self.send(json!({"jsonrpc": "2.0", "id": request["id"], "result": result})).await;
        request
    }

    async fn update(&mut self, text: &str) {
        self.send(json!({"jsonrpc": "2.0", "method": "session/update", "params": chunk("s", text)})).await;
    }

    async fn ask_permission(&mut self) {
        let params = json!({
            "sessionId": "s",
            "toolCall": {"toolCallId": "c", "title": "delete all"},
            "options": [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}],
        });
        self.send(json!({"jsonrpc": "2.0", "id": "p", "method": "session/request_permission", "params": params})).await;
    }
}

fn chunk(session: &str, text: &str) -> Value {
    let update = json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}});
    json!({"sessionId": session, "update": update})
}

async fn connect(client: impl Handlers, options: ConnectOptions) -> (Connection, Agent) {
    let (near, far) = memory::pair();
    let mut agent = Agent(far.into_lines());
    let capabilities = json!({
        "loadSession": true,
        "sessionCapabilities": {"list": {}, "close": {}, "delete": {}},
    });
    let answer = agent.answer(json!({"protocolVersion": 1, "agentCapabilities": capabilities}));
    let (connection, _) = tokio::join!(Endpoint::over(near).options(options).connect_as(client), answer);
    (connection.unwrap(), agent)
}

/// The same with the session `s`.
async fn open(client: impl Handlers, options: ConnectOptions) -> (Connection, Session, Agent) {
    let (connection, mut agent) = connect(client, options).await;
    let session = new_session(&connection, &mut agent, "s").await;
    (connection, session, agent)
}

async fn new_session(connection: &Connection, agent: &mut Agent, id: &str) -> Session {
    let (session, _) = tokio::join!(connection.new_session("/tmp"), agent.answer(json!({"sessionId": id})));
    session.unwrap()
}
