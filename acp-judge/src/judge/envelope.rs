//! The rules for every message: a JSON-RPC object that follows the schema and has a known name.

use super::{
    connection::Judge,
    rules,
    schema::{Deviations, draft, stable},
    state::{Asked, Message, Outcome},
};
use crate::{
    tape::Party,
    value::{Map, Value},
};

/// So many wrong values of one place are told, each for itself.
const MOST: usize = 5;

fn short(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push_str("..");
    }
    short
}

/// The members of a message.
#[derive(Default)]
struct Members<'t> {
    jsonrpc: Option<Value<'t>>,
    id: Option<Value<'t>>,
    method: Option<Value<'t>>,
    params: Option<Value<'t>>,
    result: Option<Value<'t>>,
    error: Option<Value<'t>>,
}

impl<'t> Members<'t> {
    /// Others are left out.
    fn of(object: Map<'t>) -> Self {
        let mut members = Self::default();
        for (name, value) in object.into_members() {
            let member = match &*name {
                "jsonrpc" => &mut members.jsonrpc,
                "id" => &mut members.id,
                "method" => &mut members.method,
                "params" => &mut members.params,
                "result" => &mut members.result,
                "error" => &mut members.error,
                _ => continue,
            };
            *member = Some(value);
        }
        members
    }
}

