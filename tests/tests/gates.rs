//! The capabilities that gate methods and updates. `acp-client` repeats them by hand in two places: the capabilities
//! that a client advertises for its handlers, and the gates that the judge checks. If a new schema adds a gate, these
//! tests fail and name the place to change.

use acp_client::{
    __private::Stated,
    testing::{Party, Tape, judge::judge},
};
use serde_json::{Value, json};

use crate::methods::{Kind, METHODS, Method, Side};
use crate::updates::{UPDATES, Update};

const VERSION: u8 = 1;

/// A client states these methods' capabilities with keys of `#[acp_client(..)]`, because a handler does not tell them.
const STATED: &[&str] = &["elicitation/create"];

struct Schema(Value);

impl Schema {
    fn published() -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../schema/v1/schema.json");
        Self(serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON"))
    }

    fn properties(&self, definition: &str) -> impl Iterator<Item = (&String, &Value)> {
        self.0["$defs"][definition]["properties"].as_object().into_iter().flatten()
    }

    /// The definition of a property.
    fn definition(property: &Value) -> &str {
        let choices = ["allOf", "anyOf"].iter().filter_map(|key| property[key].as_array()).flatten();
        let refers = choices.chain([property]).find_map(|choice| choice["$ref"].as_str());
        refers.and_then(|path| path.strip_prefix("#/$defs/")).unwrap_or_default()
    }

    /// The place of the capability that gates a method. A capability has the name of the handler. Or it stands in the
    /// capabilities of the method's area, with the method's name. Or it is the whole area.
    fn gate(&self, capabilities: &str, Method { handler, wire, .. }: &Method) -> Option<String> {
        let (area, own) = wire.split_once('/').unwrap_or(("auth", wire));
        let whole = |name: &str| name == camel(handler) || (name == area && area != "session" && wire.contains('/'));
        self.properties(capabilities).find_map(|(name, property)| {
            let mut inside = self.properties(Self::definition(property));
            if name.starts_with(area) && inside.any(|(name, _)| *name == camel(own)) {
                return Some(format!("/{name}/{}", camel(own)));
            }
            whole(name).then(|| format!("/{name}"))
        })
    }

    /// All capabilities of a side.
    fn all(&self, definition: &str) -> Value {
        let each = self.properties(definition).filter(|(name, _)| *name != "_meta");
        let on = each.map(|(name, property)| match property["type"] == "boolean" {
            true => (name.clone(), json!(true)),
            false => (name.clone(), self.all(Self::definition(property))),
        });
        Value::Object(on.collect())
    }
}

fn camel(snake: &str) -> String {
    let mut words = snake.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

fn methods(side: Side) -> impl Iterator<Item = &'static Method> {
    let is_of = move |method: &&Method| method.side == side && method.kind == Kind::Request;
    METHODS.iter().filter(is_of).filter(|method| !method.draft && method.versions.contains(&VERSION))
}

/// The updates that have a gate, with the gate's place.
fn gated_updates() -> impl Iterator<Item = (&'static str, &'static str, String)> {
    let updates = UPDATES.iter().filter(|update| update.versions.contains(&VERSION));
    updates.filter_map(|Update { kind, gate, .. }| gate.map(|gate| (*kind, gate, place(gate))))
}

fn place(gate: &str) -> String {
    format!("/{}", gate.replace('.', "/"))
}

#[test]
fn a_client_advertises_the_gate_of_each_method_that_it_handles() {
    let schema = Schema::published();
    let mut gated = 0;
    for method in methods(Side::Client).filter(|method| !STATED.contains(&method.wire)) {
        let Some(gate) = schema.gate("ClientCapabilities", method) else { continue };
        gated += 1;
        let area = method.wire.split('/').next();
        let handled: Vec<_> = methods(Side::Client).map(|m| m.wire).filter(|m| m.split('/').next() == area).collect();
        advertises(method.wire, &gate, &handled, &[]);
    }
    assert!(gated > 3, "{gated} are too few: are the names as they were?");
}

#[test]
fn a_client_advertises_the_gate_of_each_update_that_it_handles() {
    assert!(gated_updates().count() > 2, "are the gates where they were?");
    for (kind, gate, place) in gated_updates() {
        advertises(kind, &place, &[], &[gate]);
    }
}

fn advertises(handled: &str, place: &str, methods: &[&str], gates: &[&str]) {
    let shown = |methods: &[&str], gates: &[&str]| {
        let capabilities = serde_json::to_value(Stated::NOTHING.capabilities(methods, gates)).expect("JSON");
        capabilities.pointer(place).is_some_and(|shown| *shown == json!(true) || shown.is_object())
    };
    assert!(
        shown(methods, gates),
        "a client that handles `{handled}` does not advertise `{place}`: add a line to `Stated::capabilities` in \
         acp-client/src/contract/capabilities.rs"
    );
    assert!(!shown(&[], &[]), "a client that does not handle `{handled}` advertises `{place}`");
}

#[test]
fn the_judge_knows_the_gate_of_each_method() {
    let schema = Schema::published();
    let mut gated = 0;
    for (side, capabilities, from, rule) in [
        (Side::Agent, "AgentCapabilities", Party::Client, "agent-offers-method"),
        (Side::Client, "ClientCapabilities", Party::Agent, "client-offers-method"),
    ] {
        for method in methods(side) {
            let Some(gate) = schema.gate(capabilities, method) else { continue };
            gated += 1;
            let call = json!({ "jsonrpc": "2.0", "id": 7, "method": method.wire, "params": {} });
            is_judged(&schema, method.wire, &gate, (from, &call), rule);
        }
    }
    assert!(gated > 12, "{gated} are too few: are the names as they were?");
}

#[test]
fn the_judge_knows_the_gate_of_each_update() {
    let schema = Schema::published();
    for (kind, _, place) in gated_updates() {
        let params = json!({ "sessionId": "s", "update": { "sessionUpdate": kind } });
        let update = json!({ "jsonrpc": "2.0", "method": "session/update", "params": params });
        is_judged(&schema, kind, &place, (Party::Agent, &update), "client-takes-update");
    }
}

/// Asserts that the judge reports the message if the other side has no capabilities, and not if it has all.
fn is_judged(schema: &Schema, what: &str, place: &str, (from, message): (Party, &Value), rule: &str) {
    let breach = |client: Value, agent: Value| {
        let mut tape = Tape::new();
        let params = json!({ "protocolVersion": VERSION, "clientCapabilities": client });
        let result = json!({ "protocolVersion": VERSION, "agentCapabilities": agent });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        tape.say(Party::Client, call.to_string());
        tape.say(Party::Agent, json!({ "jsonrpc": "2.0", "id": 1, "result": result }).to_string());
        tape.say(from, message.to_string());
        judge(&tape).into_iter().find(|finding| finding.rule.id == rule).map(|finding| finding.text)
    };
    let text = breach(json!({}), json!({})).unwrap_or_default();
    let gate = place[1..].replace('/', ".");
    assert!(
        text.contains(&format!("`{gate}")),
        "the judge does not report `{what}` without `{gate}`, but {text:?}: give it this gate in \
         acp-judge/src/judge/gates.rs"
    );
    let fine = breach(schema.all("ClientCapabilities"), schema.all("AgentCapabilities"));
    assert_eq!(fine, None, "the judge reports `{what}` between parties that can do everything");
}
