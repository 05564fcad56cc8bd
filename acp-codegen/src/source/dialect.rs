//! The dialect check: every construct is known to the later stages, or an error that points at it.
//!
//! typify panics on parts of JSON Schema, so nothing may pass here that it, or our own emitters, cannot take.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::Source;
use crate::error::{Place, Result};

/// Keywords that constrain nothing which a Rust type could show.
const ANNOTATIONS: &[&str] =
    &["title", "description", "default", "discriminator", "deprecated", "examples", "contentEncoding"];
/// Keywords that shape the type.
pub(crate) const STRUCTURE: &[&str] = &[
    "$ref",
    "type",
    "const",
    "enum",
    "format",
    "minimum",
    "maximum",
    "minLength",
    "minItems",
    "pattern",
    "properties",
    "required",
    "additionalProperties",
    "unevaluatedProperties",
    "items",
    "allOf",
    "oneOf",
    "anyOf",
    "not",
];
/// Extensions that change how a value is decoded; one we do not know would be silently wrong.
const DECODING: &[&str] =
    &["x-deserialize-default-on-error", "x-deserialize-default-on-null", "x-deserialize-skip-invalid-items"];
const TYPES: &[&str] = &["object", "array", "string", "integer", "number", "boolean", "null"];

pub(crate) const REF_PREFIX: &str = "#/$defs/";

pub(crate) fn check(source: &Source) -> Result<()> {
    let mut ends = HashSet::new();
    for (name, definition) in &source.definitions {
        source.at(name, |at| schema(source, definition, at))?;
    }
    for name in source.definitions.keys() {
        source.at(name, |at| no_alias_cycle(source, name, &mut ends, at))?;
    }
    Ok(())
}

fn schema(source: &Source, value: &Value, at: &Place<'_>) -> Result<()> {
    let Value::Object(object) = value else {
        return Err(at.unsupported("a schema must be an object here", "`true` and `false` are not supported"));
    };
    keywords(object, at)?;
    plain_values(object, at)?;
    types(object, at)?;
    if let Some(reference) = object.get("$ref") {
        self::reference(source, reference, &at.key("$ref"))?;
    }
    if let Some(constant) = object.get("const")
        && !(constant.is_string() || constant.is_i64())
    {
        return Err(at.key("const").unsupported("a `const` that is no string or integer", "use one of these"));
    }
    enumeration(object, at)?;
    properties(source, object, at)?;
    if let Some(items) = object.get("items") {
        schema(source, items, &at.key("items"))?;
    }
    match object.get("additionalProperties") {
        None | Some(Value::Bool(true)) => {}
        Some(Value::Bool(false)) => {
            return Err(at.key("additionalProperties").unsupported(
                "`additionalProperties: false` is not supported",
                "remove it: ACP types ignore fields that they do not know",
            ));
        }
        Some(values) => schema(source, values, &at.key("additionalProperties"))?,
    }
    for key in ["allOf", "oneOf", "anyOf"] {
        alternatives(source, object, key, at)?;
    }
    Ok(())
}

fn keywords(object: &Map<String, Value>, at: &Place<'_>) -> Result<()> {
    for key in object.keys() {
        let known = ANNOTATIONS.contains(&key.as_str()) || STRUCTURE.contains(&key.as_str());
        if known || DECODING.contains(&key.as_str()) {
            continue;
        }
        if key.starts_with("x-deserialize-") {
            return Err(at.key(key).unsupported(
                format!("the decoding rule `{key}` is not known"),
                "acp-codegen must learn it first, or types would decode wrongly",
            ));
        }
        if !key.starts_with("x-") {
            return Err(at
                .key(key)
                .unsupported(format!("the keyword `{key}` is not supported"), "express it with the supported subset"));
        }
    }
    Ok(())
}

/// What must be a text, or `true` or `false`.
fn plain_values(object: &Map<String, Value>, at: &Place<'_>) -> Result<()> {
    for key in ["title", "description", "format"] {
        if object.get(key).is_some_and(|value| !value.is_string()) {
            return Err(at.key(key).unsupported(format!("`{key}` is no text"), "give it as a string"));
        }
    }
    for key in DECODING {
        if object.get(*key).is_some_and(|value| !value.is_boolean()) {
            return Err(at
                .key(key)
                .unsupported(format!("`{key}` is neither true nor false"), "give it as one of these"));
        }
    }
    Ok(())
}

