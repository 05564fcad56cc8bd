//! One random edit of a schema. The next version of a schema may have such an edit.

use serde_json::{Map, Value, json};

use crate::random::Random;
use crate::structure;

/// Edits `definitions` in one place.
pub(crate) fn edit(definitions: &mut Value, random: &mut Random) {
    if random.one_in(8) {
        return structure::mutate(definitions, random);
    }
    // No definition refers to a whole message, so an edit there would change nothing else.
    let all = definitions.as_object().into_iter().flatten();
    let named = all.filter(|(_, definition)| definition.get("x-docs-ignore").is_none());
    let names: Vec<String> = named.map(|(name, _)| name.clone()).collect();
    if names.is_empty() {
        return;
    }
    let mut open = Vec::new();
    schemas(definitions, String::new(), &mut open);
    // Some places do not allow some edits, so the loop tries again.
    for _ in 0..40 {
        let pointer = &open[random.below(open.len())];
        let Some(Value::Object(schema)) = definitions.pointer_mut(pointer) else { continue };
        let before = schema.clone();
        one(schema, &names, random);
        // The maps are compared with their order, because a change of order is an edit.
        if !before.iter().eq(schema.iter()) {
            return;
        }
    }
}

/// The places of all schemas inside a value.
fn schemas(value: &Value, at: String, out: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                schemas(inner, format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), out);
            }
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, inner)| schemas(inner, format!("{at}/{index}"), out));
        }
        _ => return,
    }
    if value.is_object() && !at.is_empty() {
        out.push(at);
    }
}

