//! The content of a union's variant, or of an alias: the small part of JSON Schema that needs no struct.

use serde_json::Value;

use super::keywords::only;
use crate::error::{Place, Result};
use crate::source::dialect::REF_PREFIX;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Payload {
    /// Nothing, or `null`.
    Unit,
    /// The definition of that name.
    Named(String),
    Text,
    Integer(IntegerType),
    Float,
    Boolean,
    List(Box<Payload>),
    /// An object with any keys.
    Map(Box<Payload>),
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntegerType {
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
}

impl IntegerType {
    pub(crate) fn rust(self) -> &'static str {
        match self {
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
        }
    }

    pub(super) fn read(schema: &Value, at: &Place<'_>) -> Result<Self> {
        Ok(match schema.get("format").and_then(Value::as_str) {
            Some("int32") => Self::I32,
            None | Some("int64") => Self::I64,
            Some("uint8") => Self::U8,
            Some("uint16") => Self::U16,
            Some("uint32") => Self::U32,
            Some("uint64") => Self::U64,
            Some(other) => {
                return Err(at.unsupported(
                    format!("the integer format `{other}` is not supported"),
                    "use int32, int64, uint8, uint16, uint32 or uint64",
                ));
            }
        })
    }
}

pub(super) fn read(schema: &Value, at: &Place<'_>) -> Result<Payload> {
    if let Some(reference) = schema.get("$ref") {
        only(schema, &["$ref"], at)?;
        return Ok(Payload::Named(ref_name(reference)));
    }
    let kind = schema.get("type").and_then(Value::as_str);
    let inner = if kind == Some("object") { "additionalProperties" } else { "items" };
    only(schema, &["type", "format", "minimum", "maximum", inner], at)?;
    match kind {
        None => only(schema, &[], at).map(|()| Payload::Any),
        Some(kind) => of(kind, schema, at),
    }
}

/// What a schema of a type holds.
pub(super) fn of(kind: &str, schema: &Value, at: &Place<'_>) -> Result<Payload> {
    Ok(match kind {
        "null" => Payload::Unit,
        "string" => Payload::Text,
        "integer" => Payload::Integer(IntegerType::read(schema, at)?),
        "number" => Payload::Float,
        "boolean" => Payload::Boolean,
        "array" => {
            let items = schema.get("items").map_or(Ok(Payload::Any), |items| read(items, &at.key("items")))?;
            Payload::List(Box::new(items))
        }
        _ => {
            let values = match schema.get("additionalProperties").filter(|values| values.is_object()) {
                Some(values) => read(values, &at.key("additionalProperties"))?,
                None => Payload::Any,
            };
            Payload::Map(Box::new(values))
        }
    })
}

/// The definition that a checked `$ref` means.
pub(crate) fn ref_name(reference: &Value) -> String {
    let text = reference.as_str().unwrap_or_default();
    text.strip_prefix(REF_PREFIX).unwrap_or(text).to_owned()
}
