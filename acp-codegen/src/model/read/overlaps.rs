//! Whether a value of one branch of a union may be read as an earlier branch. The earlier branch would drop the parts
//! for which it has no field. Only described fields count, because a struct always drops other fields.

use serde_json::{Map, Value};

use crate::model::{Type, Variant};
use crate::normalise::Normalised;
use crate::source::dialect::ref_name;

/// The depth to which names and unions are followed. Deeper types count as overlapping.
const DEPTH: usize = 20;

pub(super) fn any(normalised: &Normalised, variants: &[Variant]) -> bool {
    let reader = Reader { normalised };
    let branches: Vec<Vec<Shape<'_>>> = variants.iter().map(|variant| reader.ty(&variant.payload, DEPTH)).collect();
    let overlaps = |position: usize| {
        let (before, from) = branches.split_at(position);
        from[0].iter().any(|later| before.iter().flatten().any(|one| reader.takes(one, later)))
    };
    (0..branches.len()).any(overlaps)
}

/// The JSON that a branch may have.
enum Shape<'a> {
    Struct {
        properties: &'a Map<String, Value>,
        required: Vec<&'a str>,
    },
    /// An object that keeps all its members.
    Object,
    /// An object whose values have a type.
    Map,
    List(Vec<Shape<'a>>),
    Scalar,
    Unknown,
}

struct Reader<'a> {
    normalised: &'a Normalised,
}

impl<'a> Reader<'a> {
    fn ty(&self, ty: &Type, depth: usize) -> Vec<Shape<'a>> {
        let Some(depth) = depth.checked_sub(1) else { return vec![Shape::Unknown] };
        match ty {
            Type::Named(name) | Type::Boxed(name) => {
                let definition = self.normalised.definitions.get(name);
                definition.map_or_else(|| vec![Shape::Unknown], |definition| self.definition(name, definition, depth))
            }
            Type::List(items) => vec![Shape::List(self.ty(items, depth))],
            Type::Map(values) if **values == Type::Any => vec![Shape::Object],
            Type::Map(_) => vec![Shape::Map],
            Type::Any => vec![Shape::Unknown],
            Type::Meta => vec![Shape::Object],
            Type::Unit | Type::Text | Type::Path | Type::Integer(_) | Type::Float | Type::Boolean => {
                vec![Shape::Scalar]
            }
        }
    }

    fn definition(&self, name: &str, definition: &'a Value, depth: usize) -> Vec<Shape<'a>> {
        if let Some(properties) = definition.get("properties").and_then(Value::as_object) {
            if self.normalised.flattened.contains_key(name) {
                return vec![Shape::Unknown];
            }
            match definition.get("additionalProperties") {
                None => {}
                Some(Value::Bool(_)) => return vec![Shape::Object],
                // A property without a field of its own is read as this type, which may lose a part of the value.
                Some(_) => return vec![Shape::Unknown],
            }
            let required = definition.get("required").and_then(Value::as_array).into_iter().flatten();
            return vec![Shape::Struct { properties, required: required.filter_map(Value::as_str).collect() }];
        }
        self.schema(definition, depth)
    }

    fn schema(&self, schema: &'a Value, depth: usize) -> Vec<Shape<'a>> {
        let Some(depth) = depth.checked_sub(1) else { return vec![Shape::Unknown] };
        if schema.get("const").is_some() {
            return vec![Shape::Scalar];
        }
        if let Some(reference) = schema.get("$ref") {
            return self.ty(&Type::Named(ref_name(reference)), depth);
        }
        if let Some(branches) = schema.get("oneOf").and_then(Value::as_array) {
            return branches.iter().flat_map(|branch| self.schema(branch, depth)).collect();
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("string" | "integer" | "number" | "boolean" | "null") => vec![Shape::Scalar],
            Some("array") => {
                vec![Shape::List(schema.get("items").map_or_else(Vec::new, |items| self.schema(items, depth)))]
            }
            Some("object") if schema.get("properties").is_none() => match schema.get("additionalProperties") {
                Some(values) if values.is_object() => vec![Shape::Map],
                _ => vec![Shape::Object],
            },
            _ => vec![Shape::Unknown],
        }
    }

    /// Whether `one` reads values of `later`, and may lose a part of them.
    fn takes(&self, one: &Shape<'a>, later: &Shape<'a>) -> bool {
        match (one, later) {
            // These shapes keep the whole value.
            (Shape::Object | Shape::Scalar, _) => false,
            (Shape::List(items), Shape::Unknown) => items.iter().any(|item| self.takes(item, later)),
            (Shape::Unknown, _) | (_, Shape::Unknown) => true,
            (_, Shape::Scalar) => false,
            (Shape::Struct { properties, required }, Shape::Struct { properties: others, .. }) => {
                let absent = |name: &&str| !others.contains_key(*name);
                let differs =
                    |name: &&str| match (self.constant(properties.get(*name)), self.constant(others.get(*name))) {
                        (Some(one), Some(other)) => one != other,
                        _ => false,
                    };
                !required.iter().any(|name| absent(name) || differs(name))
            }
            // A struct can also be read from a list, by position.
            (Shape::Struct { .. } | Shape::Map, Shape::Object | Shape::Map)
            | (Shape::Struct { .. }, Shape::List(_)) => true,
            (Shape::Map, Shape::Struct { .. }) => true,
            (Shape::List(items), Shape::List(others)) => {
                items.iter().any(|item| others.iter().any(|other| self.takes(item, other)))
            }
            (Shape::Map, Shape::List(_)) | (Shape::List(_), _) => false,
        }
    }

    fn constant(&self, property: Option<&'a Value>) -> Option<&'a Value> {
        let property = property?;
        let definition = || self.normalised.definitions.get(&ref_name(property.get("$ref")?));
        property.get("const").or_else(|| definition()?.get("const"))
    }
}
