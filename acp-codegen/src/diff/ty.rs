//! The type of a field or branch, as it stands in the schema, and which of two types takes more values.

use std::fmt;

use serde_json::Value;

use crate::model::is_positive;
use crate::source::dialect::REF_PREFIX;

/// The type of a value, printed as the Rust type that is generated for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ty {
    /// Anything at all.
    Any,
    /// `null`, or nothing beside the tag.
    Nothing,
    /// A generated type.
    Named(String),
    /// The fields of a union's variant, which have no type of their own; by the name that they go by in a [`Surface`].
    ///
    /// [`Surface`]: super::Surface
    Fields(String),
    /// A type of Rust itself, or of the runtime: `String`, `PathBuf`, `bool`, `f64`, `Meta` or an integer.
    Plain(&'static str),
    /// An integer of which a value out of bounds is read as the default.
    Bounded(&'static str, &'static str),
    /// A list.
    List(Box<Ty>),
    /// An object with any keys.
    Map(Box<Ty>),
}

impl Ty {
    /// Reads a normalised schema; `null` beside another type is left out, as it says nothing about the value itself.
    pub(super) fn read(schema: &Value) -> Self {
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            return Self::Named(name.strip_prefix(REF_PREFIX).unwrap_or(name).to_owned());
        }
        if let Some(branches) = schema.get("oneOf").and_then(Value::as_array) {
            let value = branches.iter().find(|branch| branch.get("type").is_none_or(|kind| kind != "null"));
            return value.map_or(Self::Nothing, Self::read);
        }
        let kind = schema.get("type").and_then(|kind| {
            kind.as_str().or_else(|| kind.as_array()?.iter().find_map(|kind| kind.as_str().filter(|k| *k != "null")))
        });
        let inner = |key: &str| {
            let inner = schema.get(key).filter(|inner| inner.is_object());
            Box::new(inner.map_or(Self::Any, Self::read))
        };
        match kind {
            Some("null") => Self::Nothing,
            Some("string") => Self::Plain("String"),
            Some("boolean") => Self::Plain("bool"),
            Some("number") => Self::Plain("f64"),
            Some("integer") => integer(schema),
            Some("array") => Self::List(inner("items")),
            Some("object") => Self::Map(inner("additionalProperties")),
            _ => Self::Any,
        }
    }

    /// Whether every value of `other` is one of this type, and more are. Of two named types nobody knows.
    pub(super) fn is_wider_than(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, other) => *other != Self::Any,
            (Self::List(wide), Self::List(narrow)) | (Self::Map(wide), Self::Map(narrow)) => wide.is_wider_than(narrow),
            (Self::Plain("f64"), Self::Plain(name)) => range(name).is_some(),
            (Self::Plain(wide), Self::Plain(narrow)) => contains(wide, narrow) && wide != narrow,
            (Self::Plain(wide), Self::Bounded(narrow, _)) => contains(wide, narrow),
            _ => false,
        }
    }

    /// Calls `f` with every generated type in this one.
    pub(super) fn each_name<'a>(&'a self, f: &mut impl FnMut(&'a str)) {
        match self {
            Self::Named(name) | Self::Fields(name) => f(name),
            Self::List(inner) | Self::Map(inner) => inner.each_name(f),
            Self::Any | Self::Nothing | Self::Plain(_) | Self::Bounded(..) => {}
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("Value"),
            Self::Nothing => f.write_str("()"),
            Self::Named(name) => f.write_str(name),
            Self::Fields(_) => f.write_str("{ .. }"),
            Self::Plain(name) => f.write_str(name),
            Self::Bounded(name, bounds) => write!(f, "{name} ({bounds})"),
            Self::List(inner) => write!(f, "Vec<{inner}>"),
            Self::Map(inner) => write!(f, "BTreeMap<String, {inner}>"),
        }
    }
}

fn integer(schema: &Value) -> Ty {
    let name = match schema.get("format").and_then(Value::as_str) {
        Some("int32") => "i32",
        Some("uint8") => "u8",
        Some("uint16") => "u16",
        Some("uint32") => "u32",
        Some("uint64") => "u64",
        _ => "i64",
    };
    // Generated code heeds no other bound, as JSON Schema leaves that to whoever validates.
    let lenient = schema.get("x-deserialize-default-on-error").is_some_and(|lenient| *lenient == true);
    if lenient && is_positive(schema) { Ty::Bounded(name, "at least 1") } else { Ty::Plain(name) }
}

fn range(name: &str) -> Option<(i128, i128)> {
    Some(match name {
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" => (i64::MIN.into(), i64::MAX.into()),
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" => (0, u64::MAX.into()),
        _ => return None,
    })
}

fn contains(wide: &str, narrow: &str) -> bool {
    match (range(wide), range(narrow)) {
        (Some(wide), Some(narrow)) => wide.0 <= narrow.0 && narrow.1 <= wide.1,
        _ => false,
    }
}
