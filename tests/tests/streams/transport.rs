//! A transport with several streams, in memory. Each session has a stream, the connection has a stream, and a message
//! may bring its own stream. The transport works like an HTTP server, without HTTP.

use std::{
    collections::HashMap,
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use acp_runtime::transport::{Frame, Limits, Outbox, OutboxStream, Receive, Source, StreamReader, Transport};
use serde_json::{Value, json};
use tokio::{sync::mpsc, time::timeout};

/// The time limit for events that must come. A longer wait fails the test.
pub(crate) const SOON: Duration = Duration::from_secs(30);

/// The agent's end before it is open.
pub(crate) struct Fan {
    connection: OutboxStream,
    sessions: Sessions,
    inbound: mpsc::Receiver<Posted>,
}

/// A message, and the stream for its answer.
struct Posted {
    message: String,
    stream: OutboxStream,
}

/// The streams of the sessions. A closed stream stays here, so that nothing opens it again.
#[derive(Clone)]
struct Sessions {
    connection: OutboxStream,
    streams: Arc<Mutex<HashMap<String, OutboxStream>>>,
}

impl Sessions {
    fn stream(&self, id: &str) -> OutboxStream {
        let mut streams = self.streams.lock().unwrap();
        streams.entry(id.to_owned()).or_insert_with(|| self.connection.sibling()).clone()
    }
}

/// The client's end.
#[derive(Clone)]
pub(crate) struct FanClient {
    pub(crate) connection: OutboxStream,
    sessions: Sessions,
    outbound: mpsc::Sender<Posted>,
}

/// Both ends.
pub(crate) fn fan(limits: &Limits) -> (Fan, FanClient) {
    let connection = OutboxStream::new(limits);
    let sessions = Sessions { connection: connection.clone(), streams: Arc::default() };
    let (outbound, inbound) = mpsc::channel(1);
    let client = FanClient { connection: connection.clone(), sessions: sessions.clone(), outbound };
    (Fan { connection, sessions, inbound }, client)
}

impl Transport for Fan {
    type Source = FanSource;

    fn open(self, _: &Limits) -> io::Result<(FanSource, Outbox)> {
        let Self { connection, sessions, inbound } = self;
        let outbox = Outbox::routed(connection, move |session| Some(sessions.stream(session)));
        Ok((FanSource(inbound), outbox))
    }
}

/// The receiving half of the agent's end.
pub(crate) struct FanSource(mpsc::Receiver<Posted>);

impl Source for FanSource {
    async fn run<R: Receive>(mut self, receive: &mut R, outbox: &Outbox) -> io::Result<()> {
        loop {
            let posted = tokio::select! {
                posted = self.0.recv() => posted,
                () = outbox.closed() => None,
            };
            let Some(Posted { message, stream }) = posted else { return Ok(()) };
            receive.frame_from(Frame::Line(message.as_bytes()), &stream);
            tokio::select! {
                () = receive.room() => {}
                () = outbox.closed() => return Ok(()),
            }
        }
    }
}

impl FanClient {
    /// A stream for one message only.
    pub(crate) fn own_stream(&self) -> OutboxStream {
        self.connection.sibling()
    }

    /// The stream of a session.
    pub(crate) fn session(&self, id: &str) -> OutboxStream {
        self.sessions.stream(id)
    }

    /// Sends a message whose answer goes to `stream`. A request waits until the stream has room for its answer.
    pub(crate) async fn post(&self, stream: &OutboxStream, message: Value) {
        if message.get("id").is_some() {
            stream.below_hard().await;
        }
        self.post_text(stream, message.to_string()).await;
    }

    /// Sends a text that may not be a message.
    pub(crate) async fn post_text(&self, stream: &OutboxStream, message: String) {
        let sent = self.outbound.send(Posted { message, stream: stream.clone() });
        assert!(timeout(SOON, sent).await.expect("the agent reads").is_ok(), "the connection is open");
    }

    /// Sends a request with a stream of its own, and waits for its answer there.
    pub(crate) async fn call(&self, method: &str, params: Value) -> Value {
        let stream = self.own_stream();
        self.post(&stream, request(0, method, params)).await;
        let answer = next(&mut stream.reader().unwrap()).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// Initialises, and opens this number of sessions; returns their ids.
    pub(crate) async fn open(&self, sessions: usize) -> Vec<String> {
        let capabilities = json!({ "fs": { "readTextFile": true } });
        self.call("initialize", json!({ "protocolVersion": 1, "clientCapabilities": capabilities })).await;
        let mut ids = Vec::new();
        for _ in 0..sessions {
            let opened = self.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
            ids.push(opened["sessionId"].as_str().unwrap().to_owned());
        }
        ids
    }

    /// Prompts a session. The session's stream also gets the answer.
    pub(crate) async fn prompt(&self, session: &str, id: u64, text: &str) {
        let params = json!({ "sessionId": session, "prompt": [{ "type": "text", "text": text }] });
        self.post(&self.session(session), request(id, "session/prompt", params)).await;
    }
}

pub(crate) fn request(id: u64, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// The next message of a stream.
pub(crate) async fn next(reader: &mut StreamReader) -> Value {
    let message = timeout(SOON, reader.next()).await.expect("a message comes").expect("the stream is open");
    serde_json::from_slice(&message).unwrap()
}

/// The remaining messages of a stream.
pub(crate) async fn rest(stream: &OutboxStream) -> Vec<Value> {
    let mut reader = stream.reader().unwrap();
    let mut messages = Vec::new();
    while let Some(message) = timeout(SOON, reader.next()).await.expect("the stream ends") {
        messages.push(serde_json::from_slice(&message).unwrap());
    }
    messages
}
