//! The dialect check. It reports an error at every construct that the later stages do not know.
//!
//! If a schema passes this check, the emitters must be able to handle it.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::Source;
use crate::error::{Error, Place, Refused, Result};

/// Keywords with constraints that a Rust type cannot express.
const ANNOTATIONS: &[&str] = &[
    "$comment",
    "title",
    "description",
    "default",
    "discriminator",
    "deprecated",
    "readOnly",
    "writeOnly",
    "examples",
    "contentEncoding",
    "contentMediaType",
    // From the Debug Adapter Protocol: the values of an open list of texts, with their meanings.
    "_enum",
    "enumDescriptions",
];
/// Keywords that restrict a value. Decoding ignores them, see the rule `constraints`.
pub(crate) const CONSTRAINTS: &[&str] = &[
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "pattern",
];
/// Keywords that shape the type.
pub(crate) const STRUCTURE: &[&str] = &[
    "$ref",
    "type",
    "const",
    "enum",
    "format",
    "minimum",
    "maximum",
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
/// Extensions that change how a value is decoded. An unknown extension is an error, because the generator must not
/// ignore it.
pub(crate) const DECODING: &[&str] =
    &["x-deserialize-default-on-error", "x-deserialize-default-on-null", "x-deserialize-skip-invalid-items"];
const TYPES: &[&str] = &["object", "array", "string", "integer", "number", "boolean", "null"];

pub(crate) const REF_PREFIX: &str = "#/$defs/";

/// The definition to which a checked `$ref` leads.
pub(crate) fn ref_name(reference: &Value) -> String {
    let text = reference.as_str().unwrap_or_default();
    text.strip_prefix(REF_PREFIX).unwrap_or(text).to_owned()
}

/// The text of a key.
pub(crate) fn text(schema: &Value, key: &str) -> Option<String> {
    schema.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// Whether a schema lists `null` beside other values.
pub(crate) fn takes_null(schema: &Map<String, Value>) -> bool {
    let holds = |key: &str, null: &dyn Fn(&Value) -> bool| {
        schema.get(key).and_then(Value::as_array).is_some_and(|list| list.iter().any(null))
    };
    holds("type", &|kind| kind == "null")
        || holds("oneOf", &|branch| branch.get("type").is_some_and(|kind| kind == "null"))
        || holds("enum", &Value::is_null)
}

/// Whether a schema accepts only `null`.
pub(crate) fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
}

/// Whether a schema accepts any value.
pub(crate) fn says_nothing(schema: &Value) -> bool {
    schema.as_object().is_some_and(|object| !object.keys().any(|key| STRUCTURE.contains(&key.as_str())))
}

/// Finds every refused part, with its place. Fails if names form a circle, because the later stages cannot handle this.
pub(crate) fn check(source: &Source) -> Result<Refused> {
    let mut refused = Refused::default();
    let mut ends = HashSet::new();
    for (name, definition) in &source.definitions {
        let mut errors = Vec::new();
        source.at(name, |at| schema(source, definition, false, at, &mut errors));
        refused.extend(name, errors);
    }
    for name in source.definitions.keys() {
        if let Err(error) = source.at(name, |at| no_alias_cycle(source, name, &mut ends, at)) {
            return Err(refused.with(error));
        }
    }
    Ok(refused)
}

/// Checks a schema. `part` tells that the schema is one of several that all hold. Then another of them may define the
/// properties that it requires.
fn schema(source: &Source, value: &Value, part: bool, at: &Place<'_>, errors: &mut Vec<Error>) {
    let Value::Object(object) = value else {
        errors.push(at.unsupported(
            "a schema must be an object here",
            "write `{}` for any value, in the schema or in a copy of it",
        ));
        return;
    };
    keywords(object, at, errors);
    for check in [plain_values, types, constant, enumeration] {
        errors.extend(check(object, at).err());
    }
    if let Some(reference) = object.get("$ref") {
        errors.extend(self::reference(source, reference, &at.key("$ref")).err());
    }
    properties(source, object, part, at, errors);
    if let Some(items) = object.get("items").filter(|items| **items != true) {
        schema(source, items, false, &at.key("items"), errors);
    }
    if let Some(values) = object.get("additionalProperties").filter(|values| !values.is_boolean()) {
        schema(source, values, false, &at.key("additionalProperties"), errors);
    }
    for key in ["allOf", "oneOf", "anyOf"] {
        alternatives(source, object, key, at, errors);
    }
}

fn keywords(object: &Map<String, Value>, at: &Place<'_>, errors: &mut Vec<Error>) {
    for key in object.keys() {
        let lists = [ANNOTATIONS, STRUCTURE, CONSTRAINTS, DECODING];
        if lists.iter().any(|list| list.contains(&key.as_str())) {
            continue;
        }
        if key.starts_with("x-deserialize-") {
            errors.push(at.key(key).unsupported(
                format!("the decoding rule `{key}` is not known"),
                "acp-codegen must learn it first, or types would decode wrongly",
            ));
        } else if !key.starts_with("x-") {
            errors.push(at.key(key).unsupported(format!("the keyword `{key}` is not supported"), without(key, object)));
        }
    }
}

/// The advice for a keyword that is not supported.
fn without(key: &str, object: &Map<String, Value>) -> String {
    let advice = match key.trim_start_matches(['x', '_']).to_ascii_lowercase().as_str() {
        "side" => "did you mean `x-side`?",
        "method" => "did you mean `x-method`?",
        "nullable" if object.get(key) != Some(&Value::Bool(false)) => return nullable(object),
        _ => instead(key),
    };
    advice.to_owned()
}

/// The advice for `nullable`, a keyword of OpenAPI. Without it, a required property would refuse `null`.
fn nullable(object: &Map<String, Value>) -> String {
    let place = "in the schema or in a copy of it";
    match (object.get("type").and_then(Value::as_str), object.get("$ref").and_then(Value::as_str)) {
        (Some(kind), _) => format!("write `\"type\": [\"{kind}\", \"null\"]`, {place}"),
        (None, Some(reference)) => {
            format!("write `\"anyOf\": [{{\"$ref\": \"{reference}\"}}, {{\"type\": \"null\"}}]`, {place}")
        }
        (None, None) => format!("list `null` among its types or its branches, {place}"),
    }
}

fn instead(key: &str) -> &'static str {
    match key {
        "prefixItems" => "say in `items` what any of its places may hold, in the schema or in a copy of it",
        "patternProperties" => "say in `additionalProperties` what its values are, in the schema or in a copy of it",
        _ => "take it out, in the schema or in a copy of it: what it says of values is not checked then",
    }
}

