//! Whether a value of one branch of a union may be read as an earlier branch. The earlier branch would drop the parts
//! for which it has no field. Only described fields count, because a struct always drops other fields.

use super::{Constant, Fallback, Field, Model, Presence, Shape, Struct, Type, Untagged};

/// The depth to which names and unions are followed. Deeper types count as overlapping.
const DEPTH: usize = 10;

/// A form of the JSON that a branch reads.
enum Form<'a> {
    Struct(&'a [Field]),
    /// An object that keeps all its members.
    Object,
    /// An object whose values have a type.
    Map,
    List(Vec<Form<'a>>),
    Scalar,
    Unknown,
}

impl Model {
    /// Whether a value of one branch may also fit an earlier branch, which would drop a part of it.
    pub(crate) fn overlap(&self, union: &Untagged) -> bool {
        let branches: Vec<_> = union.variants.iter().map(|variant| self.forms(&variant.payload, DEPTH)).collect();
        branches.iter().enumerate().any(|(position, later)| {
            let before = || branches[..position].iter().flatten();
            later.iter().any(|later| before().any(|one| self.takes(one, later)))
        })
    }

    fn forms<'a>(&'a self, ty: &'a Type, depth: usize) -> Vec<Form<'a>> {
        let Some(depth) = depth.checked_sub(1) else { return vec![Form::Unknown] };
        vec![match ty {
            Type::Named(name) | Type::Boxed(name) => match self.get(name) {
                Some(definition) => return self.forms_of(&definition.shape, depth),
                None => Form::Unknown,
            },
            Type::List(items) => Form::List(self.forms(items, depth)),
            Type::Map(values) if **values == Type::Any => Form::Object,
            Type::Map(_) => Form::Map,
            Type::Any => Form::Unknown,
            Type::Meta => Form::Object,
            Type::Unit | Type::Text | Type::Path | Type::Integer(_) | Type::Float | Type::Boolean => Form::Scalar,
        }]
    }

    fn forms_of<'a>(&'a self, shape: &'a Shape, depth: usize) -> Vec<Form<'a>> {
        vec![match shape {
            Shape::Struct(Struct { fields, flattened: None, rest: None, .. }) => Form::Struct(fields),
            Shape::Struct(Struct { flattened: None, rest: Some(Type::Map(values)), .. }) if **values == Type::Any => {
                Form::Object
            }
            // A property without a field of its own is read as another type, which may lose a part of the value.
            Shape::Struct(_) | Shape::Raw(_) => Form::Unknown,
            Shape::Alias(ty) | Shape::Numbers(ty) => return self.forms(ty, depth),
            Shape::Untagged(Untagged { variants }) => {
                return variants.iter().flat_map(|variant| self.forms(&variant.payload, depth)).collect();
            }
            Shape::Tagged(union) => {
                // A tag alone tells nothing about the other keys.
                let tagged = union.variants.iter().map(|variant| match &variant.payload {
                    Type::Unit => &Type::Any,
                    payload => payload,
                });
                let others = union.fallbacks.iter().map(|fallback| match fallback {
                    Fallback::Shape(variant) => &variant.payload,
                    Fallback::Other(_) => &Type::Any,
                });
                return tagged.chain(others).flat_map(|payload| self.forms(payload, depth)).collect();
            }
            Shape::Text
            | Shape::Integer(_)
            | Shape::Constant(_)
            | Shape::ClosedEnum(_)
            | Shape::ClosedIntegers(_)
            | Shape::OpenWords(_)
            | Shape::OpenIntegers(_) => Form::Scalar,
        }]
    }

    /// Whether `one` reads values of `later`, and may lose a part of them.
    fn takes(&self, one: &Form<'_>, later: &Form<'_>) -> bool {
        match (one, later) {
            // These forms keep the whole value.
            (Form::Object | Form::Scalar, _) => false,
            (Form::List(items), Form::Unknown) => items.iter().any(|item| self.takes(item, later)),
            (Form::Unknown, _) | (_, Form::Unknown) => true,
            (_, Form::Scalar) => false,
            (Form::Struct(fields), Form::Struct(others)) => {
                let same = |one: &Field, other: &Field| {
                    let constants = self.constant(one).zip(self.constant(other));
                    one.wire == other.wire && constants.is_none_or(|(one, other)| one == other)
                };
                let is_required = |field: &&Field| matches!(field.presence, Presence::Required | Presence::Constant);
                fields.iter().filter(is_required).all(|field| others.iter().any(|other| same(field, other)))
            }
            // A struct can also be read from a list, by position.
            (Form::Struct(_), Form::Object | Form::Map | Form::List(_))
            | (Form::Map, Form::Object | Form::Map | Form::Struct(_)) => true,
            (Form::List(items), Form::List(others)) => {
                items.iter().any(|item| others.iter().any(|other| self.takes(item, other)))
            }
            (Form::Map, Form::List(_)) | (Form::List(_), _) => false,
        }
    }

    fn constant(&self, field: &Field) -> Option<&Constant> {
        match &self.get(field.ty.name()?)?.shape {
            Shape::Constant(constant) => Some(constant),
            _ => None,
        }
    }
}
