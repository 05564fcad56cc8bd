//! A client that records the conversation. It gives the same answers to the agent's questions in every run.

use acp_tests::peer::{Peer, prompt};
use serde_json::{Value, json};

pub(super) struct Conversation {
    peer: Peer,
    folder: tempfile::TempDir,
    last_id: u64,
    written: String,
}

impl Conversation {
    pub(super) fn with(program: &str, args: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self { peer: Peer::spawn(program, args), folder, last_id: 0, written: String::new() }
    }

    /// The working directory of sessions.
    pub(super) fn folder(&self) -> &str {
        self.folder.path().to_str().expect("UTF-8")
    }

    /// Sends a request and records all messages up to its answer.
    pub(super) async fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params).await;
        self.hear_until(|message| message["id"] == id && message["method"].is_null()).await
    }

    /// Sends a line that the agent answers at once, with any id. Records the answer.
    pub(super) async fn line(&mut self, line: &str) {
        self.say(line).await;
        self.hear_until(|message| message["method"].is_null()).await;
    }

    pub(super) async fn new_session(&mut self) -> String {
        let opened = self.call("session/new", json!({ "cwd": self.folder(), "mcpServers": [] })).await;
        opened["result"]["sessionId"].as_str().expect("a session").to_owned()
    }

    pub(super) async fn prompt(&mut self, session: &str, text: &str) {
        self.call("session/prompt", prompt(session, text)).await;
    }

    /// Sends a prompt and cancels it when the session is busy. A second prompt shows this, because the agent refuses
    /// it.
    pub(super) async fn cancelled_prompt(&mut self, session: &str, text: &str) {
        // The number of updates before the cancellation depends on time, so the recording leaves the updates out.
        let before = self.written.len();
        let id = self.request("session/prompt", prompt(session, text)).await;
        self.call("session/prompt", prompt(session, "meanwhile")).await;
        let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": session } });
        self.say(&cancel.to_string()).await;
        self.hear_until(|message| message["id"] == id && message["method"].is_null()).await;
        let lines = self.written.split_off(before);
        let timely = lines.lines().filter(|line| !line.contains(r#""method":"session/update""#));
        self.written.extend(timely.flat_map(|line| [line, "\n"]));
    }

    /// Ends the connection and returns the whole conversation. Checks that the agent ended without an error.
    pub(super) async fn ended(mut self) -> String {
        assert!(self.peer.hang_up().await.well(), "{}", self.written);
        assert_eq!(self.peer.unread(), [], "nothing is left to say");
        self.written
    }

    async fn request(&mut self, method: &str, params: Value) -> u64 {
        self.last_id += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params });
        self.say(&request.to_string()).await;
        self.last_id
    }

    async fn say(&mut self, line: &str) {
        self.write('>', line);
        self.peer.send_line(line).await;
    }

    async fn hear_until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.peer.next_line().await;
            self.write('<', &line);
            let message: Value = serde_json::from_str(&line).expect("JSON");
            if wanted(&message) {
                return message;
            }
            if let (Some(method), false) = (message["method"].as_str(), message["id"].is_null()) {
                let answer =
                    json!({ "jsonrpc": "2.0", "id": message["id"], "result": answer(method, &message["params"]) });
                self.say(&answer.to_string()).await;
            }
        }
    }

    fn write(&mut self, who: char, line: &str) {
        let line = line.replace(self.folder(), "/folder");
        self.written.push(who);
        self.written.push(' ');
        self.written.push_str(&without_times(&without_ids(&line)));
        self.written.push('\n');
    }
}

/// The answers of a user who agrees to everything.
fn answer(method: &str, params: &Value) -> Value {
    match method {
        "session/request_permission" => {
            json!({ "outcome": { "outcome": "selected", "optionId": params["options"][0]["optionId"] } })
        }
        "fs/read_text_file" => json!({ "content": "# Read me\n" }),
        "terminal/create" => json!({ "terminalId": "t" }),
        "terminal/output" => json!({ "output": "out\n", "truncated": false, "exitStatus": { "exitCode": 0 } }),
        "terminal/wait_for_exit" => json!({ "exitCode": 0 }),
        "elicitation/create" => json!({ "action": "accept", "content": {} }),
        _ => json!({}),
    }
}

/// Replaces `sess_` and 32 hexadecimal digits by `sess_*`, and other ids that the runtime makes likewise.
fn without_ids(line: &str) -> String {
    const DIGITS: usize = 32;
    let mut parts = line.split('_');
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        rest.push('_');
        match part.get(..DIGITS) {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                rest.push('*');
                rest.push_str(&part[DIGITS..]);
            }
            _ => rest.push_str(part),
        }
    }
    rest
}

fn without_times(line: &str) -> String {
    const KEY: &str = r#""updatedAt":""#;
    let mut parts = line.split(KEY);
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        rest.push_str(KEY);
        rest.push_str(part.find('"').map_or(part, |end| &part[end..]));
    }
    rest
}
