//! An agent as a child process. The tests see only its pipes and its exit.

use std::{
    process::{ExitStatus, Stdio},
    time::Duration,
};

use acp_tests::peer::soon;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

/// The agent of `acp_examples::conformance`.
pub(crate) struct Agent {
    child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    pub(crate) stdout: Option<BufReader<ChildStdout>>,
}

impl Agent {
    pub(crate) fn spawn() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conformance-under-test"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child = command.spawn().expect("the agent starts");
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        Self { child, stdin, stdout }
    }

    /// Starts the agent, initializes it and opens a session. Returns the session's id.
    pub(crate) async fn with_session() -> (Self, String) {
        let mut agent = Self::spawn();
        agent.call("initialize", json!({ "protocolVersion": 1 })).await;
        let opened = agent.call("session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
        let id = opened["result"]["sessionId"].as_str().expect("a session").to_owned();
        (agent, id)
    }

    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        soon("room in stdin", stdin.write_all(bytes)).await.expect("the agent reads");
        soon("room in stdin", stdin.flush()).await.expect("the agent reads");
    }

    pub(crate) async fn request(&mut self, id: &str, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(format!("{message}\n").as_bytes()).await;
    }

    /// Sends requests and reads no answers, until the agent stops reading. Returns the number of requests that the
    /// agent will read, with the request that is cut off at the end.
    pub(crate) async fn flood(&mut self) -> usize {
        let line = b"{\"jsonrpc\":\"2.0\",\"id\":\"flood\",\"method\":\"nobody/has/this\"}\n";
        let piece = line.repeat(100);
        let stdin = self.stdin.as_mut().expect("stdin is open");
        let mut sent = 0;
        loop {
            let rest = &piece[sent % piece.len()..];
            match timeout(Duration::from_millis(300), stdin.write(rest)).await {
                Ok(count) => sent += count.expect("the agent lives"),
                Err(_) => return sent.div_ceil(line.len()),
            }
        }
    }

    /// The next message; `None` at the end of output.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let stdout = self.stdout.as_mut().expect("stdout is open");
        match soon("a message", stdout.read_line(&mut line)).await.expect("stdout is UTF-8") {
            0 => None,
            _ => Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))),
        }
    }

    /// The answer to the request with this id. Drops the messages before it.
    pub(crate) async fn answer(&mut self, id: &str) -> Value {
        loop {
            let message = self.next().await.expect("an answer, but the agent has ended");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    /// Sends a request whose id is the name of its method. Returns the answer.
    pub(crate) async fn call(&mut self, method: &str, params: Value) -> Value {
        self.request(method, method, params).await;
        self.answer(method).await
    }

    /// A value of `/proc/PID/status` in KiB.
    #[cfg(target_os = "linux")]
    pub(crate) fn memory(&self, what: &str) -> u64 {
        let pid = self.child.id().expect("it runs");
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a process of ours");
        let line = status.lines().find_map(|line| line.strip_prefix(what)).expect("a line of it");
        line.trim_matches(|c: char| !c.is_ascii_digit()).parse().expect("a number")
    }

    pub(crate) async fn ended(&mut self) -> ExitStatus {
        soon("the end", self.child.wait()).await.expect("a status")
    }

    /// Closes stdin, and waits for the end. `wire::process` measures how long it takes.
    pub(crate) async fn ends_well(&mut self) {
        self.stdin = None;
        let status = self.ended().await;
        assert!(status.success(), "{status}");
    }
}
