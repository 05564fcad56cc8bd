//! The routing of each message, the open requests, and the checks at the end.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    time::Duration,
};

use super::{
    Finding, Rule,
    departures::Departures,
    occasions::{Occasions, Review, Unjudged},
    rules,
    state::{ARRIVES, Asked, Cancel, Cancelled, Message, Outcome, Session, State, session_of, text},
};
use crate::{tape::Party, value::Value};

/// If a request is open for longer than this, or an agent has not ended after it, the judge reports it.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Default)]
pub(super) struct Judge {
    findings: Vec<Finding>,
    unproven: Vec<Finding>,
    pub(super) unjudged: Option<Unjudged>,
    occasions: Occasions,
    /// The number of entries that were read. A new finding belongs to the last one.
    pub(super) count: usize,
    pub(super) now: Duration,
    /// The open requests, by sender and id.
    pub(super) open: HashMap<(Party, String), Asked>,
    answered: BTreeSet<(Party, String)>,
    pub(super) client: Value<'static>,
    /// The agent's answer to `initialize`.
    pub(super) agent: Option<Value<'static>>,
    pub(super) is_initializing: bool,
    /// The version of the protocol: the one that was negotiated, and before that the one that the client asks for.
    pub(super) version: u16,
    pub(super) sessions: BTreeMap<String, Session>,
    pub(super) cursors: BTreeSet<String>,
    /// The sessions that the agent has listed, and not deleted since.
    pub(super) listed: BTreeSet<String>,
    /// The sessions that were deleted and not opened since, with the entry of the answer.
    pub(super) deleted: BTreeMap<String, usize>,
    /// The lines that are no messages and not answered yet, with the code that is due.
    pub(super) unread: HashMap<Party, VecDeque<Option<i64>>>,
    /// The requests that their sender has withdrawn, with the time.
    withdrawn: HashMap<(Party, String), Duration>,
    /// A login has succeeded, and no session was opened since.
    pub(super) is_let_in: bool,
    /// The elicitations by URL that the agent may still complete.
    pub(super) elicitations: BTreeSet<String>,
    /// What the agent has although the protocol does not.
    pub(super) departures: Departures,
    pub(super) client_ended: Option<Duration>,
    agent_ended: Option<Duration>,
}

/// Whether an answer may take as long as a model, a user or a command.
fn may_wait(method: &str) -> bool {
    const LONG: [&str; 6] = [
        "session/prompt",
        "authenticate",
        "auth/login",
        "session/request_permission",
        "elicitation/create",
        "terminal/wait_for_exit",
    ];
    LONG.contains(&method) || method.starts_with('_')
}

impl Judge {
    pub(super) fn new(departures: Departures) -> Self {
        Self { version: 1, departures, ..Self::default() }
    }

    pub(super) fn find(&mut self, rule: &'static Rule, by: Party, text: impl Into<String>) {
        self.find_at(self.count.saturating_sub(1), rule, by, text.into());
    }

    pub(super) fn find_at(&mut self, entry: usize, rule: &'static Rule, by: Party, text: String) {
        let version = self.version;
        debug_assert!(rule.place_in(version).is_some(), "`{}` does not bind version {version}", rule.id);
        debug_assert!(rule.of.is_none_or(|of| of == by), "`{}` does not bind the {by}", rule.id);
        self.weigh(rule, by);
        let known = self.findings.iter_mut().find(|known| known.rule == rule && known.by == by && known.text == text);
        match known {
            Some(known) => known.times += 1,
            None => self.findings.push(Finding { rule, by, entry, times: 1, text, version }),
        }
    }

    pub(super) fn check(&mut self, holds: bool, rule: &'static Rule, by: Party, text: impl FnOnce() -> String) {
        if holds {
            self.weigh(rule, by);
        } else {
            self.find(rule, by, text());
        }
    }

    /// What would be a finding, and the messages do not prove it.
    pub(super) fn doubt(&mut self, rule: &'static Rule, by: Party, text: String) {
        let (entry, version) = (self.count.saturating_sub(1), self.version);
        match self.unproven.iter_mut().find(|known| known.rule == rule && known.by == by && known.text == text) {
            Some(known) => known.times += 1,
            None => self.unproven.push(Finding { rule, by, entry, times: 1, text, version }),
        }
    }

