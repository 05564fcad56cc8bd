//! Merges the schemas of an `allOf` into one. A value must fit all of them. The result has the properties of all. Each
//! property is as strict as in the strictest schema.

use serde_json::{Map, Value};

use crate::error::{Place, Result};
use crate::source::Source;
use crate::source::dialect::{STRUCTURE, ref_name, says_nothing};

/// The limit of definitions that are merged in a row. A circle would exceed it.
const DEPTH: usize = 50;

/// The reason why two schemas cannot be merged: a key, and the help.
type Failed = (String, &'static str);

/// Merges every such `allOf` inside a definition.
pub(super) fn all(source: &Source, schema: &mut Value, at: &Place<'_>) -> Result<()> {
    if is_several(schema) {
        *schema = resolved(source, schema, DEPTH).map_err(|(what, help)| at.key("allOf").unsupported(what, help))?;
    }
    let Value::Object(object) = schema else { return Ok(()) };
    for (key, inner) in object.iter_mut() {
        let place = at.key(key);
        match (key.as_str(), inner) {
            ("properties", Value::Object(properties)) => {
                properties.iter_mut().try_for_each(|(name, inner)| all(source, inner, &place.key(name)))?;
            }
            ("items" | "additionalProperties", inner) => all(source, inner, &place)?,
            ("oneOf" | "anyOf", Value::Array(branches)) => {
                let mut branches = branches.iter_mut().enumerate();
                branches.try_for_each(|(index, inner)| all(source, inner, &place.index(index)))?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_several(schema: &Value) -> bool {
    let parts = schema.get("allOf").and_then(Value::as_array);
    parts.is_some_and(|parts| parts.len() > 1 || parts.iter().any(|part| part.get("$ref").is_none()))
}

/// Whether a merged definition is one of `these`.
pub(super) fn reaches(source: &Source, schema: &Value, these: &impl Fn(&str) -> bool) -> bool {
    fn inside(source: &Source, schema: &Value, merged: bool, depth: usize, these: &impl Fn(&str) -> bool) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match schema {
            Value::Object(object) => object.iter().any(|(key, inner)| match inner {
                Value::String(_) if key == "$ref" && merged => {
                    let name = ref_name(inner);
                    let next = || source.definitions.get(&name).filter(|next| is_several(next));
                    these(&name) || next().is_some_and(|next| inside(source, next, false, depth, these))
                }
                _ => inside(source, inner, key == "allOf" && is_several(schema), depth, these),
            }),
            Value::Array(list) => list.iter().any(|inner| inside(source, inner, merged, depth, these)),
            _ => false,
        }
    }
    inside(source, schema, false, DEPTH, these)
}

/// The schema with all its constraints in one place.
fn resolved(source: &Source, schema: &Value, depth: usize) -> Result<Value, Failed> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(("these schemas lead back to themselves".to_owned(), "let one of them say what it is"));
    };
    let mut parts = Vec::new();
    let mut own = schema.as_object().cloned().unwrap_or_default();
    for part in own.remove("allOf").and_then(|all| all.as_array().cloned()).into_iter().flatten() {
        parts.push(resolved(source, &part, depth)?);
    }
    if let Some(reference) = own.remove("$ref") {
        let target = source.definitions.get(&ref_name(&reference)).unwrap_or(&Value::Null);
        let mut target = resolved(source, target, depth)?;
        // Descriptions and marks of the other definition do not apply to this one.
        if let Some(target) = target.as_object_mut() {
            target.retain(|key, _| STRUCTURE.contains(&key.as_str()) || key.starts_with("x-deserialize-"));
        }
        parts.push(target);
    }
    let mut whole = Value::Object(Map::new());
    for part in parts.into_iter().chain([Value::Object(own)]) {
        whole = both(source, whole, part, depth)?;
    }
    Ok(whole)
}

/// Merges two schemas. A value must fit both.
fn both(source: &Source, one: Value, other: Value, depth: usize) -> Result<Value, Failed> {
    if is_free(&one) || one == other {
        return Ok(described_by(other, &one));
    }
    if is_free(&other) {
        return Ok(described_by(one, &other));
    }
    if one.get("$ref").is_some() && one.get("$ref") == other.get("$ref") {
        return Ok(described_by(one, &other));
    }
    let plain = |schema: Value| match schema.get("$ref").or_else(|| schema.get("allOf")) {
        Some(_) => resolved(source, &schema, depth),
        None => Ok(schema),
    };
    let (one, mut other) = (plain(one)?, plain(other)?);
    let (Value::Object(mut whole), Some(more)) = (one, other.as_object_mut()) else {
        return Err(("one of these is no object".to_owned(), "describe both with keywords"));
    };
    for (key, value) in std::mem::take(more) {
        let Some(known) = whole.remove(&key).filter(|known| *known != value) else {
            whole.insert(key, value);
            continue;
        };
        let merged = match (key.as_str(), known, value) {
            ("properties", Value::Object(known), Value::Object(more)) => properties(source, known, more, depth)?,
            ("required", Value::Array(mut known), Value::Array(more)) => {
                let new: Vec<Value> = more.into_iter().filter(|name| !known.contains(name)).collect();
                known.extend(new);
                Value::Array(known)
            }
            ("additionalProperties", Value::Bool(false), _) | ("additionalProperties", _, Value::Bool(false)) => {
                Value::Bool(false)
            }
            ("items" | "additionalProperties", known, value) => both(source, known, value, depth)?,
            ("type", known, value) => kinds(&known, &value).ok_or_else(|| differs("type"))?,
            (key, _, value) if !STRUCTURE.contains(&key) => value,
            (key, ..) => return Err(differs(key)),
        };
        whole.insert(key, merged);
    }
    if let (Some(constant), Some(Value::Array(values))) = (whole.get("const"), whole.get("enum")) {
        if !values.contains(constant) {
            return Err(differs("enum"));
        }
        whole.remove("enum");
    }
    Ok(Value::Object(whole))
}

fn differs(key: &str) -> Failed {
    (format!("`{key}` differs in schemas that hold together"), "merge them by hand")
}

fn properties(
    source: &Source,
    mut known: Map<String, Value>,
    more: Map<String, Value>,
    depth: usize,
) -> Result<Value, Failed> {
    for (name, property) in more {
        let merged = match known.remove(&name) {
            Some(before) => both(source, before, property, depth)?,
            None => property,
        };
        known.insert(name, merged);
    }
    Ok(Value::Object(known))
}

/// Whether the schema accepts any value: `{}`, `true`, or all types.
fn is_free(schema: &Value) -> bool {
    let all = |kinds: &Value| kinds.as_array().is_some_and(|kinds| kinds.len() == 7);
    let alone = |schema: &Map<String, Value>| {
        schema.iter().all(|(key, value)| !STRUCTURE.contains(&key.as_str()) || key == "type" && all(value))
    };
    *schema == true || says_nothing(schema) || schema.as_object().is_some_and(alone)
}

/// The schema. If it has no texts for people, it gets the texts of the other schema.
fn described_by(mut schema: Value, other: &Value) -> Value {
    if let (Some(schema), Some(text)) = (schema.as_object_mut(), other.get("description")) {
        schema.entry("description").or_insert_with(|| text.clone());
    }
    schema
}

/// The types that both schemas allow.
fn kinds(one: &Value, other: &Value) -> Option<Value> {
    let list = |kinds: &Value| kinds.as_array().cloned().unwrap_or_else(|| vec![kinds.clone()]);
    let (one, other) = (list(one), list(other));
    let wide =
        |kinds: &[Value], kind: &Value| kinds.contains(kind) || kind == "integer" && kinds.contains(&"number".into());
    let mut both: Vec<Value> = one.iter().filter(|kind| wide(&other, kind)).cloned().collect();
    both.extend(other.iter().filter(|kind| !one.contains(kind) && wide(&one, kind)).cloned());
    match both.len() {
        0 => None,
        1 => both.pop(),
        _ => Some(Value::Array(both)),
    }
}
