//! A default that is not the one of its Rust type stays with whoever reads the field: it becomes an `Option`, and its
//! description says what absence means. Only drafts of 2026 have one (`AuthEnvVar.secret`).

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::walk;

pub(super) fn describe(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let required: HashSet<String> = required.filter_map(Value::as_str).map(str::to_owned).collect();
        let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
        let optional = properties.iter_mut().filter(|(name, _)| !required.contains(name.as_str()));
        optional.filter_map(|(_, property)| property.as_object_mut()).for_each(of_property);
    });
}

fn of_property(property: &mut Map<String, Value>) {
    if !property.get("type").is_some_and(Value::is_string) || !property.get("default").is_some_and(is_other) {
        return;
    }
    let Some(default) = property.remove("default") else { return };
    let said = property.get("description").and_then(Value::as_str).map(|text| format!("{text}\n\n"));
    let text = format!("{}Absent means `{default}`.", said.unwrap_or_default());
    property.insert("description".to_owned(), Value::String(text));
}

/// Whether a plain value is another than the default of its type.
fn is_other(default: &Value) -> bool {
    match default {
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}
