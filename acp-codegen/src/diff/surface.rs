//! What a schema gives an author, small enough to be compared: how it is called and made in Rust, and how it is read and
//! written. `read` fills it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::api::Api;
use super::ty::Ty;

/// The API of one schema: its methods, and its types by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Surface {
    /// In schema order.
    pub methods: Vec<Method>,
    /// By the name in Rust.
    pub types: BTreeMap<String, Type>,
    /// The module that is generated.
    pub(super) api: Api,
    /// For what is generated beside a type or a method, the type or the method's name that it belongs to.
    pub(super) owners: BTreeMap<String, String>,
    /// For lists of constants, the structs that hold one as their `code`, and get a function for each of the list.
    pub(super) errors: BTreeMap<String, Vec<String>>,
}

/// A method of the protocol, in a [`Surface`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// `session/new`.
    pub wire: String,
    /// What it is called in Rust, `new_session`: its marker, and the function that handles it.
    pub handler: String,
    /// Who receives it: `agent`, `client` or `both`.
    pub side: &'static str,
    /// `request` or `notification`.
    pub kind: &'static str,
    /// The type of its params.
    pub params: String,
    /// The type of its result; none for notifications.
    pub response: Option<String>,
    /// The variants of messages that carry its params or result: `ClientRequest::NewSessionRequest`.
    pub messages: Vec<String>,
    /// Whether it may still change at any time.
    pub draft: bool,
}

impl Method {
    /// The function of an agent that handles it, `new_session`: none of what goes to the client, and none of a draft.
    pub fn agents_handler(&self) -> Option<&str> {
        (self.side == "agent" && !self.draft).then_some(self.handler.as_str())
    }
}

/// A generated type, in a [`Surface`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// Its path in the module: `Plan`, or `RequestPermissionOutcome::Selected` for the fields of a variant.
    pub label: String,
    /// What it is made of.
    pub form: Form,
    /// `null` is read as its default.
    pub takes_null: bool,
    /// Whether it may still change at any time.
    pub draft: bool,
}

impl Type {
    /// The item that it is, and the variant of it that its fields stand in.
    pub(super) fn place(&self) -> (&str, Option<&str>) {
        self.label.split_once("::").map_or((&self.label, None), |(item, variant)| (item, Some(variant)))
    }
}

impl Type {
    /// Calls `f` with every generated type in this one, and whether that place is a draft.
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

/// What a [`Type`] is made of.
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
    /// In schema order. Shapes are tried in it; where they are compared, it decides between those that keep as much.
    pub branches: Vec<Branch>,
    /// What a value is, or is told by.
    pub by: By,
    /// Of several shapes that a value fits, the one is read that keeps most of it, and not the first.
    pub best: bool,
    /// The constant that is the default.
    pub default: Option<String>,
    /// Unknown constants are read as the default.
    pub unknown_is_default: bool,
    /// The variant that keeps unknown constants.
    pub other: Option<Box<Branch>>,
}

/// What the branches of a choice are, or are told apart by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// They are texts.
    Words,
    /// They are numbers of this type.
    Numbers(Ty),
    /// A key holds a constant.
    Tag {
        /// The key.
        key: String,
        /// What has a known constant and does not fit is refused, and no branch without a tag is tried.
        strict: bool,
    },
    /// Their shapes alone, tried in order.
    Shape,
}

impl Choice {
    /// Whether the branches are constants, and not shapes.
    pub(super) fn is_of_constants(&self) -> bool {
        matches!(self.by, By::Words | By::Numbers(_))
    }

    /// The branches that no constant tells, in the order in which they are tried.
    pub(super) fn tried(&self) -> impl Iterator<Item = &Branch> {
        self.branches.iter().filter(|branch| !matches!(branch.wire, Wire::Constant(_)))
    }
}

/// A field of a struct, in a [`Type`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// What stands there.
    pub key: Key,
    /// The key in JSON; the name in Rust where there is none.
    pub wire: String,
    /// The name in Rust.
    pub rust: String,
    /// What it holds.
    pub ty: Ty,
    /// When it may be left out.
    pub presence: Presence,
    /// What its absence means. A list or an object that is the default of the type is told with the type.
    pub default: Option<Value>,
    /// Rules by which a wrong value is read all the same, in words.
    pub lenient: BTreeSet<&'static str>,
    /// Zero and less are wrong values.
    pub positive: bool,
    /// It is written even where it is the default.
    pub always_written: bool,
    /// Whether it may still change at any time.
    pub draft: bool,
}

/// What a [`Field`] is in JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// A key of its own.
    Own,
    /// The keys of a union, whose branches are told apart by this one.
    Union(Option<String>),
    /// All keys that no other field has.
    Rest,
}

/// When a [`Field`] may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Never: a parameter of `new`.
    Required,
    /// Never, but it may be `null`: an `Option` that `new` takes.
    Nullable,
    /// It is an `Option`.
    Optional,
    /// It is a `MaybeUndefined`: absent and `null` differ.
    ThreeState,
    /// Its absence is the default of its type.
    Defaulted,
}

/// A value of an enum or a shape of a union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// How it is told from the others.
    pub wire: Wire,
    /// The variant in Rust.
    pub rust: String,
    /// What it holds.
    pub ty: Ty,
    /// The text that it is shown as, where the schema gives it.
    pub shown: Option<String>,
    /// What it must have beside the tag, if it keeps what is unknown.
    pub required: BTreeSet<String>,
    /// Whether it may still change at any time.
    pub draft: bool,
}

/// What tells a [`Branch`] from the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wire {
    /// The constant that it is, or that its tag holds.
    Constant(String),
    /// Its shape alone.
    Shape,
    /// It keeps what is none of the others.
    Unknown,
}
