//! What an overlay adds to the schema is written by hand, so a misspelt key is refused there. The schema itself may have
//! keys `x-..` that mean nothing to this crate.

use serde_json::{Map, Value};

use super::Source;
use super::dialect::DECODING;
use super::nearest::advice;
use crate::error::{Error, Place, Refused};

/// The keys that say which method a definition belongs to.
const OF_METHODS: &[&str] = &["x-method", "x-side"];
/// The key of whole messages.
const OF_MESSAGES: &str = "x-docs-ignore";

/// Checks the keys `x-..` of all that overlays add.
pub(crate) fn check(source: &Source, refused: &mut Refused) {
    for (name, definition) in &source.definitions {
        if source.added_by.contains_key(name) {
            let mut errors = Vec::new();
            source.at(name, |at| {
                schema(definition, true, at, &mut errors);
                errors.extend(side_alone(definition, at));
            });
            refused.extend(name, errors);
        } else if source.has_added_properties(name) {
            let mut errors = Vec::new();
            source.at(name, |at| {
                let parent = at.key("properties");
                for (wire, property) in definition.get("properties").and_then(Value::as_object).into_iter().flatten() {
                    if source.added_property(name, wire).is_some() {
                        schema(property, false, &parent.key(wire), &mut errors);
                    }
                }
            });
            refused.extend(name, errors);
        }
    }
}

fn schema(value: &Value, whole: bool, at: &Place<'_>, errors: &mut Vec<Error>) {
    let Value::Object(object) = value else { return };
    for key in object.keys().filter(|key| key.starts_with("x-")) {
        errors.extend(self::key(key, whole, &at.key(key)));
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = object.get(key) {
            schema(inner, false, &at.key(key), errors);
        }
    }
    let properties = at.key("properties");
    for (name, property) in object.get("properties").and_then(Value::as_object).into_iter().flatten() {
        schema(property, false, &properties.key(name), errors);
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        let list = at.key(key);
        for (index, part) in object.get(key).and_then(Value::as_array).into_iter().flatten().enumerate() {
            schema(part, false, &list.index(index), errors);
        }
    }
}

fn key(key: &str, whole: bool, at: &Place<'_>) -> Option<Error> {
    let is_of_definitions = OF_METHODS.contains(&key) || key == OF_MESSAGES;
    if DECODING.contains(&key) || whole && is_of_definitions {
        return None;
    }
    if is_of_definitions {
        return Some(at.unsupported(
            format!("`{key}` stands in a part of a definition"),
            "write it beside the `type` of the definition, directly below its name in `$defs`",
        ));
    }
    // The unknown rules of decoding are refused in every schema.
    if key.starts_with("x-deserialize-") {
        return None;
    }
    let known: Vec<&str> = OF_METHODS.iter().chain(DECODING).copied().collect();
    Some(at.unsupported(format!("the key `{key}` is not known"), advice(key, &known)))
}

/// Refuses a side without a method.
fn side_alone(definition: &Value, at: &Place<'_>) -> Option<Error> {
    let object: &Map<String, Value> = definition.as_object()?;
    let misspelt = object.keys().any(|key| key.starts_with("x-") && self::key(key, true, at).is_some());
    if !object.contains_key("x-side") || object.contains_key("x-method") || misspelt {
        return None;
    }
    Some(at.key("x-side").unsupported(
        "a side is said, but no method",
        "write the method's name beside it, such as `\"x-method\": \"_acme.dev/review\"`",
    ))
}
