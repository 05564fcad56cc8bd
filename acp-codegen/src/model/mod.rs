//! Third stage: what the schema says, in our own terms. `read` alone looks at JSON to make it; all that comes after asks
//! the model, and names no key of a schema.

mod conversions;
mod definition;
mod enums;
mod field;
mod method;
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

/// Everything that code is emitted from.
#[derive(Debug)]
pub(crate) struct Model {
    /// In schema order.
    pub(crate) definitions: Vec<Definition>,
    pub(crate) envelopes: Vec<Envelope>,
    /// The types that every message is made of beside its payload: ids and errors.
    #[cfg(feature = "cli")]
    pub(crate) frames: BTreeSet<String>,
    pub(crate) methods: Vec<Method>,
    index: HashMap<String, usize>,
    /// For a union that structs hold flattened, these structs.
    holders: HashMap<String, Vec<String>>,
    /// Methods by the names of their payloads.
    by_payload: HashMap<String, usize>,
}

impl Model {
    /// The definition of a Rust name.
    pub(crate) fn get(&self, name: &str) -> Option<&Definition> {
        self.index.get(name).map(|position| &self.definitions[*position])
    }

    /// What a name stands for, where it is another name for something.
    pub(crate) fn resolved<'a>(&'a self, ty: &'a Type) -> &'a Type {
        let next = |ty: &&'a Type| match &self.get(ty.name()?)?.shape {
            Shape::Alias(target) => Some(target),
            _ => None,
        };
        std::iter::successors(Some(ty), next).last().unwrap_or(ty)
    }

    /// Whether it is a number that may have a fraction and need not, or a list or a map of such.
    pub(crate) fn holds_fractions(&self, ty: &Type) -> bool {
        let mut innermost = self.resolved(ty);
        while let Some(inside) = innermost.inside() {
            innermost = self.resolved(inside);
        }
        *innermost == Type::Float
    }

    /// Whether it is a text with a meaning.
    pub(crate) fn is_id(&self, ty: &Type) -> bool {
        matches!(ty, Type::Named(name) if self.get(name).is_some_and(|named| matches!(named.shape, Shape::Text)))
    }

    /// Whether a parameter of that type takes what converts into it. Texts, paths, ids and unions by shape do. Lists, tagged
    /// unions and structs are taken as they are: there an argument such as `vec!["hi".into()]` or `"hi".into()` must be able
    /// to tell its own type.
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

    /// The fields that stand in a variant instead of a type of their own.
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

    /// The method whose params or result a definition is.
    pub(crate) fn method_of(&self, payload: &str) -> Option<&Method> {
        self.by_payload.get(payload).map(|position| &self.methods[*position])
    }

    /// The structs that hold a union flattened.
    pub(crate) fn holders(&self, union: &str) -> &[String] {
        self.holders.get(union).map_or(&[], Vec::as_slice)
    }
}
