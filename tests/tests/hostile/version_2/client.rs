//! A client of version 2 that holds what it gets against the rules of its own, and records all of it for the judge.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use acp_client::testing::{
    Party, Tape,
    judge::{Level, Rule, judge},
};
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
};

use super::order::Order;

/// The kind of a request: how the client handles its answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Purpose {
    Open,
    End,
    Prompt,
    Other,
}

/// A session, as the client sees it.
#[derive(Default, Debug)]
pub(super) struct Seen {
    /// The last answer that opened or ended it says that it is open.
    pub(super) is_open: bool,
    /// The requests to open it that are not answered.
    opening: usize,
    /// The last state; `None` when the next one is the first of an opening.
    pub(super) state: Option<String>,
    background: Option<Value>,
    /// The tool calls that the client may cancel.
    pub(super) cancellable: Vec<String>,
    /// The messages of inserted prompts that no user message has shown.
    inserted: HashSet<String>,
    users: HashSet<String>,
    /// The value of the option.
    pub(super) writer: Option<String>,
    /// What the agent said last.
    pub(super) said: Option<String>,
}

pub(super) struct Client {
    writer: WriteHalf<MemoryStream>,
    lines: mpsc::UnboundedReceiver<String>,
    order: Order,
    served: JoinHandle<acp_runtime::Result<()>>,
    pub(super) open: HashMap<u64, (Purpose, String)>,
    /// The requests of the agent, with their sessions.
    pub(super) asked: Vec<Value>,
    pub(super) seen: HashMap<String, Seen>,
    next: u64,
}

