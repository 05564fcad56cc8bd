//! Reads the fields of a struct from its properties.

use std::collections::HashSet;

use serde_json::Value;

use super::names::field_ident;
use super::{Scope, defaults, presence, types};
use crate::error::{Place, Result};
use crate::model::{Field, Leniency, Presence};
use crate::source::dialect::{is_null, says_nothing, takes_null, text};

pub(super) fn read_all(scope: Scope<'_>, schema: &Value, at: &Place<'_>) -> Result<Vec<Field>> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return Ok(Vec::new()) };
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let required: HashSet<&str> = required.filter_map(Value::as_str).collect();
    let parent = at.key("properties");
    let mut fields = Vec::with_capacity(properties.len());
    for (wire, property) in properties {
        fields.push(read(scope, wire, property, required.contains(wire.as_str()), &parent.key(wire))?);
    }
    Ok(fields)
}

fn read(scope: Scope<'_>, wire: &str, property: &Value, required: bool, at: &Place<'_>) -> Result<Field> {
    let Scope { source, normalised, name, .. } = scope;
    let set = |key: &str| property.get(key).and_then(Value::as_bool).unwrap_or(false);
    let overlay = &source.overlay;
    let resolved = normalised.resolved(property);
    let ident = overlay.field_name(name, wire).map_or_else(|| field_ident(wire), str::to_owned);
    let presence = presence::read(scope, wire, property, required);
    let ty = types::of_property(wire, property, at)?;
    Ok(Field {
        wire: wire.to_owned(),
        ident,
        docs: docs(property, presence),
        presence,
        #[cfg(feature = "cli")]
        default: property.get("default").cloned(),
        leniency: Leniency {
            default_on_error: set("x-deserialize-default-on-error"),
            default_on_null: set("x-deserialize-default-on-null"),
            skip_invalid_items: set("x-deserialize-skip-invalid-items"),
        },
        keeps_null: (says_nothing(resolved) || is_null(resolved)) && !overlay.is_omitted(name, wire),
        nullable: property.as_object().is_some_and(takes_null),
        positive: is_positive(property),
        ty: if overlay.is_path(name, wire) { ty.with_paths() } else { ty },
    })
}

fn docs(property: &Value, presence: Presence) -> Option<String> {
    let said = text(property, "description");
    let Some(absent) = defaults::absent(property, presence) else { return said };
    let said = said.map(|text| format!("{text}\n\n")).unwrap_or_default();
    Some(format!("{said}Absent means `{absent}`."))
}

/// Whether zero and negative numbers are wrong values.
fn is_positive(property: &Value) -> bool {
    let integer =
        |kind: &Value| kind == "integer" || kind.as_array().is_some_and(|both| both.contains(&"integer".into()));
    property.get("type").is_some_and(integer) && property.get("minimum").is_some_and(|least| *least == 1)
}
