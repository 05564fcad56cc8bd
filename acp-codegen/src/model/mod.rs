//! Third stage: the schema in our own terms. Only `read` uses JSON, to make the model. All later code uses the model,
//! and knows no key of a schema.

mod conversions;
mod definition;
mod enums;
mod field;
mod keys;
mod method;
mod overlaps;
mod read;
mod types;
mod unions;

#[cfg(feature = "cli")]
use std::collections::BTreeSet;
use std::collections::HashMap;

pub(crate) use conversions::{Conversion, Made, Way};
pub(crate) use definition::{Constant, Definition, Member, Raw, Shape, Struct};
pub(crate) use enums::{ClosedEnum, ClosedIntegers, EnumValue, OpenIntegers, OpenWords};
pub(crate) use field::{Field, Leniency, Presence, Wrapper};
pub(crate) use method::{Kind, Method, Side, handler_marker};
pub(crate) use read::build;
pub(crate) use types::{IntegerType, Type};
pub(crate) use unions::{Fallback, Other, Tagged, Untagged, Variant};

pub(crate) use crate::normalise::{Envelope, EnvelopeKind, Flattened, Payload};

/// The input of the emitters.
#[derive(Debug)]
pub(crate) struct Model {
    /// The definitions, in schema order.
    pub(crate) definitions: Vec<Definition>,
    pub(crate) envelopes: Vec<Envelope>,
    /// The types that every message needs beside its payload: ids and errors.
    #[cfg(feature = "cli")]
    pub(crate) frames: BTreeSet<String>,
    pub(crate) methods: Vec<Method>,
    index: HashMap<String, usize>,
    /// For each flattened union, the structs that contain it.
    holders: HashMap<String, Vec<String>>,
    /// The positions of methods, by the names of their payloads.
    by_payload: HashMap<String, usize>,
}

impl Model {
    /// The definition with a Rust name.
    pub(crate) fn get(&self, name: &str) -> Option<&Definition> {
        self.index.get(name).map(|position| &self.definitions[*position])
    }

    /// The target of an alias. For all other types, the type itself.
    pub(crate) fn resolved<'a>(&'a self, ty: &'a Type) -> &'a Type {
        let next = |ty: &&'a Type| match &self.get(ty.name()?)?.shape {
            Shape::Alias(target) => Some(target),
            _ => None,
        };
        std::iter::successors(Some(ty), next).last().unwrap_or(ty)
    }

    /// Whether the type is a number that may have a fraction, or a list or a map of such numbers.
    pub(crate) fn holds_fractions(&self, ty: &Type) -> bool {
        let mut innermost = self.resolved(ty);
        while let Some(inside) = innermost.inside() {
            innermost = self.resolved(inside);
        }
        *innermost == Type::Float
    }

    /// Whether the type is a text with a name of its own, such as an id.
    pub(crate) fn is_id(&self, ty: &Type) -> bool {
        matches!(ty, Type::Named(name) if self.get(name).is_some_and(|named| matches!(named.shape, Shape::Text)))
    }

    /// Whether a parameter of this type accepts types that convert into it. Texts, paths, ids and unions by shape do.
    /// Lists, tagged unions and structs accept only their own type, because the compiler must infer the type of an
    /// argument such as `vec!["hi".into()]` or `"hi".into()`.
    pub(crate) fn converts(&self, ty: &Type) -> bool {
        match ty {
            Type::Text | Type::Path => true,
            Type::Named(name) => match self.get(name).map(|definition| &definition.shape) {
                Some(Shape::Text | Shape::Untagged(_) | Shape::Integer(_) | Shape::Numbers(_)) => true,
                Some(Shape::Tagged(_)) => !self.holders(name).is_empty(),
                _ => false,
            },
            _ => false,
        }
    }

    /// The fields of a variant that contains them. `None` if the content has a type of its own.
    pub(crate) fn inline(&self, variant: &Variant) -> Option<&Struct> {
        match &self.get(variant.payload.name()?)?.shape {
            Shape::Struct(structure) if structure.inline => Some(structure),
            _ => None,
        }
    }

    /// Whether the Rust type of a definition has a default.
    fn has_default(&self, name: &str) -> bool {
        let target = Type::Named(name.to_owned());
        let Type::Named(name) = self.resolved(&target) else { return true };
        self.get(name).is_some_and(|definition| match &definition.shape {
            Shape::Struct(structure) => structure.has_default(),
            Shape::ClosedEnum(list) => list.default.is_some(),
            Shape::ClosedIntegers(list) => list.default.is_some(),
            Shape::Constant(_) | Shape::Numbers(_) | Shape::Alias(_) => true,
            _ => false,
        })
    }

    /// The method whose params or result is this definition.
    pub(crate) fn method_of(&self, payload: &str) -> Option<&Method> {
        self.by_payload.get(payload).map(|position| &self.methods[*position])
    }

    /// The structs that contain a union flattened.
    pub(crate) fn holders(&self, union: &str) -> &[String] {
        self.holders.get(union).map_or(&[], Vec::as_slice)
    }
}
