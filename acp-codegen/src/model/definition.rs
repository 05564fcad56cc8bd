//! One definition: its name, its documentation, and its shape. There are few kinds of shapes.

use super::conversions::Conversion;
use super::enums::{ClosedEnum, ClosedIntegers, OpenIntegers, OpenWords};
use super::field::{Field, Presence};
use super::unions::{Tagged, Untagged};
use super::{Flattened, IntegerType, Type};

#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) docs: Option<String>,
    /// Whether there is a stable schema that lacks the definition.
    pub(crate) draft: bool,
    pub(crate) shape: Shape,
    /// The conversions that the overlay adds.
    pub(crate) conversions: Vec<Conversion>,
}

impl Definition {
    /// Whether the definition is the content of a union's variant, and has no type of its own.
    pub(crate) fn is_inline(&self) -> bool {
        matches!(&self.shape, Shape::Struct(structure) if structure.inline)
    }
}

#[derive(Debug)]
pub(crate) enum Shape {
    Struct(Struct),
    /// A text with a name of its own, such as an id.
    Text,
    /// An integer with a name of its own, such as the protocol version.
    Integer(IntegerType),
    /// A number that may have a fraction, or a list or a map of such numbers. It needs a type of its own: an alias of
    /// `f64` would write `5` as `5.0`.
    Numbers(Type),
    /// One constant value.
    Constant(Constant),
    ClosedEnum(ClosedEnum),
    ClosedIntegers(ClosedIntegers),
    OpenWords(OpenWords),
    OpenIntegers(OpenIntegers),
    Tagged(Tagged),
    Untagged(Untagged),
    /// JSON of any form.
    Raw(Raw),
    /// Another name for a type.
    Alias(Type),
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Constant {
    Text(String),
    Integer(i64),
}

#[derive(Debug)]
pub(crate) struct Struct {
    pub(crate) fields: Vec<Field>,
    pub(crate) flattened: Option<Flattened>,
    /// Whether JSON `null` means the default. This is so for a method's payload without required fields, which may be
    /// left out.
    pub(crate) null_is_default: bool,
    /// Whether the fields belong to a variant of a union. The variant then contains them, and there is no struct.
    pub(crate) inline: bool,
    /// The type of a field `extra`. This field is a map for the properties that have no field.
    pub(crate) rest: Option<Type>,
}

/// A part of a struct.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Member<'a> {
    Field(&'a Field),
    /// A union whose keys are keys of the struct, too.
    Union(&'a Flattened),
    /// All keys that no other member has. They are a map of this type.
    Rest(&'a Type),
}

impl Struct {
    /// The members in the order of the code. The union stands after the common fields and before the metadata, where a
    /// reader expects it.
    pub(crate) fn members(&self) -> Vec<Member<'_>> {
        let mut members: Vec<_> = self.fields.iter().map(Member::Field).collect();
        if let Some(union) = &self.flattened {
            let meta = self.fields.iter().position(|field| field.ty == Type::Meta);
            members.insert(meta.unwrap_or(members.len()), Member::Union(union));
        }
        members.extend(self.rest.as_ref().map(Member::Rest));
        members
    }

    /// Whether the struct contains the keys of another type. If so, serde's derive reads the struct.
    pub(crate) fn is_derived(&self) -> bool {
        self.flattened.is_some() || self.rest.is_some()
    }

    /// Whether the struct can be made without arguments.
    pub(crate) fn has_default(&self) -> bool {
        self.members().into_iter().all(|member| !member.is_required())
    }
}

impl Member<'_> {
    /// Whether the member is an argument of the constructor.
    pub(crate) fn is_required(self) -> bool {
        match self {
            Self::Field(field) => field.presence == Presence::Required,
            Self::Union(union) => !union.optional,
            Self::Rest(_) => false,
        }
    }
}

/// A message without a type. If it is the payload of an extension method, it has the method's name beside it.
#[derive(Debug)]
pub(crate) struct Raw {
    pub(crate) has_method: bool,
}
