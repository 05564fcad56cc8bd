//! `anyOf` becomes `oneOf`, because the schema's alternatives are always tried in order. Nested alternatives become one
//! list.

use serde_json::Value;

use super::walk;

pub(super) fn unify(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        if let Some(any) = schema.remove("anyOf") {
            schema.insert("oneOf".to_owned(), any);
        }
    });
}

/// Flattens a definition. Whole messages are left out, because a list in a list has a meaning there.
pub(super) fn flatten(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        let Some(Value::Array(branches)) = schema.get_mut("oneOf") else { return };
        while let Some(position) = branches.iter().position(is_only_alternatives) {
            let inner = branches.remove(position);
            let inner = inner.get("oneOf").and_then(Value::as_array).cloned().unwrap_or_default();
            branches.splice(position..position, inner);
        }
    });
}

fn is_only_alternatives(branch: &Value) -> bool {
    let said = |key: &String| key == "oneOf" || key == "description";
    branch.get("oneOf").is_some_and(Value::is_array) && branch.as_object().is_some_and(|branch| branch.keys().all(said))
}
