//! A part of a schema, read once, so that a check reads no JSON of the schema.

use crate::value::{Map, Value};
use std::{cmp::Ordering, collections::HashMap, sync::OnceLock};

/// A part of a schema. What it lacks, it does not demand.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// The number of the definition that it names.
    pub(super) reference: Option<usize>,
    pub(super) all_of: Vec<Shape>,
    pub(super) unions: Vec<Union>,
    /// The types that a value may have, as bits of [`bit`], and the same for people.
    pub(super) types: Option<(u8, String)>,
    pub(super) constant: Option<Value<'static>>,
    pub(super) values: Option<Vec<Value<'static>>>,
    /// The constants of the members of an object that `not` excludes.
    pub(super) not: Vec<Constants>,
    pub(super) least_items: Option<u64>,
    pub(super) least_letters: Option<u64>,
    pub(super) is_base64: bool,
    pub(super) range: Option<(i128, i128)>,
    /// Whether any member is accepted.
    pub(super) is_open: bool,
    pub(super) items: Option<Box<Shape>>,
    pub(super) required: Vec<String>,
    pub(super) properties: Option<Properties>,
    /// The shape of all other members.
    pub(super) rest: Option<Box<Shape>>,
    /// The constants of its members.
    pub(super) constants: Constants,
    /// The types that a value may have by all that the shape names.
    pub(super) possible: OnceLock<u8>,
}

