//! Decides whether a field may be absent, and what its absence means.

use serde_json::Value;

use super::{Scope, defaults};
use crate::model::Presence;
use crate::source::dialect::{DECODING, is_null, ref_name, takes_null};

pub(super) fn read(scope: Scope<'_>, wire: &str, property: &Value, required: bool) -> Presence {
    let Scope { source, normalised, name, .. } = scope;
    if source.overlay.is_three_state(name, wire) {
        return Presence::ThreeState;
    }
    if required {
        let resolved = normalised.resolved(property);
        return if resolved.get("const").is_some() || is_null(resolved) {
            Presence::Constant
        } else {
            Presence::Required
        };
    }
    if let Some(default) = property.get("default") {
        return defaults::presence(scope, property, default);
    }
    if !property.as_object().is_some_and(takes_null) && has_default(scope, wire, property) {
        return Presence::Defaulted { written: false };
    }
    Presence::Optional
}

/// Whether the type itself has a value for absence. An enum has one if it has a default in the overlay. A list or a map
/// has one if the schema tells how to read a wrong value, or if the overlay tells that an empty one may be left out.
/// Other empty lists and maps may have a meaning of their own: for example, a capability is present or not.
fn has_default(Scope { source, name, .. }: Scope<'_>, wire: &str, property: &Value) -> bool {
    if let Some(reference) = property.get("$ref") {
        return source.overlay.enum_default(&ref_name(reference)).is_some();
    }
    let ruled = || DECODING.iter().any(|rule| property.get(*rule).is_some_and(|set| *set == true));
    property.get("type").is_some_and(|kind| kind == "array" || kind == "object")
        && (ruled() || source.overlay.is_omitted(name, wire))
}
