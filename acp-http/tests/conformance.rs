//! The five cases that the draft on streams that can be resumed asks for: each with event streams over both versions of HTTP and with
//! WebSockets, by both versions of the protocol.

use std::{collections::HashMap, time::Duration};

use acp_http::{HttpOptions, Retention};
use serde_json::{Value, json};

use crate::{
    agent::{Server, soon, until},
    client::{Client, Events, SESSION, cursor, text},
    socket::{Socket, open},
};

/// A client with one session, over one of the transports. It can be cut, and come back.
struct Person {
    way: Way,
    version: u64,
    session: String,
    /// The place behind the last message that it has read.
    last: String,
}

#[expect(clippy::large_enum_variant, reason = "a test has one")]
enum Way {
    Streams { client: Client, _events: Events, session: Option<Events> },
    Socket { id: String, socket: Option<Socket> },
}

const WAYS: [&str; 3] = ["HTTP/1.1", "HTTP/2", "WebSocket"];

impl Person {
    async fn new(server: &Server, way: &str, version: u64) -> Self {
        if way == "WebSocket" {
            let mut socket = open(server, &[]).await.unwrap();
            let session = socket.session_of(version).await;
            let id = socket.id.clone();
            return Self { way: Way::Socket { id, socket: Some(socket) }, version, session, last: String::new() };
        }
        let client = if way == "HTTP/2" { Client::http2(server) } else { Client::new(server) };
        let (client, events, session) = client.connect_in(version).await;
        let mut stream = client.events(Some(&session)).await;
        let last = stream.place().await;
        Self { way: Way::Streams { client, _events: events, session: Some(stream) }, version, session, last }
    }

    async fn prompt(&mut self, id: u64, words: &str) {
        match &mut self.way {
            Way::Streams { client, .. } => client.prompt(id, &self.session, words).await,
            Way::Socket { socket, .. } => socket.as_mut().unwrap().prompt(id, &self.session, words).await,
        }
    }

    async fn cancel(&mut self) {
        let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": self.session } });
        match &mut self.way {
            Way::Streams { client, .. } => {
                let answer = client.clone().with(SESSION, &self.session).post(&cancel).await;
                assert_eq!(answer.status(), 202);
            }
            Way::Socket { socket, .. } => socket.as_mut().unwrap().send(cancel).await,
        }
    }

    /// The next message. Its place is the person's.
    async fn next(&mut self) -> Value {
        let message = self.told().await;
        self.last = cursor(&message).to_owned();
        message
    }

    /// The next message, which may have no place.
    async fn told(&mut self) -> Value {
        match &mut self.way {
            Way::Streams { session, .. } => session.as_mut().unwrap().next().await,
            Way::Socket { socket, .. } => socket.as_mut().unwrap().next().await.expect("it is open"),
        }
    }

    /// Hangs up.
    fn cut(&mut self) {
        match &mut self.way {
            Way::Streams { session, .. } => *session = None,
            Way::Socket { socket, .. } => *socket = None,
        }
    }

    /// Goes on behind a place. Returns the reason of a refusal.
    async fn resume(&mut self, server: &Server, last: &str) -> Result<(), String> {
        match &mut self.way {
            Way::Streams { client, session, .. } => {
                let answer = client.open(Some(&self.session), Some(last)).await;
                if answer.status() != 200 {
                    return Err(answer.status().as_u16().to_string());
                }
                *session = Some(Events::of(answer));
            }
            Way::Socket { id, socket } => {
                let mut opened =
                    open(server, &[("acp-connection-id", id)]).await.map_err(|status| status.to_string())?;
                let resume = json!({ "jsonrpc": "2.0", "method": "stream/resume", "params": { "cursors": [last] } });
                opened.send(resume).await;
                *socket = Some(opened);
            }
        }
        Ok(())
    }

