//! One definition: its name, its documentation, and which of the few shapes it has.

use serde_json::Value;

use super::enums::{self, ClosedEnum, OpenIntegers, OpenWords};
use super::field::{self, Field};
use super::keywords::{only, typed};
use super::payload::{self, IntegerType, Payload};
use super::unions::{self, Tagged, Untagged};
use crate::error::{Place, Result};
use crate::normalise::{Envelope, Flattened, Normalised};
use crate::source::Source;

#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) docs: Option<String>,
    /// The stable schema, where one is known, does not have it.
    pub(crate) draft: bool,
    pub(crate) shape: Shape,
}

impl Definition {
    /// It is the content of a union's variant, and has no type of its own.
    pub(crate) fn is_inline(&self) -> bool {
        matches!(&self.shape, Shape::Struct(structure) if structure.inline)
    }
}

#[derive(Debug)]
pub(crate) enum Shape {
    Struct(Struct),
    /// A text with a meaning, as an id is.
    Text,
    /// A number with a meaning, as the protocol version is.
    Integer(IntegerType),
    /// One value that is always the same.
    Constant(Constant),
    ClosedEnum(ClosedEnum),
    OpenWords(OpenWords),
    OpenIntegers(OpenIntegers),
    Tagged(Tagged),
    Untagged(Untagged),
    /// Any JSON.
    Raw(Raw),
    /// Another name for something.
    Alias(Payload),
}

#[derive(Debug)]
pub(crate) enum Constant {
    Text(String),
    Integer(i64),
}

#[derive(Debug)]
pub(crate) struct Struct {
    pub(crate) fields: Vec<Field>,
    pub(crate) flattened: Option<Flattened>,
    /// JSON `null` decodes as the default: a payload of a method may be left out where nothing in it is required.
    pub(crate) null_is_default: bool,
    /// The fields of a union's variant, which take the place of this struct.
    pub(crate) inline: bool,
    /// Properties beyond those listed are kept, in a field `extra`.
    pub(crate) open: bool,
}

/// An untyped message. What travels as the payload of an extension method carries the method's name beside it.
#[derive(Debug)]
pub(crate) struct Raw {
    pub(crate) has_method: bool,
}

pub(super) fn read(
    source: &Source,
    normalised: &Normalised,
    name: &str,
    schema: &Value,
    at: &Place<'_>,
) -> Result<Definition> {
    let docs = schema.get("description").and_then(Value::as_str).map(str::to_owned);
    let shape = shape(source, normalised, name, schema, at)?;
    Ok(Definition { name: name.to_owned(), docs, draft: source.is_draft(normalised.origin(name)), shape })
}

fn shape(source: &Source, normalised: &Normalised, name: &str, schema: &Value, at: &Place<'_>) -> Result<Shape> {
    if is_struct(source, name, schema) {
        return structure(source, normalised, name, schema, at).map(Shape::Struct);
    }
    if let Some(constant) = schema.get("const") {
        return self::constant(schema, constant, at).map(Shape::Constant);
    }
    if let Some(Value::Array(branches)) = schema.get("oneOf") {
        only(schema, &["oneOf", "type"], at)?;
        if branches.iter().any(|branch| branch.get("const").is_some()) {
            return enums::read(source, name, branches, at);
        }
        return unions::read(source, normalised, name, schema, at);
    }
    if schema.get("type").is_none() && schema.get("$ref").is_none() {
        only(schema, &[], at)?;
        return Ok(match raw(normalised, name, schema) {
            Some(raw) => Shape::Raw(raw),
            None => Shape::Alias(Payload::Any),
        });
    }
    match payload::read(schema, at)? {
        Payload::Text => Ok(Shape::Text),
        Payload::Integer(kind) => Ok(Shape::Integer(kind)),
        other => Ok(Shape::Alias(other)),
    }
}

/// An object that is no map. One of which nothing is said keeps what is in it, and is a map, too: unless it is the payload of
/// a method, or the overlay says so, as it is then a struct that has no fields yet.
fn is_struct(source: &Source, name: &str, schema: &Value) -> bool {
    let is_object = || schema.get("type").is_some_and(|kind| kind == "object");
    let bare = || is_object() && schema.get("additionalProperties").is_none();
    schema.get("properties").is_some() || bare() && (schema.get("x-method").is_some() || source.overlay.is_struct(name))
}

fn structure(source: &Source, normalised: &Normalised, name: &str, schema: &Value, at: &Place<'_>) -> Result<Struct> {
    only(schema, &["type", "properties", "required", "additionalProperties"], at)?;
    typed(schema, "object", at)?;
    if schema.get("additionalProperties").is_some_and(|values| *values != true) {
        return Err(at
            .key("additionalProperties")
            .unsupported("a struct that is a map as well", "put the map into a property of its own"));
    }
    let flattened = normalised.flattened.get(name).cloned();
    let required = schema.get("required").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    Ok(Struct {
        fields: field::read_all(source, normalised, name, schema, at)?,
        null_is_default: schema.get("x-method").is_some() && !required && flattened.is_none(),
        inline: normalised.inline.contains(name),
        open: schema.get("additionalProperties").is_some(),
        flattened,
    })
}

fn constant(schema: &Value, constant: &Value, at: &Place<'_>) -> Result<Constant> {
    only(schema, &["type", "format", "const", "minimum", "maximum"], at)?;
    let odd = || at.key("const").unsupported("a `const` that is no string or integer", "use one of these");
    if let Some(text) = constant.as_str() {
        return typed(schema, "string", at).map(|()| Constant::Text(text.to_owned()));
    }
    let number = constant.as_i64().ok_or_else(odd)?;
    if schema.get("type").is_some_and(|kind| kind == "number") {
        return Ok(Constant::Integer(number));
    }
    typed(schema, "integer", at).map(|()| Constant::Integer(number))
}

/// What a message carries whole is passed on unread. Inside a type, anything is a value like others.
fn raw(normalised: &Normalised, name: &str, schema: &Value) -> Option<Raw> {
    use crate::normalise::EnvelopeKind::Response;
    let carries = |envelope: &&Envelope| envelope.payloads.iter().any(|payload| payload.definition == name);
    let has_method = normalised.envelopes.iter().filter(|envelope| envelope.kind != Response).any(|e| carries(&e));
    let carried = schema.get("x-method").is_some() || normalised.envelopes.iter().any(|e| carries(&e));
    carried.then_some(Raw { has_method })
}
