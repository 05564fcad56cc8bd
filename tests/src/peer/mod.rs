//! A scripted client. It sends the messages of a test, byte by byte if needed, and checks every message that it reads.
//!
//! `line` carries lines to and from an agent, in memory or in a child process. `strict` has the rules for every message
//! of the agent. This file has the requests, the answers and the unread messages.

mod line;
mod strict;

use std::{collections::HashMap, process::ExitStatus};

use acp_runtime::{
    __private::Threaded,
    agent::{Handlers, Host, ServeOptions},
    hooks::Hooks,
    transport::{Context, Limits},
};
use serde_json::{Value, json};

pub use line::{SOON, soon};
pub use strict::{Message, Refusal};

use line::Line;
use strict::Rules;

/// The capabilities of a client that can do everything.
pub fn all_capabilities() -> Value {
    json!({
        "fs": { "readTextFile": true, "writeTextFile": true },
        "terminal": true,
        "session": { "configOptions": { "boolean": {} } },
    })
}

/// The answer to a request: its result, or the error.
pub type Answer = Result<Value, Refusal>;

/// A request of the agent. The test answers it with [`Peer::reply`] or [`Peer::refuse`].
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The id, of any type that the agent uses.
    pub id: Value,
    /// The params.
    pub params: Value,
}

/// The client's end of a connection. It panics if the agent breaks a rule of the protocol.
pub struct Peer {
    line: Line,
    rules: Rules,
    next_id: i64,
    /// The methods of requests that are not answered yet, by id.
    open: HashMap<i64, String>,
    /// All received messages that no test has taken yet, in order.
    unread: Vec<Message>,
}

impl Peer {
    /// Serves `agent` in this process.
    pub fn serve<A: Handlers<Threading = Threaded>>(agent: A) -> Self {
        Self::serve_within(agent, ServeOptions::default())
    }

    /// Like [`serve`](Self::serve), with limits or options that the test chooses.
    pub fn serve_within<A: Handlers<Threading = Threaded>>(agent: A, options: impl Into<ServeOptions>) -> Self {
        Self::new(Line::serve(agent, options.into()))
    }