    /// What is told behind all that was missed: the state of the session. `running` is the id of its prompt.
    fn is_state(&self, message: &Value, running: Option<u64>) -> bool {
        if self.version == 2 {
            let update = &message["params"]["update"];
            let state = if running.is_some() { "running" } else { "idle" };
            return update["sessionUpdate"] == "state_update" && update["state"] == state;
        }
        let turn = match running {
            Some(id) => json!({ "state": "running", "promptRequestId": id }),
            None => json!({ "state": "idle" }),
        };
        let told = &message["params"]["_meta"]["acp/turnState"];
        // A WebSocket tells of the sessions that have a turn.
        let is_told = *told == turn || running.is_none() && matches!(self.way, Way::Socket { .. }) && told.is_null();
        message["method"] == "stream/resumed" && is_told
    }

    /// Whether a turn ends with this message.
    fn is_end(&self, message: &Value, id: u64) -> bool {
        match self.version {
            2 => message["params"]["update"]["state"] == "idle",
            _ => message["id"] == id && message.get("method").is_none(),
        }
    }
}

fn has_place(message: &Value) -> bool {
    ["params", "result"].iter().any(|place| message[place]["_meta"]["acp/cursor"].is_string())
        || message["_meta"]["acp/cursor"].is_string()
}

/// A lot is kept, so that nothing is too old.
fn keeping() -> HttpOptions {
    HttpOptions::new().retention(Retention::default().messages(100_000).bytes(50_000_000))
}

#[tokio::test]
async fn mid_stream_cut() {
    let server = Server::new(keeping()).await;
    for (way, version) in WAYS.iter().flat_map(|way| [(way, 1), (way, 2)]) {
        let mut person = Person::new(&server, way, version).await;
        person.prompt(7, "count 300").await;
        let mut said = String::new();
        // Each cut is a little later than the one before.
        for cut in 1.. {
            let mut is_over = false;
            for _ in 0..cut * 11 {
                let message = person.next().await;
                said.push_str(text(&message));
                is_over = person.is_end(&message, 7);
                if is_over {
                    break;
                }
            }
            if is_over {
                break;
            }
            person.cut();
            let last = person.last.clone();
            person.resume(&server, &last).await.unwrap();
            // All that was missed, then the state of the session. What comes behind it is live.
            let mut is_told = false;
            while !is_told {
                let message = person.told().await;
                if has_place(&message) {
                    person.last = cursor(&message).to_owned();
                    said.push_str(text(&message));
                    is_over |= person.is_end(&message, 7);
                } else {
                    is_told = true;
                    let running = if is_over { None } else { Some(7) };
                    assert!(person.is_state(&message, running), "{way} {version} {is_over}: {message}");
                }
            }
            if is_over {
                break;
            }
        }
        let numbers = said.split_terminator(';').map(|number| number.parse::<u64>().unwrap());
        assert!(numbers.eq(0..300), "{way} {version}: {said}");
    }
}

#[tokio::test]
async fn expired_cursor() {
    let server = Server::new(HttpOptions::new().retention(Retention::default().messages(2))).await;
    for (way, version) in WAYS.iter().flat_map(|way| [(way, 1), (way, 2)]) {
        let mut person = Person::new(&server, way, version).await;
        person.prompt(7, "count 20").await;
        let first = person.next().await;
        let expired = cursor(&first).to_owned();
        loop {
            let message = person.next().await;
            if person.is_end(&message, 7) {
                break;
            }
        }
        let mut other = Person::new(&server, way, version).await;
        other.prompt(7, "hello").await;
        other.next().await;
        for (wrong, reason) in
            [(&expired, "expired_cursor"), (&other.last, "unknown_cursor"), (&"x".to_owned(), "unknown_cursor")]
        {
            // The one who reads loses nothing.
            let mut late = match &person.way {
                Way::Streams { client, .. } => {
                    assert_eq!(client.open(Some(&person.session), Some(wrong)).await.status(), 409, "{way} {wrong}");
                    continue;
                }
                Way::Socket { id, .. } => open(&server, &[("acp-connection-id", id)]).await.unwrap(),
            };
            late.send(json!({ "jsonrpc": "2.0", "method": "stream/resume", "params": { "cursors": [wrong] } })).await;
            let refused = late.next().await.unwrap();
            assert_eq!(
                (&refused["method"], &refused["params"]["reason"]),
                (&json!("stream/resume_failed"), &json!(reason))
            );
            assert_eq!(late.next().await, None, "it is never a live stream");
        }
        person.prompt(8, "hello").await;
        loop {
            let message = person.next().await;
            if text(&message) == "Hello nobody" {
                break;
            }
        }
    }
}

