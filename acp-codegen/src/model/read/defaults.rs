//! Whether a `default` is the default of the Rust type. If so, the field needs no `Option`. With any other default,
//! absence is `None`, and the documentation tells the meaning of absence.

use serde_json::{Map, Value};

use super::Scope;
use crate::model::Presence;
use crate::source::dialect::{ref_name, takes_null};

/// The presence of a field with this default.
pub(super) fn presence(scope: Scope<'_>, property: &Value, default: &Value) -> Presence {
    let nullable = property.as_object().is_some_and(takes_null);
    // A field that may be `null` is an `Option`, unless a rule reads `null` as the default.
    if (!nullable || reads_null(property)) && is_own(scope, property, default, false) {
        return Presence::Defaulted { written: true };
    }
    Presence::Optional
}

/// The default; `None` if it is the default of the Rust type.
pub(super) fn absent(property: &Value, presence: Presence) -> Option<&Value> {
    property.get("default").filter(|_| !matches!(presence, Presence::Defaulted { .. }))
}

fn reads_null(property: &Value) -> bool {
    let rules = ["x-deserialize-default-on-error", "x-deserialize-default-on-null"];
    rules.iter().any(|rule| property.get(*rule).is_some_and(|set| *set == true))
}

/// Whether the default is the type's own. `named` tells that the schema is a definition. If a definition is a text or
/// an integer, its type has no default.
fn is_own(scope: Scope<'_>, schema: &Value, default: &Value, named: bool) -> bool {
    let Scope { source, normalised, circular, .. } = scope;
    if let Some(reference) = reference(schema) {
        let name = ref_name(reference);
        if let Some(entry) = source.overlay.enum_default(&name) {
            return entry.value == *default;
        }
        // If a type contains itself, its default would never end.
        let definition = normalised.definitions.get(&name).filter(|_| !circular.contains_key(&name));
        return definition.is_some_and(|definition| is_own(Scope { name: &name, ..scope }, definition, default, true));
    }
    if let Some(constant) = schema.get("const") {
        return constant == default;
    }
    if let Some(branches) = schema.get("oneOf").and_then(Value::as_array) {
        return branches.len() == 1 && branches[0].get("const") == Some(default);
    }
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        return default.as_object().is_some_and(|default| is_new(scope, schema, properties, default));
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().find(|kind| *kind != "null").and_then(Value::as_str),
        kind => kind.and_then(Value::as_str),
    };
    match (kind, default) {
        (Some("boolean"), Value::Bool(value)) => !value,
        (Some("string"), Value::String(text)) => text.is_empty() && !named,
        (Some("integer"), Value::Number(number)) => number.as_f64() == Some(0.0) && !named,
        (Some("number"), Value::Number(number)) => number.as_f64() == Some(0.0),
        (Some("array"), Value::Array(list)) => list.is_empty(),
        (Some("object"), Value::Object(map)) => map.is_empty(),
        _ => false,
    }
}

/// The reference of a schema. It may stand beside `null`.
fn reference(schema: &Value) -> Option<&Value> {
    let beside_null = || {
        let branches = schema.get("oneOf")?.as_array().filter(|branches| branches.len() == 2)?;
        let null = branches.iter().position(|branch| branch.get("type").is_some_and(|kind| kind == "null"))?;
        branches[1 - null].get("$ref")
    };
    schema.get("$ref").or_else(beside_null)
}

/// Whether the default is the struct without any set value.
fn is_new(scope: Scope<'_>, schema: &Value, properties: &Map<String, Value>, default: &Map<String, Value>) -> bool {
    let Scope { normalised, name, .. } = scope;
    let required = schema.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let is_constant = |property: &Value| normalised.resolved(property).get("const").is_some();
    let kept = |(key, given): (&String, &Value)| {
        properties.get(key).is_some_and(|property| match property.get("default") {
            Some(own) => own == given && presence(scope, property, own) != Presence::Optional,
            None => is_constant(property) && required.iter().any(|name| name == key),
        })
    };
    let filled = required.iter().filter_map(Value::as_str).all(|name| properties.get(name).is_some_and(is_constant));
    let whole = normalised.flattened.get(name).is_none_or(|flattened| flattened.optional);
    filled && whole && default.iter().all(kept)
}
