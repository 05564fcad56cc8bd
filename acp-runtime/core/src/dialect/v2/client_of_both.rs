//! A client for the tests, which speaks one of the versions. Its session is `s`.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    agent::{Handlers, Host, Serve, ServeOptions},
    transport::memory::{self, Lines},
};

/// A client of one of the versions.
pub(super) struct Client {
    lines: Lines,
    version: u16,
    pub(super) updates: Vec<Value>,
    next_id: u64,
}

impl Client {
    pub(super) async fn of<A: Serve<Threading = crate::agent::declaration::Threaded> + Send + Sync>(
        agent: A,
        version: u16,
    ) -> Self {
        let (near, far) = memory::pair();
        tokio::spawn(agent.serve(near, ServeOptions::default()));
        Self::over(far, version).await
    }

    /// A client of a host.
    pub(super) async fn on<A>(host: &Host<A>, version: u16) -> Self
    where
        A: Handlers<Threading = crate::agent::declaration::Threaded> + Send + Sync,
    {
        let (near, far) = memory::pair();
        tokio::spawn(host.serve(near, ServeOptions::default()));
        Self::over(far, version).await
    }

    async fn over(far: memory::Memory, version: u16) -> Self {
        let mut client = Self { lines: far.into_lines(), version, updates: Vec::new(), next_id: 0 };
        let info = json!({ "name": "client", "version": "1" });
        let params = match version {
            1 => json!({ "protocolVersion": 1 }),
            _ => json!({ "protocolVersion": 2, "info": info, "capabilities": {} }),
        };
        let initialized = client.ask("initialize", params).await;
        assert_eq!(initialized["protocolVersion"], version);
        client
    }

    pub(super) async fn open(&mut self) {
        self.ask("session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
    }

    pub(super) async fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next_id += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params });
        self.lines.send(&request.to_string()).await.unwrap();
        self.next_id
    }

    pub(super) async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        self.answer(id).await
    }

    /// The answer to this request, or the code of its error. Keeps the updates before it.
    pub(super) async fn outcome(&mut self, id: u64) -> Result<Value, i64> {
        loop {
            let message = self.next().await;
            if message["id"] == id && message["method"].is_null() {
                return message["error"]["code"].as_i64().map_or_else(|| Ok(message["result"].clone()), Err);
            }
        }
    }

    pub(super) async fn answer(&mut self, id: u64) -> Value {
        self.outcome(id).await.expect("an answer")
    }

    pub(super) async fn try_ask(&mut self, method: &str, params: Value) -> Result<Value, i64> {
        let id = self.send(method, params).await;
        self.outcome(id).await
    }

    /// Answers a request of the agent.
    pub(super) async fn respond(&mut self, id: &Value, result: Value) {
        let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
        self.lines.send(&answer.to_string()).await.unwrap();
    }

    pub(super) async fn notify(&mut self, method: &str, params: Value) {
        let notification = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.lines.send(&notification.to_string()).await.unwrap();
    }

    pub(super) async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(10), self.lines.next_line()).await;
        let message: Value = serde_json::from_str(&line.expect("a line in time").unwrap().expect("a line")).unwrap();
        if message["method"] == "session/update" {
            self.updates.push(message["params"]["update"].clone());
        }
        message
    }

    pub(super) async fn prompt(&mut self, text: &str) -> u64 {
        let params = json!({ "sessionId": "s", "prompt": [{ "type": "text", "text": text }] });
        self.send("session/prompt", params).await
    }

    /// A whole turn. Returns the answer of the prompt.
    pub(super) async fn turn(&mut self, text: &str) -> Value {
        let id = self.prompt(text).await;
        let answer = self.answer(id).await;
        while self.version == 2 && !self.updates.iter().any(|update| update["state"] == "idle") {
            self.next().await;
        }
        answer
    }

    /// The messages so far, each with its id, or null.
    pub(super) fn messages(&mut self) -> Vec<(Value, Value)> {
        let text = |update: &Value| match &update["content"] {
            Value::Array(all) => all[0]["text"].clone(),
            one => one["text"].clone(),
        };
        let updates = std::mem::take(&mut self.updates).into_iter();
        let messages = updates.filter(|update| update["sessionUpdate"].as_str().unwrap().contains("message"));
        messages.map(|update| (text(&update), update["messageId"].clone())).collect()
    }

    pub(super) async fn replay(&mut self) -> Vec<(Value, Value)> {
        match self.version {
            1 => self.ask("session/load", json!({ "sessionId": "s", "cwd": "/", "mcpServers": [] })).await,
            _ => {
                let params = json!({ "sessionId": "s", "cwd": "/", "replayFrom": { "type": "start" } });
                self.ask("session/resume", params).await
            }
        };
        self.messages()
    }
}
