//! Constraints on texts, numbers, lists and maps go: decoding is lenient, as in the reference types, which accept `""` for a
//! `minLength` of 1, `[]` for a `minItems` of 1, and any text for a `pattern` or `format: uri`. So a text is a
//! `String`, and no type that validates.

use serde_json::Value;

use super::walk;
use crate::source::dialect::CONSTRAINTS;

pub(super) fn strip(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        CONSTRAINTS.iter().for_each(|key| drop(schema.remove(*key)));
        let text =
            |kind: &Value| kind == "string" || kind.as_array().is_some_and(|both| both.iter().any(|k| k == "string"));
        if schema.get("type").is_some_and(text) {
            schema.remove("format");
        }
    });
}
