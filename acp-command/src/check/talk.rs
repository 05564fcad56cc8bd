//! A conversation with one process of the agent: requests, answers, turns, and what was observed beside the messages.

use std::{collections::HashMap, time::Duration};

use serde_json::{Value, json};
use tokio::time::Instant;

pub(super) use super::terms::{Observed, Offers, Settings, Stop};
use super::{
    client::Client,
    wire::{Said, Wire},
};

/// The rule that a request is answered.
pub(super) const MISSING: &str = "answer-missing";

/// Where an agent ends of which no scenario says more.
pub(super) const IN_THE_MIDDLE: &str = "in the middle of a conversation";

/// How long to wait for something that a turn says. Some say nothing for long.
pub(super) const BEGINS: Duration = Duration::from_secs(1);

pub(super) type Answer = Result<Value, Value>;

/// A conversation.
pub(super) struct Talk<'s> {
    pub(super) wire: Wire,
    pub(super) client: Client,
    pub(super) settings: &'s Settings,
    pub(super) version: u16,
    /// The agent's answer to `initialize`.
    pub(super) agent: Value,
    pub(super) observed: Vec<Observed>,
    /// Questions to the user are kept open.
    pub(super) holds: bool,
    /// The open questions: id and method.
    pub(super) questions: Vec<(Value, String)>,
    /// The open questions about the end of commands that run.
    waits: Vec<Value>,
    /// The requests that the agent has withdrawn.
    pub(super) withdrawn: Vec<Value>,
    /// Whether the client breaks rules on purpose.
    pub(super) is_provoked: bool,
    /// Whether the agent was told to end.
    pub(super) was_ended: bool,
    /// The entry of the recording before which the agent got a signal.
    pub(super) signalled: Option<usize>,
    /// How many updates and requests of a turn came.
    pub(super) heard: usize,
    /// How many reports of tool calls came.
    pub(super) calls: usize,
    /// How often each session became idle with a stop reason, on version 2.
    idles: HashMap<String, usize>,
    /// Whether each session works, on version 2.
    working: HashMap<String, bool>,
    answers: HashMap<u64, Answer>,
    last: u64,
}

impl<'s> Talk<'s> {
    pub(super) fn new(wire: Wire, client: Client, settings: &'s Settings, version: u16, is_provoked: bool) -> Self {
        Self {
            wire,
            client,
            settings,
            version,
            agent: Value::Null,
            observed: Vec::new(),
            holds: false,
            questions: Vec::new(),
            waits: Vec::new(),
            withdrawn: Vec::new(),
            is_provoked,
            was_ended: false,
            signalled: None,
            heard: 0,
            calls: 0,
            idles: HashMap::new(),
            working: HashMap::new(),
            answers: HashMap::new(),
            last: 0,
        }
    }

    /// Notes what was seen of a rule.
    pub(super) fn observe(&mut self, rule: &'static str, holds: bool, text: impl Into<String>) {
        let entry = self.wire.tape.entries().len().saturating_sub(1);
        self.observe_at(entry, rule, holds, text);
    }

    /// As [`observe`](Self::observe), beside this entry of the recording.
    pub(super) fn observe_at(&mut self, entry: usize, rule: &'static str, holds: bool, text: impl Into<String>) {
        self.observed.push(Observed { rule, holds, entry, text: text.into(), stderr: Vec::new() });
    }

    /// As [`observe`](Self::observe), of an agent that has ended: what it has written to stderr before may tell why.
    pub(super) async fn observe_end(&mut self, rule: &'static str, holds: bool, text: impl Into<String>) {
        self.observe(rule, holds, text);
        if let Some(last) = self.observed.last_mut().filter(|_| !holds) {
            last.stderr = self.wire.last_lines().await;
        }
    }

    pub(super) async fn raw(&mut self, line: &[u8]) {
        self.wire.send(line, self.settings.answer).await;
    }

    async fn message(&mut self, message: &Value) {
        self.raw(message.to_string().as_bytes()).await;
    }

    /// Sends a request, and returns its id.
    pub(super) async fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let id = self.last;
        self.message(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        id
    }

