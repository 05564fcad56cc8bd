//! When a field may be absent, and what that means.

use serde_json::Value;

use super::Scope;
use crate::error::{Place, Result};
use crate::model::Presence;
use crate::normalise::Normalised;
use crate::source::dialect::{DECODING, ref_name, takes_null};

pub(super) fn read(scope: Scope<'_>, wire: &str, property: &Value, required: bool, at: &Place<'_>) -> Result<Presence> {
    let Scope { source, normalised, name } = scope;
    if source.overlay.is_three_state(name, wire) {
        return Ok(Presence::ThreeState);
    }
    if required {
        let constant = normalised.resolved(property).get("const").is_some();
        return Ok(if constant { Presence::Constant } else { Presence::Required });
    }
    if let Some(default) = property.get("default") {
        if is_own_default(normalised, property, default) {
            return Ok(Presence::Defaulted { written: true });
        }
        return Err(at.key("default").unsupported(
            "this default is not the one that its type has",
            "false, zero, an empty text, list or object, or for an object of definitions their own defaults",
        ));
    }
    if !property.as_object().is_some_and(takes_null) && has_default(scope, wire, property) {
        return Ok(Presence::Defaulted { written: false });
    }
    Ok(Presence::Optional)
}

/// Whether the type itself knows a value for "nothing said": enums that the overlay gives one, and lists and maps of which
/// the schema says what becomes of a wrong value, or the overlay that an empty one may be left out. Elsewhere an empty one may
/// say something: as a capability does by being there.
fn has_default(Scope { source, name, .. }: Scope<'_>, wire: &str, property: &Value) -> bool {
    if let Some(reference) = property.get("$ref") {
        return source.overlay.enum_default(&ref_name(reference)).is_some();
    }
    let ruled = || DECODING.iter().any(|rule| property.get(*rule).is_some_and(|set| *set == true));
    property.get("type").is_some_and(|kind| kind == "array" || kind == "object")
        && (ruled() || source.overlay.is_omitted(name, wire))
}

/// Whether `default` is what the Rust type has as its own default. No published schema has another one.
fn is_own_default(normalised: &Normalised, property: &Value, default: &Value) -> bool {
    match (property.get("$ref"), default) {
        (None, Value::Bool(value)) => !value,
        (None, Value::Array(list)) => list.is_empty(),
        (None, Value::Object(map)) => map.is_empty(),
        (None, Value::String(text)) => text.is_empty(),
        (None, Value::Number(number)) => number.as_f64() == Some(0.0),
        (None, Value::Null) => true,
        (Some(reference), default) => {
            let definition = normalised.definitions.get(&ref_name(reference));
            definition.is_some_and(|definition| is_default_of(normalised, definition, default))
        }
    }
}

fn is_default_of(normalised: &Normalised, definition: &Value, default: &Value) -> bool {
    if let Some(Value::Array(words)) = definition.get("oneOf") {
        return words.len() == 1 && words[0].get("const") == Some(default);
    }
    let properties = definition.get("properties").and_then(Value::as_object);
    let required = definition.get("required").is_some();
    let (Some(properties), Some(default), false) = (properties, default.as_object(), required) else { return false };
    default.keys().all(|key| properties.contains_key(key))
        && properties.iter().all(|(key, property)| match (property.get("default"), default.get(key)) {
            (Some(own), Some(given)) => own == given && is_own_default(normalised, property, own),
            (None, None) => true,
            _ => false,
        })
}
