//! A client that knows nothing of versions, and agents of version 2 that are written by hand. All that they say is held
//! against the types of version 2, which are generated from its schema.

mod idle;
mod opening;
mod schema;
mod shapes;
mod steer;
mod turns;
mod work;

use std::time::Duration;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{
    ConnectOptions, Connection, Result, Session,
    contract::Handlers,
    dialect,
    schema::v2,
    transport::memory::{self, Lines},
    values::{PermissionOptionId, RequestPermissionRequest},
};

/// A client whose user answers each question with its first option.
struct Editor;

#[acp_macros::acp_client(crate = crate)]
impl Editor {
    async fn request_permission(&self, request: RequestPermissionRequest) -> PermissionOptionId {
        assert_eq!(request.tool_call.title.as_deref(), Some("rm -r build"), "{request:?}");
        request.options[0].option_id.clone()
    }
}

/// An agent that is written by hand.
struct Agent(Lines);

/// Checks that a message is one of version 2, and has no member that the version lacks.
fn checked<T: Serialize + DeserializeOwned>(value: Value) -> Value {
    let typed: T = serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"));
    let typed = serde_json::to_value(typed).unwrap();
    assert!(has_all(&typed, &value), "version 2 has only {typed} of {value}");
    value
}

/// Whether a value has all members of another one, but for those that are empty: the types leave out what is as absent.
fn has_all(typed: &Value, value: &Value) -> bool {
    match (typed, value) {
        (Value::Object(typed), Value::Object(value)) => value.iter().all(|(name, value)| match typed.get(name) {
            Some(typed) => has_all(typed, value),
            None => [json!(null), json!([]), json!({})].contains(value),
        }),
        (Value::Array(typed), Value::Array(value)) => {
            typed.len() == value.len() && typed.iter().zip(value).all(|(typed, value)| has_all(typed, value))
        }
        _ => typed == value,
    }
}

impl Agent {
    async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(10), self.0.next_line()).await;
        serde_json::from_str(&line.expect("a line in time").unwrap().expect("a line")).unwrap()
    }

    /// The next message of the client, which has this method, and params of this type.
    async fn asked<P: Serialize + DeserializeOwned>(&mut self, method: &str) -> (Value, Value) {
        let mut message = self.next().await;
        assert_eq!(message["method"], method, "{message}");
        (message["id"].take(), checked::<P>(message["params"].take()))
    }

    async fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        self.0.send(&message.to_string()).await.unwrap();
    }

    async fn answer<R: Serialize + DeserializeOwned>(&mut self, id: &Value, result: Value) {
        self.send(json!({ "id": id, "result": checked::<R>(result) })).await;
    }

    async fn refuse(&mut self, id: &Value, code: i32) {
        self.send(json!({ "id": id, "error": { "code": code, "message": "no" } })).await;
    }

    async fn update(&mut self, update: Value) {
        let params = checked::<v2::UpdateSessionNotification>(json!({ "sessionId": "s", "update": update }));
        self.send(json!({ "method": "session/update", "params": params })).await;
    }

    async fn running(&mut self) {
        self.update(json!({ "sessionUpdate": "state_update", "state": "running" })).await;
    }

    async fn idle(&mut self, reason: &str) {
        self.update(json!({ "sessionUpdate": "state_update", "state": "idle", "stopReason": reason })).await;
    }

    async fn echo(&mut self, id: &str) {
        let content = json!([{ "type": "text", "text": "the prompt" }]);
        self.update(json!({ "sessionUpdate": "user_message", "messageId": id, "content": content })).await;
    }

    async fn says(&mut self, id: &str, text: &str) {
        let content = json!({ "type": "text", "text": text });
        self.update(json!({ "sessionUpdate": "agent_message_chunk", "messageId": id, "content": content })).await;
    }

    /// Takes the client's next prompt. Returns the id of the request.
    async fn prompted(&mut self) -> Value {
        self.asked::<v2::PromptRequest>("session/prompt").await.0
    }

    /// Answers a prompt: it is in the conversation.
    async fn inserts(&mut self, id: &Value, message: &str) {
        self.answer::<v2::PromptResponse>(id, json!({ "messageId": message })).await;
    }

    /// Waits until the client has read all that was sent.
    async fn is_heard(&mut self) {
        self.send(json!({ "id": "heard", "method": "_nobody/has_this" })).await;
        let answer = self.next().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("heard"), &json!(-32601)), "{answer}");
    }
}

/// An answer to `initialize` with these capabilities.
fn hello(capabilities: Value) -> Value {
    let info = json!({ "name": "agent", "version": "1" });
    json!({ "protocolVersion": 2, "info": info, "capabilities": capabilities })
}

/// Connects to an agent that answers `initialize` like this.
async fn connect(client: impl Handlers, options: ConnectOptions, answer: Value) -> (Result<Connection>, Agent) {
    let (near, far) = memory::pair();
    let mut agent = Agent(far.into_lines());
    let answers = async {
        let message = agent.next().await;
        assert_eq!(message["method"], "initialize");
        agent.send(json!({ "id": message["id"], "result": answer })).await;
    };
    let (opened, ()) = tokio::join!(Connection::open(client, near, options, None, dialect::ALL), answers);
    (opened, agent)
}

/// An agent with sessions, and the session `s`.
async fn open() -> (Connection, Session, Agent) {
    let answer = checked::<v2::InitializeResponse>(hello(json!({ "session": {} })));
    let (connection, mut agent) = connect(Editor, ConnectOptions::new(), answer).await;
    let connection = connection.unwrap();
    let (session, ()) = tokio::join!(connection.new_session("/"), async {
        let (id, _) = agent.asked::<v2::NewSessionRequest>("session/new").await;
        agent.answer::<v2::NewSessionResponse>(&id, json!({ "sessionId": "s" })).await;
    });
    (connection, session.unwrap(), agent)
}
