//! A struct with alternatives inside (`properties` beside `oneOf`) becomes a base struct and a union of its own, which
//! the base holds as a flattened field. The overlay names both; otherwise they are `XKind` and `kind`.

use serde_json::{Map, Value, json};

use super::{Normalised, hoist};
use crate::error::Result;
use crate::source::Source;

/// The union that a struct holds flattened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flattened {
    pub(crate) field: String,
    pub(crate) union: String,
}

pub(super) fn base_and_union(source: &Source, name: &str, base: &mut Value, out: &mut Normalised) -> Result<()> {
    if base.get("properties").is_none() {
        return Ok(());
    }
    let Some(object) = base.as_object_mut() else { return Ok(()) };
    let Some(alternatives) = object.remove("oneOf") else { return Ok(()) };
    object.remove("discriminator");
    object.remove("unevaluatedProperties");
    if let Some(tag) = tag_of(&alternatives) {
        // Else the base would take the tag before the union sees it.
        drop_property(object, &tag);
    }
    let named = source.overlay.union_of(name);
    let union = named.map_or_else(|| format!("{name}Kind"), |entry| entry.ty.clone());
    let field = named.map_or_else(|| "kind".to_owned(), |entry| entry.field.clone());
    let mut definition = json!({ "oneOf": alternatives });
    hoist::variants(source, &union, name, &mut definition, out)?;
    out.add(source, &union, name, definition)?;
    out.flattened.insert(name.to_owned(), Flattened { field, union });
    Ok(())
}

/// The property that tells the alternatives apart: the one that is a constant in one of them.
pub(crate) fn tag_of(alternatives: &Value) -> Option<String> {
    alternatives.as_array()?.iter().find_map(|branch| {
        let properties = branch.get("properties")?.as_object()?;
        let tag = properties.iter().find(|(_, property)| property.get("const").is_some_and(Value::is_string))?;
        Some(tag.0.clone())
    })
}

fn drop_property(object: &mut Map<String, Value>, name: &str) {
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.shift_remove(name);
    }
    if let Some(Value::Array(required)) = object.get_mut("required") {
        required.retain(|entry| entry != name);
    }
}
