//! `enum` says the same as a list of constants. The schemas before 0.24 write it where a value has no description.

use serde_json::{Value, json};

use super::walk;

pub(super) fn spell_out(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        let Some(Value::Array(values)) = schema.remove("enum") else { return };
        schema.remove("type");
        let branches: Vec<Value> =
            values.into_iter().map(|value| json!({ "type": "string", "const": value })).collect();
        schema.insert("oneOf".to_owned(), Value::Array(branches));
    });
}
