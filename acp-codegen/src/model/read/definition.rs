//! Chooses the shape of a definition.

use serde_json::Value;

use super::keywords::{only, typed};
use super::{Scope, enums, field, types, unions};
use crate::error::{Place, Result};
use crate::model::{Constant, Definition, Envelope, EnvelopeKind, Raw, Shape, Struct, Type};
use crate::source::dialect::text;

pub(super) fn read(scope: Scope<'_>, schema: &Value, at: &Place<'_>) -> Result<Definition> {
    let Scope { source, normalised, name, .. } = scope;
    let shape = shape(scope, schema, at)?;
    let draft = source.is_draft(normalised.origin(name));
    Ok(Definition { name: name.to_owned(), docs: text(schema, "description"), draft, shape, conversions: Vec::new() })
}

fn shape(scope: Scope<'_>, schema: &Value, at: &Place<'_>) -> Result<Shape> {
    if is_struct(scope, schema) {
        return structure(scope, schema, at).map(Shape::Struct);
    }
    if let Some(constant) = schema.get("const") {
        return self::constant(schema, constant, at).map(Shape::Constant);
    }
    if let Some(Value::Array(branches)) = schema.get("oneOf") {
        only(schema, &["oneOf", "type"], at)?;
        if branches.iter().any(|branch| branch.get("const").is_some()) {
            return enums::read(scope, branches, at);
        }
        return unions::read(scope, schema, at);
    }
    if schema.get("type").is_none() && schema.get("$ref").is_none() {
        only(schema, &[], at)?;
        return Ok(match raw(scope, schema) {
            Some(raw) => Shape::Raw(raw),
            None => Shape::Alias(Type::Any),
        });
    }
    match types::read(schema, at)? {
        Type::Text => Ok(Shape::Text),
        Type::Integer(kind) => Ok(Shape::Integer(kind)),
        numbers if numbers.is_of_floats() => Ok(Shape::Numbers(numbers)),
        other => Ok(Shape::Alias(other)),
    }
}

/// Whether the definition is a struct. An object whose content is not described is a map, which keeps its content. It
/// is a struct without fields if it is the payload of a method, or if the overlay says so.
fn is_struct(Scope { source, name, .. }: Scope<'_>, schema: &Value) -> bool {
    let is_object = || schema.get("type").is_some_and(|kind| kind == "object");
    let bare = || is_object() && schema.get("additionalProperties").is_none();
    schema.get("properties").is_some() || bare() && (schema.get("x-method").is_some() || source.overlay.is_struct(name))
}

fn structure(scope: Scope<'_>, schema: &Value, at: &Place<'_>) -> Result<Struct> {
    let Scope { normalised, name, .. } = scope;
    only(schema, &["type", "properties", "required", "additionalProperties"], at)?;
    typed(schema, "object", at)?;
    let others = schema.get("additionalProperties");
    let values = |others: &Value| match others {
        Value::Bool(_) => Ok(Type::Any),
        values => types::read(values, &at.key("additionalProperties")),
    };
    let rest = others.map(values).transpose()?.map(|values| Type::Map(Box::new(values)));
    let flattened = normalised.flattened.get(name).cloned();
    let required = schema.get("required").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    Ok(Struct {
        fields: field::read_all(scope, schema, at)?,
        null_is_default: schema.get("x-method").is_some() && !required && flattened.is_none(),
        inline: normalised.inline.contains(name),
        rest,
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

/// Whether the definition is raw JSON. The whole content of a message is passed on without being read. Inside of a
/// type, any JSON is a normal value.
fn raw(Scope { normalised, name, .. }: Scope<'_>, schema: &Value) -> Option<Raw> {
    let carries = |envelope: &&Envelope| envelope.payloads.iter().any(|payload| payload.definition == name);
    let has_method =
        normalised.envelopes.iter().filter(|envelope| envelope.kind != EnvelopeKind::Response).any(|e| carries(&e));
    let carried = schema.get("x-method").is_some() || normalised.envelopes.iter().any(|e| carries(&e));
    carried.then_some(Raw { has_method })
}
