//! Each row of README.md's table in both manners, and what else the agent promises.

mod differences;
mod promises;

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use acp_runtime::{
    agent::Serve,
    hooks::{Hooked, Resume},
    store::{MemoryStore, SessionStore},
    transport::{
        Limits, Transport,
        memory::{self, Lines},
    },
};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::{Agentao, Compat, Credentials, Providers, Script, type_of};

/// The lines of a log.
type Log = Arc<Mutex<Vec<String>>>;

/// A place for sessions, a folder to work in, and what was logged.
struct Desk {
    store: Arc<dyn SessionStore>,
    work: tempfile::TempDir,
    log: Log,
}

/// The follower of the protocol, or of the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Manner {
    Acp,
    Reference,
}

const BOTH: [Manner; 2] = [Manner::Acp, Manner::Reference];

/// A resolver whose error has a key in its text.
#[derive(Debug)]
struct Leaky;

impl Desk {
    fn new() -> Self {
        let work = tempfile::tempdir().expect("a folder");
        Self { store: Arc::new(MemoryStore::new()), work, log: Log::default() }
    }

    fn cwd(&self) -> &Path {
        self.work.path()
    }

    /// Serves a client. `resume` is the argument `--resume`.
    async fn serve(&self, manner: Manner, resume: Option<Option<&str>>) -> Client {
        let log = self.log.clone();
        let resolve = |provider: &str| match provider {
            "openai" | "local" => Ok(Credentials { api_key: "sk-secret".to_owned(), base_url: None }),
            _ => Err(type_of(Leaky)),
        };
        let first = "openai/scripted".to_owned();
        let log = Box::new(move |line| log.lock().unwrap().push(line));
        let providers = Providers { first, resolve: Box::new(resolve), log };
        let model = Arc::new(Script);
        let agent = Agentao { store: self.store.clone(), providers, model, same_roots: manner == Manner::Reference };
        let (near, far) = memory::pair();
        let resume = match resume {
            Some(Some(id)) => Some(Resume::session(&*self.store, id).await),
            Some(None) => Some(Resume::last(&*self.store).await),
            None => None,
        };
        let compat = (manner == Manner::Reference).then(Compat::default);
        Client::new(near, agent, Hooked::new(Hooked::new(far, compat), resume))
    }

    /// Serves a client that has initialized, and has a session.
    async fn session(&self, manner: Manner) -> (Client, String) {
        let mut client = self.serve(manner, None).await;
        client.initialize().await;
        let opened = client.result("session/new", self.roots()).await;
        (client, opened["sessionId"].as_str().unwrap().to_owned())
    }

    fn roots(&self) -> Value {
        json!({ "cwd": self.cwd(), "mcpServers": [] })
    }
}

/// A client, line by line.
struct Client {
    lines: Lines,
    served: JoinHandle<acp_runtime::Result<()>>,
    last: u64,
    /// The messages of the agent that are no answers, since they were taken.
    told: Vec<Value>,
    /// The results of the agent's requests, by method.
    replies: Vec<(&'static str, Value)>,
}

impl Client {
    fn new(near: memory::Memory, agent: Agentao, far: impl Transport + Send + 'static) -> Self {
        let served = tokio::spawn(agent.serve(far, Limits::default()));
        Self { lines: near.into_lines(), served, last: 0, told: Vec::new(), replies: Vec::new() }
    }

    async fn initialize(&mut self) -> Value {
        self.result("initialize", json!({ "protocolVersion": 1, "clientCapabilities": {} })).await
    }

    /// Hangs up, and waits for the end of the agent.
    async fn close(mut self) {
        self.lines.hang_up().await.unwrap();
        self.served.await.unwrap().unwrap();
    }

    async fn send(&mut self, message: Value) {
        self.lines.send(&message.to_string()).await.unwrap();
    }

    async fn request(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params })).await;
        self.last
    }

    /// The next message of the agent.
    async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(std::time::Duration::from_secs(20), self.lines.next_line()).await;
        serde_json::from_str(&line.expect("a message in time").unwrap().expect("the agent is there")).unwrap()
    }

    /// The answer to a request. Requests of the agent are answered meanwhile.
    async fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.next().await;
            match (message["method"].as_str(), &message["id"]) {
                (None, of) if *of == id => return message,
                (Some(method), asked) if !asked.is_null() => {
                    let reply = self.replies.iter().find(|(name, _)| *name == method).map(|(_, reply)| reply.clone());
                    if let Some(mut reply) = reply {
                        let key = if reply.get("code").is_some() { "error" } else { "result" };
                        reply = json!({ "jsonrpc": "2.0", "id": asked, key: reply });
                        self.send(reply).await;
                    }
                    self.told.push(message);
                }
                _ => self.told.push(message),
            }
        }
    }

    /// The next answer to any request.
    async fn any_answer(&mut self) -> Value {
        loop {
            let message = self.next().await;
            if message.get("method").is_none() {
                return message;
            }
        }
    }

    async fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params).await;
        self.answer(id).await
    }

    async fn result(&mut self, method: &str, params: Value) -> Value {
        let answer = self.call(method, params).await;
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The code of the error; 0 for a result.
    async fn code(&mut self, method: &str, params: Value) -> i64 {
        self.call(method, params).await["error"]["code"].as_i64().unwrap_or_default()
    }

    async fn prompt(&mut self, session: &str, text: &str) -> Value {
        self.call("session/prompt", prompt(session, text)).await
    }

    /// The updates since they were taken.
    fn updates(&mut self) -> Vec<Value> {
        let told = std::mem::take(&mut self.told);
        let updates = told.into_iter().filter(|message| message["method"] == "session/update");
        updates.map(|mut message| message["params"]["update"].take()).collect()
    }

    /// The kinds of these updates, with the statuses of calls.
    fn kinds(&mut self) -> Vec<String> {
        let kind = |update: Value| {
            let words = [update["sessionUpdate"].as_str(), update["status"].as_str()];
            words.into_iter().flatten().collect::<Vec<_>>().join(" ")
        };
        self.updates().into_iter().map(kind).collect()
    }
}

fn prompt(session: &str, text: &str) -> Value {
    json!({ "sessionId": session, "prompt": [{ "type": "text", "text": text }] })
}

fn selected(option: &str) -> Value {
    json!({ "outcome": { "outcome": "selected", "optionId": option } })
}