    /// How many findings of this rule have a text that begins so.
    pub(super) fn told(&self, rule: &'static Rule, by: Party, text: &str) -> usize {
        let is_told = |known: &&Finding| known.rule == rule && known.by == by && known.text.starts_with(text);
        self.findings.iter().filter(is_told).count()
    }

    /// Something came that could have broken this rule.
    pub(super) fn weigh(&mut self, rule: &'static Rule, by: Party) {
        self.occasions.add(rule, by);
    }

    /// The session with this id. A message named it, so it is made if it is missing.
    pub(super) fn session(&mut self, id: &str) -> &mut Session {
        if !self.sessions.contains_key(id) {
            self.sessions.insert(id.to_owned(), Session::default());
        }
        self.sessions.get_mut(id).expect("it was made if it was missing")
    }

    pub(super) fn is_asking(&self, by: Party, method: &str) -> bool {
        self.open.iter().any(|((from, _), asked)| *from == by && asked.method == method)
    }

    /// Whether the client loads this session at the moment. The session may have been open before.
    pub(super) fn is_loading(&self, session: &str) -> bool {
        self.open.iter().any(|((from, _), asked)| {
            *from == Party::Client && asked.method == "session/load" && session_of(&asked.params) == Some(session)
        })
    }

    /// Judges an entry; `message` is its line as JSON, if it is JSON.
    pub(super) fn entry(&mut self, from: Party, at: Duration, line: Option<&[u8]>, message: Option<Value<'_>>) {
        self.count += 1;
        self.now = at;
        let Some(line) = line else { return self.ended(from) };
        if !self.is_judged() {
            return self.passes_over(); // Another version of the protocol has other rules.
        }
        let Some(message) = self.envelope(from, line, message) else { return };
        if from == Party::Agent && !matches!(message, Message::Answer { .. }) {
            let is_early = self.agent.is_none();
            self.check(!is_early, &rules::EARLY, Party::Agent, || {
                "speaks before it has answered `initialize`".to_owned()
            });
        }
        match message {
            Message::Request { id, method, params } => {
                self.request(from, &id, method.into_owned(), params.into_owned());
            }
            Message::Notification { method, params } => self.notification(from, &method, &params),
            Message::Answer { id, outcome } => self.answer(from, &id, &outcome),
        }
    }

    fn ended(&mut self, party: Party) {
        let ended = match party {
            Party::Client => &mut self.client_ended,
            Party::Agent => &mut self.agent_ended,
        };
        ended.get_or_insert(self.now);
    }

    fn request(&mut self, from: Party, id: &Value<'_>, method: String, params: Value<'static>) {
        let key = (from, id.to_string());
        if self.open.keys().any(|(by, _)| *by == from) {
            self.check(!self.open.contains_key(&key), &rules::ID_OPEN, from, || {
                format!("`{method}` has the id {id} of a request that is not answered")
            });
        }
        let is_off_schema = self.called(from, &method, &params, true);
        let session = session_of(&params).and_then(|id| self.sessions.get(id));
        let was_open = session.is_some_and(|session| session.state == State::Open);
        let changes_nothing = from == Party::Client && method == "session/set_config_option" && self.is_same(&params);
        let is_offered = match from {
            Party::Client => self.client_asks(&id.to_string(), &method, &params),
            Party::Agent => {
                self.agent_asks(&method, &params);
                None
            }
        };
        let (entry, at) = (self.count - 1, self.now);
        let cancelled = None;
        let asked =
            Asked { method, params, entry, at, cancelled, was_open, is_offered, changes_nothing, is_off_schema };
        self.answered.remove(&key);
        self.open.insert(key, asked);
    }

