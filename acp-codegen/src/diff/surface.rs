//! The API of a schema in a form that can be compared: the names and constructors in Rust, and the reading and writing
//! of values. `read` fills it.

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
    /// For each item generated beside a type or a method, the name of that type or method.
    pub(super) owners: BTreeMap<String, String>,
    /// For each list of constants, the structs that hold one of them as their `code`. Each such struct gets a function
    /// for each constant.
    pub(super) errors: BTreeMap<String, Vec<String>>,
}

/// A method of the protocol, in a [`Surface`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// `session/new`.
    pub wire: String,
    /// The name in Rust, `new_session`: of the marker, and of the function that handles the method.
    pub handler: String,
    /// The receiver: `agent`, `client` or `both`.
    pub side: &'static str,
    /// `request` or `notification`.
    pub kind: &'static str,
    /// The type of its params.
    pub params: String,
    /// The type of its result; none for notifications.
    pub response: Option<String>,
    /// The variants of messages that carry its params or result: `ClientRequest::NewSessionRequest`.
    pub messages: Vec<String>,
    /// Whether the method is a draft, which may change at any time.
    pub draft: bool,
}

impl Method {
    /// The agent's function that handles the method, `new_session`; `None` for methods of the client and for drafts.
    pub fn agents_handler(&self) -> Option<&str> {
        (self.side == "agent" && !self.draft).then_some(self.handler.as_str())
    }
}

/// A generated type, in a [`Surface`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// Its path in the module: `Plan`, or `RequestPermissionOutcome::Selected` for the fields of a variant.
    pub label: String,
    /// The form of the type.
    pub form: Form,
    /// Whether `null` is read as the type's default.
    pub takes_null: bool,
    /// Whether the type is a draft, which may change at any time.
    pub draft: bool,
}

impl Type {
    /// The item of this type, and the variant that contains its fields.
    pub(super) fn place(&self) -> (&str, Option<&str>) {
        self.label.split_once("::").map_or((&self.label, None), |(item, variant)| (item, Some(variant)))
    }
}

impl Type {
    /// Calls `f` with every generated type inside this type, and whether its place is a draft.
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
pub struct Choice {
    /// The branches in schema order. Shapes are tried in this order. If shapes are compared, the order decides between
    /// those that keep equally much.
    pub branches: Vec<Branch>,
    /// How a value is told from others.
    pub by: By,
    /// Whether the union reads the shape that keeps most of a value, and not the first one that fits.
    pub best: bool,
    /// The constant that is the default.
    pub default: Option<String>,
    /// Whether unknown constants are read as the default.
    pub unknown_is_default: bool,
    /// The variant that keeps unknown constants.
    pub other: Option<Box<Branch>>,
}

/// How the branches of a choice are told apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// By texts.
    Words,
    /// By numbers of this type.
    Numbers(Ty),
    /// By a constant under a key.
    Tag {
        /// The key.
        key: String,
        /// Whether a value with a known constant that does not fit is refused. Then no branch without a tag is tried.
        strict: bool,
    },
    /// By their shapes alone, tried in order.
    Shape,
}

impl Choice {
    /// Whether the branches are constants, and not shapes.
    pub(super) fn is_of_constants(&self) -> bool {
        matches!(self.by, By::Words | By::Numbers(_))
    }

    /// The branches without a constant, in the order in which they are tried.
    pub(super) fn tried(&self) -> impl Iterator<Item = &Branch> {
        self.branches.iter().filter(|branch| !matches!(branch.wire, Wire::Constant(_)))
    }
}

/// A field of a struct, in a [`Type`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The field's keys in JSON.
    pub key: Key,
    /// The key in JSON; the Rust name if there is no key.
    pub wire: String,
    /// The name in Rust.
    pub rust: String,
    /// The type of the value.
    pub ty: Ty,
    /// When the field may be left out.
    pub presence: Presence,
    /// The meaning of absence. If the type's own default is a list or an object, it is part of the type.
    pub default: Option<Value>,
    /// The rules by which a wrong value is read nevertheless, in words.
    pub lenient: BTreeSet<&'static str>,
    /// Whether zero and negative numbers are wrong values.
    pub positive: bool,
    /// Whether the field is written even with its default.
    pub always_written: bool,
    /// Whether the field is a draft, which may change at any time.
    pub draft: bool,
}

/// The keys of a [`Field`] in JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// A key of its own.
    Own,
    /// The keys of a union, whose branches this key tells apart.
    Union(Option<String>),
    /// All keys that no other field has.
    Rest,
}

/// When a [`Field`] may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Never: `new` takes it as a parameter.
    Required,
    /// Never, but the value may be `null`: `new` takes it as an `Option`.
    Nullable,
    /// Always: the field is an `Option`.
    Optional,
    /// Always: the field is a `MaybeUndefined`, since absent and `null` differ.
    ThreeState,
    /// Always: absence means the default of the type.
    Defaulted,
}

/// A value of an enum or a shape of a union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The sign that tells it from the others.
    pub wire: Wire,
    /// The variant in Rust.
    pub rust: String,
    /// The type of the content.
    pub ty: Ty,
    /// The text for people, if the schema gives one.
    pub shown: Option<String>,
    /// The keys that it needs beside the tag, if it keeps unknown values.
    pub required: BTreeSet<String>,
    /// Whether it is a draft, which may change at any time.
    pub draft: bool,
}

/// The sign that tells a [`Branch`] from the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wire {
    /// The constant itself, or the constant of its tag.
    Constant(String),
    /// Only the shape.
    Shape,
    /// None: it keeps all values that fit no other branch.
    Unknown,
}