/// Members that an object has with these values.
pub(super) type Constants = Vec<(String, Value<'static>)>;

/// Members by name, the shortest names first: most names differ in their length, which is sooner compared than their letters.
#[derive(Debug)]
pub(super) struct Properties(Vec<(String, Shape)>);

/// A choice between shapes.
#[derive(Debug)]
pub(super) struct Union {
    pub(super) branches: Vec<Shape>,
    /// The member whose constant tells the branches apart.
    pub(super) tag: Option<String>,
    /// What each branch has there, if that is a text.
    pub(super) tags: Vec<Option<String>>,
    /// Whether a branch is a constant text.
    pub(super) has_texts: bool,
    /// The accepted values, for people.
    pub(super) expected: String,
}

/// The limit for nested branches of unions. No message of the protocol needs more.
pub(super) const DEPTH: usize = 64;

const NULL: u8 = 1;
const BOOLEAN: u8 = 1 << 1;
const STRING: u8 = 1 << 2;
const ARRAY: u8 = 1 << 3;
const OBJECT: u8 = 1 << 4;
const NUMBER: u8 = 1 << 5;
const INTEGER: u8 = 1 << 6;
const ANY: u8 = u8::MAX;

/// The types of a value.
pub(super) fn bits(value: &Value<'_>) -> u8 {
    match value {
        Value::Null => NULL,
        Value::Bool(_) => BOOLEAN,
        Value::String(_) => STRING,
        Value::Array(_) => ARRAY,
        Value::Object(_) => OBJECT,
        Value::Number(number) if number.is_i64() || number.is_u64() => NUMBER | INTEGER,
        Value::Number(_) => NUMBER,
    }
}

fn bit(name: &str) -> u8 {
    match name {
        "null" => NULL,
        "boolean" => BOOLEAN,
        "string" => STRING,
        "array" => ARRAY,
        "object" => OBJECT,
        "number" => NUMBER,
        "integer" => INTEGER,
        _ => ANY,
    }
}

impl Properties {
    pub(super) fn get(&self, name: &str) -> Option<&Shape> {
        let at = self.0.binary_search_by(|(known, _)| by_length(known, name)).ok()?;
        Some(&self.0[at].1)
    }
}

fn by_length(one: &str, other: &str) -> Ordering {
    (one.len(), one).cmp(&(other.len(), other))
}

impl Shape {
    /// Reads a part of a schema. `names` has the numbers of all definitions.
    pub(super) fn read(schema: &Value<'static>, names: &HashMap<&str, usize>) -> Self {
        let read = |schema: &Value<'static>| Self::read(schema, names);
        let boxed = |schema: &Value<'static>| schema.is_object().then(|| Box::new(read(schema)));
        let reference = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/"));
        let properties = schema["properties"].as_object();
        let unions = ["anyOf", "oneOf"].into_iter().filter_map(|union| schema[union].as_array());
        let not = schema.get("not").map(|not| list(&not["anyOf"]).chain(Some(not)).map(constants));
        Self {
            reference: reference.and_then(|name| names.get(name).copied()),
            all_of: list(&schema["allOf"]).map(read).collect(),
            unions: unions.map(|branches| Union::read(branches, names)).collect(),
            types: types(&schema["type"]),
            constant: schema.get("const").cloned(),
            values: schema["enum"].as_array().cloned(),
            not: not.into_iter().flatten().filter(|constants| !constants.is_empty()).collect(),
            least_items: schema["minItems"].as_u64(),
            least_letters: schema["minLength"].as_u64(),
            is_base64: schema["contentEncoding"] == "base64",
            range: range(schema),
            is_open: schema["additionalProperties"] == true || schema["unevaluatedProperties"] == true,
            items: boxed(&schema["items"]),
            required: list(&schema["required"]).filter_map(Value::as_str).map(ToOwned::to_owned).collect(),
            properties: properties.map(|properties| {
                let mut properties: Vec<_> =
                    properties.iter().map(|(name, schema)| (name.to_owned(), read(schema))).collect();
                properties.sort_by(|(one, _), (other, _)| by_length(one, other));
                Properties(properties)
            }),
            rest: boxed(&schema["additionalProperties"]),
            constants: constants(schema),
            possible: OnceLock::new(),
        }
    }

    /// The types that a value may have, in the shape itself and in those that it names.
    pub(super) fn possible(&self, defs: &[Self], depth: usize) -> u8 {
        if let Some(known) = self.possible.get() {
            return *known;
        }
        if depth > DEPTH {
            return ANY;
        }
        let inner = |shape: &Self| shape.possible(defs, depth + 1);
        let mut types = self.types.as_ref().map_or(ANY, |(types, _)| *types);
        types &= self.reference.map_or(ANY, |number| inner(&defs[number]));
        types = self.all_of.iter().map(inner).fold(types, |types, inner| types & inner);
        for union in &self.unions {
            types &= union.branches.iter().map(inner).fold(0, |types, inner| types | inner);
        }
        *self.possible.get_or_init(|| types)
    }
}

impl Union {
    fn read(branches: &[Value<'static>], names: &HashMap<&str, usize>) -> Self {
        let tag = branches.iter().find_map(|branch| {
            let mut properties = branch["properties"].as_object()?.iter();
            properties.find(|(_, schema)| schema["const"].is_string()).map(|(name, _)| name.to_owned())
        });
        let tagged =
            |branch: &Value<'static>| Some(branch["properties"][tag.as_deref()?]["const"].as_str()?.to_owned());
        Self {
            tags: branches.iter().map(tagged).collect(),
            tag,
            has_texts: branches.iter().any(|branch| branch["const"].is_string()),
            expected: expected(branches),
            branches: branches.iter().map(|branch| Shape::read(branch, names)).collect(),
        }
    }
}

fn list<'v>(value: &'v Value<'static>) -> impl Iterator<Item = &'v Value<'static>> {
    value.as_array().into_iter().flatten()
}

fn constants(schema: &Value<'static>) -> Constants {
    let properties = schema["properties"].as_object().into_iter().flat_map(Map::iter);
    properties.filter_map(|(name, schema)| Some((name.to_owned(), schema.get("const")?.clone()))).collect()
}

fn types(types: &Value<'_>) -> Option<(u8, String)> {
    let names: Vec<_> = match types {
        Value::String(name) => vec![&**name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    Some((names.iter().map(|name| bit(name)).fold(0, |types, bit| types | bit), names.join(" or ")))
}

/// The accepted values of a union, in a form for people.
fn expected(branches: &[Value<'_>]) -> String {
    let mut tags = Vec::new();
    for branch in branches {
        let constants = branch["properties"].as_object().into_iter().flat_map(Map::iter);
        tags.extend(constants.filter_map(|(_, schema)| schema.get("const")).map(Value::to_string));
        tags.extend(branch.get("const").map(Value::to_string));
    }
    if tags.is_empty() {
        "it is none of the shapes for this place".to_owned()
    } else {
        format!("none of {}", tags.join(", "))
    }
}

/// The numbers that a shape accepts; `None` if it accepts all.
fn range(schema: &Value<'_>) -> Option<(i128, i128)> {
    let bound = |name: &str| schema[name].as_i64().map(i128::from);
    let (low, high) = match schema["format"].as_str() {
        Some("uint16") => (0, i128::from(u16::MAX)),
        Some("uint32") => (0, i128::from(u32::MAX)),
        Some("uint64") => (0, i128::from(u64::MAX)),
        Some("int32") => (i128::from(i32::MIN), i128::from(i32::MAX)),
        _ => (i128::MIN, i128::MAX),
    };
    let range = (bound("minimum").unwrap_or(low).max(low), bound("maximum").unwrap_or(high).min(high));
    (range != (i128::MIN, i128::MAX)).then_some(range)
}