/// Checks the keys whose value must be a text, or `true` or `false`.
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
    let distinct = |list: &[Value]| list.iter().enumerate().all(|(at, kind)| !list[..at].contains(kind));
    let fine = match object.get("type") {
        None => true,
        Some(Value::Array(list)) => !list.is_empty() && list.iter().all(known) && distinct(list),
        Some(single) => known(single),
    };
    if fine {
        return Ok(());
    }
    Err(at
        .key("type")
        .unsupported("this `type` is not supported", "use the name of a type, or a list of names, each once"))
}

fn reference(source: &Source, value: &Value, at: &Place<'_>) -> Result<()> {
    let Some(name) = value.as_str().and_then(|text| text.strip_prefix(REF_PREFIX)) else {
        return Err(at.reference("this `$ref` leads out of `$defs`", format!("refer to `{REF_PREFIX}NAME`")));
    };
    if source.definitions.contains_key(name) {
        return Ok(());
    }
    if let Some((of, _)) = name.split_once('/').filter(|(of, _)| source.definitions.contains_key(*of)) {
        return Err(at.reference(
            format!("this `$ref` leads into `{of}`"),
            "give the part a definition of its own, in the schema or in a copy of it",
        ));
    }
    Err(at.reference(format!("there is no definition `{name}`"), "define it, in the schema or in an overlay"))
}

