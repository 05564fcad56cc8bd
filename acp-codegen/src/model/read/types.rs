//! Reads types: the small part of JSON Schema that is left beside definitions.

use serde_json::Value;

use super::keywords::only;
use crate::error::{Place, Result};
use crate::model::{IntegerType, Type};
use crate::source::dialect::ref_name;

/// The type of a branch, an alias, a list's items or a map's values.
pub(super) fn read(schema: &Value, at: &Place<'_>) -> Result<Type> {
    if let Some(reference) = schema.get("$ref") {
        only(schema, &["$ref"], at)?;
        return Ok(Type::Named(ref_name(reference)));
    }
    let kind = schema.get("type").and_then(Value::as_str);
    let inner = if kind == Some("object") { "additionalProperties" } else { "items" };
    only(schema, &["type", "format", "minimum", "maximum", inner], at)?;
    match kind {
        None => only(schema, &[], at).map(|()| Type::Any),
        Some("null") => Ok(Type::Unit),
        Some(kind) => of_kind(kind, schema, at),
    }
}

/// The type of a property. `null` is not a part of the type, even if the property may be `null`.
pub(super) fn of_property(wire: &str, property: &Value, at: &Place<'_>) -> Result<Type> {
    if let Some(Value::Array(branches)) = property.get("oneOf") {
        only(property, &["oneOf"], at)?;
        for (index, branch) in branches.iter().enumerate() {
            only(branch, &["$ref", "type"], &at.key("oneOf").index(index))?;
        }
        let null = |branch: &Value| branch.get("type").is_some_and(|kind| kind == "null");
        let reference = branches.iter().find_map(|branch| branch.get("$ref"));
        return match reference {
            Some(reference) if branches.len() == 2 && branches.iter().any(null) => Ok(Type::Named(ref_name(reference))),
            _ => Err(inline(at)),
        };
    }
    if let Some(reference) = property.get("$ref") {
        return only(property, &["$ref"], at).map(|()| Type::Named(ref_name(reference)));
    }
    let allowed = ["type", "format", "minimum", "maximum", "items", "additionalProperties", "properties", "required"];
    only(property, &allowed, at)?;
    let kind = property.get("type").and_then(|kind| {
        let not_null = || kind.as_array()?.iter().find_map(|kind| kind.as_str().filter(|kind| *kind != "null"));
        kind.as_str().or_else(not_null)
    });
    match kind {
        None => only(property, &[], at).map(|()| Type::Any),
        Some("null") => Ok(Type::Unit),
        Some("object") if property.get("properties").is_some() => Err(inline(at)),
        Some("object") if wire == "_meta" && !has_values(property) => Ok(Type::Meta),
        Some(kind) => of_kind(kind, property, at),
    }
}

fn of_kind(kind: &str, schema: &Value, at: &Place<'_>) -> Result<Type> {
    Ok(match kind {
        "string" => Type::Text,
        "integer" => Type::Integer(integer(schema, at)?),
        "number" => Type::Float,
        "boolean" => Type::Boolean,
        "array" => {
            let items = schema.get("items").map_or(Ok(Type::Any), |items| read(items, &at.key("items")))?;
            Type::List(Box::new(items))
        }
        _ => {
            let values = match schema.get("additionalProperties").filter(|_| has_values(schema)) {
                Some(values) => read(values, &at.key("additionalProperties"))?,
                None => Type::Any,
            };
            Type::Map(Box::new(values))
        }
    })
}

/// Whether the schema has a type for the values of an object.
fn has_values(schema: &Value) -> bool {
    schema.get("additionalProperties").is_some_and(Value::is_object)
}

pub(super) fn integer(schema: &Value, at: &Place<'_>) -> Result<IntegerType> {
    Ok(match schema.get("format").and_then(Value::as_str) {
        Some("int8") => IntegerType::I8,
        Some("int16") => IntegerType::I16,
        Some("int32") => IntegerType::I32,
        // Generators of schemas write `int` for the integers of 64-bit machines.
        None | Some("int64" | "int") => IntegerType::I64,
        Some("uint8") => IntegerType::U8,
        Some("uint16") => IntegerType::U16,
        Some("uint32") => IntegerType::U32,
        Some("uint64" | "uint") => IntegerType::U64,
        Some(other) => {
            return Err(at.unsupported(
                format!("the integer format `{other}` is not supported"),
                "use int8, int16, int32, int64, uint8, uint16, uint32 or uint64, or none, in the schema or in a copy of it",
            ));
        }
    })
}

fn inline(at: &Place<'_>) -> crate::error::Error {
    at.unsupported("a union or an object stands inline here", "give it a name in `$defs`, and refer to that")
}
