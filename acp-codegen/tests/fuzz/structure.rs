//! Changes to a schema that keep it valid JSON. They move, double, remove, oddly rename or deeply nest parts.

use serde_json::{Map, Value, json};

use crate::random::Random;

/// Names that are keywords, taken or illegal in Rust, or the same as another name there.
const NAMES: &[&str] = &[
    "self",
    "Self",
    "type",
    "crate",
    "Type",
    "Option",
    "String",
    "Vec",
    "Box",
    "Result",
    "D",
    "S",
    "T",
    "Wire",
    "Fields",
    "Error",
    "Default",
    "Clone",
    "Debug",
    "Hash",
    "Send",
    "Sized",
    "Iterator",
    "methods",
    "Methods",
    "with space",
    "3D",
    "",
    "a/b",
    "~",
    "\u{dc}nder",
    "\u{5b57}",
    "\u{1f600}",
    "fooBar",
    "foo_bar",
    "FooBar",
    "_",
    "__",
    "_meta",
    "new",
    "extra",
    "kind",
    "value",
    "fields",
    "params",
    "method",
    "r#type",
    "a'",
    "a\"b",
    "a\nb",
    "{}",
    "%s",
    "anyOf",
    "oneOf",
    "properties",
    "$ref",
    "AgentMethodNames",
    "AgentRequest",
    "ContentBlock",
    "SessionId",
    "aRequest",
    "Request",
    "XRequest",
    "XResponse",
    "XNotification",
    "tagIdent",
    "deserializer",
    "payload",
    "raw",
    "None",
    "Some",
    "Ok",
    "i32",
];

const KEYS: &[&str] = &[
    "type",
    "oneOf",
    "anyOf",
    "allOf",
    "not",
    "properties",
    "required",
    "default",
    "title",
    "description",
    "const",
    "enum",
    "format",
    "minimum",
    "maximum",
    "minLength",
    "items",
    "additionalProperties",
    "unevaluatedProperties",
    "$ref",
    "discriminator",
    "x-method",
    "x-side",
    "x-docs-ignore",
    "x-deserialize-default-on-error",
    "x-unknown",
    "x-deserialize-default-on-null",
    "x-deserialize-skip-invalid-items",
    "x-deserialize-someday",
    "if",
    "Aa",
    "$defs",
];

/// Steps from a root to a place inside it.
type Path = Vec<usize>;

/// Changes `definitions` in one to three places.
pub(crate) fn mutate(definitions: &mut Value, random: &mut Random) {
    for _ in 0..=random.below(3) {
        match random.below(12) {
            0 => swap(definitions, random),
            1 => rename_definition(definitions, random),
            2 => duplicate_definition(definitions, random),
            3 | 4 => point_elsewhere(definitions, random),
            _ => {
                let names = names(definitions);
                let path = somewhere(definitions, random);
                change(at(definitions, &path), &names, random);
            }
        }
    }
}

fn names(definitions: &Value) -> Vec<String> {
    definitions.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

fn size(value: &Value) -> usize {
    match value {
        Value::Object(object) => object.len(),
        Value::Array(list) => list.len(),
        _ => 0,
    }
}

fn child(value: &mut Value, position: usize) -> &mut Value {
    match value {
        Value::Object(object) => object.values_mut().nth(position).expect("the position is one of its"),
        Value::Array(list) => &mut list[position],
        _ => unreachable!("only lists and objects have positions"),
    }
}

fn somewhere(root: &mut Value, random: &mut Random) -> Path {
    let mut path = Path::new();
    let mut here = root;
    while size(here) > 0 && (path.is_empty() || !random.one_in(6)) {
        let position = random.below(size(here));
        path.push(position);
        here = child(here, position);
    }
    path
}

fn at<'a>(root: &'a mut Value, path: &[usize]) -> &'a mut Value {
    path.iter().fold(root, |here, position| child(here, *position))
}

