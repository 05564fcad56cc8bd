//! A definition that is an `enum` says the same as a list of constants. The schemas before 2.0 write `Role` so, whose
//! values have no description. Inside a definition an `enum` has no name, and is left for the rule `parts`.

use serde_json::{Map, Value, json};

use super::walk;

pub(super) fn spell_out(definition: &mut Value) {
    let Some(object) = definition.as_object_mut() else { return };
    let Some(Value::Array(values)) = object.remove("enum") else { return };
    object.remove("type");
    let format = object.remove("format");
    let branches: Vec<Value> = values.into_iter().map(|value| constant(value, format.as_ref())).collect();
    object.insert("oneOf".to_owned(), Value::Array(branches));
}

/// Words, or any other text: an open list. The words come first, as a text takes them, too.
pub(super) fn open(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        let Some(Value::Array(branches)) = schema.get_mut("oneOf") else { return };
        let [one, other] = branches.as_slice() else { return };
        let is_text = |branch: &Value| branch.get("type").is_some_and(|kind| kind == "string");
        let words = |branch: &Value| branch.get("enum").and_then(Value::as_array).filter(|_| is_text(branch)).cloned();
        let is_any =
            |branch: &Value| is_text(branch) && !["enum", "const"].iter().any(|key| branch.get(*key).is_some());
        let (words, any) = match (words(one), words(other)) {
            (Some(words), None) if is_any(other) => (words, other.clone()),
            (None, Some(words)) if is_any(one) => (words, one.clone()),
            _ => return,
        };
        *branches = words.into_iter().map(|word| constant(word, None)).chain([any]).collect();
    });
}

fn constant(value: Value, format: Option<&Value>) -> Value {
    let kind = if value.is_number() { "integer" } else { "string" };
    let mut branch = Map::from_iter([("type".to_owned(), json!(kind)), ("const".to_owned(), value)]);
    branch.extend(format.map(|format| ("format".to_owned(), format.clone())));
    Value::Object(branch)
}