#[tokio::test]
async fn duplicate_resume() {
    let server = Server::new(keeping()).await;
    for (way, version) in WAYS.iter().flat_map(|way| [(way, 1), (way, 2)]) {
        let mut person = Person::new(&server, way, version).await;
        person.prompt(7, "count 50").await;
        let first = person.next().await;
        let place = cursor(&first).to_owned();
        let mut seen: Vec<Value> = Vec::new();
        loop {
            let message = person.next().await;
            seen.push(message);
            if person.is_end(&seen[seen.len() - 1], 7) {
                break;
            }
        }
        // The same messages, with the same cursors, however often.
        for _ in 0..3 {
            person.resume(&server, &place).await.unwrap();
            let mut again: Vec<Value> = Vec::new();
            let state = loop {
                let message = person.told().await;
                if !has_place(&message) {
                    break message;
                }
                again.push(message);
            };
            assert!(again.starts_with(&seen), "{way} {version}");
            assert!(again[seen.len()..].iter().all(|message| message.get("id").is_some()), "the answer to the prompt");
            assert!(person.is_state(&state, None), "{way} {version}: {state}");
        }
        person.prompt(8, "hello").await;
        loop {
            let message = person.next().await;
            assert!(!seen.contains(&message));
            if text(&message) == "Hello nobody" {
                break;
            }
        }
    }
}

#[tokio::test]
async fn agent_restart() {
    for (way, version) in WAYS.iter().flat_map(|way| [(way, 1), (way, 2)]) {
        let server = Server::new(keeping()).await;
        let mut person = Person::new(&server, way, version).await;
        person.prompt(7, "wait").await;
        person.next().await;
        person.cut();
        drop(server);
        // The new process knows neither the connection nor its cursors. It says so, and opens no stream.
        let server = Server::new(keeping()).await;
        if let Way::Streams { client, .. } = &mut person.way {
            client.moves_to(&server);
        }
        let last = person.last.clone();
        assert_eq!(person.resume(&server, &last).await, Err("404".to_owned()), "{way} {version}");
        if let Way::Socket { id, .. } = &person.way {
            // So it says to a page that cannot send a header. The page may begin anew over the same socket.
            let mut socket = open(&server, &[]).await.unwrap();
            let params = json!({ "connectionId": id, "cursors": [last] });
            socket.send(json!({ "jsonrpc": "2.0", "method": "stream/resume", "params": params })).await;
            let refused = socket.next().await.unwrap();
            assert_eq!(refused["params"]["reason"], "unknown_connection");
            socket.session_of(version).await;
        }
        let mut anew = Person::new(&server, way, version).await;
        anew.prompt(7, "hello").await;
        while text(&anew.next().await) != "Hello nobody" {}
    }
}

