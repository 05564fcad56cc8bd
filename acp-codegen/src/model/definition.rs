//! One definition: its name, its documentation, and which of the few shapes it has.

use super::conversions::Conversion;
use super::enums::{ClosedEnum, ClosedIntegers, OpenIntegers, OpenWords};
use super::field::{Field, Presence};
use super::unions::{Tagged, Untagged};
use super::{Flattened, IntegerType, Type};

#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) docs: Option<String>,
    /// The stable schema, where one is known, does not have it.
    pub(crate) draft: bool,
    pub(crate) shape: Shape,
    /// What the overlay lets it be made of.
    pub(crate) conversions: Vec<Conversion>,
}

impl Definition {
    /// It is the content of a union's variant, and has no type of its own.
    pub(crate) fn is_inline(&self) -> bool {
        matches!(&self.shape, Shape::Struct(structure) if structure.inline)
    }
}

#[derive(Debug)]
pub(crate) enum Shape {
    Struct(Struct),
    /// A text with a meaning, as an id is.
    Text,
    /// A number with a meaning, as the protocol version is.
    Integer(IntegerType),
    /// Numbers that may have a fraction: one, a list or a map of them. An alias would be written with a fraction always.
    Numbers(Type),
    /// One value that is always the same.
    Constant(Constant),
    ClosedEnum(ClosedEnum),
    ClosedIntegers(ClosedIntegers),
    OpenWords(OpenWords),
    OpenIntegers(OpenIntegers),
    Tagged(Tagged),
    Untagged(Untagged),
    /// Any JSON.
    Raw(Raw),
    /// Another name for something.
    Alias(Type),
}

#[derive(Debug)]
pub(crate) enum Constant {
    Text(String),
    Integer(i64),
}

#[derive(Debug)]
pub(crate) struct Struct {
    pub(crate) fields: Vec<Field>,
    pub(crate) flattened: Option<Flattened>,
    /// JSON `null` decodes as the default: a payload of a method may be left out where nothing in it is required.
    pub(crate) null_is_default: bool,
    /// The fields of a union's variant, which take the place of this struct.
    pub(crate) inline: bool,
    /// Properties beyond those listed are kept, in a field `extra` of this type: a map.
    pub(crate) rest: Option<Type>,
}

/// What stands in a struct.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Member<'a> {
    Field(&'a Field),
    /// A union, whose keys are those of the struct.
    Union(&'a Flattened),
    /// All keys that no other member has, as a map of this type.
    Rest(&'a Type),
}

impl Struct {
    /// Its members in the order of the code: the union goes where a reader expects it, after what all kinds have in common and
    /// before the metadata.
    pub(crate) fn members(&self) -> Vec<Member<'_>> {
        let mut members: Vec<_> = self.fields.iter().map(Member::Field).collect();
        if let Some(union) = &self.flattened {
            let meta = self.fields.iter().position(|field| field.ty == Type::Meta);
            members.insert(meta.unwrap_or(members.len()), Member::Union(union));
        }
        members.extend(self.rest.as_ref().map(Member::Rest));
        members
    }

    /// It takes in keys that are not its own, so that serde's derive reads it.
    pub(crate) fn is_derived(&self) -> bool {
        self.flattened.is_some() || self.rest.is_some()
    }

    /// Nothing has to be said to make one.
    pub(crate) fn has_default(&self) -> bool {
        self.members().into_iter().all(|member| !member.is_required())
    }
}

impl Member<'_> {
    /// It is an argument of the constructor.
    pub(crate) fn is_required(self) -> bool {
        match self {
            Self::Field(field) => field.presence == Presence::Required,
            Self::Union(union) => !union.optional,
            Self::Rest(_) => false,
        }
    }
}

/// An untyped message. What travels as the payload of an extension method carries the method's name beside it.
#[derive(Debug)]
pub(crate) struct Raw {
    pub(crate) has_method: bool,
}
