//! Visits every schema inside a schema, and no other value: a property may have the name `anyOf`.

use serde_json::{Map, Value};

/// Calls `f` on `schema` and on all schemas inside it, outermost first.
pub(super) fn each(schema: &mut Value, f: &mut impl FnMut(&mut Map<String, Value>)) {
    let Value::Object(object) = schema else { return };
    f(object);
    for (key, value) in object.iter_mut() {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => properties.values_mut().for_each(|property| each(property, f)),
            ("items" | "additionalProperties" | "not", inner) => each(inner, f),
            ("allOf" | "oneOf" | "anyOf", Value::Array(list)) => list.iter_mut().for_each(|item| each(item, f)),
            _ => {}
        }
    }
}
