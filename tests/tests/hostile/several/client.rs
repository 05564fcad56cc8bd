//! A client of either version that follows the session.

use std::collections::{BTreeSet, HashMap, HashSet};

use acp_runtime::{
    __private::Threaded,
    agent::{Handlers, Host},
    transport::{
        Limits,
        memory::{self, MemoryStream},
    },
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, WriteHalf},
    sync::mpsc,
    task::JoinHandle,
    time::timeout,
};

use super::{agent::SOON, view::View};

/// What the client can do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abilities {
    pub(super) version: u16,
    /// Always so on version 2.
    pub(super) has_booleans: bool,
    pub(super) reads_files: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Purpose {
    /// It asks for the history, or not.
    Open {
        replays: bool,
    },
    Set,
    Prompt(u64),
    Other,
}

pub(super) struct Client {
    pub(super) number: usize,
    pub(super) abilities: Abilities,
    writer: WriteHalf<MemoryStream>,
    lines: mpsc::UnboundedReceiver<String>,
    reader: JoinHandle<()>,
    served: JoinHandle<acp_runtime::Result<()>>,
    pub(super) open: HashMap<u64, Purpose>,
    /// The questions that are open: ids and titles.
    pub(super) asked: Vec<(Value, String)>,
    /// The titles of all questions since the last mark.
    pub(super) questions: BTreeSet<String>,
    pub(super) view: View,
    /// It follows the session.
    pub(super) is_in: bool,
    /// It has followed the session since the last mark.
    pub(super) stays: bool,
    /// Its view begins with the first message.
    pub(super) shows_all: bool,
    /// The prompts of version 1 that the agent has not begun, as far as the client knows.
    own: HashMap<u64, String>,
    /// The prompts that were refused because the session was busy.
    pub(super) refused: HashSet<u64>,
    next: u64,
    story: Vec<String>,
}

impl Client {
    pub(super) async fn new<A>(host: &Host<A>, number: usize, abilities: Abilities) -> Self
    where
        A: Handlers<Threading = Threaded> + Send + Sync,
    {
        let (near, far) = memory::pair();
        let served = tokio::spawn(host.serve(near, Limits::default()));
        let (reader, writer) = tokio::io::split(far.into_stream());
        let (sender, lines) = mpsc::unbounded_channel();
        let reader = tokio::spawn(async move {
            let mut reader = BufReader::new(reader).lines();
            while let Ok(Some(line)) = reader.next_line().await {
                let _ = sender.send(line);
            }
        });
        let mut client = Self {
            number,
            abilities,
            writer,
            lines,
            reader,
            served,
            open: HashMap::new(),
            asked: Vec::new(),
            questions: BTreeSet::new(),
            view: View::default(),
            is_in: false,
            stays: false,
            shows_all: false,
            own: HashMap::new(),
            refused: HashSet::new(),
            next: 0,
            story: Vec::new(),
        };
        let Abilities { version, has_booleans, reads_files } = abilities;
        let params = match version {
            1 => json!({ "protocolVersion": 1, "clientCapabilities": {
                "fs": { "readTextFile": reads_files },
                "session": if has_booleans { json!({ "configOptions": { "boolean": {} } }) } else { json!({}) },
            } }),
            _ => json!({ "protocolVersion": 2, "info": { "name": "c", "version": "1" }, "capabilities": {} }),
        };
        client.call(Purpose::Other, "initialize", params).await.expect("an agent");
        client
    }

