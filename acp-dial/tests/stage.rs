//! A server that a test plays: it keeps each message, and says what the test says.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::Request,
    http::{HeaderMap, Method, StatusCode},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::mpsc, task::JoinHandle};

use crate::agent::soon;

/// What a test makes of a request before the server does; `None` if the server is to do as usual.
type Before = dyn Fn(&Method, &HeaderMap, &Value) -> Option<Response> + Send + Sync;

pub(crate) struct Stage {
    pub(crate) url: String,
    shared: Arc<Shared>,
    posted: mpsc::UnboundedReceiver<Posted>,
    opened: mpsc::UnboundedReceiver<Opened>,
    serving: JoinHandle<()>,
}

/// A message of the client.
#[derive(Debug)]
pub(crate) struct Posted {
    pub(crate) session: Option<String>,
    pub(crate) message: Value,
}

/// A stream that the client has opened.
#[derive(Debug, PartialEq)]
pub(crate) struct Opened {
    pub(crate) session: String,
    pub(crate) last: Option<String>,
}

struct Shared {
    before: Box<Before>,
    capabilities: Value,
    posted: mpsc::UnboundedSender<Posted>,
    opened: mpsc::UnboundedSender<Opened>,
    /// By session; the stream of the connection has the name "".
    streams: Mutex<HashMap<String, Stream>>,
}

struct Stream {
    sender: mpsc::UnboundedSender<Part>,
    unread: Option<mpsc::UnboundedReceiver<Part>>,
}

enum Part {
    Text(String),
    /// The connection breaks.
    Break,
}

impl Stream {
    fn new() -> Self {
        let (sender, unread) = mpsc::unbounded_channel();
        Self { sender, unread: Some(unread) }
    }
}

impl Stage {
    pub(crate) async fn new(
        transport: Value,
        before: impl Fn(&Method, &HeaderMap, &Value) -> Option<Response> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/acp", listener.local_addr().unwrap());
        let ((posting, posted), (opening, opened)) = (mpsc::unbounded_channel(), mpsc::unbounded_channel());
        let capabilities = json!({
            "loadSession": true, "sessionCapabilities": { "resume": {}, "close": {} }, "transport": transport,
        });
        let shared = Arc::new(Shared {
            before: Box::new(before),
            capabilities,
            posted: posting,
            opened: opening,
            streams: Mutex::default(),
        });
        let state = shared.clone();
        let app = Router::new().fallback(move |request: Request| {
            let state = state.clone();
            async move { state.answer(request).await }
        });
        let serving = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { url, shared, posted, opened, serving }
    }

    /// The next message of the client.
    pub(crate) async fn next(&mut self) -> Posted {
        soon("a message of the client", self.posted.recv()).await.unwrap()
    }

    /// The next request for a stream.
    pub(crate) async fn opened(&mut self) -> Opened {
        soon("a stream", self.opened.recv()).await.unwrap()
    }

    /// The next message, which must be a request of this method. Returns its id.
    pub(crate) async fn asked(&mut self, method: &str, session: Option<&str>) -> Value {
        let Posted { session: header, message } = self.next().await;
        assert_eq!((message["method"].as_str(), header.as_deref()), (Some(method), session), "{message}");
        message["id"].clone()
    }

    /// Says something over the stream of a session, or over that of the connection ("").
    pub(crate) fn say(&self, session: &str, message: &Value) {
        self.write(session, format!("data: {message}\n\n"));
    }

    pub(crate) fn write(&self, session: &str, text: String) {
        self.with(session, |stream| drop(stream.sender.send(Part::Text(text))));
    }

    /// Ends a stream as HTTP says. The next one is another.
    pub(crate) fn end(&self, session: &str) {
        self.shared.streams.lock().unwrap().remove(session);
    }

    /// Breaks a stream.
    pub(crate) fn break_off(&self, session: &str) {
        self.with(session, |stream| drop(stream.sender.send(Part::Break)));
        self.end(session);
    }

    pub(crate) fn answer(&self, stream: &str, id: &Value, result: Value) {
        self.say(stream, &json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }

    fn with(&self, session: &str, act: impl FnOnce(&mut Stream)) {
        act(self.shared.streams.lock().unwrap().entry(session.to_owned()).or_insert_with(Stream::new));
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// A text of the agent.
pub(crate) fn chunk(session: &str, text: &str) -> Value {
    let update = json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": text } });
    json!({ "jsonrpc": "2.0", "method": "session/update", "params": { "sessionId": session, "update": update } })
}

impl Shared {
    async fn answer(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let header = |name| parts.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
        let session = header("acp-session-id");
        let body = to_bytes(body, usize::MAX).await.unwrap();
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        if let Some(response) = (self.before)(&parts.method, &parts.headers, &message) {
            return response;
        }
        match parts.method {
            Method::POST if message["method"] == "initialize" => {
                let result = json!({ "protocolVersion": 1, "agentCapabilities": self.capabilities });
                let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
                ([("acp-connection-id", "c1"), ("content-type", "application/json")], answer.to_string())
                    .into_response()
            }
            Method::POST => {
                let _ = self.posted.send(Posted { session, message });
                StatusCode::ACCEPTED.into_response()
            }
            Method::GET => self.stream(session.unwrap_or_default(), header("last-event-id")),
            Method::DELETE => {
                self.streams.lock().unwrap().clear();
                StatusCode::ACCEPTED.into_response()
            }
            _ => StatusCode::ACCEPTED.into_response(),
        }
    }

    fn stream(&self, session: String, last: Option<String>) -> Response {
        let unread = self.streams.lock().unwrap().entry(session.clone()).or_insert_with(Stream::new).unread.take();
        let _ = self.opened.send(Opened { session, last });
        let Some(mut unread) = unread else { return StatusCode::CONFLICT.into_response() };
        let parts = futures_util::stream::poll_fn(move |cx| {
            unread.poll_recv(cx).map(|part| {
                part.map(|part| match part {
                    Part::Text(text) => Ok(Bytes::from(text)),
                    Part::Break => Err(std::io::Error::other("broken")),
                })
            })
        });
        ([("content-type", "text/event-stream")], Body::from_stream(parts)).into_response()
    }
}

/// A server that does as usual.
pub(crate) fn usual(_: &Method, _: &HeaderMap, _: &Value) -> Option<Response> {
    None
}
