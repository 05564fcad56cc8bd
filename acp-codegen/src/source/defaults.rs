//! Checks that a `default` is a value of its property. If it is not, the generator would have to drop it silently, or
//! to invent another value.

use std::cell::Cell;

use serde_json::{Map, Value};

use super::Source;
use super::dialect::ref_name;
use crate::error::{Error, Place, Refused, Result};

/// The limits of the search: the depth of nested schemas, and the number of schemas. There is a limit because branches
/// may lead back to themselves in many ways. Beyond the limits, a value counts as right.
const DEPTH: usize = 200;
const SCHEMAS: usize = 10_000;

/// Refuses each default that is not a value of its property.
pub(crate) fn check(source: &Source, refused: &mut Refused) {
    for (name, definition) in &source.definitions {
        let mut errors = Vec::new();
        source.at(name, |at| schema(source, definition, at, &mut errors));
        refused.extend(name, errors);
    }
}

fn schema(source: &Source, value: &Value, at: &Place<'_>, errors: &mut Vec<Error>) {
    let Some(object) = value.as_object() else { return };
    let properties = at.key("properties");
    for (name, value) in object.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let optional = !list(object, "required").iter().any(|required| required == name);
        let place = properties.key(name);
        errors.extend(property(source, value, optional, &place).err());
        schema(source, value, &place, errors);
    }
    for key in ["items", "additionalProperties"] {
        object.get(key).into_iter().for_each(|inner| schema(source, inner, &at.key(key), errors));
    }
    for key in ["allOf", "oneOf", "anyOf"] {
        let place = at.key(key);
        for (index, inner) in list(object, key).iter().enumerate() {
            schema(source, inner, &place.index(index), errors);
        }
    }
}

/// Checks the default of a property. Generators of schemas write `null` if there is no default. So `null` has no
/// meaning if the property is `optional`.
fn property(source: &Source, property: &Value, optional: bool, at: &Place<'_>) -> Result<()> {
    let Some(default) = property.get("default").filter(|default| !(optional && default.is_null())) else {
        return Ok(());
    };
    let asked = Asked { source, left: Cell::new(SCHEMAS) };
    asked.fits(property, default, DEPTH).map_err(|why| {
        at.key("default").unsupported(
            format!("the default `{default}` is no value of this: {why}"),
            "give one that is, or take the `default` out, in the schema or in a copy of it",
        )
    })
}

/// The reason why a value does not fit this schema.
type Misfit = String;

/// A default while it is compared with the schemas of a source.
struct Asked<'a> {
    source: &'a Source,
    left: Cell<usize>,
}

impl Asked<'_> {
    fn fits(&self, schema: &Value, value: &Value, depth: usize) -> Result<(), Misfit> {
        let (Some(depth), Some(left), Some(schema)) =
            (depth.checked_sub(1), self.left.get().checked_sub(1), schema.as_object())
        else {
            return Ok(());
        };
        self.left.set(left);
        if let Some(target) = schema.get("$ref").and_then(|reference| self.source.definitions.get(&ref_name(reference)))
        {
            self.fits(target, value, depth)?;
        }
        for part in list(schema, "allOf") {
            self.fits(part, value, depth)?;
        }
        for key in ["oneOf", "anyOf"] {
            let mut branches = list(schema, key).iter().map(|branch| self.fits(branch, value, depth));
            if !list(schema, key).is_empty() && branches.all(|fits| fits.is_err()) {
                return Err("no branch takes it".to_owned());
            }
        }
        kind(schema, value)?;
        if let Some(constant) = schema.get("const").filter(|constant| !is_same(constant, value)) {
            return Err(format!("the `const` is {constant}"));
        }
        if schema.contains_key("enum") && !list(schema, "enum").iter().any(|known| is_same(known, value)) {
            return Err("the `enum` does not list it".to_owned());
        }
        bounds(schema, value)?;
        self.inside(schema, value, depth)
    }

    fn inside(&self, schema: &Map<String, Value>, value: &Value, depth: usize) -> Result<(), Misfit> {
        let fits = |schema: &Value, value: &Value| {
            self.fits(schema, value, depth).map_err(|why| {
                // A mistake inside of the inner value is already reported at its place.
                if why.starts_with("in it, ") { why } else { format!("in it, `{value}`: {why}") }
            })
        };
        match value {
            Value::Array(items) => {
                let Some(schema) = schema.get("items") else { return Ok(()) };
                items.iter().try_for_each(|item| fits(schema, item))
            }
            Value::Object(entries) => {
                let mut required = list(schema, "required").iter().filter_map(Value::as_str);
                if let Some(missing) = required.find(|name| !entries.contains_key(*name)) {
                    return Err(format!("it has no `{missing}`, which is required"));
                }
                let property = |name: &String| schema.get("properties").and_then(|properties| properties.get(name));
                let others = schema.get("additionalProperties");
                entries.iter().try_for_each(|(name, entry)| match property(name).or(others) {
                    Some(schema) => fits(schema, entry),
                    None => Ok(()),
                })
            }
            _ => Ok(()),
        }
    }
}

