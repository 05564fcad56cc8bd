//! WebSockets: one connection each, with text frames.

use std::time::Duration;

use acp_http::HttpOptions;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Error, Message, client::IntoClientRequest},
};

use crate::{
    agent::{Server, soon, until},
    client::text,
};

struct Socket(WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>);

async fn open(server: &Server, headers: &[(&'static str, &str)]) -> Result<Socket, u16> {
    let mut request = server.url.replace("http://", "ws://").into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    match connect_async(request).await {
        Ok((socket, answer)) => {
            assert!(answer.headers()["acp-connection-id"].len() >= 32);
            Ok(Socket(socket))
        }
        Err(Error::Http(answer)) => Err(answer.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

impl Socket {
    async fn send(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).await.unwrap();
    }

    async fn call(&mut self, id: u64, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
    }

    /// The next message; `None` at the end.
    async fn next(&mut self) -> Option<Value> {
        loop {
            match soon("a frame", self.0.next()).await? {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    async fn until_answer(&mut self, id: u64) -> (String, Value) {
        let mut said = String::new();
        loop {
            let message = self.next().await.expect("it is open");
            if message["id"] == id {
                return (said, message);
            }
            said.push_str(text(&message));
        }
    }

    async fn session(&mut self) -> String {
        self.call(0, "initialize", json!({ "protocolVersion": 1 })).await;
        assert_eq!(self.until_answer(0).await.1["result"]["protocolVersion"], 1);
        self.call(1, "session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
        let (_, answer) = self.until_answer(1).await;
        answer["result"]["sessionId"].as_str().unwrap().to_owned()
    }

    async fn prompt(&mut self, id: u64, session: &str, words: &str) {
        let prompt = json!([{ "type": "text", "text": words }]);
        self.call(id, "session/prompt", json!({ "sessionId": session, "prompt": prompt })).await;
    }
}

#[tokio::test]
async fn a_websocket_is_a_whole_connection() {
    let server = Server::new(HttpOptions::new()).await;
    let mut socket = open(&server, &[]).await.unwrap();
    let id = socket.session().await;
    socket.prompt(2, &id, "count 5000").await;
    let (said, answer) = socket.until_answer(2).await;
    assert!(said.split_terminator(';').map(|number| number.parse::<u64>().unwrap()).eq(0..5000));
    assert_eq!(answer["result"]["stopReason"], "end_turn");
    // Binary frames mean nothing.
    socket.0.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    socket.prompt(3, &id, "hello").await;
    assert_eq!(socket.until_answer(3).await.0, "Hello nobody");
}

#[tokio::test]
async fn pages_of_others_open_no_websocket() {
    let server = Server::new(HttpOptions::new()).await;
    assert_eq!(open(&server, &[("origin", "https://evil.example")]).await.err(), Some(403));
    assert_eq!(open(&server, &[("host", "evil.example")]).await.err(), Some(421));
    assert_eq!(open(&server, &[("acp-connection-id", "1")]).await.err(), Some(404));
    until("nothing is left", || server.endpoint.connections() == 0).await;
}

#[tokio::test]
async fn a_lost_websocket_cancels_its_turns_when_nobody_comes_back() {
    let server = Server::new(HttpOptions::new().detached_timeout(Duration::from_millis(500))).await;
    let mut socket = open(&server, &[]).await.unwrap();
    let id = socket.session().await;
    socket.prompt(2, &id, "wait").await;
    socket.next().await;
    drop(socket);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(server.counts.cancelled(), 0, "not at once");
    until("the end", || server.endpoint.connections() == 0).await;
    assert_eq!(server.counts.cancelled(), 1);
}

#[tokio::test]
async fn a_server_that_ends_waits_for_the_answers_of_a_websocket() {
    let server = Server::new(HttpOptions::new()).await;
    let mut socket = open(&server, &[]).await.unwrap();
    let id = socket.session().await;
    socket.prompt(2, &id, "count 20000").await;
    socket.next().await;
    let endpoint = server.endpoint.clone();
    let draining = tokio::spawn(async move { endpoint.drain(Duration::from_secs(20)).await });
    let (_, answer) = socket.until_answer(2).await;
    assert_eq!(answer["result"]["stopReason"], "end_turn");
    assert_eq!(socket.next().await, None);
    soon("the end", draining).await.unwrap();
}

#[tokio::test]
async fn a_websocket_that_does_not_answer_is_closed() {
    let options = HttpOptions::new()
        .keepalive(Duration::from_millis(50))
        .stall_timeout(Duration::from_millis(100))
        .detached_timeout(Duration::from_millis(100));
    let server = Server::new(options).await;
    // A socket that nobody polls answers no ping.
    let socket = open(&server, &[]).await.unwrap();
    until("the end", || server.endpoint.connections() == 0).await;
    drop(socket);
    let mut socket = open(&server, &[]).await.unwrap();
    let reading = tokio::spawn(async move { socket.next().await });
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(server.endpoint.connections(), 1, "this one answers");
    reading.abort();
}

#[tokio::test]
async fn a_message_that_is_too_long_ends_the_websocket() {
    let server = Server::new(HttpOptions::new().message_bytes(1000)).await;
    let mut socket = open(&server, &[]).await.unwrap();
    socket.send(json!({ "x": "y".repeat(2000) })).await;
    assert_eq!(socket.next().await, None);
}
