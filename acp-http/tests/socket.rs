//! A client that sends single frames and reads single messages.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Error, Message, client::IntoClientRequest},
};

use crate::{
    agent::{Server, soon},
    client::{initialize_in, text},
};

pub(crate) struct Socket {
    pub(crate) frames: WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>,
    /// The id of the connection.
    pub(crate) id: String,
}

pub(crate) async fn open(server: &Server, headers: &[(&'static str, &str)]) -> Result<Socket, u16> {
    let mut request = server.url.replace("http://", "ws://").into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    match connect_async(request).await {
        Ok((socket, answer)) => {
            let id = answer.headers()["acp-connection-id"].to_str().unwrap().to_owned();
            assert!(id.len() >= 32);
            Ok(Socket { frames: socket, id })
        }
        Err(Error::Http(answer)) => Err(answer.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

impl Socket {
    pub(crate) async fn send(&mut self, message: Value) {
        self.frames.send(Message::text(message.to_string())).await.unwrap();
    }

    pub(crate) async fn call(&mut self, id: u64, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
    }

    /// The next message; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            match soon("a frame", self.frames.next()).await? {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    pub(crate) async fn until_answer(&mut self, id: u64) -> (String, Value) {
        let mut said = String::new();
        loop {
            let message = self.next().await.expect("it is open");
            if message["id"] == id {
                return (said, message);
            }
            said.push_str(text(&message));
        }
    }

    pub(crate) async fn session(&mut self) -> String {
        self.session_of(1).await
    }

    /// Agrees on this version, and opens a session.
    pub(crate) async fn session_of(&mut self, version: u64) -> String {
        self.call(0, "initialize", initialize_in(version)["params"].clone()).await;
        let answer = self.until_answer(0).await.1;
        assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
        self.call(1, "session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
        let (_, answer) = self.until_answer(1).await;
        answer["result"]["sessionId"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn prompt(&mut self, id: u64, session: &str, words: &str) {
        let prompt = json!([{ "type": "text", "text": words }]);
        self.call(id, "session/prompt", json!({ "sessionId": session, "prompt": prompt })).await;
    }
}
