//! Visits every schema inside of a schema, and no other values. For example, a property may have the name `anyOf`.

use serde_json::{Map, Value};

/// Calls `f` on `schema`, and then on all schemas inside of it.
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