    pub(super) async fn notify(&mut self, method: &str, params: Value) {
        self.message(&json!({"jsonrpc": "2.0", "method": method, "params": params})).await;
    }

    /// Answers a question that was kept open.
    pub(super) async fn settle(&mut self, id: Value, result: Value) {
        self.message(&json!({"jsonrpc": "2.0", "id": id, "result": result})).await;
    }

    /// Ends the commands that run.
    pub(super) async fn kill_commands(&mut self) {
        self.client.runs = false;
        for id in std::mem::take(&mut self.waits) {
            self.settle(id, json!({"exitCode": null, "signal": "SIGTERM"})).await;
        }
    }

    /// Reads the agent's messages until the condition holds. Returns whether it holds.
    pub(super) async fn until(&mut self, limit: Duration, holds: impl Fn(&Self) -> bool) -> Result<bool, Stop> {
        let until = Instant::now() + limit;
        loop {
            if holds(self) {
                return Ok(true);
            }
            match self.wire.next(until).await {
                Said::Line(line) => self.heard(&line).await,
                Said::End => return Err(Stop::Ended),
                Said::Nothing => return Ok(false),
            }
        }
    }

    /// Reads what comes within this time.
    pub(super) async fn listen(&mut self, time: Duration) -> Result<(), Stop> {
        self.until(time, |_| false).await.map(|_| ())
    }

