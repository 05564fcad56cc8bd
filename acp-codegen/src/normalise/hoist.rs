//! The fields inside of a union's variant become a definition of their own, `UnionVariant`, so that all rules for
//! structs apply to them. If a tag distinguishes the variants, the union emitter puts the fields back into the variant.
//! If only their shapes distinguish the variants, the definition stays a struct.

use std::collections::HashSet;

use heck::ToPascalCase;
use serde_json::{Map, Value, json};

use super::split::tag_of;
use super::{Normalised, Origin, parts};
use crate::error::Result;
use crate::source::Source;
use crate::source::dialect::REF_PREFIX;

/// Makes a definition of each variant's fields. `origin` is the union's place in the files.
pub(super) fn variants(
    source: &Source,
    union: &str,
    origin: &Origin,
    definition: &mut Value,
    out: &mut Normalised,
) -> Result<()> {
    if definition.get("properties").is_some() {
        return Ok(());
    }
    let Some(alternatives) = definition.get("oneOf") else { return Ok(()) };
    let tag = tag_of(alternatives);
    let Some(Value::Array(branches)) = definition.get_mut("oneOf") else { return Ok(()) };
    give_titles(source, union, tag.as_deref(), branches);
    for (index, branch) in branches.iter_mut().enumerate() {
        if tag.is_none() {
            parts::plain_object(branch);
        }
        let Some(object) = branch.as_object_mut() else { continue };
        if object.contains_key("$ref") || object.contains_key("not") {
            continue;
        }
        let Some((variant, fields)) = inline_fields(object, tag.as_deref()) else { continue };
        let name = source.part_name(&format!("{union}{}", variant.to_pascal_case()));
        let required = required_of(object, &fields);
        let mut structure = json!({ "type": "object", "properties": fields, "required": required });
        if tag.is_some() {
            out.inline.insert(name.clone());
        } else {
            if let Some(description) = object.get("description") {
                structure["description"] = description.clone();
            }
            if let Some(others) = object.remove("additionalProperties") {
                structure["additionalProperties"] = others;
            }
        }
        out.add(source, &name, &origin.inside(["oneOf", &index.to_string()]), structure)?;
        keep_tag(object, tag.as_deref());
        object.insert("$ref".to_owned(), Value::String(format!("{REF_PREFIX}{name}")));
    }
    Ok(())
}

/// Gives a title to each object that has neither a tag nor a title. The title comes from the overlay; otherwise it is
/// `Object`, with a number from the second one on.
fn give_titles(source: &Source, union: &str, tag: Option<&str>, branches: &mut [Value]) {
    let title = |branch: &Value| branch.get("title").and_then(Value::as_str).map(ToPascalCase::to_pascal_case);
    let mut taken: HashSet<String> = branches.iter().filter_map(title).collect();
    for (index, branch) in branches.iter_mut().enumerate() {
        let Some(properties) = branch.get("properties").and_then(Value::as_object) else { continue };
        let tagged = tag.is_some_and(|tag| properties.contains_key(tag));
        if properties.is_empty() || tagged || ["title", "$ref", "not"].iter().any(|key| branch.get(*key).is_some()) {
            continue;
        }
        let numbered = (1..).map(|number| if number == 1 { "Object".to_owned() } else { format!("Object{number}") });
        let given = source.overlay.variant_name(union, &index.into()).map(str::to_owned);
        if let Some(title) = given.or_else(|| numbered.into_iter().find(|name| !taken.contains(name))) {
            taken.insert(title.clone());
            branch["title"] = Value::String(title);
        }
    }
}

/// Removes everything from the branch except the tag. If there is no tag, the branch is empty.
fn keep_tag(branch: &mut Map<String, Value>, tag: Option<&str>) {
    let tagged = branch.get("properties").and_then(|properties| properties.get(tag?)).cloned();
    match (tag, tagged) {
        (Some(tag), Some(property)) => {
            branch.insert("properties".to_owned(), json!({ tag: property }));
            branch.insert("required".to_owned(), json!([tag]));
        }
        _ => {
            for key in ["type", "properties", "required"] {
                branch.remove(key);
            }
        }
    }
}

/// The variant's name, and its fields beside the tag. `None` if there are no fields.
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
