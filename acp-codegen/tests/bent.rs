//! Bends a piece of the published schema at random places: every outcome must be code or an error that names a place,
//! never a panic, and never one that typify had to raise because our own check let something through.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use acp_codegen::{Builder, Error};
use serde_json::{Map, Value, json};

/// Definitions of every shape; what they refer to comes with them.
const ROOTS: &[&str] = &[
    "CreateElicitationRequest",
    "CreateElicitationResponse",
    "SetSessionConfigOptionRequest",
    "SetSessionConfigOptionResponse",
    "SessionInfoUpdate",
    "McpServer",
    "Error",
    "ToolCall",
    "ClientNotification",
    "CompactionCapabilities",
    "ProtocolVersion",
];
/// A run takes some seconds; `BENT_ROUNDS` asks for a longer one.
const ROUNDS: usize = 150;

#[test]
fn no_schema_panics_the_generator() {
    let rounds = std::env::var("BENT_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(ROUNDS);
    let whole = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/v1");
    let schema = piece(&whole.join("schema.json"));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bent.json");
    let builder = Builder::new().schema(&path).overlay(whole.join("overlay.json"));
    let generate = |schema: &Value| {
        fs::write(&path, schema.to_string()).expect("the directory for temporary files is writable");
        builder.generate()
    };
    generate(&schema).unwrap_or_else(|error| panic!("the piece itself: {error}"));
    let mut random = Random(0);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..rounds {
        let mut bent = schema.clone();
        for _ in 0..=random.below(2) {
            bend(&mut bent["$defs"], &mut random);
        }
        match generate(&bent) {
            Ok(_) => accepted += 1,
            Err(error @ Error::Typify { .. }) => panic!("{error}\n{}", changed(&schema, &bent)),
            Err(_) => refused += 1,
        }
    }
    assert!(accepted > 0 && refused > 0, "the bending does not reach both outcomes: {accepted} and {refused}");
}

/// The definitions that differ.
fn changed(old: &Value, new: &Value) -> Value {
    let Some(definitions) = new["$defs"].as_object() else { return new.clone() };
    let differs = |(name, definition): &(&String, &Value)| old["$defs"][name.as_str()] != **definition;
    definitions.iter().filter(differs).map(|(name, definition)| (name.clone(), definition.clone())).collect()
}

fn piece(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("the schema is checked in");
    let whole: Value = serde_json::from_str(&text).expect("the schema is JSON");
    let mut names = BTreeSet::new();
    let mut open: Vec<String> = ROOTS.iter().map(|root| (*root).to_owned()).collect();
    while let Some(name) = open.pop() {
        references(&whole["$defs"][&name], &mut open);
        names.insert(name);
        open.retain(|name| !names.contains(name));
    }
    let definitions: Map<String, Value> =
        names.into_iter().map(|name| (name.clone(), whole["$defs"][&name].clone())).collect();
    json!({ "$defs": definitions })
}

fn references(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            let target = object.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
            out.extend(target.map(str::to_owned));
            object.values().for_each(|inner| references(inner, out));
        }
        Value::Array(list) => list.iter().for_each(|inner| references(inner, out)),
        _ => {}
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}

/// Goes down to a random place, and changes what is there.
fn bend(value: &mut Value, random: &mut Random) {
    let size = match value {
        Value::Object(object) => object.len(),
        Value::Array(list) => list.len(),
        _ => 0,
    };
    if size == 0 || random.below(7) == 0 {
        return change(value, random);
    }
    let chosen = random.below(size);
    match value {
        Value::Object(object) => object.values_mut().nth(chosen).map(|inner| bend(inner, random)),
        Value::Array(list) => list.get_mut(chosen).map(|inner| bend(inner, random)),
        _ => None,
    };
}

fn change(value: &mut Value, random: &mut Random) {
    let other = json!([
        null, true, false, 0, -1.5, "", "string", "object", "null", "self", "é", [], {}, ["string", "null"], ["a"],
        { "type": "string" }, { "type": ["array", "null"] }, { "type": "object" }, { "$ref": "#/$defs/McpServer" },
        { "$ref": "#/$defs/Nowhere" }, { "oneOf": [{ "const": "a" }, { "const": "b" }] }, { "not": {} },
        { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/ToolCall" }] }, { "type": "integer", "minimum": -3 },
        { "type": "array", "items": { "type": "array", "items": {} } }, { "enum": ["a"] }, { "const": "x" },
    ]);
    let other = other[random.below(27)].clone();
    match (value, random.below(5)) {
        (Value::Object(object), 0) if !object.is_empty() => {
            let key = object.keys().nth(random.below(object.len())).cloned().unwrap_or_default();
            object.remove(&key);
        }
        (Value::Object(object), 1) => {
            const KEYS: &[&str] =
                &["type", "oneOf", "anyOf", "properties", "required", "default", "title", "x-method", "Aa"];
            object.insert(KEYS[random.below(KEYS.len())].to_owned(), other);
        }
        (Value::Object(object), 2) if !object.is_empty() => {
            const NAMES: &[&str] = &["a b", "§", "§x", "foo's", "type", "1a", "fooBar", "foo_bar", "", "+1", "x'", "É"];
            let key = object.keys().nth(random.below(object.len())).cloned().unwrap_or_default();
            let moved = object.remove(&key).unwrap_or_default();
            object.insert(NAMES[random.below(NAMES.len())].to_owned(), moved);
        }
        (Value::Array(list), 0) if !list.is_empty() => drop(list.remove(random.below(list.len()))),
        (Value::Array(list), 1) => list.push(other),
        (value, _) => *value = other,
    }
}
