//! A definition with an `enum` has the same meaning as a list of constants. The schemas before 2.0 write `Role` in this
//! way, and its values have no descriptions. If there is an `enum` inside of a definition, it has no name, and the rule
//! `parts` handles it.

use serde_json::{Map, Value, json};

use super::walk;

pub(super) fn spell_out(definition: &mut Value) {
    let Some(object) = definition.as_object_mut() else { return };
    let Some(Value::Array(values)) = object.remove("enum") else { return };
    object.remove("type");
    let format = object.remove("format");
    let mut known: Vec<Value> = Vec::with_capacity(values.len());
    for value in values {
        // A value that is listed twice counts once.
        if !known.contains(&value) {
            known.push(value);
        }
    }
    let branches: Vec<Value> = known.into_iter().map(|value| constant(value, format.as_ref())).collect();
    object.insert("oneOf".to_owned(), Value::Array(branches));
}

/// Collects branches that are constants or lists of constants, and at most one branch that accepts any value of their
/// type. The result is one list. The open branch is at its end, because it also accepts the other values.
pub(super) fn gather(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        let Some(Value::Array(branches)) = schema.get_mut("oneOf") else { return };
        for kind in ["string", "integer"] {
            if let Some(gathered) = gathered(branches, kind) {
                *branches = gathered;
            }
        }
    });
}

fn gathered(branches: &[Value], kind: &str) -> Option<Vec<Value>> {
    let (mut constants, mut open) = (Vec::new(), Vec::new());
    for branch in branches {
        let is_typed = branch.get("type").is_some_and(|given| given == kind);
        let is_of_kind = |value: &Value| if kind == "string" { value.is_string() } else { value.is_i64() };
        match (branch.get("enum").and_then(Value::as_array), branch.get("const")) {
            (Some(values), None) if values.iter().all(is_of_kind) => {
                constants.extend(values.iter().map(|value| constant(value.clone(), branch.get("format"))));
            }
            (None, Some(value)) if is_of_kind(value) => constants.push(branch.clone()),
            (None, None) if is_typed => open.push(branch.clone()),
            _ => return None,
        }
    }
    (open.len() <= 1 && !constants.is_empty()).then(|| constants.into_iter().chain(open).collect())
}

fn constant(value: Value, format: Option<&Value>) -> Value {
    let kind = if value.is_number() { "integer" } else { "string" };
    let mut branch = Map::from_iter([("type".to_owned(), json!(kind)), ("const".to_owned(), value)]);
    branch.extend(format.map(|format| ("format".to_owned(), format.clone())));
    Value::Object(branch)
}

/// Whether the branches are one list: constants of one type, and at most one branch for all other values of this type.
pub(super) fn is_list(branches: &[Value]) -> bool {
    let open = branches.last().filter(|last| last.get("const").is_none());
    let constants = &branches[..branches.len() - usize::from(open.is_some())];
    let all = |is: fn(&Value) -> bool, kind: &str| {
        constants.iter().all(|branch| branch.get("const").is_some_and(is))
            && open.is_none_or(|open| open.get("enum").is_none() && open.get("type").is_some_and(|given| given == kind))
    };
    !constants.is_empty() && (all(Value::is_string, "string") || all(Value::is_i64, "integer"))
}

/// The name of a constant without a title.
pub(crate) fn word(constant: &Value) -> String {
    match constant {
        Value::String(word) => word.clone(),
        number => format!("value {number}").replace('-', "minus "),
    }
}
