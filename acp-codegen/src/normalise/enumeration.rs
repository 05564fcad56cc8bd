//! A definition that is an `enum` says the same as a list of constants. The schemas before 2.0 write `Role` so, whose
//! values have no description. Inside a definition an `enum` has no name, and is left for the model to refuse.

use serde_json::{Value, json};

pub(super) fn spell_out(definition: &mut Value) {
    let Some(object) = definition.as_object_mut() else { return };
    let Some(Value::Array(values)) = object.remove("enum") else { return };
    object.remove("type");
    let branches: Vec<Value> = values.into_iter().map(|value| json!({ "type": "string", "const": value })).collect();
    object.insert("oneOf".to_owned(), Value::Array(branches));
}
