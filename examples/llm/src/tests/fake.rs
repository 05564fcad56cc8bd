//! A server of the chat API that answers by a script, and keeps what it is asked.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

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
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let state = State { replies: replies.into_iter().collect(), models, asked: vec![] };
        let state = Arc::new(Mutex::new(state));
        let shared = state.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, shared.clone()));
            }
        });
        Self { url, state }
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

/// A piece of text.
pub(super) fn text(text: &str) -> Value {
    json!({ "choices": [{ "delta": { "content": text } }] })
}

/// The end of an answer, and the number of all tokens.
pub(super) fn end(reason: &str) -> Value {
    json!({ "choices": [{ "delta": {}, "finish_reason": reason }], "usage": { "total_tokens": 42 } })
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
    let call = |part: Value| json!({ "choices": [{ "delta": { "tool_calls": [part] } }] });
    Reply::Events(vec![
        call(json!({ "index": 0, "id": "call-1", "function": { "name": name, "arguments": begin } })),
        call(json!({ "index": 0, "function": { "arguments": rest } })),
        end("tool_calls"),
    ])
}

async fn serve(stream: TcpStream, state: Arc<Mutex<State>>) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let (mut first, mut length, mut authorization) = (String::new(), 0, String::new());
    if stream.read_line(&mut first).await? == 0 {
        return Ok(()); // a connection in reserve
    }
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let Some((name, value)) = line.trim().split_once(": ") else { break };
        match name.to_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => authorization = value.to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    if first.starts_with("GET /v1/models ") {
        let models = json!({ "object": "list", "data": state.lock().unwrap().models }).to_string();
        return send(&mut stream, "200 OK", "", &models).await;
    }
    assert!(first.starts_with("POST /v1/chat/completions "), "{first}");
    let reply = {
        let mut state = state.lock().unwrap();
        state.asked.push((serde_json::from_slice(&body).unwrap(), authorization));
        state.replies.pop_front().expect("the script has no more replies")
    };
    match reply {
        Reply::Events(events) => {
            let body = format!(": a comment\r\n\r\n{}data: [DONE]\n\n", lines(&events));
            send(&mut stream, "200 OK", "Content-Type: text/event-stream\r\n", &body).await
        }
        Reply::Refused(status, headers, body) => send(&mut stream, status, headers, body).await,
        Reply::Body(body) => send(&mut stream, "200 OK", "", body).await,
        Reply::Cut(events) => begin(&mut stream, &events).await,
        Reply::Silent(events) => {
            begin(&mut stream, &events).await?;
            tokio::time::sleep(Duration::from_secs(1000)).await;
            Ok(())
        }
    }
}

/// A body in chunks, whose end is not told.
async fn begin(stream: &mut BufReader<TcpStream>, events: &[Value]) -> std::io::Result<()> {
    let body = lines(events);
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(format!("{head}{:x}\r\n{body}\r\n", body.len()).as_bytes()).await
}

fn lines(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

async fn send(stream: &mut BufReader<TcpStream>, status: &str, headers: &str, body: &str) -> std::io::Result<()> {
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await
}
