//! A struct with alternatives (`properties` beside `oneOf`) becomes a base struct and a union. The base contains the
//! union as a flattened field. The overlay names both; the default names are `XKind` and `kind`.

use serde_json::{Map, Value, json};

use super::{Normalised, Origin};
use crate::error::Result;
use crate::source::Source;

/// A union that a struct contains flattened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flattened {
    pub(crate) field: String,
    pub(crate) union: String,
    /// Whether a value may have none of the alternatives.
    pub(crate) optional: bool,
}

pub(super) fn base_and_union(
    source: &Source,
    name: &str,
    origin: &Origin,
    base: &mut Value,
    out: &mut Normalised,
) -> Result<()> {
    if base.get("properties").is_none() {
        return Ok(());
    }
    let Some(object) = base.as_object_mut() else { return Ok(()) };
    let Some(mut alternatives) = object.remove("oneOf") else { return Ok(()) };
    object.remove("discriminator");
    object.remove("unevaluatedProperties");
    let mut optional = false;
    if let Some(tag) = tag_of(&alternatives) {
        // Otherwise the base would take the tag before the union reads it.
        drop_property(object, &tag);
        optional = take_none(&mut alternatives, &tag);
    }
    let named = source.overlay.union_of(name);
    let union = named.map_or_else(|| format!("{name}Kind"), |entry| entry.ty.clone());
    let field = named.map_or_else(|| "kind".to_owned(), |entry| entry.field.clone());
    out.add(source, &union, origin, json!({ "oneOf": alternatives }))?;
    out.flattened.insert(name.to_owned(), Flattened { field, union, optional });
    Ok(())
}

/// The property that distinguishes the alternatives: one of them has a constant there.
pub(crate) fn tag_of(alternatives: &Value) -> Option<String> {
    alternatives.as_array()?.iter().find_map(|branch| {
        let properties = branch.get("properties")?.as_object()?;
        let tag = properties.iter().find(|(_, property)| property.get("const").is_some_and(Value::is_string))?;
        Some(tag.0.clone())
    })
}

/// Removes the branch for "none of these", which is an optional tag that may only be `null`. Returns whether there was
/// such a branch.
fn take_none(alternatives: &mut Value, tag: &str) -> bool {
    let Some(branches) = alternatives.as_array_mut() else { return false };
    let before = branches.len();
    branches.retain(|branch| {
        let properties = branch.get("properties").and_then(Value::as_object);
        let alone = properties.is_some_and(|properties| {
            properties.len() == 1
                && properties.get(tag).and_then(|tag| tag.get("type")).is_some_and(|kind| kind == "null")
        });
        !(alone && ["required", "$ref", "oneOf", "not"].iter().all(|key| branch.get(key).is_none()))
    });
    branches.len() < before
}

fn drop_property(object: &mut Map<String, Value>, name: &str) {
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.shift_remove(name);
    }
    if let Some(Value::Array(required)) = object.get_mut("required") {
        required.retain(|entry| entry != name);
    }
}