    async fn heard(&mut self, line: &[u8]) {
        let Ok(Value::Object(message)) = serde_json::from_slice::<Value>(line) else { return };
        let id = message.get("id");
        let params = message.get("params").unwrap_or(&Value::Null);
        match (message.get("method").and_then(Value::as_str), id) {
            (Some(method), Some(id)) => {
                self.heard += 1;
                if self.holds && method == "session/request_permission" {
                    self.questions.push((id.clone(), method.to_owned()));
                    return;
                }
                if self.client.runs && method == "terminal/wait_for_exit" {
                    self.waits.push(id.clone());
                    return;
                }
                let answer = match self.client.answer(method, params) {
                    Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
                    Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
                };
                self.message(&answer).await;
                if matches!(method, "terminal/kill" | "terminal/release") {
                    self.kill_commands().await;
                }
            }
            (Some("session/update"), None) => self.update(params),
            (Some("$/cancel_request"), None) => self.withdrawn.push(params["requestId"].clone()),
            (Some(_), None) => {}
            (None, Some(id)) => {
                // An agent that changes the type of an id breaks a rule, and is understood.
                let number = id.as_u64().or_else(|| id.as_str()?.parse().ok());
                let answer = match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message.get("result").cloned().unwrap_or_default()),
                };
                self.answers.extend(number.map(|number| (number, answer)));
            }
            (None, None) => {}
        }
    }

    fn update(&mut self, params: &Value) {
        let (session, update) = (params["sessionId"].as_str().unwrap_or_default().to_owned(), &params["update"]);
        let kind = update["sessionUpdate"].as_str().unwrap_or_default();
        if kind == "state_update" {
            let is_idle = update["state"] == "idle";
            if is_idle && self.working.get(&session) == Some(&true) {
                *self.idles.entry(session.clone()).or_default() += 1;
            }
            self.working.insert(session, !is_idle);
        }
        let is_of_turn = kind.ends_with("_chunk") || kind.starts_with("tool_call") || kind.starts_with("plan");
        self.calls += usize::from(kind.starts_with("tool_call"));
        self.heard += usize::from(is_of_turn && !kind.starts_with("user_"));
    }

    pub(super) fn has_answer(&self, id: u64) -> bool {
        self.answers.contains_key(&id)
    }

    /// Waits for the answer to a request.
    pub(super) async fn answer(&mut self, id: u64, what: &str, limit: Duration) -> Result<Answer, Stop> {
        if self.until(limit, |talk| talk.has_answer(id)).await? {
            return Ok(self.answers.remove(&id).expect("it is there"));
        }
        Err(Stop::Silent(format!("{what} is not answered within {limit:?}")))
    }

    pub(super) async fn call(&mut self, method: &str, params: Value) -> Result<Answer, Stop> {
        let id = self.ask(method, params).await;
        self.answer(id, &format!("`{method}`"), self.settings.answer).await
    }

    /// As [`call`](Self::call), for a request that has to be refused, so that no model and no person is waited for: without an answer, it is
    /// reported. `what` describes it.
    pub(super) async fn refusable(&mut self, method: &str, params: Value, what: &str) -> Result<Answer, Stop> {
        let (entry, heard) = (self.wire.tape.entries().len(), self.heard);
        let id = self.ask(method, params).await;
        let limit = self.settings.answer;
        let answer = self.answer(id, what, limit).await;
        // An agent that takes it for a prompt may be at work. Over HTTP, an answer about a session of nobody has no stream.
        let may_wait = self.heard != heard || !self.wire.has_process();
        if let (Err(Stop::Silent(text)), false) = (&answer, may_wait) {
            let text = text.clone();
            self.observe_at(entry, MISSING, false, text);
        }
        answer
    }

    /// As [`call`](Self::call), for a request that a scenario stands on.
    pub(super) async fn demand(&mut self, method: &str, params: Value) -> Result<Value, Stop> {
        match self.call(method, params).await? {
            Ok(result) => Ok(result),
            Err(error) if error["code"] == -32000 => Err(Stop::Login),
            Err(error) => Err(Stop::Refused(format!("`{method}` fails with {error}"))),
        }
    }

    /// The params of `initialize`.
    pub(super) fn hello(version: u16, offers: Offers) -> Value {
        let info = json!({"name": "acp check", "version": env!("CARGO_PKG_VERSION")});
        let all = offers == Offers::All;
        let elicitation = json!({"form": {}, "url": {}});
        if version == 2 {
            let capabilities =
                if all { json!({"elicitation": elicitation, "auth": {"terminal": {}}}) } else { json!({}) };
            return json!({"protocolVersion": 2, "info": info, "capabilities": capabilities});
        }
        let capabilities = if all {
            json!({
                "fs": {"readTextFile": true, "writeTextFile": true}, "terminal": true, "elicitation": elicitation,
                "session": {"configOptions": {"boolean": {}}, "notices": {}, "compaction": {}}, "auth": {"terminal": true},
            })
        } else {
            json!({})
        };
        json!({"protocolVersion": version, "clientInfo": info, "clientCapabilities": capabilities})
    }

    /// Initializes the connection. The judge sees whether its answer is the agent's first line.
    pub(super) async fn initialize(&mut self, offers: Offers) -> Result<(), Stop> {
        let id = self.ask("initialize", Self::hello(self.version, offers)).await;
        let answered = self.answer(id, "`initialize`", self.settings.start).await?;
        match answered {
            Ok(result) => {
                let came = result["protocolVersion"].as_u64();
                self.agent = result;
                if came != Some(self.version.into()) {
                    return Err(Stop::Without("this version of the protocol"));
                }
                if acp_judge::agrees_blindly(&self.agent) { Err(Stop::Blind) } else { Ok(()) }
            }
            Err(error) if error["code"] == -32022 => Err(Stop::Without("this version of the protocol")),
            Err(error) => Err(Stop::Refused(format!("`initialize` fails with {error}"))),
        }
    }

    /// Whether the agent advertises a method.
    pub(super) fn offers(&self, method: &str) -> bool {
        let has = |place: &str| !matches!(self.agent.pointer(place), None | Some(Value::Null | Value::Bool(false)));
        match (self.version, method) {
            (1, "session/load") => has("/agentCapabilities/loadSession"),
            (1, "logout") => has("/agentCapabilities/auth/logout"),
            (1, "authenticate") | (_, "auth/login" | "auth/logout") => {
                self.agent["authMethods"].as_array().is_some_and(|ways| !ways.is_empty())
            }
            (1, _) => has(&method.replace("session/", "/agentCapabilities/sessionCapabilities/")),
            (_, "session/delete") => has("/capabilities/session/delete"),
            (_, "session/load") => false,
            _ => has("/capabilities/session"),
        }
    }

    pub(super) fn folder(&self) -> String {
        self.settings.cwd.as_ref().unwrap_or(&self.client.folder).display().to_string()
    }

    /// The params that open a session.
    pub(super) fn opening(&self) -> Value {
        json!({"cwd": self.folder(), "mcpServers": []})
    }

    /// Opens a session: its id, and the answer.
    pub(super) async fn open(&mut self) -> Result<(String, Value), Stop> {
        let opening = self.opening();
        let result = self.demand("session/new", opening).await?;
        match result["sessionId"].as_str() {
            Some(id) => Ok((id.to_owned(), result)),
            None => Err(Stop::Refused("`session/new` gives no id".to_owned())),
        }
    }

    /// Initializes the connection and opens a session.
    pub(super) async fn begin(&mut self) -> Result<String, Stop> {
        self.initialize(Offers::All).await?;
        Ok(self.open().await?.0)
    }

    pub(super) fn text(session: &str, text: &str) -> Value {
        json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]})
    }

    /// Begins a turn.
    pub(super) async fn prompt(&mut self, session: &str, text: &str) -> Turn {
        self.prompt_of(session, json!([{"type": "text", "text": text}])).await
    }

    /// Begins a turn of these blocks.
    pub(super) async fn prompt_of(&mut self, session: &str, blocks: Value) -> Turn {
        let before = self.idles.get(session).copied().unwrap_or_default();
        let id = self.ask("session/prompt", json!({"sessionId": session, "prompt": blocks})).await;
        Turn { id, session: session.to_owned(), before }
    }

    /// Whether a turn has ended.
    pub(super) fn is_over(&self, turn: &Turn) -> bool {
        let Some(answer) = self.answers.get(&turn.id) else { return false };
        let idles = self.idles.get(&turn.session).copied().unwrap_or_default();
        self.version == 1 || answer.is_err() || idles > turn.before
    }

    /// The error that answers the prompt of a turn.
    pub(super) fn error_of(&self, turn: &Turn) -> Option<&Value> {
        self.answers.get(&turn.id)?.as_ref().err()
    }

    pub(super) fn has_failed(&self, turn: &Turn) -> bool {
        self.error_of(turn).is_some()
    }

    /// Waits for the end of a turn.
    pub(super) async fn end_of(&mut self, turn: &Turn, limit: Duration) -> Result<(), Stop> {
        if !self.until(limit, |talk| talk.is_over(turn)).await? {
            return Err(Stop::Endless(format!("a turn does not end within {limit:?}")));
        }
        match self.answers.get(&turn.id) {
            Some(Err(error)) if error["code"] == -32000 => Err(Stop::Login),
            _ => Ok(()),
        }
    }

    /// One turn.
    pub(super) async fn turn(&mut self, session: &str, text: &str) -> Result<(), Stop> {
        let turn = self.prompt(session, text).await;
        self.end_of(&turn, self.settings.turn).await
    }

    /// Sees whether the agent still answers.
    pub(super) async fn is_alive(&mut self, after: &str) -> Result<(), Stop> {
        let opening = self.opening();
        let alive = self.call("session/new", opening).await;
        match &alive {
            Ok(_) => self.goes_on(),
            Err(Stop::Ended) => self.ended_after(&format!("after {after}")).await,
            Err(_) => self.stops(format!("answers nothing any more after {after}")),
        }
        alive.map(|_| ())
    }

    /// The rule that an agent goes on.
    fn going_on(&self) -> &'static str {
        if self.is_provoked { "goes-on-anyway" } else { "goes-on" }
    }

    /// Whether it is noted already that the agent does not go on: only the first failure counts.
    fn has_stopped(&self) -> bool {
        self.observed.iter().any(|known| known.rule == self.going_on() && !known.holds)
    }

    pub(super) fn goes_on(&mut self) {
        if !self.has_stopped() {
            self.observe(self.going_on(), true, "");
        }
    }

    fn stops(&mut self, text: String) {
        if !self.has_stopped() {
            self.observe(self.going_on(), false, text);
        }
    }

    /// Notes that the agent has ended, and how.
    pub(super) async fn ended_after(&mut self, when: &str) {
        if !self.has_stopped() {
            let text = format!("ends {when}{}", self.wire.end().await);
            self.observe_end(self.going_on(), false, text).await;
        }
    }
}

/// A turn that has begun.
pub(super) struct Turn {
    pub(super) id: u64,
    session: String,
    before: usize,
}
