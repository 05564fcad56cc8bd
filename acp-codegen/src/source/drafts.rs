//! The difference between a schema with drafts and the stable schema. A new definition is marked as a whole. A new
//! property or alternative of a stable definition gets the mark in its description, because readers see this text.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::remarks::remark;

/// Marks the new parts inside definitions, and returns the names of the new definitions.
pub(super) fn mark(definitions: &mut Map<String, Value>, stable: &Map<String, Value>) -> HashSet<String> {
    let mut new = HashSet::new();
    for (name, definition) in definitions {
        match stable.get(name) {
            Some(stable) => inside(definition, stable),
            None => drop(new.insert(name.clone())),
        }
    }
    new
}

fn inside(schema: &mut Value, stable: &Value) {
    let Value::Object(schema) = schema else { return };
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, property) in properties {
            compare(property, stable.get("properties").and_then(|properties| properties.get(name)));
        }
    }
    for key in ["oneOf", "anyOf"] {
        let Some(Value::Array(branches)) = schema.get_mut(key) else { continue };
        let known = stable.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for branch in branches {
            let same = known.iter().find(|known| identity(known) == identity(branch));
            compare(branch, same);
        }
    }
}

fn compare(schema: &mut Value, stable: Option<&Value>) {
    match (stable, schema) {
        (Some(stable), schema) => inside(schema, stable),
        (None, Value::Object(schema)) => {
            let text = remark(schema.get("description").and_then(Value::as_str));
            schema.insert("description".to_owned(), Value::String(text));
        }
        (None, _) => {}
    }
}

/// The parts of a branch by which it is found in the other schema: its constant or its tag. If it has none, its title,
/// or its reference or type.
fn identity(branch: &Value) -> Vec<&Value> {
    if let Some(constant) = branch.get("const") {
        return vec![constant];
    }
    let properties = branch.get("properties").and_then(Value::as_object).into_iter().flatten();
    let tags: Vec<&Value> = properties.filter_map(|(_, property)| property.get("const")).collect();
    if !tags.is_empty() {
        return tags;
    }
    let reference = branch.get("$ref").or_else(|| branch.get("allOf")?.get(0)?.get("$ref"));
    branch.get("title").or(reference).or_else(|| branch.get("type")).into_iter().collect()
}
