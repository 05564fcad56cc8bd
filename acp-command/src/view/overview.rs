//! What the page shows beside the lines of a recording: for each line what it is, and the parties, sessions, turns, tool calls, changes
//! of options and findings.

use std::collections::HashMap;

use acp_judge::{Finding, Party, Tape};
use serde::Serialize;
use serde_json::Value;

use super::{
    calls::Calls,
    options::Changes,
    said::{Said, What, short},
    turns::Turns,
};

/// The kind of a line. The numbers are those of `recording.js`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Request = 0,
    Answer = 1,
    Error = 2,
    Notification = 3,
    /// Output that is no message.
    Output = 4,
    /// The end of a side.
    End = 5,
}

/// A line: its time in milliseconds, the sender (0 is the client), the kind, the number of its label, and the numbers of its session,
/// its turn and the line that it answers, or that answers it. A number of -1 is none.
#[derive(Serialize)]
struct Row(u64, u8, u8, usize, i64, i64, i64);

/// The words for those who read a finding.
#[derive(Serialize)]
struct Found {
    row: usize,
    rule: &'static str,
    level: String,
    by: &'static str,
    text: String,
    times: usize,
    sentence: &'static str,
    place: &'static str,
}

/// The name and version of a program.
#[derive(Serialize)]
struct Program {
    name: String,
    version: String,
}

#[derive(Serialize)]
pub(super) struct Overview {
    name: String,
    /// The version of the protocol that was negotiated.
    version: Option<u64>,
    client: Option<Program>,
    agent: Option<Program>,
    labels: Labels,
    sessions: Labels,
    rows: Vec<Row>,
    turns: Turns,
    calls: Calls,
    changes: Changes,
    findings: Vec<Found>,
}

/// Texts that many lines share, by number.
#[derive(Default)]
struct Labels {
    texts: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Serialize for Labels {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.texts.serialize(serializer)
    }
}

impl Labels {
    fn number(&mut self, text: &str) -> usize {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), self.texts.len() - 1);
        self.texts.len() - 1
    }
}

/// A request that is not answered yet.
struct Asked {
    row: usize,
    method: String,
    session: Option<usize>,
}

impl Overview {
    pub(super) fn read(tape: &Tape, findings: &[Finding], name: &str) -> Self {
        let mut overview = Self {
            name: name.to_owned(),
            version: None,
            client: None,
            agent: None,
            labels: Labels::default(),
            sessions: Labels::default(),
            rows: Vec::with_capacity(tape.entries().len()),
            turns: Turns::default(),
            calls: Calls::default(),
            changes: Changes::default(),
            findings: findings.iter().map(found).collect(),
        };
        let mut open = HashMap::new();
        for entry in tape.entries() {
            let at = u64::try_from(entry.at.as_millis()).unwrap_or(u64::MAX);
            let message = entry.line.as_deref().map(serde_json::from_slice::<Value>);
            let row = match message {
                None => (Kind::End, overview.labels.number("end"), None, None),
                Some(Ok(message)) if message.is_object() => overview.message(entry.from, &message, &mut open),
                Some(_) => (Kind::Output, overview.labels.number("output"), None, None),
            };
            let (kind, label, session, partner) = row;
            let turn = session.and_then(|session| overview.turns.of(session, overview.rows.len()));
            let by = u8::from(entry.from == Party::Agent);
            overview.rows.push(Row(at, by, kind as u8, label, number(session), number(turn), number(partner)));
        }
        overview
    }

    fn message(
        &mut self,
        by: Party,
        message: &Value,
        open: &mut HashMap<(Party, String), Asked>,
    ) -> (Kind, usize, Option<usize>, Option<usize>) {
        let row = self.rows.len();
        let id = message.get("id").map(Value::to_string);
        let params = &message["params"];
        let (kind, method, session, partner, what) = match (message["method"].as_str(), id) {
            (Some(method), id) => {
                let session = params["sessionId"].as_str().map(|session| self.sessions.number(session));
                match id {
                    Some(id) => {
                        open.insert((by, id), Asked { row, method: method.to_owned(), session });
                        (Kind::Request, method.to_owned(), session, None, What::Request(params))
                    }
                    None => (Kind::Notification, method.to_owned(), session, None, What::Notification(params)),
                }
            }
            (None, Some(id)) => {
                let outcome = message.get("error").map_or_else(|| Ok(&message["result"]), Err);
                let kind = if outcome.is_ok() { Kind::Answer } else { Kind::Error };
                let Some(asked) = open.remove(&(by.other(), id)) else {
                    return (kind, self.labels.number("answer"), None, None);
                };
                self.rows[asked.row].6 = i64::try_from(row).unwrap_or(-1);
                let opened = outcome.ok().and_then(|result| result["sessionId"].as_str());
                let session = opened.map(|session| self.sessions.number(session)).or(asked.session);
                if asked.method == "initialize" {
                    self.initialized(outcome);
                }
                (kind, asked.method, session, Some(asked.row), What::Answer(asked.row, outcome))
            }
            (None, None) => return (Kind::Output, self.labels.number("output"), None, None),
        };
        if method == "initialize" && kind == Kind::Request {
            self.client = program(params, "clientInfo");
        }
        let said = Said { row, version: self.version.unwrap_or(1), session, method: &method, what };
        self.turns.hear(&said);
        self.calls.hear(&said, session.and_then(|session| self.turns.of(session, row)));
        self.changes.hear(&said);
        let label = match said.update() {
            Some((update, _)) => self.labels.number(&format!("{method} {update}")),
            None => self.labels.number(&method),
        };
        (kind, label, session, partner)
    }

    fn initialized(&mut self, outcome: Result<&Value, &Value>) {
        let Ok(result) = outcome else { return };
        self.version = result["protocolVersion"].as_u64();
        self.agent = program(result, "agentInfo");
    }
}

/// The program that a side says it is: version 1 has a member of another name than version 2.
fn program(value: &Value, first: &str) -> Option<Program> {
    let info = value.get(first).or_else(|| value.get("info"))?;
    let text = |value: &Value| short(value.as_str().unwrap_or_default(), 80);
    let name = info["title"].as_str().map_or(&info["name"], |_| &info["title"]);
    Some(Program { name: text(name), version: text(&info["version"]) })
}

fn number(of: Option<usize>) -> i64 {
    of.and_then(|number| i64::try_from(number).ok()).unwrap_or(-1)
}

fn found(finding: &Finding) -> Found {
    Found {
        row: finding.entry,
        rule: finding.rule.id,
        level: finding.rule.level.to_string(),
        by: finding.by.as_str(),
        text: finding.text.clone(),
        times: finding.times,
        sentence: finding.rule.sentence,
        place: finding.place(),
    }
}
