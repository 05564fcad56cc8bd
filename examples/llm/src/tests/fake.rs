//! A server of the chat API that answers by a script, and keeps what it is asked.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use acp_tests::chat::{Answer, End, Request, Server, delta};
pub(super) use acp_tests::chat::{end, text};
use serde_json::{Value, json};

/// One answer of the server to a request for an answer of the model.
pub(super) enum Reply {
    /// A stream of these events, and its end.
    Events(Vec<Value>),
    /// A stream that breaks behind these events.
    Cut(Vec<Value>),
    /// A status with its headers and its body.
    Refused(&'static str, &'static str, &'static str),
    /// A body as it is, with the status 200.
    Body(&'static str),
    /// Events, and then silence.
    Silent(Vec<Value>),
}

pub(super) struct Fake {
    pub(super) url: String,
    state: Arc<Mutex<State>>,
    _server: Server,
}

struct State {
    replies: VecDeque<Reply>,
    models: Value,
    /// The requests for answers, and the header `authorization` of each.
    asked: Vec<(Value, String)>,
}

impl Fake {
    pub(super) async fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::with_models(json!([{ "id": "tiny", "max_model_len": 1000 }, { "id": "large" }]), replies).await
    }

    pub(super) async fn with_models(models: Value, replies: impl IntoIterator<Item = Reply>) -> Self {
        let state = State { replies: replies.into_iter().collect(), models, asked: vec![] };
        let state = Arc::new(Mutex::new(state));
        let shared = state.clone();
        let server = Server::start(move |request| shared.lock().unwrap().answer(request)).await.unwrap();
        Self { url: server.url(), state, _server: server }
    }

    /// The last request for an answer.
    pub(super) fn asked(&self) -> Value {
        self.state.lock().unwrap().asked.last().expect("no request has come").0.clone()
    }

    pub(super) fn times_asked(&self) -> usize {
        self.state.lock().unwrap().asked.len()
    }

    pub(super) fn authorization(&self) -> String {
        self.state.lock().unwrap().asked.last().expect("no request has come").1.clone()
    }

    /// The contents of the last request's messages with this role.
    pub(super) fn messages(&self, role: &str) -> Vec<Value> {
        let asked = self.asked();
        let messages = asked["messages"].as_array().unwrap().iter().filter(|message| message["role"] == role);
        messages.map(|message| message["content"].clone()).collect()
    }
}

/// A whole answer in words.
pub(super) fn says(words: &str) -> Reply {
    Reply::Events(vec![text(words), end("stop")])
}

/// A whole answer that asks for a call of a tool.
pub(super) fn calls(name: &str, arguments: Value) -> Reply {
    calls_raw(name, &arguments.to_string())
}

pub(super) fn calls_raw(name: &str, arguments: &str) -> Reply {
    let (begin, rest) = arguments.split_at(arguments.len() / 2);
    let call = |part: Value| delta(json!({ "tool_calls": [part] }));
    Reply::Events(vec![
        call(json!({ "index": 0, "id": "call-1", "function": { "name": name, "arguments": begin } })),
        call(json!({ "index": 0, "function": { "arguments": rest } })),
        end("tool_calls"),
    ])
}

impl State {
    fn answer(&mut self, request: Request) -> Answer {
        let whole = |status, headers, body: &str| Answer::Whole { status, headers, body: body.to_owned() };
        let broken = |events, end| Answer::Stream { events, pace: Duration::ZERO, end };
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/v1/models") => {
                return whole("200 OK", "", &json!({ "object": "list", "data": self.models }).to_string());
            }
            ("POST", "/v1/chat/completions") => {}
            other => panic!("there is no such method: {other:?}"),
        }
        let authorization = request.header("authorization").to_owned();
        self.asked.push((request.body, authorization));
        match self.replies.pop_front().expect("the script has no more replies") {
            Reply::Events(events) => Answer::stream(events),
            Reply::Cut(events) => broken(events, End::Cut),
            Reply::Silent(events) => broken(events, End::Silence),
            Reply::Refused(status, headers, body) => whole(status, headers, body),
            Reply::Body(body) => whole("200 OK", "", body),
        }
    }
}
