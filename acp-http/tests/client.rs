//! A client that sends single requests and reads single events.

use reqwest::{
    Method, RequestBuilder, Response,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use serde_json::{Value, json};

use crate::agent::{Server, soon};

pub(crate) const CONNECTION: &str = "acp-connection-id";
pub(crate) const SESSION: &str = "acp-session-id";

#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) http: reqwest::Client,
    url: String,
    pub(crate) headers: HeaderMap,
}

/// A stream of events.
pub(crate) struct Events {
    response: Response,
    unread: String,
    /// The id of the last event.
    pub(crate) last: String,
}

pub(crate) fn initialize() -> Value {
    initialize_in(1)
}

pub(crate) fn initialize_in(version: u64) -> Value {
    let info = json!({ "name": "test", "version": "1" });
    let params = match version {
        1 => json!({ "protocolVersion": 1 }),
        _ => json!({ "protocolVersion": version, "info": info, "capabilities": {} }),
    };
    json!({ "jsonrpc": "2.0", "id": "first", "method": "initialize", "params": params })
}

/// The cursor of a message: in its params, in its result, or beside its error.
pub(crate) fn cursor(message: &Value) -> &str {
    let places = [&message["params"], &message["result"], message];
    let found = places.iter().find_map(|place| place["_meta"]["acp/cursor"].as_str());
    found.unwrap_or_else(|| panic!("no cursor: {message}"))
}

impl Client {
    pub(crate) fn new(server: &Server) -> Self {
        Self::over(server, reqwest::Client::builder())
    }

    /// A client that speaks HTTP/2 from the first byte on.
    pub(crate) fn http2(server: &Server) -> Self {
        Self::over(server, reqwest::Client::builder().http2_prior_knowledge())
    }

    fn over(server: &Server, builder: reqwest::ClientBuilder) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = builder.no_proxy().build().unwrap();
        Self { http, url: server.url.clone(), headers: HeaderMap::new() }
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(name, HeaderValue::from_str(value).unwrap());
        self
    }

    /// A connection, with its own stream and a session.
    pub(crate) async fn connect(self) -> (Self, Events, String) {
        self.connect_in(1).await
    }

    /// A connection of this version, with its own stream and a session.
    pub(crate) async fn connect_in(self, version: u64) -> (Self, Events, String) {
        let client = self.initialized_in(version).await;
        let mut events = client.events(None).await;
        let session = client.new_session(&mut events).await;
        (client, events, session)
    }

    pub(crate) async fn initialized(self) -> Self {
        self.initialized_in(1).await
    }

    async fn initialized_in(self, version: u64) -> Self {
        let answer = self.post(&initialize_in(version)).await;
        assert_eq!(answer.status(), 200);
        let id = answer.headers()[CONNECTION].to_str().unwrap().to_owned();
        let answer: Value = answer.json().await.unwrap();
        assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
        self.with(CONNECTION, &id)
    }

    pub(crate) async fn new_session(&self, events: &mut Events) -> String {
        let accepted = self.call(1, "session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
        assert_eq!(accepted.status(), 202);
        let answer = events.next().await;
        assert_eq!(answer["id"], 1, "{answer}");
        answer["result"]["sessionId"].as_str().unwrap().to_owned()
    }

    /// From here on, it sends its requests to this server.
    pub(crate) fn moves_to(&mut self, server: &Server) {
        self.url.clone_from(&server.url);
    }

    pub(crate) fn request(&self, method: Method) -> RequestBuilder {
        self.http.request(method, &self.url).headers(self.headers.clone())
    }

    pub(crate) async fn post(&self, message: &Value) -> Response {
        self.body(message.to_string()).await
    }

    pub(crate) async fn body(&self, body: impl Into<reqwest::Body>) -> Response {
        let request = self.request(Method::POST).header(CONTENT_TYPE, "application/json").body(body);
        soon("the answer to a POST", request.send()).await.unwrap()
    }

    pub(crate) async fn call(&self, id: u64, method: &str, params: Value) -> Response {
        self.post(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await
    }

    /// A prompt, which must be accepted.
    pub(crate) async fn prompt(&self, id: u64, session: &str, text: &str) {
        let prompt = json!([{ "type": "text", "text": text }]);
        let client = self.clone().with(SESSION, session);
        let answer = client.call(id, "session/prompt", json!({ "sessionId": session, "prompt": prompt })).await;
        assert_eq!(answer.status(), 202, "{:?}", answer.text().await);
    }

    pub(crate) async fn open(&self, session: Option<&str>, last: Option<&str>) -> Response {
        let mut request = self.request(Method::GET).header(ACCEPT, "text/event-stream");
        request = session.iter().fold(request, |request, session| request.header(SESSION, *session));
        request = last.iter().fold(request, |request, last| request.header("last-event-id", *last));
        soon("the answer to a GET", request.send()).await.unwrap()
    }

    /// Opens the stream of the connection, or of a session.
    pub(crate) async fn events(&self, session: Option<&str>) -> Events {
        Events::of(self.open(session, None).await)
    }
}

impl Events {
    pub(crate) fn of(response: Response) -> Self {
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, unread: String::new(), last: String::new() }
    }

    /// The next message.
    pub(crate) async fn next(&mut self) -> Value {
        soon("an event", self.read()).await.expect("the stream is open")
    }

    /// The id of the last event. The stream begins with one.
    pub(crate) async fn place(&mut self) -> String {
        if self.last.is_empty() {
            assert_eq!(soon("the first id", self.event()).await, Some(None));
        }
        self.last.clone()
    }

    /// The next message; `None` at the end of the stream.
    pub(crate) async fn read(&mut self) -> Option<Value> {
        loop {
            if let Some(message) = self.event().await? {
                return Some(message);
            }
        }
    }

    /// The message of the next event, if it has one; `None` at the end of the stream.
    async fn event(&mut self) -> Option<Option<Value>> {
        let event = loop {
            if let Some((event, rest)) = self.unread.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.unread = rest;
                break event;
            }
            let piece = self.response.chunk().await.ok()??;
            self.unread.push_str(std::str::from_utf8(&piece).unwrap());
        };
        let (mut data, mut has_id) = (None, false);
        for line in event.lines() {
            if let Some(id) = line.strip_prefix("id: ") {
                has_id = true;
                self.last = id.to_owned();
            } else if let Some(text) = line.strip_prefix("data: ") {
                data = Some(serde_json::from_str(text).unwrap());
            } else {
                assert!(line.starts_with(':'), "{line}");
            }
        }
        if let Some(message) = &data
            && has_id
        {
            assert_eq!(cursor(message), self.last, "the id of the event is the cursor of its message");
        }
        Some(data)
    }

    /// The texts of the agent's messages, until the answer to this request.
    pub(crate) async fn until_answer(&mut self, id: u64) -> (String, Value) {
        let mut said = String::new();
        loop {
            let message = self.next().await;
            if message["id"] == id && message.get("method").is_none() {
                return (said, message);
            }
            said.push_str(text(&message));
        }
    }
}

/// The text of an agent's message.
pub(crate) fn text(message: &Value) -> &str {
    message["params"]["update"]["content"]["text"].as_str().unwrap_or_default()
}