    fn notification(&mut self, from: Party, method: &str, params: &Value<'_>) {
        self.called(from, method, params, false);
        self.weigh(&rules::SILENT, from.other());
        match (from, method) {
            (_, "$/cancel_request") => {
                let cancelled = Cancelled { by: Cancel::Request, at: self.now, is_proven: false };
                let id = params["requestId"].to_string();
                self.withdrawn.entry((from, id.clone())).or_insert(self.now);
                if let Some(asked) = self.open.get_mut(&(from, id.clone())) {
                    asked.cancelled.get_or_insert(cancelled);
                    let session = session_of(&asked.params).map(ToOwned::to_owned);
                    if let Some(session) = session.filter(|_| self.version == 2) {
                        self.withdrawn(from, &session, &id);
                    }
                }
            }
            (Party::Client, "session/cancel") => self.cancel(text(params, "sessionId"), Cancel::Turn),
            (Party::Agent, "session/update") if self.version == 2 => self.update_of_v2(params),
            (Party::Agent, "session/update") => self.update(params),
            (Party::Agent, "elicitation/complete") => {
                let id = text(params, "elicitationId").to_owned();
                let known = self.elicitations.remove(&id);
                self.check(known, &rules::ELICITATION, from, || format!("completes `{id}`, which is not outstanding"));
            }
            _ => {}
        }
    }

    /// Called for a client's request. Returns whether the value that the request sets is offered; `None` if it sets
    /// none.
    fn client_asks(&mut self, id: &str, method: &str, params: &Value<'_>) -> Option<bool> {
        let client = Party::Client;
        if method == "initialize" {
            self.initializes(params);
            return None;
        }
        let early = self.agent.is_none();
        self.check(!early, &rules::FIRST, client, || format!("calls `{method}` before `initialize` is answered"));
        self.client_gates(method, params);
        self.asks_for_history(method, params);
        if self.version == 2 {
            return self.client_asks_v2(id, method, params);
        }
        match method {
            "authenticate" | "auth/login" => self.authenticates(params),
            "session/prompt" => {
                self.opens_on_demand(params);
                self.prompt(id, params);
            }
            "_session/steering" => self.steers(params),
            "session/load" | "session/resume" => {
                // A turn may go on meanwhile, or be cancelled for it.
                self.cancel(text(params, "sessionId"), Cancel::Request);
                if let Some(session) = session_of(params) {
                    let session = self.session(session);
                    if !session.is_open() {
                        session.state = if method == "session/load" { State::Loading } else { State::Resuming };
                    }
                }
            }
            "session/set_config_option" => {
                self.opens_on_demand(params);
                return self.sets_option(params);
            }
            "session/set_mode" => {
                self.opens_on_demand(params);
                return self.sets_mode(params);
            }
            "session/close" => self.cancel(text(params, "sessionId"), Cancel::Close),
            "session/delete" => self.cancel(text(params, "sessionId"), Cancel::Request),
            "session/list" => self.asks_for_page(params),
            _ => {}
        }
        None
    }

    /// An agent that opens sessions on demand has the session from here on, or refuses the request.
    pub(super) fn opens_on_demand(&mut self, params: &Value<'_>) {
        if let (true, Some(session)) = (self.departures.opens_on_demand(), session_of(params)) {
            let session = self.session(session);
            if !session.is_open() {
                session.state = State::Open;
            }
        }
    }

