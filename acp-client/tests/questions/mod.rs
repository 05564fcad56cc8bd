//! The order of questions to the user and of updates: whoever reads is asked behind the updates before the question, and
//! nobody who does not read holds a question back. The tests speak for the agent, line by line.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod ends;
mod events;
mod order;
mod waits;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use acp_client::{
    ConnectOptions, Connection, Endpoint, Handlers, Session, Turn,
    transport::memory::{self, Lines},
};
use serde_json::{Value, json};
use tokio::{sync::Notify, time::timeout};

/// A longer wait means that something hangs, even on a busy machine.
const BOUND: Duration = Duration::from_secs(60);

async fn soon<T>(work: impl Future<Output = T>) -> T {
    timeout(BOUND, work).await.expect("it does not hang")
}

/// What the user sees, in order.
#[derive(Clone, Default)]
struct Screen(Arc<(Mutex<Vec<String>>, Notify)>);

impl Screen {
    fn show(&self, line: impl Into<String>) {
        self.0.0.lock().unwrap().push(line.into());
        self.0.1.notify_waiters();
    }

    fn lines(&self) -> Vec<String> {
        self.0.0.lock().unwrap().clone()
    }

    /// Waits until the line is there.
    async fn shows(&self, line: &str) {
        soon(async {
            loop {
                let shown = self.0.1.notified();
                if self.lines().iter().any(|shown| shown == line) {
                    return;
                }
                shown.await;
            }
        })
        .await;
    }
}

/// The agent's end of a connection.
struct Agent(Lines);

impl Agent {
    async fn next(&mut self) -> Value {
        let line = soon(self.0.next_line()).await.unwrap().expect("the client is there");
        serde_json::from_str(&line).unwrap()
    }

    async fn send(&mut self, messages: &[Value]) {
        let lines: Vec<_> = messages.iter().map(Value::to_string).collect();
        self.0.send(&lines.join("\n")).await.unwrap();
    }

    async fn answer(&mut self, result: Value) -> Value {
        let request = self.next().await;
        self.send(&[json!({"jsonrpc": "2.0", "id": request["id"], "result": result})]).await;
        request
    }

    /// Takes a prompt, and sends some updates and a question in one write.
    async fn burst(&mut self) -> Value {
        let prompt = self.next().await;
        assert_eq!(prompt["method"], "session/prompt");
        self.send(&burst()).await;
        prompt
    }

    /// Takes the answer to the question, and ends the turn.
    async fn end(&mut self, prompt: &Value) -> Value {
        let answer = self.next().await;
        assert_eq!(answer["id"], "q", "{answer}");
        self.send(&[json!({"jsonrpc": "2.0", "id": prompt["id"], "result": {"stopReason": "end_turn"}})]).await;
        answer
    }
}

fn update(update: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}})
}

fn chunk(text: &str) -> Value {
    update(&json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}))
}

fn question() -> Value {
    let params = json!({
        "sessionId": "s",
        "toolCall": {"toolCallId": "c", "title": "delete all"},
        "options": [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}],
    });
    json!({"jsonrpc": "2.0", "id": "q", "method": "session/request_permission", "params": params})
}

fn form() -> Value {
    let params = json!({
        "sessionId": "s", "mode": "form", "message": "Which?",
        "requestedSchema": {"type": "object", "properties": {}},
    });
    json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": params})
}

const SHOWN: [&str; 6] = ["1", "2", "3", "4", "5", "call"];

fn updates() -> Vec<Value> {
    let mut lines: Vec<_> = SHOWN[..5].iter().map(|text| chunk(text)).collect();
    lines.push(update(&json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "call"})));
    lines
}

fn burst() -> Vec<Value> {
    [updates(), vec![question()]].concat()
}

/// What the user sees of the burst.
fn in_order() -> Vec<String> {
    SHOWN.iter().chain(&["asked"]).map(|line| (*line).to_owned()).collect()
}

fn line(update: &acp_client::Update) -> String {
    use acp_client::values::SessionUpdate;
    match update.known() {
        Some(SessionUpdate::ToolCall(call)) => call.title.clone(),
        _ => update.text().unwrap_or("?").to_owned(),
    }
}

/// The loop of every client: it shows each update, then takes the next one.
async fn show(mut turn: Turn, screen: Screen) {
    while let Some(update) = turn.next().await.unwrap() {
        screen.show(line(&update));
    }
    screen.show("end");
}

async fn open(client: impl Handlers) -> (Connection, Session, Agent) {
    let (near, far) = memory::pair();
    let mut agent = Agent(far.into_lines());
    let answer = agent.answer(json!({"protocolVersion": 1, "agentCapabilities": {}}));
    let connecting = Endpoint::over(near).options(ConnectOptions::new()).connect_as(client);
    let (connection, _) = tokio::join!(connecting, answer);
    let connection = connection.unwrap();
    let (session, _) = tokio::join!(connection.new_session("/tmp"), agent.answer(json!({"sessionId": "s"})));
    (connection, session.unwrap(), agent)
}
