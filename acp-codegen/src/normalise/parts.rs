//! If a part inside of a definition needs a type, it becomes a definition, with a name from its place. For example, the
//! object in `params` of `CancelRequest` is `CancelRequestParams`. If the items of its `tags` are a union, they are
//! `CancelRequestTagsItem`. Objects without properties and plain types stay in their place.

use heck::ToPascalCase;
use serde_json::{Map, Value, json};

use super::{Normalised, Origin, enumeration};
use crate::error::Result;
use crate::source::Source;
use crate::source::dialect::{REF_PREFIX, STRUCTURE};

pub(super) fn name(
    source: &Source,
    name: &str,
    origin: &Origin,
    definition: &mut Value,
    out: &mut Normalised,
) -> Result<()> {
    let mut parts = Parts { source, out };
    if let Some(Value::Object(properties)) = definition.get_mut("properties") {
        for (wire, property) in properties {
            let mut word = wire.to_pascal_case();
            if word.is_empty() {
                word = source.overlay.field_name(name, wire).unwrap_or_default().to_pascal_case();
            }
            let called = format!("{name}{word}");
            parts.property(&called, &origin.inside(["properties", wire]), property)?;
        }
    }
    if let Some(Value::Array(branches)) = definition.get_mut("oneOf") {
        let is_list = enumeration::is_list(branches);
        for (index, branch) in branches.iter_mut().enumerate() {
            let place = origin.inside(["oneOf", &index.to_string()]);
            if !is_list && ["enum", "const"].iter().any(|key| branch.get(*key).is_some()) {
                parts.constants(name, &place, branch)?;
                continue;
            }
            let title = branch.get("title").and_then(Value::as_str).unwrap_or_default().to_pascal_case();
            parts.inside(&format!("{name}{title}"), &place, branch)?;
        }
    }
    parts.inside(name, origin, definition)
}

struct Parts<'a> {
    source: &'a Source,
    out: &'a mut Normalised,
}

impl Parts<'_> {
    /// Handles a property. A property may also be `null`, but this does not change its type.
    fn property(&mut self, name: &str, origin: &Origin, property: &mut Value) -> Result<()> {
        let Some(object) = property.as_object_mut() else { return Ok(()) };
        if let Some(Value::Array(branches)) = object.get_mut("oneOf") {
            let is_null = |branch: &Value| branch.get("type").is_some_and(|kind| kind == "null");
            let before = branches.len();
            branches.retain(|branch| !is_null(branch));
            let nullable = branches.len() < before;
            let alone = if branches.len() == 1 { branches.pop() } else { None };
            if let Some(alone) = alone {
                object.remove("oneOf");
                for (key, value) in alone.as_object().into_iter().flatten() {
                    object.entry(key.clone()).or_insert_with(|| value.clone());
                }
            }
            self.value(name, origin, property)?;
            if nullable {
                or_null(property);
            }
            return Ok(());
        }
        let mut nullable = false;
        if let Some(Value::Array(values)) = object.get_mut("enum").filter(|values| **values != json!([null])) {
            let before = values.len();
            values.retain(|value| !value.is_null());
            nullable = values.len() < before;
        }
        if let Some(Value::Array(kinds)) = object.get("type") {
            nullable = true;
            let kind = kinds.iter().find(|kind| *kind != "null").cloned().unwrap_or_default();
            object.insert("type".to_owned(), kind);
        }
        self.value(name, origin, property)?;
        if nullable {
            or_null(property);
        }
        Ok(())
    }

    /// Gives a value a name if it needs one. Otherwise handles its parts.
    fn value(&mut self, name: &str, origin: &Origin, schema: &mut Value) -> Result<()> {
        plain_object(schema);
        let Some(object) = schema.as_object_mut() else { return Ok(()) };
        if let Some(Value::Array(values)) = object.get_mut("enum")
            && values.len() == 1
        {
            let value = values.pop().unwrap_or_default();
            object.remove("enum");
            object.insert("const".to_owned(), value);
        }
        if !["oneOf", "enum", "const", "properties"].iter().any(|key| object.contains_key(*key)) {
            return self.inside(name, origin, schema);
        }
        let name = &self.source.part_name(name);
        let kept = |key: &str| !STRUCTURE.contains(&key) && key != "title";
        let is_of_part = |key: &str| STRUCTURE.contains(&key) || key == "description";
        let part = object.iter().filter(|(key, _)| is_of_part(key)).map(|(key, value)| (key.clone(), value.clone()));
        let part = Value::Object(part.collect());
        object.retain(|key, _| kept(key));
        object.insert("$ref".to_owned(), Value::String(format!("{REF_PREFIX}{name}")));
        self.out.add(self.source, name, origin, part)
    }

    /// Handles a branch with constants among other branches: the constants get a type of their own.
    fn constants(&mut self, union: &str, origin: &Origin, branch: &mut Value) -> Result<()> {
        let title = branch.get("title").and_then(Value::as_str).map(str::to_owned);
        let title =
            title.unwrap_or_else(|| match (branch.get("const"), branch.get("enum").and_then(|all| all.get(0))) {
                (Some(constant), _) => enumeration::word(constant),
                (None, Some(Value::Number(_))) => "number".to_owned(),
                _ => "word".to_owned(),
            });
        self.value(&format!("{union}{}", title.to_pascal_case()), origin, branch)?;
        branch["title"] = Value::String(title);
        Ok(())
    }

    /// Handles the items of a list, or the values of a map.
    fn inside(&mut self, name: &str, origin: &Origin, schema: &mut Value) -> Result<()> {
        for (key, called) in [("items", "Item"), ("additionalProperties", "Value")] {
            if let Some(inner) = schema.get_mut(key).filter(|inner| inner.is_object()) {
                self.value(&format!("{name}{called}"), &origin.inside([key]), inner)?;
            }
        }
        Ok(())
    }
}

/// Makes an object a map if none of its properties is described.
pub(super) fn plain_object(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    if object.get("properties").and_then(Value::as_object).is_some_and(Map::is_empty) {
        object.remove("properties");
        object.remove("required");
        object.insert("type".to_owned(), json!("object"));
    }
}

/// Brings a property that may be `null` into the form that the model reads.
fn or_null(property: &mut Value) {
    let Some(object) = property.as_object_mut() else { return };
    if let Some(reference) = object.remove("$ref") {
        object.insert("oneOf".to_owned(), json!([{ "$ref": reference }, { "type": "null" }]));
    } else if let Some(kind) = object.remove("type") {
        object.insert("type".to_owned(), json!([kind, "null"]));
    }
}
