//! A struct's field: when it may be absent, how it is read when it is wrong, what kind of thing it holds.

use std::collections::HashSet;

use serde_json::Value;

use super::keywords::only;
use super::names::field_ident;
use super::payload::{self, Payload, ref_name};
use crate::error::{Place, Result};
use crate::normalise::{ABSENT, Normalised};
use crate::source::Source;
use crate::source::dialect::{DECODING, says_nothing};

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) wire: String,
    pub(crate) ident: String,
    pub(crate) docs: Option<String>,
    pub(crate) presence: Presence,
    /// What its absence means: the default of the type if it is [`Presence::Defaulted`], and else what the reader makes of it.
    /// Generated code has it as its type and documentation, so only `diff` asks for it.
    #[cfg(feature = "cli")]
    pub(crate) default: Option<Value>,
    pub(crate) leniency: Leniency,
    pub(crate) content: Content,
    /// What it holds where it is there and not `null`.
    pub(crate) payload: Payload,
    /// It stands in a box, as a value that contains itself has no size.
    pub(crate) boxed: bool,
    /// It may be `null`.
    pub(crate) nullable: bool,
    /// Zero is a value of the wrong type.
    pub(crate) positive: bool,
    /// Texts in it are paths of the file system.
    pub(crate) path: bool,
    /// There are numbers in it that may have a fraction, and need not.
    pub(crate) fractions: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Required,
    /// It must be there, and there is but one value of it.
    Constant,
    /// Absent and `null` are the same; not written when absent.
    Optional,
    /// Absent is the default of the type.
    Defaulted {
        written: bool,
    },
    /// Absent, `null` and a value are three different things.
    ThreeState,
}

/// What happens to a value of the wrong type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Leniency {
    pub(crate) default_on_error: bool,
    pub(crate) default_on_null: bool,
    pub(crate) skip_invalid_items: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// The `_meta` of the protocol: an object of anything.
    Meta,
    /// A text, number or truth value, which is read without a detour.
    Scalar,
    List,
    /// An object whose values have a type.
    Map,
    /// An object of anything.
    Object,
    /// Any value, of which `null` is one like others.
    Any,
    /// Another definition, or anything that may be left out when it is `null`.
    Other,
}

impl Field {
    /// Whether there is a default of the type itself, and not of an `Option`, for wrong values.
    pub(super) fn needs_default(&self) -> bool {
        let Leniency { default_on_error, default_on_null, .. } = self.leniency;
        let is_bare = matches!(self.presence, Presence::Required | Presence::Constant | Presence::Defaulted { .. });
        is_bare && !self.nullable && (default_on_error || default_on_null)
    }
}

pub(super) fn read_all(
    source: &Source,
    normalised: &Normalised,
    definition: &str,
    schema: &Value,
    at: &Place<'_>,
) -> Result<Vec<Field>> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return Ok(Vec::new()) };
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let required: HashSet<&str> = required.filter_map(Value::as_str).collect();
    let parent = at.key("properties");
    let mut fields = Vec::with_capacity(properties.len());
    for (wire, property) in properties {
        let required = required.contains(wire.as_str());
        let place = parent.key(wire);
        fields.push(read(source, normalised, definition, wire, property, required, &place)?);
    }
    Ok(fields)
}

fn read(
    source: &Source,
    normalised: &Normalised,
    definition: &str,
    wire: &str,
    property: &Value,
    required: bool,
    at: &Place<'_>,
) -> Result<Field> {
    let set = |key: &str| property.get(key).and_then(Value::as_bool).unwrap_or(false);
    let overlay = &source.overlay;
    let (content, payload) = content(wire, property, at)?;
    Ok(Field {
        wire: wire.to_owned(),
        ident: overlay.field_name(definition, wire).map_or_else(|| field_ident(wire), str::to_owned),
        docs: docs(property),
        presence: presence(source, normalised, definition, wire, property, required, at)?,
        #[cfg(feature = "cli")]
        default: property.get(ABSENT).or_else(|| property.get("default")).filter(|_| !required).cloned(),
        leniency: Leniency {
            default_on_error: set("x-deserialize-default-on-error"),
            default_on_null: set("x-deserialize-default-on-null"),
            skip_invalid_items: set("x-deserialize-skip-invalid-items"),
        },
        content: match content {
            Content::Other if is_anything(normalised, property) && !overlay.is_omitted(definition, wire) => {
                Content::Any
            }
            content => content,
        },
        payload,
        boxed: false,
        nullable: is_nullable(property),
        positive: is_positive(property),
        path: overlay.is_path(definition, wire),
        fractions: holds_fractions(normalised, property),
    })
}

fn docs(property: &Value) -> Option<String> {
    let said = property.get("description").and_then(Value::as_str).map(str::to_owned);
    let Some(absent) = property.get(ABSENT) else { return said };
    let said = said.map(|text| format!("{text}\n\n")).unwrap_or_default();
    Some(format!("{said}Absent means `{absent}`."))
}

