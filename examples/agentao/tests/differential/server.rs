//! A server of the chat API of OpenAI that plays the script of this package. So Agentao's model says what the agent's model says.

use std::{io, net::SocketAddr, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    task::AbortHandle,
};

/// The server. The drop of this value ends it.
pub(crate) struct Server {
    address: SocketAddr,
    task: AbortHandle,
}

impl Server {
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

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Reads one request, answers it and closes the connection.
async fn answer(stream: TcpStream) -> io::Result<()> {
    let (mut stream, mut length, mut line) = (BufReader::new(stream), 0, String::new());
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
    let (pieces, pace) = script(&serde_json::from_slice(&body).unwrap_or_default());
    if let Some(why) = pieces.iter().find_map(|piece| piece["error"].as_str()) {
        let error = json!({ "error": { "message": why, "type": "invalid_request_error" } }).to_string();
        let head =
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ";
        stream.write_all(format!("{head}{}\r\n\r\n{error}", error.len()).as_bytes()).await?;
        return stream.shutdown().await;
    }
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n").await?;
    let mut reason = "stop";
    for piece in pieces {
        tokio::time::sleep(pace).await;
        let of = match (&piece["text"], &piece["thought"], &piece["call"]) {
            (Value::String(text), ..) => json!({ "role": "assistant", "content": text }),
            (_, Value::String(thought), _) => json!({ "role": "assistant", "reasoning_content": thought }),
            (.., call) => {
                reason = "tool_calls";
                let function = json!({ "name": call[0], "arguments": call[1].to_string() });
                let call = json!({ "index": 0, "id": "call_1", "type": "function", "function": function });
                json!({ "role": "assistant", "tool_calls": [call] })
            }
        };
        delta(&mut stream, of, None).await?;
    }
    delta(&mut stream, json!({}), Some(reason)).await?;
    stream.write_all(b"data: [DONE]\n\n").await?;
    stream.shutdown().await
}

/// The pieces that the script has for the last prompt and its results, and the time before each.
fn script(request: &Value) -> (Vec<Value>, Duration) {
    let messages = request["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let last = messages.iter().rposition(|message| message["role"] == "user").unwrap_or_default();
    let results = messages.iter().skip(last).filter(|message| message["role"] == "tool").count();
    let prompt = messages.get(last).map(|message| message["content"].to_string()).unwrap_or_default();
    let rules: Vec<Value> = serde_json::from_str(include_str!("../../src/script.json")).expect("it is a script");
    let rule = rules.iter().find(|rule| prompt.contains(rule["when"].as_str().unwrap_or_default()));
    let rule = rule.expect("the last rule fits each prompt");
    let pieces = rule["answers"][results].as_array().cloned().unwrap_or_default();
    (pieces, Duration::from_millis(rule["pace_ms"].as_u64().unwrap_or_default()))
}

async fn delta(stream: &mut BufReader<TcpStream>, delta: Value, finish_reason: Option<&str>) -> io::Result<()> {
    let usage = finish_reason.map(|_| json!({ "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 }));
    let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish_reason });
    let chunk = json!({
        "id": "chunk", "object": "chat.completion.chunk", "created": 1, "model": "scripted", "choices": [choice], "usage": usage,
    });
    stream.write_all(format!("data: {chunk}\n\n").as_bytes()).await
}
