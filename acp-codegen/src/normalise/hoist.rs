//! Fields that stand inline in a union's variant become a definition of their own, `UnionVariant`, so that they pass
//! through the same rules as every struct. The union emitter puts them back into the variant.

use heck::ToPascalCase;
use serde_json::{Map, Value, json};

use super::Normalised;
use super::split::tag_of;
use crate::source::dialect::REF_PREFIX;

pub(super) fn variants(union: &str, definition: &mut Value, out: &mut Normalised) {
    if definition.get("properties").is_some() {
        return;
    }
    let Some(alternatives) = definition.get("oneOf") else { return };
    let tag = tag_of(alternatives);
    let Some(Value::Array(branches)) = definition.get_mut("oneOf") else { return };
    for branch in branches {
        let Some(object) = branch.as_object_mut() else { continue };
        if object.contains_key("$ref") || object.contains_key("not") {
            continue;
        }
        let Some((variant, fields)) = inline_fields(object, tag.as_deref()) else { continue };
        let name = format!("{union}{}", variant.to_pascal_case());
        let required = required_of(object, &fields);
        out.definitions.insert(name.clone(), json!({ "type": "object", "properties": fields, "required": required }));
        out.inline.insert(name.clone());
        object.insert("$ref".to_owned(), Value::String(format!("{REF_PREFIX}{name}")));
    }
}

/// The variant's name and its fields beside the tag, if it has any.
fn inline_fields(branch: &Map<String, Value>, tag: Option<&str>) -> Option<(String, Map<String, Value>)> {
    let properties = branch.get("properties")?.as_object()?;
    let word = tag.and_then(|tag| properties.get(tag)?.get("const")?.as_str());
    let variant = word.or_else(|| branch.get("title")?.as_str())?;
    let fields: Map<String, Value> =
        properties.iter().filter(|(name, _)| Some(name.as_str()) != tag).map(|(n, p)| (n.clone(), p.clone())).collect();
    (!fields.is_empty()).then(|| (variant.to_owned(), fields))
}

fn required_of(branch: &Map<String, Value>, fields: &Map<String, Value>) -> Vec<Value> {
    let required = branch.get("required").and_then(Value::as_array);
    let among = |name: &&Value| name.as_str().is_some_and(|name| fields.contains_key(name));
    required.into_iter().flatten().filter(among).cloned().collect()
}