fn list<'a>(schema: &'a Map<String, Value>, key: &str) -> &'a [Value] {
    schema.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether two values are the same. In JSON Schema, `1` and `1.0` are one number.
fn is_same(one: &Value, other: &Value) -> bool {
    one == other || one.as_f64().is_some_and(|one| other.as_f64() == Some(one))
}

fn kind(schema: &Map<String, Value>, value: &Value) -> Result<(), Misfit> {
    let kinds = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.as_slice(),
        Some(kind) => std::slice::from_ref(kind),
        None => return Ok(()),
    };
    let kinds: Vec<&str> = kinds.iter().filter_map(Value::as_str).collect();
    let is = |kind: &&str| match *kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    };
    if !kinds.iter().any(is) {
        return Err(match kinds.as_slice() {
            [kind] => format!("it is no `{kind}`"),
            kinds => format!("it is neither `{}`", kinds.join("` nor `")),
        });
    }
    let format = schema.get("format").and_then(Value::as_str).filter(|_| kinds.contains(&"integer"));
    match format.and_then(|format| Some((format, range(format)?))) {
        Some((format, (least, most))) if value.as_f64().is_some_and(|number| number < least || number > most) => {
            Err(format!("it is no `{format}`"))
        }
        _ => Ok(()),
    }
}

/// The least and the greatest value of an integer format. For the large formats, serde_json limits the default.
fn range(format: &str) -> Option<(f64, f64)> {
    Some(match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "uint8" => (0.0, u8::MAX.into()),
        "uint16" => (0.0, u16::MAX.into()),
        "uint32" => (0.0, u32::MAX.into()),
        "uint64" | "uint" => (0.0, f64::MAX),
        _ => return None,
    })
}

fn bounds(schema: &Map<String, Value>, value: &Value) -> Result<(), Misfit> {
    let length = match value {
        Value::String(text) => Some(text.chars().count()),
        Value::Array(items) => Some(items.len()),
        Value::Object(entries) => Some(entries.len()),
        _ => None,
    };
    let measures = match value {
        Value::String(_) => ["minLength", "maxLength", "", ""],
        Value::Array(_) => ["minItems", "maxItems", "", ""],
        Value::Object(_) => ["minProperties", "maxProperties", "", ""],
        _ => ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
    };
    #[expect(clippy::cast_precision_loss, reason = "no default is that long")]
    let Some(size) = value.as_f64().or(length.map(|length| length as f64)) else { return Ok(()) };
    let [least, most, above, below] = measures.map(|key| schema.get(key).and_then(Value::as_f64));
    let wrong = [
        least.is_some_and(|least| size < least),
        most.is_some_and(|most| size > most),
        above.is_some_and(|above| size <= above),
        below.is_some_and(|below| size >= below),
    ];
    match measures.into_iter().zip(wrong).find(|(_, wrong)| *wrong) {
        Some((key, _)) => Err(format!("the `{key}` is {}", schema[key])),
        None => Ok(()),
    }
}