fn swap(root: &mut Value, random: &mut Random) {
    let (one, other) = (somewhere(root, random), somewhere(root, random));
    if one.starts_with(&other) || other.starts_with(&one) {
        return;
    }
    let moved = at(root, &one).take();
    let moved = std::mem::replace(at(root, &other), moved);
    *at(root, &one) = moved;
}

fn rename_definition(root: &mut Value, random: &mut Random) {
    let names = names(root);
    let (Some(old), new) = (names.get(random.below(names.len())), random.of(NAMES)) else { return };
    let Some(object) = root.as_object_mut() else { return };
    let renamed: Map<String, Value> = std::mem::take(object)
        .into_iter()
        .map(|(name, definition)| (if name == *old { new.to_owned() } else { name }, definition))
        .collect();
    *object = renamed;
    // In most cases the references get the new name, too, so that the generator reads this name.
    if !random.one_in(4) {
        follow(root, &format!("#/$defs/{old}"), &format!("#/$defs/{new}"));
    }
}

fn follow(value: &mut Value, old: &str, new: &str) {
    match value {
        Value::String(text) if text == old => new.clone_into(text),
        Value::Array(list) => list.iter_mut().for_each(|item| follow(item, old, new)),
        Value::Object(object) => object.values_mut().for_each(|inner| follow(inner, old, new)),
        _ => {}
    }
}

fn duplicate_definition(root: &mut Value, random: &mut Random) {
    let names = names(root);
    let Some(old) = names.get(random.below(names.len())) else { return };
    let copy = root[old.as_str()].clone();
    let new = match random.below(4) {
        0 => format!("{old}Kind"),
        1 => format!("Other{old}"),
        2 => format!("Copied{old}"),
        _ => random.of(NAMES).to_owned(),
    };
    root[new] = copy;
}

fn point_elsewhere(root: &mut Value, random: &mut Random) {
    let names = names(root);
    let mut found = Vec::new();
    collect(root, &mut Path::new(), &mut found);
    if found.is_empty() {
        return;
    }
    let path = found[random.below(found.len())].clone();
    *at(root, &path) = Value::String(target(&names, random));
}

/// The places of all references.
fn collect(value: &Value, path: &mut Path, out: &mut Vec<Path>) {
    let inner: Vec<(Option<&str>, &Value)> = match value {
        Value::Object(object) => object.iter().map(|(key, inner)| (Some(key.as_str()), inner)).collect(),
        Value::Array(list) => list.iter().map(|inner| (None, inner)).collect(),
        _ => return,
    };
    for (position, (key, inner)) in inner.into_iter().enumerate() {
        path.push(position);
        if key == Some("$ref") {
            out.push(path.clone());
        }
        collect(inner, path, out);
        path.pop();
    }
}

fn target(names: &[String], random: &mut Random) -> String {
    if random.below(10) < 7 && !names.is_empty() {
        return format!("#/$defs/{}", names[random.below(names.len())]);
    }
    random
        .of(&["#", "", "#/$defs/", "#/$defs/Nowhere", "#/$defs/A/properties/b", "other.json#/A", "#/$defs/~1"])
        .to_owned()
}

fn change(value: &mut Value, names: &[String], random: &mut Random) {
    let kind = random.below(14);
    match (value, kind) {
        (Value::Object(object), 0 | 1) if !object.is_empty() => {
            let key = key_of(object, random);
            object.shift_remove(&key);
        }
        (Value::Object(object), 2 | 3) => {
            let (key, other) = (random.of(KEYS).to_owned(), other(names, random));
            object.insert(key, other);
        }
        (Value::Object(object), 4 | 5) if !object.is_empty() => {
            let key = key_of(object, random);
            let moved = object.remove(&key).unwrap_or_default();
            object.insert(random.of(NAMES).to_owned(), moved);
        }
        (Value::Object(object), 6) if !object.is_empty() => {
            let key = key_of(object, random);
            let copy = object[&key].clone();
            object.insert(random.of(NAMES).to_owned(), copy);
        }
        (Value::Array(list), 0 | 1) if !list.is_empty() => drop(list.remove(random.below(list.len()))),
        (Value::Array(list), 2) => list.push(other(names, random)),
        (Value::Array(list), 3 | 4) if !list.is_empty() => list.push(list[random.below(list.len())].clone()),
        (Value::Array(list), 5) if !list.is_empty() => {
            let item = list[random.below(list.len())].clone();
            let many = if random.one_in(8) { 2500 } else { 30 };
            list.extend(std::iter::repeat_n(item, random.below(many)));
        }
        (Value::Array(list), 6) => list.reverse(),
        (Value::String(text), 0..=5) => *text = random.of(NAMES).to_owned(),
        (value, 7 | 8) => deepen(value, random),
        (value, 9) => *value = number(random),
        (value, _) => *value = other(names, random),
    }
}