    fn answer(&mut self, from: Party, id: &Value<'_>, outcome: &Outcome<'_>) {
        let asker = from.other();
        let mut key = (asker, id.to_string());
        if !self.open.contains_key(&key) {
            // Finds the request if the agent answered `3` as `"3"`, or the other way round.
            let twin = match id {
                Value::String(text) => text.to_string(),
                other => Value::String(other.to_string().into()).to_string(),
            };
            let twin = (asker, twin);
            if self.open.contains_key(&twin) {
                self.find(&rules::KNOWN, from, format!("answers the request {} with the id {id}", twin.1));
                key = twin;
            }
        }
        let Some(asked) = self.open.remove(&key) else {
            // An error for an unreadable request has the id `null`, and there may be several.
            if let (true, Err(error)) = (id.is_null(), outcome) {
                return self.refuses_line(from, error);
            }
            if self.answered.contains(&key) {
                return self.find(&rules::ONCE, from, format!("answers the request {id} again"));
            }
            return self.find(&rules::KNOWN, from, format!("answers {id}, which nobody asked"));
        };
        self.answered.insert(key.clone());
        for rule in [&rules::KNOWN, &rules::ONCE, &rules::MISSING] {
            self.weigh(rule, from);
        }
        if asked.method == "initialize" {
            self.answers_version(outcome);
        }
        match (self.withdrawn.remove(&key), outcome) {
            (Some(_), Ok(_)) => self.weigh(&rules::WITHDRAWN_CODE, from),
            (Some(at), Err(error)) => {
                // Other codes tell why the request would have failed anyway.
                let has_failed =
                    error["code"].as_i64().is_none_or(|code| code == -32603 || !(-32899..=-32000).contains(&code));
                let has_arrived = self.now.saturating_sub(at) >= ARRIVES;
                if has_arrived || error["code"] == -32800 {
                    self.check(!has_failed, &rules::WITHDRAWN_CODE, from, || {
                        format!("`{}`, which was withdrawn, fails with {}", asked.method, error["code"])
                    });
                }
            }
            (None, _) => {}
        }
        self.answered_well(from, &asked, outcome);
        match from {
            Party::Agent => self.agent_answers(&key.1, &asked, outcome),
            Party::Client => self.client_answers(&asked, outcome),
        }
        if from == Party::Client && self.version == 2 {
            self.client_answers_v2(&key.1, &asked, outcome);
        }
    }

    fn agent_answers(&mut self, id: &str, asked: &Asked, outcome: &Outcome<'_>) {
        let Asked { method, params, .. } = asked;
        if method == "initialize" {
            return self.initialized(asked, outcome);
        }
        self.unknown_session(asked, outcome);
        self.lets_in(method, outcome);
        if method == "session/delete" {
            self.delete_answered(text(params, "sessionId"), outcome);
        }
        if self.version == 2 {
            self.agent_answers_v2(id, asked, outcome);
        }
        self.loaded(asked, outcome);
        if let Some(session) = session_of(params).map(ToOwned::to_owned) {
            let is_second = self.version == 2;
            let entry = self.session(&session);
            let was = entry.state;
            match (&**method, outcome) {
                ("session/load" | "session/resume", Ok(_)) => {
                    entry.state = State::Open;
                    if method == "session/resume" && !is_second {
                        self.weigh(&rules::RESUME, Party::Agent);
                    }
                }
                ("session/load" | "session/resume", Err(_)) if was != State::Open => entry.state = State::Closed,
                // On version 2, deleting concerns the list only: an open session may stay so.
                ("session/delete", Ok(_)) if is_second && was == State::Open => {
                    self.listed.remove(&session);
                }
                ("session/close" | "session/delete", Ok(_)) => {
                    entry.state = State::Closed;
                    if method == "session/delete" {
                        self.listed.remove(&session);
                    }
                    self.left_terminals_of(&session);
                }
                // The agent did not close the session, so its turns go on.
                ("session/close", Err(_)) => self.resume_turns(&session),
                _ => {}
            }
        }
        match (&**method, outcome) {
            ("session/prompt", outcome) if self.version == 1 => self.turn_ended(id, asked, outcome),
            ("_session/steering", outcome) => self.steered(params, outcome),
            ("session/new" | "session/fork", Ok(result)) => {
                let new = text(result, "sessionId").to_owned();
                let is_new =
                    !new.is_empty() && self.sessions.get(&new).is_none_or(|known| known.state == State::Stranger);
                self.check(is_new, &rules::NEW_ID, Party::Agent, || {
                    format!(
                        "a new session has {}",
                        if new.is_empty() { "no id".to_owned() } else { format!("the id `{new}` of another") }
                    )
                });
                self.session(&new).state = State::Open;
                self.deleted.remove(&new);
                self.opened(&new, result);
            }
            ("session/load" | "session/resume", Ok(result)) => {
                let id = text(params, "sessionId");
                self.deleted.remove(id);
                self.opened(id, result);
            }
            ("session/list", outcome) => self.list_answered(asked, outcome),
            ("session/set_config_option", outcome) => self.option_set(asked, outcome),
            ("session/set_mode", outcome) => self.mode_set(asked, outcome),
            _ => {}
        }
    }