fn types(object: &Map<String, Value>, at: &Place<'_>) -> Result<()> {
    let known = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    let fine = match object.get("type") {
        None => true,
        Some(Value::Array(list)) => list.len() == 2 && list.iter().all(known) && list.iter().any(|item| item == "null"),
        Some(single) => known(single),
    };
    if fine {
        return Ok(());
    }
    Err(at.key("type").unsupported("this `type` is not supported", "use one type name, or one beside `null`"))
}

fn reference(source: &Source, value: &Value, at: &Place<'_>) -> Result<()> {
    let Some(name) = value.as_str().and_then(|text| text.strip_prefix(REF_PREFIX)) else {
        return Err(at.reference("this `$ref` leads out of `$defs`", format!("refer to `{REF_PREFIX}NAME`")));
    };
    if source.definitions.contains_key(name) {
        return Ok(());
    }
    Err(at.reference(format!("there is no definition `{name}`"), "define it, in the schema or in an overlay"))
}

/// An `enum` is read as constants of one `oneOf`, so it stands alone and lists texts.
fn enumeration(object: &Map<String, Value>, at: &Place<'_>) -> Result<()> {
    let Some(values) = object.get("enum") else { return Ok(()) };
    let texts = values.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(Value::is_string));
    let alone = !["oneOf", "anyOf", "allOf", "$ref", "const", "properties"].iter().any(|key| object.contains_key(*key));
    let typed = object.get("type").is_none_or(|kind| kind == "string");
    if texts && alone && typed {
        return Ok(());
    }
    Err(at.key("enum").unsupported(
        "this `enum` is not a list of texts by itself",
        "list texts, or write the values as `const` branches of a `oneOf`",
    ))
}

fn properties(source: &Source, object: &Map<String, Value>, at: &Place<'_>) -> Result<()> {
    let empty = Map::new();
    let properties = match object.get("properties") {
        None => &empty,
        Some(Value::Object(properties)) => properties,
        Some(_) => return Err(at.key("properties").unsupported("`properties` is no object", "list them by name")),
    };
    let parent = at.key("properties");
    for (name, property) in properties {
        // `true` is any value, as `{}` is; two versions write it so.
        if *property != true {
            schema(source, property, &parent.key(name))?;
        }
    }
    let required = match object.get("required") {
        None => return Ok(()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(at.key("required").unsupported("`required` is no list", "list property names")),
    };
    for (index, name) in required.iter().enumerate() {
        if !name.as_str().is_some_and(|name| properties.contains_key(name)) {
            return Err(at.key("required").index(index).unsupported(
                format!("{name} is required, but is no property"),
                "describe it under `properties` of the same schema",
            ));
        }
    }
    Ok(())
}

fn alternatives(source: &Source, object: &Map<String, Value>, key: &str, at: &Place<'_>) -> Result<()> {
    let Some(value) = object.get(key) else { return Ok(()) };
    let parent = at.key(key);
    let list = value.as_array().filter(|list| !list.is_empty());
    let Some(list) = list else {
        return Err(parent.unsupported(format!("`{key}` is no list of schemas"), "give at least one"));
    };
    if key == "allOf" && !(list.len() == 1 && list[0].get("$ref").is_some()) {
        return Err(parent.unsupported("`allOf` is supported around one `$ref` only", "merge the schemas by hand"));
    }
    for (index, item) in list.iter().enumerate() {
        schema(source, item, &parent.index(index))?;
    }
    Ok(())
}

/// A definition that is only a reference may not lead back to itself. `ends` are definitions known not to.
fn no_alias_cycle<'a>(source: &'a Source, name: &'a str, ends: &mut HashSet<&'a str>, at: &Place<'_>) -> Result<()> {
    let mut seen = HashSet::from([name]);
    let mut current = name;
    while let Some(next) = alias_target(&source.definitions[current]).filter(|next| !ends.contains(next)) {
        if !seen.insert(next) {
            return Err(at.reference(
                format!("`{name}` is defined as itself, through `{next}`"),
                "one of the definitions must say what it is",
            ));
        }
        current = next;
    }
    ends.extend(seen);
    Ok(())
}

fn alias_target(definition: &Value) -> Option<&str> {
    let direct = definition.get("$ref").or_else(|| definition.get("allOf")?.get(0)?.get("$ref"));
    let only = definition.get("properties").is_none();
    direct?.as_str()?.strip_prefix(REF_PREFIX).filter(|_| only)
}
