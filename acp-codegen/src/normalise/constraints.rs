//! Removes constraints on texts, numbers, lists and maps, because decoding is lenient. The reference types are lenient,
//! too: they accept `""` for a `minLength` of 1, `[]` for a `minItems` of 1, and any text for a `pattern` or
//! `format: uri`. So a text is a `String`, and not a type that validates. The rule that an object has no other
//! properties is also removed, because a struct has no field for them.

use serde_json::{Map, Value};

use super::walk;
use crate::source::dialect::CONSTRAINTS;

pub(super) fn strip(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        for key in ["additionalProperties", "unevaluatedProperties"] {
            if schema.get(key).is_some_and(|others| *others == false) {
                schema.shift_remove(key);
                // An object with only this rule is empty. It is not a map.
                let alone = !["$ref", "oneOf"].iter().any(|key| schema.contains_key(*key));
                if alone && schema.get("type").is_some_and(|kind| kind == "object") {
                    schema.entry("properties").or_insert_with(|| Value::Object(Map::new()));
                }
            }
        }
        CONSTRAINTS.iter().for_each(|key| drop(schema.remove(*key)));
        let text =
            |kind: &Value| kind == "string" || kind.as_array().is_some_and(|both| both.iter().any(|k| k == "string"));
        if schema.get("type").is_some_and(text) {
            schema.remove("format");
        }
    });
}