    async fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        self.story.push(format!("> {message}"));
        self.writer.write_all(format!("{message}\n").as_bytes()).await.expect("the agent reads");
    }

    pub(super) async fn request(&mut self, purpose: Purpose, method: &str, params: Value) -> u64 {
        self.next += 1;
        self.open.insert(self.next, purpose);
        self.send(json!({ "id": self.next, "method": method, "params": params })).await;
        self.next
    }

    pub(super) async fn call(&mut self, purpose: Purpose, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.request(purpose, method, params).await;
        self.until_answered(id).await
    }

    pub(super) async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params })).await;
    }

    /// Opens the session that others may have.
    pub(super) async fn follow(&mut self, replays: bool) -> u64 {
        let mut params = json!({ "sessionId": "s", "cwd": "/", "mcpServers": [] });
        let method = match self.abilities.version {
            1 if replays => "session/load",
            1 => "session/resume",
            _ => {
                if replays {
                    params["replayFrom"] = json!({ "type": "start" });
                }
                "session/resume"
            }
        };
        self.view.forget();
        self.request(Purpose::Open { replays }, method, params).await
    }

    pub(super) async fn prompt(&mut self, number: u64, words: &str) -> u64 {
        let text = format!("{number} {words}");
        if self.abilities.version == 1 {
            self.own.insert(number, text.clone());
        }
        let params = json!({ "sessionId": "s", "prompt": [{ "type": "text", "text": text }] });
        self.request(Purpose::Prompt(number), "session/prompt", params).await
    }

    pub(super) async fn set(&mut self, option: &str, value: &Value) {
        let mut params = json!({ "sessionId": "s", "configId": option, "value": value });
        if value.is_boolean() {
            params["type"] = "boolean".into();
        } else if self.abilities.version == 2 {
            params["type"] = "id".into();
        }
        self.request(Purpose::Set, "session/set_config_option", params).await;
    }

    /// Answers a question, and returns its title.
    pub(super) async fn answer(&mut self, at: usize, allows: bool) -> String {
        let (id, title) = self.asked.swap_remove(at);
        let option = if allows { "allow" } else { "reject" };
        self.send(json!({ "id": id, "result": { "outcome": { "outcome": "selected", "optionId": option } } })).await;
        title
    }

    pub(super) async fn until_answered(&mut self, id: u64) -> Result<Value, Value> {
        loop {
            let line = match timeout(SOON, self.lines.recv()).await {
                Ok(line) => line.unwrap_or_else(|| panic!("the agent has hung up{}", self.story())),
                Err(_) => panic!("request {id} is not answered{}", self.story()),
            };
            if let Some((answered, outcome)) = self.hear(&line).await
                && answered == id
            {
                return outcome;
            }
        }
    }

    /// Reads what has come.
    pub(super) async fn listen(&mut self) {
        while let Ok(line) = self.lines.try_recv() {
            self.hear(&line).await;
        }
    }

    /// Makes some round trips.
    pub(super) async fn settle(&mut self) {
        for _ in 0..3 {
            let refused = self.call(Purpose::Other, "_acp-tests.dev/settled", json!({})).await;
            assert_eq!(refused.expect_err("nobody handles it")["code"], -32601);
        }
    }

    async fn hear(&mut self, line: &str) -> Option<(u64, Result<Value, Value>)> {
        self.story.push(format!("< {line}"));
        let message: Value = serde_json::from_str(line).expect("JSON");
        let params = &message["params"];
        match (message["method"].as_str(), message.get("id")) {
            (Some("session/update"), None) => {
                let is_opening = self.open.values().any(|purpose| matches!(purpose, Purpose::Open { .. }));
                assert!(self.is_in || is_opening, "an update for a client that does not follow{}", self.story());
                self.view.update(&params["update"], &mut self.own);
            }
            (Some("$/cancel_request"), None) => self.asked.retain(|(id, _)| *id != params["requestId"]),
            (Some("session/request_permission"), Some(id)) => {
                let call =
                    if params["subject"].is_object() { &params["subject"]["toolCall"] } else { &params["toolCall"] };
                let title = call["title"].as_str().unwrap_or_else(|| panic!("no title: {message}")).to_owned();
                self.questions.insert(title.clone());
                self.asked.push((id.clone(), title));
            }
            (Some("fs/read_text_file"), Some(id)) => {
                assert!(self.abilities.reads_files, "it cannot read{}", self.story());
                let content = format!("client {}", self.number);
                self.send(json!({ "id": id, "result": { "content": content } })).await;
            }
            (None, Some(id)) => {
                let id = id.as_u64().expect("an id of this client");
                let outcome =
                    message.get("error").map_or_else(|| Ok(message["result"].clone()), |error| Err(error.clone()));
                self.answered(id, &outcome);
                return Some((id, outcome));
            }
            _ => panic!("what is this: {line}"),
        }
        None
    }

    fn answered(&mut self, id: u64, outcome: &Result<Value, Value>) {
        let Some(purpose) = self.open.remove(&id) else {
            panic!("request {id} is answered twice, or was never sent{}", self.story())
        };
        match (purpose, outcome) {
            (Purpose::Open { replays }, Ok(opened)) => {
                self.view.config(&opened["configOptions"]);
                (self.is_in, self.shows_all) = (true, replays);
            }
            (Purpose::Open { .. }, Err(error)) => panic!("it may not follow: {error}{}", self.story()),
            (Purpose::Set, Ok(set)) => self.view.config(&set["configOptions"]),
            (Purpose::Set, Err(error)) => panic!("it may not set: {error}{}", self.story()),
            (Purpose::Prompt(number), Err(error)) if error["code"] == -32600 => {
                self.refused.insert(number);
                self.own.remove(&number);
            }
            (Purpose::Prompt(number), _) if self.abilities.version == 1 => drop(self.own.remove(&number)),
            _ => {}
        }
    }

    /// From here on, what comes is compared with what the others read.
    pub(super) fn mark(&mut self) {
        self.view.mark();
        self.questions.clear();
        self.stays = self.is_in;
    }

    /// The session is over.
    pub(super) fn is_out(&mut self) {
        (self.is_in, self.stays, self.shows_all) = (false, false, false);
        self.view.forget();
    }

    pub(super) fn story(&self) -> String {
        let told: Vec<_> =
            self.story.iter().filter(|line| !line.contains("settled") && !line.contains("-32601")).collect();
        let last: Vec<_> = told[told.len().saturating_sub(60)..].iter().map(|line| format!("\n{line}")).collect();
        format!("\nclient {} {:?}:{}", self.number, self.abilities, last.concat())
    }

    /// Hangs up, and waits for the agent's end.
    pub(super) async fn leave(mut self) {
        self.writer.shutdown().await.expect("the agent reads");
        let served = timeout(SOON, &mut self.served).await;
        let Ok(served) = served else { panic!("the connection does not end{}", self.story()) };
        served.expect("no panic").expect("no error");
    }
}

impl Drop for Client {
    /// Without a farewell: both halves of the stream are gone.
    fn drop(&mut self) {
        self.reader.abort();
    }
}
