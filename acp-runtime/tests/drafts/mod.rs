//! The drafts of the protocol, with the feature `unstable`:
//! `cargo test -p acp-agent-runtime --features unstable --test main drafts::`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fields;
mod fork;
mod methods;
mod usage;

use acp_runtime::{
    __private::Threaded,
    agent::{Handlers, Serve},
    transport::{
        Context, Limits, Transport,
        memory::{self, Lines},
    },
};
use serde_json::{Value, json};

/// A client that sends what a test writes.
struct Client {
    lines: Lines,
    /// The answer to `initialize`.
    agent: Value,
}

impl Client {
    async fn of<A: Handlers<Threading = Threaded>>(agent: A) -> Self {
        Self::with(agent, Context::new()).await
    }

    /// Over a transport with this context.
    async fn with<A: Handlers<Threading = Threaded>>(agent: A, context: Context) -> Self {
        let (client, transport) = memory::pair();
        tokio::spawn(agent.serve(transport.with_context(context), Limits::default()));
        let mut client = Self { lines: client.into_lines(), agent: Value::Null };
        client.agent = client.call("initialize", json!({ "protocolVersion": 1 })).await;
        client
    }

    async fn send(&mut self, message: &Value) {
        self.lines.send(&message.to_string()).await.expect("the agent reads");
    }

    async fn message(&mut self) -> Value {
        let line = self.lines.next_line().await.expect("a line").expect("a message");
        serde_json::from_str(&line).expect("JSON")
    }

    /// The answer to a request, behind all notifications before it.
    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": method, "method": method, "params": params })).await;
        loop {
            let answer = self.message().await;
            if answer["id"] == method {
                return answer;
            }
        }
    }

    async fn call(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.ask(method, params).await;
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].take()
    }

    /// The code of the error that a request is answered.
    async fn refused(&mut self, method: &str, params: Value) -> i64 {
        let answer = self.ask(method, params).await;
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("`{method}` was answered {answer}"))
    }

    /// The id of a new session.
    async fn open(&mut self) -> Value {
        self.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await["sessionId"].take()
    }

    /// A capability of the agent, by its JSON pointer.
    fn capability(&self, pointer: &str) -> Option<&Value> {
        self.agent["agentCapabilities"].pointer(pointer)
    }
}