impl Client {
    pub(super) async fn new<A: Handlers<Threading = Threaded> + Send + Sync>(host: &Host<A>) -> Self {
        let (near, far) = memory::pair();
        let order = Order::default();
        let served = tokio::spawn(host.serve(order.record(near), Limits::default()));
        let (reader, writer) = tokio::io::split(far.into_stream());
        let (sender, lines) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut reader = BufReader::new(reader).lines();
            while let Some(line) = reader.next_line().await.expect("UTF-8") {
                let _ = sender.send(line);
            }
        });
        let (open, asked, seen) = Default::default();
        let mut client = Self { writer, lines, order, served, open, asked, seen, next: 0 };
        let info = json!({ "name": "client", "version": "1" });
        client
            .request(
                "",
                Purpose::Other,
                "initialize",
                json!({ "protocolVersion": 2, "info": info, "capabilities": {} }),
            )
            .await;
        client.until_answered(0).await.expect("`initialize` is answered");
        client
    }

    pub(super) async fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        self.writer.write_all(format!("{message}\n").as_bytes()).await.expect("the agent reads");
    }

    /// Sends a request, and returns its id.
    pub(super) async fn request(&mut self, session: &str, purpose: Purpose, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.open.insert(id, (purpose, session.to_owned()));
        if purpose == Purpose::Open {
            self.seen.entry(session.to_owned()).or_default().opening += 1;
        }
        self.send(json!({ "id": id, "method": method, "params": params })).await;
        id
    }

    pub(super) async fn prompt(&mut self, session: &str, text: &str) -> u64 {
        let (number, text) = (self.next, json!([{ "type": "text", "text": text }]));
        let params = json!({ "sessionId": session, "prompt": text, "_meta": { "number": number } });
        self.request(session, Purpose::Prompt, "session/prompt", params).await
    }

    pub(super) async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params })).await;
    }

    /// Answers a question of the agent.
    pub(super) async fn answer(&mut self, at: usize, allows: bool) {
        let id = self.asked.swap_remove(at);
        let option = if allows { "allow" } else { "reject" };
        self.send(json!({ "id": id, "result": { "outcome": { "outcome": "selected", "optionId": option } } })).await;
    }

    /// Reads until the answer to this request.
    pub(super) async fn until_answered(&mut self, id: u64) -> Result<Value, Value> {
        loop {
            let line = tokio::time::timeout(Duration::from_secs(20), self.lines.recv()).await;
            let line = match line {
                Ok(line) => line.unwrap_or_else(|| panic!("the agent has hung up{}", self.story())),
                Err(_) => panic!("request {id} is not answered{}", self.story()),
            };
            if let Some((answered, outcome)) = self.hear(&line)
                && answered == id
            {
                return outcome;
            }
        }
    }

    /// Whether a request that opens or ends this session is not answered.
    pub(super) fn is_in_transition(&self, session: &str) -> bool {
        self.open.values().any(|(purpose, of)| matches!(purpose, Purpose::Open | Purpose::End) && of == session)
    }

    /// Reads what has come.
    pub(super) fn listen(&mut self) {
        while let Ok(line) = self.lines.try_recv() {
            self.hear(&line);
        }
    }

    /// Makes some round trips.
    pub(super) async fn settle(&mut self) {
        for _ in 0..3 {
            let id = self.request("", Purpose::Other, "_acp-tests.dev/settled", json!({})).await;
            let refused = self.until_answered(id).await.expect_err("nobody handles it");
            assert_eq!(refused["code"], -32601, "{refused}");
        }
    }

    fn hear(&mut self, line: &str) -> Option<(u64, Result<Value, Value>)> {
        let message: Value = serde_json::from_str(line).expect("JSON");
        match (message["method"].as_str(), message.get("id")) {
            (Some("session/update"), None) => self.update(&message["params"]),
            (Some("$/cancel_request"), None) => self.withdrawn(&message["params"]["requestId"]),
            (Some("session/request_permission"), Some(id)) => self.asked.push(id.clone()),
            (None, Some(id)) => {
                let id = id.as_u64().expect("an id of this client");
                let outcome = match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
                self.answered(id, &outcome);
                return Some((id, outcome));
            }
            _ => panic!("what is this: {line}"),
        }
        None
    }

    fn withdrawn(&mut self, id: &Value) {
        self.asked.retain(|asked| asked != id);
    }

    fn answered(&mut self, id: u64, outcome: &Result<Value, Value>) {
        let story = |this: &Self| this.story();
        let Some((purpose, session)) = self.open.remove(&id) else {
            panic!("request {id} is answered twice, or was never sent{}", story(self))
        };
        let seen = self.seen.entry(session.clone()).or_default();
        match (purpose, outcome) {
            (Purpose::Open, _) => {
                seen.opening -= 1;
                if let Ok(opened) = outcome {
                    seen.is_open = true;
                    seen.writer = opened["configOptions"][0]["currentValue"].as_str().map(ToOwned::to_owned);
                    let state = seen.state.clone();
                    assert!(state.is_some(), "no state before the answer that opens `{session}`{}", story(self));
                }
            }
            (Purpose::End, Ok(_)) => {
                let was = std::mem::take(&mut seen.state);
                let (opening, inserted) = (seen.opening, std::mem::take(&mut seen.inserted));
                *seen = Seen { opening, ..Seen::default() };
                assert!(was.is_none_or(|was| was == "idle"), "a close of `{session}` leaves work{}", story(self));
                assert!(inserted.is_empty(), "no user message of {inserted:?}{}", story(self));
            }
            (Purpose::Prompt, Ok(inserted)) => {
                let message = inserted["messageId"].as_str().expect("an id").to_owned();
                if !seen.users.contains(&message) {
                    seen.inserted.insert(message);
                }
            }
            (Purpose::Other, Ok(set)) => {
                if let Some(writer) = set["configOptions"][0]["currentValue"].as_str() {
                    seen.writer = Some(writer.to_owned());
                }
            }
            _ => {}
        }
    }

    fn update(&mut self, params: &Value) {
        let (session, update) = (params["sessionId"].as_str().expect("an id"), &params["update"]);
        let seen = self.seen.entry(session.to_owned()).or_default();
        let mut fault = None;
        if !seen.is_open && seen.opening == 0 {
            fault = Some("an update of a session that is not open");
        }
        let text = |value: &Value| value.as_str().map(ToOwned::to_owned);
        match update["sessionUpdate"].as_str().expect("a kind") {
            "state_update" => {
                let (state, background) = (text(&update["state"]), update.get("background").cloned());
                let is_same = state == seen.state && background == seen.background;
                if is_same && seen.opening == 0 {
                    fault = Some("the same state again");
                }
                if seen.state.as_deref() == Some("idle") && update["stopReason"] == "cancelled" && seen.state != state {
                    fault = Some("an end without a begin");
                }
                if seen.background.is_some() && background.is_none() && seen.opening == 0 {
                    fault = Some("a state without the background work");
                }
                (seen.state, seen.background) = (state, background);
            }
            "user_message" => {
                let id = text(&update["messageId"]).expect("an id");
                seen.inserted.remove(&id);
                if !seen.users.insert(id) {
                    fault = Some("a user message twice");
                }
            }
            "config_option_update" => seen.writer = text(&update["configOptions"][0]["currentValue"]),
            "agent_message_chunk" => seen.said = text(&update["content"]["text"]),
            "tool_call_update" => {
                let id = text(&update["toolCallId"]).expect("an id");
                if update["capabilities"]["cancel"].is_object() && !seen.cancellable.contains(&id) {
                    seen.cancellable.push(id);
                } else if matches!(update["status"].as_str(), Some("completed" | "failed" | "cancelled")) {
                    seen.cancellable.retain(|known| *known != id);
                }
            }
            _ => {}
        }
        if let Some(fault) = fault {
            panic!("{fault}: {params}{}", self.story());
        }
    }

    /// What must hold when nothing happens any more. `owns` is true if the session speaks to this client.
    pub(super) fn rests(&self, session: &str, owns: bool) {
        let Some(seen) = self.seen.get(session) else { return };
        if seen.is_open && owns {
            assert_eq!(seen.state.as_deref(), Some("idle"), "`{session}` does not rest: {seen:?}{}", self.story());
            let listed = seen.background.as_ref().and_then(Value::as_array).map_or(0, Vec::len);
            assert_eq!(listed, 0, "`{session}` lists work that has ended{}", self.story());
            assert!(seen.inserted.is_empty(), "no user message of a prompt: {seen:?}{}", self.story());
        }
    }

    /// Whatever follows, what came until here has had its time.
    pub(super) fn mark(&mut self) {
        self.order.mark();
    }

    /// Asserts that the judge finds no fault of the agent.
    pub(super) fn judged(&self) {
        let mut tape = self.order.tape();
        tape.hang_up(Party::Client);
        // A command beside the turn overtakes the prompts that are held. The order of all other prompts is judged without them.
        faultless(&tape, |rule| rule.id != "prompt-order");
        faultless(&without_commands(&tape), |rule| rule.id == "prompt-order");
    }

    pub(super) fn story(&self) -> String {
        story(&self.order.tape(), usize::MAX)
    }

    /// Hangs up, and waits for the agent's end.
    pub(super) async fn leave(mut self) {
        self.writer.shutdown().await.expect("the agent reads");
        let served = tokio::time::timeout(Duration::from_secs(20), &mut self.served).await;
        let Ok(served) = served else { panic!("the connection does not end{}", self.story()) };
        served.expect("no panic").expect("no error");
    }
}