fn presence(
    source: &Source,
    normalised: &Normalised,
    definition: &str,
    wire: &str,
    property: &Value,
    required: bool,
    at: &Place<'_>,
) -> Result<Presence> {
    if source.overlay.is_three_state(definition, wire) {
        return Ok(Presence::ThreeState);
    }
    if required {
        let constant = resolved(normalised, property).get("const").is_some();
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
    if !is_nullable(property) && has_default(source, definition, wire, property) {
        return Ok(Presence::Defaulted { written: false });
    }
    Ok(Presence::Optional)
}

fn is_nullable(property: &Value) -> bool {
    let null = |kind: &Value| kind == "null";
    let by_type = property.get("type").is_some_and(|kind| kind.as_array().is_some_and(|list| list.iter().any(null)));
    let branches = property.get("oneOf").and_then(Value::as_array);
    by_type || branches.is_some_and(|list| list.iter().any(|branch| branch.get("type").is_some_and(null)))
}

/// Whether zero and less are no values of it.
pub(crate) fn is_positive(property: &Value) -> bool {
    let integer =
        |kind: &Value| kind == "integer" || kind.as_array().is_some_and(|both| both.contains(&"integer".into()));
    property.get("type").is_some_and(integer) && property.get("minimum").is_some_and(|least| *least == 1)
}

/// Whether the type itself knows a value for "nothing said": enums that the overlay gives one, and lists and maps of which
/// the schema says what becomes of a wrong value, or the overlay that an empty one may be left out. Elsewhere an empty one may
/// say something: as a capability does by being there.
fn has_default(source: &Source, definition: &str, wire: &str, property: &Value) -> bool {
    if let Some(reference) = property.get("$ref") {
        return source.overlay.enum_default(&ref_name(reference)).is_some();
    }
    let ruled = || DECODING.iter().any(|rule| property.get(*rule).is_some_and(|set| *set == true));
    property.get("type").is_some_and(|kind| kind == "array" || kind == "object")
        && (ruled() || source.overlay.is_omitted(definition, wire))
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

fn content(wire: &str, property: &Value, at: &Place<'_>) -> Result<(Content, Payload)> {
    if let Some(Value::Array(branches)) = property.get("oneOf") {
        let null = |branch: &Value| branch.get("type").is_some_and(|kind| kind == "null");
        only(property, &["oneOf"], at)?;
        for (index, branch) in branches.iter().enumerate() {
            only(branch, &["$ref", "type"], &at.key("oneOf").index(index))?;
        }
        let reference = branches.iter().find_map(|branch| branch.get("$ref"));
        return match reference.filter(|_| branches.len() == 2 && branches.iter().any(null)) {
            Some(reference) => Ok((Content::Other, Payload::Named(ref_name(reference)))),
            None => Err(inline(at)),
        };
    }
    let kind = property.get("type");
    let name = kind.and_then(|kind| {
        kind.as_str().or_else(|| kind.as_array()?.iter().find_map(|k| k.as_str().filter(|k| *k != "null")))
    });
    if let Some(reference) = property.get("$ref") {
        only(property, &["$ref"], at)?;
        return Ok((Content::Other, Payload::Named(ref_name(reference))));
    }
    only(
        property,
        &["type", "format", "minimum", "maximum", "items", "additionalProperties", "properties", "required"],
        at,
    )?;
    let Some(name) = name else { return only(property, &[], at).map(|()| (Content::Other, Payload::Any)) };
    if matches!(name, "null") || name == "object" && property.get("properties").is_some() {
        return Err(inline(at));
    }
    let payload = payload::of(name, property, at)?;
    let content = match (name, property.get("additionalProperties")) {
        ("array", _) => Content::List,
        ("object", Some(values)) if values.is_object() => Content::Map,
        ("object", _) if wire == "_meta" => Content::Meta,
        ("object", _) => Content::Object,
        _ => Content::Scalar,
    };
    Ok((content, payload))
}

/// What a property is in the end: itself, or what the name that it refers to stands for.
fn resolved<'a>(normalised: &'a Normalised, property: &'a Value) -> &'a Value {
    // The dialect check left no circle of names.
    let next = |schema: &&'a Value| normalised.definitions.get(&ref_name(schema.get("$ref")?));
    std::iter::successors(Some(property), next).last().unwrap_or(property)
}

fn is_anything(normalised: &Normalised, property: &Value) -> bool {
    says_nothing(resolved(normalised, property))
}

/// Whether it is such a number, or a list or a map of them.
fn holds_fractions(normalised: &Normalised, property: &Value) -> bool {
    let number = |kind: &Value| kind == "number" || kind.as_array().is_some_and(|list| list.contains(&"number".into()));
    // Beside `null`, a property refers to what it is.
    let branches = property.get("oneOf").and_then(Value::as_array);
    let property =
        branches.and_then(|list| list.iter().find(|branch| branch.get("$ref").is_some())).unwrap_or(property);
    let mut innermost = resolved(normalised, property);
    while let Some(inner) = innermost.get("items").or_else(|| innermost.get("additionalProperties")) {
        innermost = resolved(normalised, inner);
    }
    innermost.get("type").is_some_and(number)
}

fn inline(at: &Place<'_>) -> crate::Error {
    at.unsupported("a union or an object stands inline here", "give it a name in `$defs`, and refer to that")
}