#[tokio::test]
async fn half_open() {
    let options = keeping().keepalive(Duration::from_millis(50)).stall_timeout(Duration::from_millis(200));
    let server = Server::new(options).await;
    for (way, version) in WAYS.iter().flat_map(|way| [(way, 1), (way, 2)]) {
        let mut person = Person::new(&server, way, version).await;
        person.prompt(7, "wait").await;
        while text(&person.next().await) != "waiting" {}
        let readers = server.endpoint.stats().readers;
        // The client takes nothing any more, and its side of TCP stays open.
        let lost = match &mut person.way {
            Way::Streams { session, .. } => Lost { _events: session.take(), _socket: None },
            Way::Socket { socket, .. } => Lost { _events: None, _socket: socket.take() },
        };
        if way == &"WebSocket" {
            // It answers no ping, so the server lets it go by itself.
            until("the end of the reader", || server.endpoint.stats().readers == readers - 1).await;
        }
        // Its turn goes on. The one who comes back takes over, whether or not the server knows that the earlier one is lost.
        let last = person.last.clone();
        person.resume(&server, &last).await.unwrap();
        loop {
            let message = person.told().await;
            if !has_place(&message) {
                assert!(person.is_state(&message, Some(7)), "{way} {version}: {message}");
                break;
            }
        }
        assert_eq!(server.counts.cancelled(), 0);
        person.cancel().await;
        loop {
            let message = person.next().await;
            if person.is_end(&message, 7) {
                break;
            }
        }
        assert_eq!(server.counts.cancelled.swap(0, std::sync::atomic::Ordering::SeqCst), 1);
        drop(lost);
    }
}

struct Lost {
    _events: Option<Events>,
    _socket: Option<Socket>,
}

/// A page in a browser reads no header of an upgrade and sends none.
#[tokio::test]
async fn a_page_that_sends_no_header_goes_on_by_the_id_in_the_answer_to_initialize() {
    let server = Server::new(keeping()).await;
    let mut socket = open(&server, &[]).await.unwrap();
    socket.call(0, "initialize", json!({ "protocolVersion": 1 })).await;
    let answer = socket.next().await.unwrap();
    let transport = &answer["result"]["agentCapabilities"]["transport"];
    assert!(transport["resumable"].is_object(), "{answer}");
    let params = json!({ "connectionId": transport["connectionId"], "cursors": [{ "cursor": cursor(&answer) }] });
    socket.call(1, "session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
    drop(socket);
    let mut back = open(&server, &[]).await.unwrap();
    back.send(json!({ "jsonrpc": "2.0", "method": "stream/resume", "params": params })).await;
    let mut told = HashMap::new();
    while told.len() < 2 {
        let message = back.next().await.unwrap();
        told.insert(message["method"].as_str().unwrap_or("answer").to_owned(), message);
    }
    assert!(told["answer"]["result"]["sessionId"].is_string(), "{told:?}");
    assert!(told.contains_key("stream/resumed"));
    until("the end of what the upgrade has begun", || server.endpoint.connections() == 1).await;
}

/// The first frame says where the client goes on, or the WebSocket ends.
#[tokio::test]
async fn a_websocket_that_comes_back_says_so_first() {
    let server = Server::new(keeping()).await;
    let mut socket = open(&server, &[]).await.unwrap();
    let session = socket.session().await;
    let header = [("acp-connection-id", &*socket.id.clone())];
    for first in [
        json!({ "jsonrpc": "2.0", "id": 9, "method": "session/list", "params": {} }),
        json!({ "jsonrpc": "2.0", "method": "stream/resume" }),
        json!({ "jsonrpc": "2.0", "method": "stream/resume", "params": { "cursors": [] } }),
    ] {
        let mut second = open(&server, &header).await.unwrap();
        second.send(first).await;
        assert_eq!(second.next().await.unwrap()["method"], "stream/resume_failed");
        assert_eq!(second.next().await, None);
    }
    // Nobody has taken the connection from its WebSocket.
    socket.prompt(3, &session, "hello").await;
    assert_eq!(socket.until_answer(3).await.0, "Hello nobody");
    // Later, it would be a live stream that goes on somewhere.
    socket.send(json!({ "jsonrpc": "2.0", "method": "stream/resume", "params": { "cursors": ["1-1"] } })).await;
    assert_eq!(soon("the end", socket.next()).await, None);
    // The connection of event streams has no WebSocket.
    let client = Client::new(&server).initialized().await;
    let id = client.headers["acp-connection-id"].to_str().unwrap();
    assert_eq!(open(&server, &[("acp-connection-id", id)]).await.err(), Some(400));
}