fn faultless(tape: &Tape, of: impl Fn(&Rule) -> bool) {
    let mut found = judge(tape);
    found.retain(|finding| finding.by == Party::Agent && finding.rule.level != Level::Note && of(finding.rule));
    if let Some(first) = found.first() {
        let texts: Vec<_> = found.iter().map(ToString::to_string).collect();
        panic!("{texts:#?}{}", story(tape, first.entry + 6));
    }
}

/// The same conversation, in which the client calls no command.
fn without_commands(tape: &Tape) -> Tape {
    let (mut kept, mut commands) = (Tape::new(), HashSet::new());
    for entry in tape.entries() {
        let Some(line) = &entry.line else {
            kept.hang_up(entry.from);
            continue;
        };
        let message: Value = serde_json::from_slice(line).expect("JSON");
        let is_call = entry.from == Party::Client
            && message["params"]["prompt"][0]["text"].as_str().is_some_and(|text| text.starts_with('/'));
        let is_left_out = match entry.from {
            Party::Client if is_call => commands.insert(message["id"].to_string()),
            Party::Client => false,
            Party::Agent => message.get("method").is_none() && commands.contains(&message["id"].to_string()),
        };
        if !is_left_out {
            kept.say(entry.from, line.clone());
        }
    }
    kept
}

/// The messages before and at a place.
fn story(tape: &Tape, end: usize) -> String {
    let lines = tape.entries().iter().enumerate().take(end).filter_map(|(at, entry)| {
        let mark = if entry.from == Party::Client { '>' } else { '<' };
        let text = entry.text().unwrap_or_default();
        (!text.contains("settled") && !text.contains("available_commands"))
            .then(|| format!("\n{} {:?} {mark} {text}", at + 1, entry.at))
    });
    let lines: Vec<_> = lines.collect();
    lines[lines.len().saturating_sub(80)..].concat()
}