    /// The same client, which knows members that the schema lacks: their places in params and results, such as
    /// `/update/models`.
    #[must_use]
    pub fn knowing(mut self, places: &'static [&'static str]) -> Self {
        self.rules.set_departures(places);
        self
    }

    /// Is served by a host, over a transport with this context.
    pub fn serve_by<A: Handlers<Threading = Threaded> + Send + Sync>(host: &Host<A>, context: Context) -> Self {
        Self::serve_by_within(host, context, ServeOptions::default())
    }

    /// As [`serve_by`](Self::serve_by), with options that the test chooses.
    pub fn serve_by_within<A: Handlers<Threading = Threaded> + Send + Sync>(
        host: &Host<A>,
        context: Context,
        options: ServeOptions,
    ) -> Self {
        Self::new(Line::serve_by(host, context, options))
    }

    /// As [`serve_within`](Self::serve_within), over a transport with hooks.
    pub fn serve_hooked<A: Handlers<Threading = Threaded>>(agent: A, hooks: impl Hooks, limits: Limits) -> Self {
        Self::new(Line::serve_hooked(agent, hooks, limits))
    }

    /// Serves an agent whose handlers stay on one thread: the thread of the `LocalSet` that calls this function.
    pub fn serve_local<A: Handlers>(agent: A) -> Self {
        Self::new(Line::serve_local(agent))
    }

    /// As [`serve`](Self::serve), until the signal.
    pub fn serve_until<A: Handlers<Threading = Threaded>>(
        agent: A,
        signal: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        Self::new(Line::serve_until(agent, signal))
    }

    /// Starts `program` as a child process.
    pub fn spawn(program: &str, args: &[&str]) -> Self {
        Self::new(Line::spawn(program, args))
    }

    fn new(line: Line) -> Self {
        Self { line, rules: Rules::default(), next_id: 0, open: HashMap::new(), unread: Vec::new() }
    }

    /// Like [`serve`](Self::serve), then initializes with all capabilities and opens one session. Returns the session's
    /// id.
    pub async fn session<A: Handlers<Threading = Threaded>>(agent: A) -> (Self, String) {
        Self::session_with(agent, all_capabilities()).await
    }

    /// Like [`session`](Self::session), for a client with these capabilities.
    pub async fn session_with<A: Handlers<Threading = Threaded>>(agent: A, capabilities: Value) -> (Self, String) {
        let mut peer = Self::serve(agent);
        peer.initialize(capabilities).await;
        let id = peer.new_session().await;
        (peer, id)
    }

    /// Calls `initialize`. From then on, the peer checks messages by the rules for a client with these capabilities.
    pub async fn initialize(&mut self, capabilities: Value) -> Value {
        self.rules.set_capabilities(&capabilities);
        let params = json!({ "protocolVersion": 1, "clientCapabilities": capabilities });
        self.call("initialize", params).await.expect("`initialize` succeeds")
    }

    /// The id of a new session.
    pub async fn new_session(&mut self) -> String {
        let opened = self.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await.expect("a session");
        opened["sessionId"].as_str().expect("its id").to_owned()
    }

    /// Sends a line unchanged, and adds the line end.
    pub async fn send_line(&mut self, line: impl AsRef<[u8]>) {
        self.line.send(&[line.as_ref(), b"\n"].concat()).await;
    }

    /// Sends bytes unchanged.
    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        self.line.send(bytes).await;
    }

    /// The next line unchanged and unchecked.
    pub async fn next_line(&mut self) -> String {
        self.line.receive().await.expect("a line, but the agent has hung up")
    }

    /// Sends several messages in one write.
    pub async fn send_together(&mut self, messages: &[Value]) {
        let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
        self.send_line(lines.join("\n")).await;
    }

    /// A request as a message, with a fresh id, for [`send_together`](Self::send_together).
    pub fn request_message(&mut self, method: &str, params: Value) -> (i64, Value) {
        self.next_id += 1;
        self.open.insert(self.next_id, method.to_owned());
        (self.next_id, json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params }))
    }

    /// Sends a request, and returns its id.
    pub async fn request(&mut self, method: &str, params: Value) -> i64 {
        let (id, message) = self.request_message(method, params);
        self.send_line(message.to_string()).await;
        id
    }

    /// Sends a notification.
    pub async fn notify(&mut self, method: &str, params: Value) {
        self.send_line(json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()).await;
    }

    /// Starts a turn with a text, and returns the request's id.
    pub async fn prompt(&mut self, session: &str, text: &str) -> i64 {
        self.request("session/prompt", prompt(session, text)).await
    }

    /// Sends `session/cancel`.
    pub async fn cancel(&mut self, session: &str) {
        self.notify("session/cancel", json!({ "sessionId": session })).await;
    }

    /// Sends a request and waits for its answer. Messages before the answer stay [`unread`](Self::unread).
    pub async fn call(&mut self, method: &str, params: Value) -> Answer {
        let id = self.request(method, params).await;
        self.answer(id).await
    }

    /// The stop reason of a whole turn.
    pub async fn turn(&mut self, session: &str, text: &str) -> String {
        let id = self.prompt(session, text).await;
        self.stop_reason(id).await
    }

    /// The stop reason that answers a prompt.
    pub async fn stop_reason(&mut self, id: i64) -> String {
        let answer = self.answer(id).await.expect("a turn that is answered with a result");
        answer["stopReason"].as_str().expect("its stop reason").to_owned()
    }

    /// Waits for the answer to a request of this peer.
    pub async fn answer(&mut self, id: i64) -> Answer {
        self.answer_to(&json!(id)).await
    }

    /// Waits for the answer with the id `id`, of any type.
    pub async fn answer_to(&mut self, id: &Value) -> Answer {
        match self.wait_for(|message| matches!(message, Message::Answer { id: of, .. } if of == id)).await {
            Message::Answer { outcome, .. } => outcome,
            other => unreachable!("{other:?}"),
        }
    }

    /// Waits for a request of the agent.
    pub async fn asked(&mut self, method: &str) -> Asked {
        match self.wait_for(|message| matches!(message, Message::Request { method: of, .. } if of == method)).await {
            Message::Request { id, params, .. } => Asked { id, params },
            other => unreachable!("{other:?}"),
        }
    }

    /// Waits for a notification of the agent, and returns its params.
    pub async fn notified(&mut self, method: &str) -> Value {
        match self.wait_for(|message| matches!(message, Message::Notification { method: of, .. } if of == method)).await
        {
            Message::Notification { params, .. } => params,
            other => unreachable!("{other:?}"),
        }
    }

    /// The first message for which `wanted` is true; the others stay unread.
    async fn wait_for(&mut self, wanted: impl Fn(&Message) -> bool) -> Message {
        if let Some(index) = self.unread.iter().position(&wanted) {
            return self.unread.remove(index);
        }
        loop {
            let message = self.receive().await;
            if wanted(&message) {
                return message;
            }
            self.unread.push(message);
        }
    }

    /// Waits for a `session/update`, and returns the update.
    pub async fn update(&mut self) -> Value {
        self.notified("session/update").await["update"].take()
    }

    /// Answers a request of the agent.
    pub async fn reply(&mut self, asked: &Asked, result: Value) {
        self.send_line(json!({ "jsonrpc": "2.0", "id": asked.id, "result": result }).to_string()).await;
    }

    /// Refuses a request of the agent.
    pub async fn refuse(&mut self, asked: &Asked, code: i32, message: &str) {
        let error = json!({ "code": code, "message": message });
        self.send_line(json!({ "jsonrpc": "2.0", "id": asked.id, "error": error }).to_string()).await;
    }

    /// The next message, in order.
    pub async fn next(&mut self) -> Message {
        if self.unread.is_empty() { self.receive().await } else { self.unread.remove(0) }
    }

    /// All messages that arrived before an awaited answer, and that no test has taken.
    pub fn unread(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.unread)
    }

    /// The updates among the unread messages, oldest first; the other messages are forgotten.
    pub fn updates(&mut self) -> Vec<Value> {
        let updates = self.unread().into_iter().filter_map(|message| match message {
            Message::Notification { method, mut params } if method == "session/update" => Some(params["update"].take()),
            _ => None,
        });
        updates.collect()
    }

    /// Makes round trips, and returns all other messages of the agent. It makes more than one, because the effects of a
    /// message may come after the answer to the next message.
    pub async fn settled(&mut self) -> Vec<Message> {
        for _ in 0..3 {
            let refused = self.call("_acp-tests.dev/settled", json!({})).await.expect_err("nobody handles it");
            assert_eq!(refused.code, -32601, "{refused:?}");
        }
        self.unread()
    }

    async fn receive(&mut self) -> Message {
        let line = self.line.receive().await.expect("a message, but the agent has hung up");
        let message = Message::read(&line);
        let answered = match &message {
            Message::Answer { id, .. } => id.as_i64().and_then(|id| self.open.remove(&id)),
            _ => None,
        };
        self.rules.check(&message, answered.as_deref());
        message
    }

    /// Closes the agent's input and waits for its end. All its remaining messages are unread.
    pub async fn hang_up(&mut self) -> ClosedSession {
        self.line.close();
        self.left().await
    }

    /// Waits for the agent to end by itself. All its remaining messages are unread.
    pub async fn left(&mut self) -> ClosedSession {
        while let Some(line) = self.line.receive().await {
            self.unread.push(Message::read(&line));
        }
        self.line.ended().await
    }
}

/// The end of an agent.
#[derive(Debug)]
pub enum ClosedSession {
    /// A child process, with its status.
    Process(ExitStatus),
    /// An agent in this process, with the result of serving it.
    Served(acp_runtime::Result<()>),
}

impl ClosedSession {
    /// Whether the agent ended without an error.
    pub fn well(&self) -> bool {
        match self {
            Self::Process(status) => status.success(),
            Self::Served(result) => result.is_ok(),
        }
    }
}

/// The params of a prompt with one text.
pub fn prompt(session: &str, text: &str) -> Value {
    json!({ "sessionId": session, "prompt": [{ "type": "text", "text": text }] })
}
