//! The API of a schema in a form that can be compared. It has the names and constructors in Rust, and the rules by
//! which values are read and written. `read` fills it.
//!
//! The model has a shape for each way to write a definition. Two schemas may give different shapes to the same
//! definition, for example a closed list and an open one. So a surface has only four forms, and the parts of one form
//! can be compared one by one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::api::Api;
use super::ty::Ty;

/// The API of one schema: its methods, and its types by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Surface {
    /// The methods in schema order.
    pub methods: Vec<Method>,
    /// The types by their names in Rust.
    pub types: BTreeMap<String, Type>,
    /// The generated module.
    pub(super) api: Api,
    /// For each item that is generated beside a type or a method, the name of this type or method.
    pub(super) owners: BTreeMap<String, String>,
    /// For each list of constants, the structs whose `code` is one of them. Each such struct has a function for each
    /// constant.
    pub(super) errors: BTreeMap<String, Vec<String>>,
}

/// A method of the protocol, in a [`Surface`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Method {
    /// The name on the wire, for example `session/new`.
    pub wire: String,
    /// The name in Rust, for example `new_session`. The function that handles the method has this name.
    pub handler: String,
    /// The receiver: `agent`, `client` or `both`.
    pub side: &'static str,
    /// `request` or `notification`.
    pub kind: &'static str,
    /// The type of the params.
    pub params: String,
    /// The type of the result; `None` for notifications.
    pub response: Option<String>,
    /// The variants of messages that contain the params or the result: `ClientRequest::NewSessionRequest`.
    pub messages: Vec<String>,
    /// Whether the method is a draft, which may change at any time.
    pub draft: bool,
}

impl Method {
    /// The function of an agent that handles the method, for example `new_session`. `None` for methods of the client
    /// and for drafts.
    pub fn agents_handler(&self) -> Option<&str> {
        (self.side == "agent" && !self.draft).then_some(self.handler.as_str())
    }
}

/// A generated type, in a [`Surface`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Type {
    /// The path in the module: `Plan`. For the fields of a variant, `RequestPermissionOutcome::Selected`.
    pub label: String,
    /// The form of the type.
    pub form: Form,
    /// Whether `null` is read as the type's default.
    pub takes_null: bool,
    /// Whether the type is a draft, which may change at any time.
    pub draft: bool,
}

impl Type {
    /// The item of this type. If the fields belong to a variant, also the variant.
    pub(super) fn place(&self) -> (&str, Option<&str>) {
        self.label.split_once("::").map_or((&self.label, None), |(item, variant)| (item, Some(variant)))
    }
}

impl Type {
    /// Calls `f` with every generated type inside of this type. The second argument tells whether the type's place is a
    /// draft.
    pub(super) fn each_name<'a>(&'a self, f: &mut impl FnMut(&'a str, bool)) {
        match &self.form {
            Form::Struct(fields) => {
                fields.iter().for_each(|field| field.ty.each_name(&mut |name| f(name, field.draft)));
            }
            Form::Choice(choice) => {
                choice.branches.iter().for_each(|branch| branch.ty.each_name(&mut |name| f(name, branch.draft)));
            }
            Form::Plain(ty) | Form::Alias(ty) => ty.each_name(&mut |name| f(name, false)),
        }
    }
}

/// The form of a [`Type`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Named fields.
    Struct(Vec<Field>),
    /// A list of values, or of shapes.
    Choice(Choice),
    /// A newtype.
    Plain(Ty),
    /// Another name for a type.
    Alias(Ty),
}

/// A list of values, or of shapes: the content of an enum.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// The branches in schema order. Shapes are tried in this order. If the union reads the branch that keeps most, the
    /// order decides between branches that keep the same amount.
    pub branches: Vec<Branch>,
    /// The way to find a value's branch.
    pub by: By,
    /// Whether the union reads the shape that keeps most of a value. If not, it reads the first shape that fits.
    pub best: bool,
    /// The constant that is the default.
    pub default: Option<String>,
    /// Whether unknown constants are read as the default.
    pub unknown_is_default: bool,
    /// The variant for all unknown constants.
    pub other: Option<Box<Branch>>,
}

/// The way to distinguish the branches of a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum By {
    /// By texts.
    Words,
    /// By numbers of this type.
    Numbers(Ty),
    /// By a constant under a key.
    Tag {
        /// The key.
        key: String,
        /// Whether a known tag decides. Then a value that does not fit the tag's branch is refused, and no branch
        /// without a tag is tried.
        strict: bool,
    },
    /// By their shapes alone. They are tried in order.
    Shape,
}

impl Choice {
    /// Whether the branches are constants. If not, they are shapes.
    pub(super) fn is_of_constants(&self) -> bool {
        matches!(self.by, By::Words | By::Numbers(_))
    }

    /// The branches without a constant, in the order in which they are tried.
    pub(super) fn tried(&self) -> impl Iterator<Item = &Branch> {
        self.branches.iter().filter(|branch| branch.constant().is_none())
    }
}

/// A field of a struct, in a [`Type`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// The keys that the field takes in JSON.
    pub key: Key,
    /// The key in JSON. If the field has no key of its own, the name in Rust.
    pub wire: String,
    /// The name in Rust.
    pub rust: String,
    /// The type of the value.
    pub ty: Ty,
    /// Whether the field may be left out.
    pub presence: Presence,
    /// The value that an absent field means. If the type's own default is a list or an object, it is not here, because
    /// it is a part of the type.
    pub default: Option<Value>,
    /// The rules by which a wrong value is still read, in words.
    pub lenient: BTreeSet<&'static str>,
    /// Whether zero and negative numbers are wrong values.
    pub positive: bool,
    /// Whether the field is written even if it has the default value.
    pub always_written: bool,
    /// Whether the field is a draft, which may change at any time.
    pub draft: bool,
}

/// The keys of a [`Field`] in JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Key {
    /// A key of its own.
    Own,
    /// All keys of a union. The text is the key of the tag that distinguishes the union's branches; `None` if there is
    /// no tag.
    Union(Option<String>),
    /// All keys that no other field has.
    Rest,
}

/// Whether a [`Field`] may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Presence {
    /// No. `new` takes it as a parameter.
    Required,
    /// No, but the value may be `null`. `new` takes it as an `Option`.
    Nullable,
    /// Yes. The field is an `Option`.
    Optional,
    /// Yes. The field is a `MaybeUndefined`, because absent and `null` have different meanings.
    ThreeState,
    /// Yes. Absence means the default of the type.
    Defaulted,
}

/// A value of an enum or a shape of a union.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Branch {
    /// The sign that distinguishes the branch from the others.
    pub wire: Wire,
    /// The variant in Rust.
    pub rust: String,
    /// The type of the content.
    pub ty: Ty,
    /// The text for people; `None` if the schema has none.
    pub shown: Option<String>,
    /// The required keys beside the tag. Only set if the branch keeps unknown values.
    pub required: BTreeSet<String>,
    /// Whether the branch is a draft, which may change at any time.
    pub draft: bool,
}

impl Branch {
    pub(super) fn constant(&self) -> Option<&str> {
        match &self.wire {
            Wire::Constant(constant) => Some(constant),
            Wire::Shape | Wire::Unknown => None,
        }
    }
}

/// The sign that distinguishes a [`Branch`] from the others.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wire {
    /// The constant itself, or the constant of its tag.
    Constant(String),
    /// The shape alone.
    Shape,
    /// No sign: the branch keeps all values that fit no other branch.
    Unknown,
}