fn key_of(object: &Map<String, Value>, random: &mut Random) -> String {
    object.keys().nth(random.below(object.len())).cloned().unwrap_or_default()
}

/// Puts the value deep inside itself.
fn deepen(value: &mut Value, random: &mut Random) {
    let deepest = if random.one_in(3) { 130 } else { 4 };
    let depth = 1 + random.below(deepest);
    let kind = random.below(6);
    for _ in 0..depth {
        let inner = value.take();
        *value = match kind {
            0 => json!({ "type": "array", "items": inner }),
            1 => json!({ "anyOf": [inner, { "type": "null" }] }),
            2 => json!({ "allOf": [inner] }),
            3 => json!({ "type": "object", "additionalProperties": inner }),
            4 => json!({ "type": "object", "properties": { "a": inner } }),
            _ => json!([inner]),
        };
    }
}

fn number(random: &mut Random) -> Value {
    let numbers =
        json!([0, -1, 1, 255, 256, 65_536, 4_294_967_296_u64, i64::MIN, i64::MAX, u64::MAX, 0.5, -0.0, 1e308, 1e-308]);
    numbers[random.below(14)].clone()
}

fn other(names: &[String], random: &mut Random) -> Value {
    let reference = json!({ "$ref": target(names, random) });
    let tag =
        |word: &str| json!({ "type": "object", "properties": { "type": { "const": word } }, "required": ["type"] });
    let mut with = tag("a");
    with["allOf"] = json!([reference]);
    let all = [
        json!(null),
        json!(true),
        json!(false),
        json!(""),
        json!("string"),
        json!("object"),
        json!("null"),
        json!("self"),
        json!([]),
        json!({}),
        json!(["string", "null"]),
        json!(["a"]),
        json!({ "type": "string" }),
        json!({ "type": "null" }),
        json!({ "type": ["array", "null"] }),
        json!({ "type": ["integer", "null"], "format": "uint8", "default": 300 }),
        json!({ "type": "object" }),
        json!({ "type": "number" }),
        json!({ "type": "boolean", "default": true }),
        json!({ "type": "integer", "minimum": -3 }),
        json!({ "oneOf": [{ "const": "a" }, { "const": "b" }] }),
        json!({ "oneOf": [{ "const": 1, "title": "One" }, { "type": "integer" }] }),
        json!({ "not": {} }),
        json!({ "oneOf": [{ "const": 1, "title": "One" }, { "type": "integer", "format": "uint8" }] }),
        json!({ "type": "array", "items": { "type": "array", "items": {} } }),
        json!({ "enum": ["a"] }),
        json!({ "const": "x" }),
        json!({ "anyOf": [{ "type": "null" }, reference] }),
        json!({ "oneOf": [reference] }),
        json!({ "oneOf": [tag("a"), tag("a b"), tag("c")] }),
        json!({ "oneOf": [with, tag("b")] }),
        json!({ "anyOf": [{ "title": "Text", "type": "string" }, { "title": "Rate", "type": "number" }] }),
        json!({ "type": "object", "additionalProperties": reference }),
        json!({ "type": "array", "items": reference }),
        json!({ "type": "object", "additionalProperties": true, "properties": { "a": reference } }),
        json!({ "type": "object", "properties": { "a": reference, "b": { "type": "number" } }, "required": ["a"] }),
        reference,
    ];
    all[random.below(all.len())].clone()
}