/// Checks an `enum`. It is read as the constants of one `oneOf`. So it stands alone, and lists texts or integers. The
/// `enum` of a property may also list `null`.
fn enumeration(object: &Map<String, Value>, at: &Place<'_>) -> Result<()> {
    let Some(values) = object.get("enum") else { return Ok(()) };
    let values = values.as_array().map_or(&[][..], Vec::as_slice);
    let listed = |is: fn(&Value) -> bool| values.iter().all(|value| is(value) || value.is_null());
    let kinds: &[&str] = match values {
        [] => &[],
        _ if listed(Value::is_string) => &["string", "null"],
        _ if listed(Value::is_i64) => &["integer", "number", "null"],
        _ => &[],
    };
    let typed = |kind: &Value| kind.as_str().is_some_and(|kind| kinds.contains(&kind));
    let typed = object.get("type").is_none_or(|kind| match kind {
        Value::Array(list) => list.iter().all(typed),
        single => *single != "null" && typed(single),
    });
    let alone = !["oneOf", "anyOf", "allOf", "$ref", "const", "properties"].iter().any(|key| object.contains_key(*key));
    if !kinds.is_empty() && alone && typed {
        return Ok(());
    }
    Err(at.key("enum").unsupported(
        "this `enum` is not a list of texts, or of integers, by itself",
        "give texts and integers a definition each and refer to both in an `anyOf`, or leave the `enum` out, in the schema or in \
         a copy of it",
    ))
}

fn constant(object: &Map<String, Value>, at: &Place<'_>) -> Result<()> {
    if object.get("const").is_none_or(|constant| constant.is_string() || constant.is_i64()) {
        return Ok(());
    }
    Err(at.key("const").unsupported(
        "a `const` that is no string or integer",
        "say its `type` in the place of it, in the schema or in a copy of it",
    ))
}

fn properties(source: &Source, object: &Map<String, Value>, part: bool, at: &Place<'_>, errors: &mut Vec<Error>) {
    let empty = Map::new();
    let properties = match object.get("properties") {
        None => &empty,
        Some(Value::Object(properties)) => properties,
        Some(_) => {
            errors.push(at.key("properties").unsupported("`properties` is no object", "list them by name"));
            &empty
        }
    };
    let parent = at.key("properties");
    for (name, property) in properties {
        // `true` accepts any value, as `{}` does. Two versions write it.
        if *property != true {
            schema(source, property, false, &parent.key(name), errors);
        }
    }
    let required = match object.get("required") {
        None => return,
        Some(Value::Array(list)) => list,
        Some(_) => {
            errors.push(at.key("required").unsupported("`required` is no list", "list property names"));
            return;
        }
    };
    let elsewhere = part || object.contains_key("allOf");
    for (index, name) in required.iter().enumerate() {
        if !name.as_str().is_some_and(|name| elsewhere || properties.contains_key(name)) {
            errors.push(at.key("required").index(index).unsupported(
                format!("{name} is required, but is no property"),
                "describe it under `properties` of the same schema",
            ));
        }
    }
}

fn alternatives(source: &Source, object: &Map<String, Value>, key: &str, at: &Place<'_>, errors: &mut Vec<Error>) {
    let Some(value) = object.get(key) else { return };
    let parent = at.key(key);
    let Some(list) = value.as_array().filter(|list| !list.is_empty()) else {
        errors.push(parent.unsupported(format!("`{key}` is no list of schemas"), "give at least one"));
        return;
    };
    for (index, item) in list.iter().enumerate() {
        schema(source, item, key == "allOf", &parent.index(index), errors);
    }
}

/// Checks that a definition with only a reference does not lead back to itself. `ends` are definitions that are known
/// to be in no circle.
fn no_alias_cycle<'a>(source: &'a Source, name: &'a str, ends: &mut HashSet<&'a str>, at: &Place<'_>) -> Result<()> {
    let mut seen = HashSet::from([name]);
    let mut current = name;
    // A reference to a missing definition was already refused.
    let target = |name: &str| source.definitions.get(name).and_then(alias_target);
    while let Some(next) = target(current).filter(|next| !ends.contains(next)) {
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
    let alone = || definition.get("allOf")?.as_array().filter(|all| all.len() == 1)?.first()?.get("$ref");
    let direct = definition.get("$ref").or_else(alone);
    let only = definition.get("properties").is_none();
    direct?.as_str()?.strip_prefix(REF_PREFIX).filter(|_| only)
}