    /// Checks the answer to a request about a session that does not exist.
    fn unknown_session(&mut self, asked: &Asked, outcome: &Outcome<'_>) {
        let Asked { method, params, .. } = asked;
        let Some(id) = session_of(params) else { return };
        let state = self.sessions.get(id).map(|session| session.state).unwrap_or_default();
        let is_unknown = match &**method {
            // The agent may succeed in ending a session that does not exist. Only the agent knows its stored sessions.
            "session/close" | "session/delete" => return,
            // A session that is there may fail to open: another process has it, or another version has kept it.
            "session/load" | "session/resume" => {
                !matches!(state, State::Open) && outcome.is_err() && !self.listed.contains(id)
            }
            // If the session was closed after the request, it was not unknown.
            _ if asked.was_open => return,
            _ => state == State::Stranger || (state == State::Closed && !method.starts_with("session/prompt")),
        };
        if !is_unknown || !method.starts_with("session/") {
            return;
        }
        self.weigh(&rules::NO_SESSION, Party::Agent);
        let text = match outcome {
            Ok(_) => format!("`{method}` for a session that was not opened succeeds"),
            Err(error) => match error["code"].as_i64() {
                Some(-32002 | -32601 | -32000 | -32800) => return,
                code => format!("`{method}` for a session that is not open fails with {}", code.unwrap_or_default()),
            },
        };
        self.find(&rules::NO_SESSION, Party::Agent, text);
    }

    pub(super) fn is_waiting(&self) -> bool {
        let waits = |asked: &Asked| !may_wait(&asked.method) || asked.cancelled.is_some();
        self.open.iter().any(|((by, _), asked)| *by == Party::Client && waits(asked))
            || self.sessions.values().any(|session| session.is_open() && session.activity.stopping.is_some())
    }

    /// Called at the end of the tape.
    pub(super) fn end(mut self) -> Review {
        let until = self.client_ended.unwrap_or(self.now);
        if self.version == 2 {
            self.end_of_v2(until);
        }
        let mut open: Vec<_> = self.open.drain().collect();
        open.sort_by_key(|(_, asked)| asked.entry);
        for ((by, id), Asked { method, at, entry, cancelled, .. }) in open {
            // On version 2, a request with such an id is unreadable, and the answer has the id `null`.
            if self.version == 2 && !id.starts_with('"') && id.parse::<i64>().is_err() {
                continue;
            }
            let may_wait = may_wait(&method);
            let since = match &cancelled {
                Some(cancelled) => cancelled.at,
                None if may_wait => continue,
                None => at,
            };
            if until.saturating_sub(since) < PATIENCE {
                continue;
            }
            match cancelled.map(|cancelled| cancelled.by) {
                Some(Cancel::Request) if may_wait => {}
                Some(Cancel::Turn) if by == Party::Agent => {
                    let text = "does not answer a permission request of a turn that it cancelled".to_owned();
                    self.find_at(entry, &rules::CANCEL_PERMISSION, Party::Client, text);
                }
                _ => self.find_at(entry, &rules::MISSING, by.other(), format!("`{method}` is not answered")),
            }
        }
        if let Some(ended) = self.client_ended {
            self.count = self.count.max(1);
            self.left_terminals();
            // One that has answered nothing yet may still be starting.
            if let Some(agent) = self.agent_ended.filter(|_| self.agent.is_some()) {
                let after = agent.saturating_sub(ended);
                self.check(after <= PATIENCE, &rules::ENDS, Party::Agent, || {
                    // The time differs in each run, and what is told should not.
                    format!("ends {:.0} s after its input", after.as_secs_f64())
                });
            }
        }
        self.findings.sort_by_key(|finding| finding.entry);
        let Self { findings, unproven, unjudged, occasions, .. } = self;
        Review { findings, unproven, unjudged, occasions }
    }
}