impl Judge {
    /// Reads a line. If a line is no message, it is reported and then ignored.
    pub(super) fn envelope<'t>(&mut self, from: Party, line: &[u8], message: Option<Value<'t>>) -> Option<Message<'t>> {
        for rule in [&rules::MESSAGES, &rules::BATCH, &rules::SHAPE] {
            self.weigh(rule, from);
        }
        let object = match message {
            Some(Value::Object(object)) => object,
            Some(Value::Array(_)) => {
                self.unreadable(from, Some(-32600));
                self.find(&rules::BATCH, from, "sends a list of messages");
                return None;
            }
            other => {
                self.unreadable(from, Some(if other.is_some() { -32600 } else { -32700 }));
                self.find(&rules::MESSAGES, from, format!("sends a line that is no message: `{}`", short(line)));
                return None;
            }
        };
        self.read_line(from, line);
        let Members { jsonrpc, id, method, params, result, error } = Members::of(object);
        let version = jsonrpc.is_some_and(|version| version == "2.0");
        self.check(version, &rules::JSONRPC, from, || "a message without `\"jsonrpc\": \"2.0\"`".to_owned());
        let has_odd_id = id.as_ref().is_some_and(|id| !(id.is_string() || id.is_i64()));
        if !version || has_odd_id && method.is_some() {
            self.unreadable(from, None);
        }
        let method = match method {
            Some(Value::String(method)) => Some(method),
            _ => None,
        };
        let params = params.unwrap_or_default();
        if method.as_deref() == Some("initialize") {
            self.asks_for_version(&params);
        }
        if let Some(id) = id.as_ref().filter(|_| self.version == 1) {
            let typed = id.is_string() || id.is_i64() || id.is_null();
            self.check(typed, &rules::ID_TYPE, from, || format!("a message has the id {id}"));
        }
        match (method, id) {
            (Some(method), Some(id)) => {
                if self.version == 1 {
                    self.check(!id.is_null(), &rules::ID_NULL, from, || format!("`{method}` has the id null"));
                } else {
                    let typed = id.is_string() || id.is_i64();
                    self.check(typed, &rules::REQUEST_ID, from, || format!("`{method}` has the id {id}"));
                }
                Some(Message::Request { id, method, params })
            }
            (Some(method), None) => Some(Message::Notification { method, params }),
            (None, Some(id)) => {
                self.weigh(&rules::OUTCOME, from);
                let outcome = match (result, error) {
                    (Some(result), None) => Ok(result),
                    (None, Some(error)) => Err(error),
                    (result, error) => {
                        let text = if result.is_some() { "both" } else { "neither" };
                        let text = format!("an answer has {text} of `result` and `error`");
                        self.find(&rules::OUTCOME, from, text);
                        match error {
                            Some(error) if !error.is_null() => Err(error),
                            _ => Ok(result.unwrap_or_default()),
                        }
                    }
                };
                Some(Message::Answer { id, outcome })
            }
            (None, None) => {
                self.unreadable(from, Some(-32600));
                self.find(&rules::SHAPE, from, format!("sends `{}`, with neither a method nor an id", short(line)));
                None
            }
        }
    }

    /// Checks a request or notification and its params. Returns whether they are other ones than the schema has.
    pub(super) fn called(&mut self, from: Party, method: &str, params: &Value<'_>, is_request: bool) -> bool {
        if method.starts_with('_') {
            return false;
        }
        for rule in [&rules::NAME, &rules::SIDE, &rules::DRAFTS] {
            self.weigh(rule, from);
        }
        let version = self.version;
        let defined = stable(version).method(method);
        let known = match defined.or_else(|| draft(version).method(method)) {
            Some(known) => known,
            None if from == Party::Client && self.departures.has_method(method) => return false,
            None => {
                self.find(&rules::NAME, from, format!("calls `{method}`, which the protocol does not have"));
                return false;
            }
        };
        if defined.is_none() {
            self.find(&rules::DRAFTS, from, format!("uses `{method}`, a draft"));
        }
        let to = from.other();
        if !known.is_for(to.as_str()) {
            self.find(&rules::SIDE, from, format!("calls `{method}`, which is not for the {to}"));
            return false;
        }
        self.check(known.is_kind(is_request), &rules::KIND, from, || {
            let has = if is_request { "with" } else { "without" };
            format!("sends `{method}` {has} an id")
        });
        // If a method requires no params, they may be absent.
        let none = Value::Object(Map::default());
        let params = if params.is_null() { &none } else { params };
        let mut deviations = defined.map(|method| method.params(params)).unwrap_or_default();
        if method == "initialize" {
            self.allow_both_versions(params, &mut deviations);
        }
        let is_off_schema = !deviations.wrong.is_empty();
        self.shape(from, &format!("`{method}`"), deviations, || draft(version).params(method, params));
        self.fields(from, method, params);
        is_off_schema
    }

    /// Checks an answer.
    pub(super) fn answered_well(&mut self, from: Party, asked: &Asked, outcome: &Outcome<'_>) {
        let method = &asked.method;
        // The author of a test that calls a raw method has given it a meaning, as a vendor has to its own methods.
        let is_raw = from == Party::Agent && self.departures.has_method(method);
        let (version, stable) = (self.version, stable(self.version));
        let is_somebodys = stable.has(method) || draft(version).has(method) || method.starts_with('_') || is_raw;
        match outcome {
            Ok(result) => {
                self.took_params(from, asked);
                if !is_somebodys {
                    return self.find(&rules::UNKNOWN, from, format!("answers `{method}`, which nobody has"));
                }
                let what = format!("the answer to `{method}`");
                self.shape(from, &what, stable.result(method, result), || draft(version).result(method, result));
                self.fields(from, method, result);
            }
            Err(error) => {
                let code = error["code"].as_i64().filter(|code| i32::try_from(*code).is_ok());
                let well = code.is_some() && error["message"].is_string();
                self.check(well, &rules::OUTCOME, from, || format!("`{method}` fails with {error}"));
                let Some(code) = code else { return };
                let reserved = (-32768..=-32000).contains(&code) || (-32899..=-32800).contains(&code);
                self.check(reserved, &rules::CODE, from, || format!("`{method}` fails with the code {code}"));
                self.refused_params(from, asked, code);
                if !is_somebodys {
                    self.check(code == -32601, &rules::UNKNOWN, from, || {
                        format!("`{method}`, which nobody has, fails with {code}")
                    });
                }
                if code == -32000 && from == Party::Agent {
                    let ways = self.agent.as_ref().and_then(|agent| agent["authMethods"].as_array());
                    let none = ways.is_none_or(Vec::is_empty);
                    self.check(!none, &rules::AUTH_WAYS, from, || {
                        format!("refuses `{method}` until somebody authenticates, and offers no way to")
                    });
                }
            }
        }
    }

    /// Checks the code by which a request is refused whose params are not those of the schema. Other reasons may come first: the
    /// session, the login, a method that is not there.
    fn refused_params(&mut self, from: Party, asked: &Asked, code: i64) {
        let method = &asked.method;
        if !self.has_wrong_params(asked) {
            return;
        }
        let is_for_another_reason = matches!(code, -32600 | -32601 | -32000 | -32002 | -32800);
        self.check(code == -32602 || is_for_another_reason, &rules::PARAMS, from, || {
            format!("refuses wrong params of `{method}` with {code}")
        });
    }

    /// Whether the params of a request are not those of the schema, also not of its drafts.
    fn has_wrong_params(&self, asked: &Asked) -> bool {
        let (method, params) = (&*asked.method, &asked.params);
        method != "initialize"
            && stable(self.version).has(method)
            && !draft(self.version).params(method, params).wrong.is_empty()
    }

    /// The protocol does not say that wrong params are refused, so an agent may read around them. But then nobody sees its code.
    fn took_params(&mut self, from: Party, asked: &Asked) {
        if asked.is_off_schema && self.has_wrong_params(asked) {
            let text = format!("wrong params of `{}` were sent, and answered with a result", asked.method);
            self.doubt(&rules::PARAMS, from, text);
        }
    }

    fn shape(&mut self, from: Party, what: &str, stable: Deviations, draft: impl FnOnce() -> Deviations) {
        for rule in [&rules::SCHEMA, &rules::FIELDS, &rules::DRAFTS] {
            self.weigh(rule, from);
        }
        if self.version == 2 {
            self.weigh(&rules::RESERVED, from);
        }
        if stable == Deviations::default() {
            return;
        }
        let draft = draft();
        if !stable.wrong.is_empty() {
            match draft.wrong.first() {
                Some((at, expected)) => {
                    let at = if at.is_empty() { "/" } else { at };
                    let text = format!("{what} is wrong at `{}`: ", general(at));
                    // A place may have another wrong value in each message.
                    let is_known = self.told(&rules::SCHEMA, from, &text) >= MOST;
                    let expected = if is_known { "other values are wrong, too" } else { expected };
                    self.find(&rules::SCHEMA, from, text + expected);
                }
                None => self.find(&rules::DRAFTS, from, format!("{what} is of a draft")),
            }
        }
        // The unions of version 1 are closed, or may have any value.
        let is_first = self.version == 1;
        for (at, value) in stable.reserved.iter().filter(|_| !is_first) {
            if draft.reserved.iter().any(|(place, _)| place == at) {
                let text = format!("{what} has `{value}` at `{}`, which the protocol does not have", general(at));
                self.find(&rules::RESERVED, from, text);
            } else {
                self.find(&rules::DRAFTS, from, format!("{what} has `{value}` of a draft"));
            }
        }
        let is_declared = |at: &str| from == Party::Agent && self.departures.has_member(at, self.version);
        let unknown: Vec<_> = stable.unknown.iter().filter(|at| !is_declared(at)).collect();
        for at in unknown {
            if draft.unknown.contains(at) {
                self.find(&rules::FIELDS, from, format!("{what} has the field `{}`", general(at)));
            } else {
                self.find(&rules::DRAFTS, from, format!("{what} has the field `{}` of a draft", general(at)));
            }
        }
    }
}

/// A place without the positions in lists. Without this, one mistake would be reported for each element.
fn general(at: &str) -> String {
    let parts = at
        .split('/')
        .map(|part| if part.bytes().all(|byte| byte.is_ascii_digit()) && !part.is_empty() { "*" } else { part });
    parts.collect::<Vec<_>>().join("/")
}