fn one(schema: &mut Map<String, Value>, names: &[String], random: &mut Random) {
    let kind = random.below(17);
    let property = |random: &mut Random| {
        let reference = json!({ "$ref": format!("#/$defs/{}", names[random.below(names.len())]) });
        let all = [
            json!({ "type": "string" }),
            json!({ "type": ["string", "null"] }),
            json!({ "type": "boolean", "default": false }),
            json!({ "type": "integer", "format": "uint16" }),
            json!({ "type": ["integer", "null"], "format": "uint32", "minimum": 1, "x-deserialize-default-on-error": true }),
            json!({ "type": "number" }),
            json!({ "type": "array", "items": reference }),
            json!({ "type": "object", "additionalProperties": { "type": "integer" } }),
            json!({}),
            json!({ "anyOf": [reference, { "type": "null" }] }),
            reference,
        ];
        all[random.below(all.len())].clone()
    };
    match kind {
        0 => on_object(schema, "properties", |properties| drop(remove(properties, random))),
        1 => on_object(schema, "properties", |properties| {
            properties.insert(random.of(&["added", "note", "zeta", "type", "extra"]).to_owned(), property(random));
        }),
        2 => on_object(schema, "properties", |properties| rotate(properties, random)),
        3 => on_object(schema, "properties", |properties| {
            if let Some((name, value)) = remove(properties, random) {
                properties.insert(format!("{name}X"), value);
            }
        }),
        4 => on_object(schema, "properties", |properties| {
            let key = properties.keys().nth(random.below(properties.len())).cloned().unwrap_or_default();
            properties.insert(key, property(random));
        }),
        5 => {
            let keys: Vec<&String> =
                schema.get("properties").and_then(Value::as_object).map(Map::keys).into_iter().flatten().collect();
            let Some(key) = keys.get(random.below(keys.len())).map(|key| (*key).clone()) else { return };
            let required = schema.entry("required").or_insert_with(|| json!([]));
            let Some(required) = required.as_array_mut() else { return };
            match required.iter().position(|known| *known == key) {
                Some(position) => drop(required.remove(position)),
                None => required.push(Value::String(key)),
            }
        }
        6 if schema.contains_key("properties") => toggle(schema, "additionalProperties"),
        7 if schema.contains_key("type") => toggle(schema, "x-deserialize-default-on-error"),
        8 if schema.contains_key("items") => toggle(schema, "x-deserialize-skip-invalid-items"),
        9 if schema.contains_key("type") => toggle(schema, "x-deserialize-default-on-null"),
        10 => branches(schema, |list| {
            if list.len() > 1 {
                let (one, other) = (random.below(list.len()), random.below(list.len()));
                list.swap(one, other);
            }
        }),
        11 => branches(schema, |list| {
            if !list.is_empty() {
                list.remove(random.below(list.len()));
            }
        }),
        12 => branches(schema, |list| {
            let branch = match random.below(6) {
                0 => json!({ "const": "added", "type": "string" }),
                1 => json!({ "title": "Added", "type": "string" }),
                2 => json!({ "title": "Added", "type": "array", "items": { "type": "string" } }),
                3 => json!({ "title": "Added", "allOf": [property(random)] }),
                4 => json!({ "title": "Added" }),
                _ => {
                    let Some(copy) = list.first() else { return };
                    let text = copy.to_string();
                    let word = copy.pointer("/properties").and_then(Value::as_object).into_iter().flatten();
                    let word = word.filter_map(|(_, inner)| inner.get("const")?.as_str()).next();
                    let Some(word) = word.or_else(|| copy.get("const")?.as_str()) else { return };
                    serde_json::from_str(&text.replace(&format!("\"{word}\""), "\"copied\"")).unwrap_or_default()
                }
            };
            list.insert(random.below(list.len() + 1), branch);
        }),
        13 => {
            let text = random.of(&["Said anew.", "Changed"]).to_owned();
            let key = random.of(&["title", "description", "format", "$ref", "const", "x-side"]);
            if key == "$ref" && schema.contains_key("$ref") {
                schema.insert(key.to_owned(), json!(format!("#/$defs/{}", names[random.below(names.len())])));
            } else if key == "format" && schema.get("type").is_some_and(|kind| kind == "integer") {
                schema.insert(key.to_owned(), json!(random.of(&["uint8", "int32", "int64", "uint64"])));
            } else if schema.contains_key(key) {
                schema.insert(key.to_owned(), Value::String(text));
            }
        }
        14 => {
            let values = match schema.get("type").and_then(Value::as_str) {
                Some("string") => [json!(""), json!("calm"), json!("wild")],
                Some("integer" | "number") => [json!(0), json!(2), json!(7)],
                Some("boolean") => [json!(false), json!(true), json!(true)],
                _ => return,
            };
            if schema.shift_remove("default").is_none() || random.one_in(2) {
                schema.insert("default".to_owned(), values[random.below(values.len())].clone());
            }
        }
        15 => {
            // A new tag must stand in all branches of the union.
            let whole = Value::Object(schema.clone());
            let Some(tag) = tag(&whole) else { return };
            let renamed = whole.to_string().replace(&format!("\"{tag}\""), "\"tagX\"");
            if let Ok(Value::Object(renamed)) = serde_json::from_str(&renamed) {
                *schema = renamed;
            }
        }
        _ => {
            let Some(kind) = schema.get_mut("type") else { return };
            *kind = match (kind.as_str(), kind.as_array()) {
                (Some("null" | "object"), _) | (None, None) => return,
                (Some(name), _) => json!([name, "null"]),
                (None, Some(list)) => list.first().cloned().unwrap_or_default(),
            };
        }
    }
}

fn tag(schema: &Value) -> Option<String> {
    let list = schema.get("oneOf").or_else(|| schema.get("anyOf"))?.as_array()?;
    list.iter().find_map(|branch| {
        let properties = branch.get("properties")?.as_object()?;
        properties.iter().find(|(_, inner)| inner.get("const").is_some()).map(|(tag, _)| tag.clone())
    })
}

fn on_object(schema: &mut Map<String, Value>, key: &str, f: impl FnOnce(&mut Map<String, Value>)) {
    if let Some(Value::Object(inner)) = schema.get_mut(key) {
        f(inner);
    }
}

fn branches(schema: &mut Map<String, Value>, f: impl FnOnce(&mut Vec<Value>)) {
    let key = if schema.contains_key("oneOf") { "oneOf" } else { "anyOf" };
    if let Some(Value::Array(list)) = schema.get_mut(key) {
        f(list);
    }
}

fn remove(map: &mut Map<String, Value>, random: &mut Random) -> Option<(String, Value)> {
    let key = map.keys().nth(random.below(map.len())).cloned()?;
    map.shift_remove_entry(&key)
}

fn rotate(map: &mut Map<String, Value>, random: &mut Random) {
    if let Some((key, value)) = remove(map, random) {
        map.shift_insert(random.below(map.len() + 1), key, value);
    }
}

fn toggle(schema: &mut Map<String, Value>, key: &str) {
    if schema.shift_remove(key).is_none() {
        schema.insert(key.to_owned(), Value::Bool(true));
    }
}
