//! A server of the chat API of OpenAI. A function of the test answers each request. [`delta`] and its neighbours make the
//! events of a stream in the shape that OpenAI gives them.
//!
//! The server also speaks APIs whose events have a `type`, such as Anthropic's messages and the responses of OpenAI: each event
//! then comes with its type as its name.

use std::{collections::HashMap, io, net::SocketAddr, sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    task::AbortHandle,
    time::sleep,
};

/// The head of each stream. Its length is not known, so its body comes in chunks.
const STREAM: &str =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";

/// A server on a port of this machine. The drop of this value closes the port.
pub struct Server {
    address: SocketAddr,
    task: AbortHandle,
}

/// A request, as the server has read it.
pub struct Request {
    /// Such as `POST`.
    pub method: String,
    /// Such as `/v1/chat/completions`.
    pub path: String,
    /// The body. It is `null` if the request has none.
    pub body: Value,
    headers: HashMap<String, String>,
}

/// The answer to a request.
pub enum Answer {
    /// A whole answer.
    Whole {
        /// A status with its words, such as `404 Not Found`.
        status: &'static str,
        /// More headers. Each ends with `\r\n`.
        headers: &'static str,
        /// The body as it is.
        body: String,
    },
    /// Bytes without an end, until the client closes the connection.
    Endless {
        /// A status with its words.
        status: &'static str,
        /// The first bytes.
        begin: &'static str,
        /// What comes behind them, again and again.
        again: &'static str,
    },
    /// A stream of events.
    Stream {
        /// The events. The server also sends a comment before them.
        events: Vec<Value>,
        /// The time before each event. If it is zero, all events come at once.
        pace: Duration,
        /// The end of the stream.
        end: End,
    },
}

/// The end of a stream.
#[derive(Clone, Copy, PartialEq)]
pub enum End {
    /// The server says that the stream is complete.
    Complete,
    /// The connection breaks.
    Cut,
    /// The connection stays open, and nothing more comes.
    Silence,
}

impl Server {
    /// Starts a server. It closes each connection after one answer.
    ///
    /// # Errors
    ///
    /// The system gives no port.
    pub async fn start(answer: impl Fn(Request) -> Answer + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let answer = Arc::new(answer);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let answer = answer.clone();
                // An agent that cancels closes its connection, so an error is expected here.
                tokio::spawn(async move { serve(BufReader::new(stream), &*answer).await.ok() });
            }
        });
        Ok(Self { address, task: serving.abort_handle() })
    }

    /// The address of the API. It ends with `/v1`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Request {
    /// The value of a header. It is empty if there is no such header.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(&name.to_ascii_lowercase()).map(String::as_str).unwrap_or_default()
    }

    /// The messages of the conversation.
    pub fn messages(&self) -> &[Value] {
        self.body["messages"].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    /// Reads a request. Returns `None` if the client keeps the connection in reserve and sends nothing.
    async fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Option<Self>> {
        let (mut line, mut headers) = (String::new(), HashMap::new());
        if stream.read_line(&mut line).await? == 0 {
            return Ok(None);
        }
        let mut first = line.split(' ').map(str::to_owned);
        let (method, path) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).await?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let length = headers.get("content-length").map_or(Ok(0), |length| length.parse()).map_err(io::Error::other)?;
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await?;
        let body = match &body[..] {
            [] => Value::Null,
            body => serde_json::from_slice(body).expect("the body of a request is JSON"),
        };
        Ok(Some(Self { method, path, body, headers }))
    }
}

impl Answer {
    /// A stream that is complete, and whose events come at once.
    pub fn stream(events: Vec<Value>) -> Self {
        Self::Stream { events, pace: Duration::ZERO, end: End::Complete }
    }

    /// An error in JSON.
    pub fn error(status: &'static str, message: &str) -> Self {
        let body = json!({ "error": { "message": message, "type": "invalid_request_error" } }).to_string();
        Self::Whole { status, headers: "Content-Type: application/json\r\n", body }
    }
}

/// A piece of a text.
pub fn text(text: &str) -> Value {
    delta(json!({ "role": "assistant", "content": text }))
}

/// A piece of a thought. OpenAI itself has no such field, and many other servers have it.
pub fn thought(thought: &str) -> Value {
    delta(json!({ "role": "assistant", "reasoning_content": thought }))
}

/// A whole call of a tool, in one event.
pub fn call(name: &str, arguments: &Value) -> Value {
    let function = json!({ "name": name, "arguments": arguments.to_string() });
    let call = json!({ "index": 0, "id": "call_1", "type": "function", "function": function });
    delta(json!({ "role": "assistant", "tool_calls": [call] }))
}

/// The end of an answer, with the reason. All tokens of the conversation are 42.
pub fn end(reason: &str) -> Value {
    let mut event = delta(json!({}));
    event["choices"][0]["finish_reason"] = json!(reason);
    event["usage"] = json!({ "prompt_tokens": 40, "completion_tokens": 2, "total_tokens": 42 });
    event
}

/// A piece of an answer.
pub fn delta(delta: Value) -> Value {
    let choice = json!({ "index": 0, "delta": delta, "finish_reason": null });
    json!({
        "id": "chunk", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
        "choices": [choice], "usage": null,
    })
}

/// An event of a stream as it is sent.
fn line(event: &Value) -> String {
    match event["type"].as_str() {
        Some(name) => format!("event: {name}\ndata: {event}\n\n"),
        None => format!("data: {event}\n\n"),
    }
}

/// Reads one request, answers it and closes the connection.
async fn serve(mut stream: BufReader<TcpStream>, answer: &(impl Fn(Request) -> Answer + Sync)) -> io::Result<()> {
    let Some(request) = Request::read(&mut stream).await? else { return Ok(()) };
    match answer(request) {
        Answer::Whole { status, headers, body } => {
            let head =
                format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            stream.write_all((head + &body).as_bytes()).await?;
        }
        Answer::Endless { status, begin, again } => {
            let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n\r\n{begin}");
            stream.write_all(head.as_bytes()).await?;
            let many = again.repeat(64 * 1024 / again.len());
            loop {
                stream.write_all(many.as_bytes()).await?;
            }
        }
        Answer::Stream { events, pace, end } => {
            stream.write_all(STREAM.as_bytes()).await?;
            let comment = ": a comment\r\n\r\n".to_owned();
            let mut lines: Vec<String> = events.iter().map(line).collect();
            // Events with a name say themselves which is the last.
            if end == End::Complete && events.iter().all(|event| event["type"].is_null()) {
                lines.push("data: [DONE]\n\n".to_owned());
            }
            if pace.is_zero() {
                lines = vec![comment + &lines.concat()];
            } else {
                lines.insert(0, comment);
            }
            for lines in lines {
                sleep(pace).await;
                stream.write_all(format!("{:x}\r\n{lines}\r\n", lines.len()).as_bytes()).await?;
            }
            match end {
                End::Complete => stream.write_all(b"0\r\n\r\n").await?,
                End::Cut => {}
                End::Silence => std::future::pending().await,
            }
        }
    }
    stream.shutdown().await
}
