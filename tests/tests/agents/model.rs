//! A model with scripted answers. It offers the streamed API `/chat/completions`, which most agents use.

use std::{io, net::SocketAddr, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    task::AbortHandle,
    time::sleep,
};

/// The answer to every prompt without a special word.
pub(crate) const WORDS: [&str; 5] = ["Hel", "lo. ", "I am ", "Grüße ", "🦀."];
/// A prompt with this word gets an answer that repeats a text without end.
pub(crate) const SLOW: &str = "slowly";
/// The answer to the result of a command.
pub(crate) const DONE: &str = "That was it.";

/// A model that listens on a port. The drop of this value closes the port.
pub(crate) struct Model {
    address: SocketAddr,
    task: AbortHandle,
}

impl Model {
    pub(crate) async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // An agent that cancels closes its connection, so an error is expected here.
                tokio::spawn(async move { answer(stream).await.ok() });
            }
        });
        Ok(Self { address, task: serving.abort_handle() })
    }

    /// The address at which an agent finds the model.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Reads one request, answers it and closes the connection.
async fn answer(stream: TcpStream) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut length = 0;
    let mut line = String::new();
    while stream.read_line(&mut line).await? > 2 {
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
        line.clear();
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    let request = serde_json::from_slice(&body).unwrap_or_default();
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n").await?;
    let reply = Reply::to(&request);
    let mut reason = "stop";
    match &reply {
        Reply::Text(words) => {
            for word in *words {
                delta(&mut stream, json!({ "role": "assistant", "content": word }), None).await?;
            }
        }
        Reply::Slowly => {
            for _ in 0..600 {
                delta(&mut stream, json!({ "role": "assistant", "content": "on and " }), None).await?;
                sleep(Duration::from_millis(50)).await;
            }
        }
        Reply::Run { tool, command } => {
            reason = "tool_calls";
            let arguments = json!({ "command": command, "description": "as asked" }).to_string();
            let function = json!({ "name": tool, "arguments": arguments });
            let call = json!({ "index": 0, "id": "call_1", "type": "function", "function": function });
            delta(&mut stream, json!({ "role": "assistant", "tool_calls": [call] }), None).await?;
        }
    }
    delta(&mut stream, json!({}), Some(reason)).await?;
    stream.write_all(b"data: [DONE]\n\n").await?;
    stream.shutdown().await
}

async fn delta(stream: &mut BufReader<TcpStream>, delta: Value, finish_reason: Option<&str>) -> io::Result<()> {
    let usage = finish_reason.map(|_| json!({ "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 }));
    let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish_reason });
    let chunk = json!({
        "id": "chunk", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
        "choices": [choice], "usage": usage,
    });
    stream.write_all(format!("data: {chunk}\n\n").as_bytes()).await
}

enum Reply {
    Text(&'static [&'static str]),
    Slowly,
    Run { tool: String, command: String },
}

impl Reply {
    /// The reply to the last message of a conversation.
    fn to(request: &Value) -> Self {
        let messages = request["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let last = messages.last().unwrap_or(&Value::Null);
        if last["role"] == "tool" {
            return Self::Text(&[DONE]);
        }
        let text = last["content"].to_string();
        if text.contains(SLOW) {
            return Self::Slowly;
        }
        // A prompt with `run! COMMAND` makes the agent call its tool for commands.
        let command = text.split_once("run! ").and_then(|(_, command)| command.split('!').next());
        let tools = request["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
        let names = tools.iter().filter_map(|tool| tool["function"]["name"].as_str());
        match (command, names.into_iter().find(|name| name.contains("shell"))) {
            (Some(command), Some(tool)) => Self::Run { tool: tool.to_owned(), command: command.to_owned() },
            _ => Self::Text(&WORDS),
        }
    }
}
