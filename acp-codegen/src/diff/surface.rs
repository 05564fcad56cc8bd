//! What a schema gives an author, small enough to be compared: read from the model, and from the normalised schema
//! where the model leaves types to typify.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::drafts::{self, is_marked};
use super::ty::Ty;
use crate::error::Result;
use crate::model::{self, Content, Definition, Fallback, Kind, Payload, Shape, Side};
use crate::normalise::{Envelope, Flattened, Member, Normalised};
use crate::{Builder, model::Model};

/// A rule of reading.
const DEFAULT_ON_ERROR: &str = "a wrong value reads as the default";

/// The API of one schema: its methods, and its types by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Surface {
    /// In schema order.
    pub methods: Vec<Method>,
    /// By the name in Rust.
    pub types: BTreeMap<String, Type>,
}

/// A method of the protocol.
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

/// A generated type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// Its path in the module: `Plan`, or `RequestPermissionOutcome::Selected` for the fields of a variant.
    pub label: String,
    /// What it is made of.
    pub form: Form,
    /// Whether it may still change at any time.
    pub draft: bool,
}

/// What a type is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// Named fields.
    Struct(Vec<Field>),
    /// A list of values, or of shapes; `open` ones keep what they do not know.
    Choice {
        /// In schema order.
        branches: Vec<Branch>,
        /// Whether unknown values are kept.
        open: bool,
        /// Whether the branches are constants, and not shapes.
        constants: bool,
    },
    /// A newtype.
    Plain(Ty),
    /// Another name for a type.
    Alias(Ty),
}

/// A field of a struct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The key in JSON; for a union that is flattened into the struct, the name in Rust.
    pub wire: String,
    /// The key by which the branches of a flattened union are told apart.
    pub tag: Option<String>,
    /// What it holds.
    pub ty: Ty,
    /// When it may be left out.
    pub presence: Presence,
    /// Rules by which a wrong value is read all the same, in words.
    pub lenient: BTreeSet<&'static str>,
    /// Whether it may still change at any time.
    pub draft: bool,
}

/// When a field may be left out.
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
    /// Whether it may still change at any time.
    pub draft: bool,
}

/// What tells a branch from the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wire {
    /// The constant that it is, or that its tag holds.
    Constant(String),
    /// Its shape alone.
    Shape,
    /// It keeps what is none of the others.
    Unknown,
}

impl Surface {
    /// The type itself, where this is or holds another name for it.
    pub(super) fn resolved(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Named(name) => match self.types.get(name).map(|ty| &ty.form) {
                Some(Form::Alias(target)) => self.resolved(target),
                _ => ty.clone(),
            },
            Ty::List(inner) => Ty::List(Box::new(self.resolved(inner))),
            Ty::Map(inner) => Ty::Map(Box::new(self.resolved(inner))),
            other => other.clone(),
        }
    }

    /// Reads the schema and the overlays of a builder.
    ///
    /// # Errors
    ///
    /// Those of [`Builder::generate`].
    pub fn read(builder: &Builder) -> Result<Self> {
        let (source, normalised, model) = builder.read()?;
        let mut types: BTreeMap<String, Type> =
            model.definitions.iter().map(|d| (d.name.clone(), ty(&normalised, &model, d))).collect();
        label_inline(&normalised, &model, &mut types);
        let methods = model.methods.iter().map(|m| method(&model.envelopes, m)).collect();
        let mut surface = Self { methods, types };
        drafts::mark_what_only_drafts_use(&mut surface, &drafts::of_every_message(&source, &model.envelopes));
        Ok(surface)
    }
}

fn method(envelopes: &[Envelope], method: &model::Method) -> Method {
    let model::Method { wire, handler, side, kind, params, response, docs, draft } = method;
    Method {
        wire: wire.clone(),
        handler: handler.clone(),
        side: match side {
            Side::Agent => "agent",
            Side::Client => "client",
            Side::Protocol => "both",
            Side::Proxy => "proxy",
        },
        kind: match kind {
            Kind::Request => "request",
            Kind::Notification => "notification",
        },
        params: params.clone(),
        response: response.clone(),
        messages: envelopes.iter().flat_map(|envelope| messages(envelope, method)).collect(),
        draft: *draft || is_marked(docs.as_deref()) || drafts::is_marked_payload(envelopes, params),
    }
}

fn messages<'a>(envelope: &'a Envelope, method: &'a model::Method) -> impl Iterator<Item = String> + 'a {
    let carried = |member: &&Member| {
        member.definition == method.params || method.response.as_deref() == Some(member.definition.as_str())
    };
    envelope.payloads.iter().filter(carried).map(|member| format!("{}::{}", envelope.name, member.variant))
}

fn ty(normalised: &Normalised, model: &Model, definition: &Definition) -> Type {
    let Definition { name, docs, draft, shape } = definition;
    let schema = &normalised.definitions[name];
    let form = match shape {
        Shape::Struct(structure) => Form::Struct(fields(model, structure, schema)),
        Shape::Text => Form::Plain(Ty::Plain("String")),
        Shape::Integer(kind) => Form::Plain(Ty::Plain(kind.rust())),
        Shape::Raw(_) => Form::Plain(Ty::Any),
        Shape::Alias(payload) => Form::Alias(payload_ty(payload)),
        Shape::ClosedEnum(list) => Form::Choice {
            branches: list.words.iter().map(|w| word(w, w.wire.clone(), Ty::Nothing)).collect(),
            open: false,
            constants: true,
        },
        Shape::OpenWords(list) => Form::Choice {
            branches: list.words.iter().map(|w| word(w, w.wire.clone(), Ty::Nothing)).collect(),
            open: true,
            constants: true,
        },
        Shape::OpenIntegers(list) => Form::Choice {
            branches: list.words.iter().map(|w| word(w, w.wire.to_string(), Ty::Nothing)).collect(),
            open: true,
            constants: true,
        },
        Shape::Tagged(union) => Form::Choice {
            branches: union
                .variants
                .iter()
                .map(|v| variant(normalised, v, Wire::Constant(v.wire.clone())))
                .chain(union.fallbacks.iter().map(|f| fallback(normalised, f)))
                .collect(),
            open: union.fallbacks.iter().any(|fallback| matches!(fallback, Fallback::Other(_))),
            constants: false,
        },
        Shape::Untagged(union) => Form::Choice {
            branches: union.variants.iter().map(|v| variant(normalised, v, Wire::Shape)).collect(),
            open: false,
            constants: false,
        },
    };
    Type { label: name.clone(), form, draft: *draft || is_marked(docs.as_deref()) }
}

fn fields(model: &Model, structure: &model::Struct, schema: &Value) -> Vec<Field> {
    let tag = |flattened: &Flattened| match &model.get(&flattened.union)?.shape {
        Shape::Tagged(union) => Some(union.tag.clone()),
        _ => None,
    };
    let flattened = structure.flattened.iter().map(|flattened| Field {
        wire: flattened.field.clone(),
        tag: tag(flattened),
        ty: Ty::Named(flattened.union.clone()),
        presence: if flattened.optional { Presence::Optional } else { Presence::Required },
        // What no branch takes reads as none, as serde flattens an `Option`.
        lenient: flattened.optional.then_some(DEFAULT_ON_ERROR).into_iter().collect(),
        draft: false,
    });
    structure.fields.iter().map(|f| field(f, &schema["properties"][&f.wire])).chain(flattened).collect()
}

fn field(field: &model::Field, schema: &Value) -> Field {
    let mut lenient = BTreeSet::new();
    let model::Leniency { default_on_error, default_on_null, skip_invalid_items } = field.leniency;
    for (set, words) in [
        (default_on_error, DEFAULT_ON_ERROR),
        (default_on_null, "`null` reads as the default"),
        (skip_invalid_items, "wrong items are skipped"),
    ] {
        if set {
            lenient.insert(words);
        }
    }
    Field {
        wire: field.wire.clone(),
        tag: None,
        ty: rust(field, Ty::read(schema)),
        presence: match field.presence {
            model::Presence::Required if takes_null(schema) => Presence::Nullable,
            model::Presence::Required => Presence::Required,
            model::Presence::Optional => Presence::Optional,
            model::Presence::ThreeState => Presence::ThreeState,
            model::Presence::Defaulted { .. } => Presence::Defaulted,
        },
        lenient,
        draft: is_marked(field.docs.as_deref()),
    }
}

/// The type with what only the overlay and the protocol's own keys say of it.
fn rust(field: &model::Field, ty: Ty) -> Ty {
    match ty {
        Ty::Map(_) if field.content == Content::Meta => Ty::Plain("Meta"),
        Ty::Plain("String") if field.path => Ty::Plain("PathBuf"),
        Ty::List(items) => Ty::List(Box::new(rust(field, *items))),
        other => other,
    }
}

fn takes_null(schema: &Value) -> bool {
    let null = |kind: &Value| kind == "null";
    let typed = schema.get("type").and_then(Value::as_array).is_some_and(|kinds| kinds.iter().any(null));
    let branches = schema.get("oneOf").and_then(Value::as_array);
    typed || branches.is_some_and(|list| list.iter().any(|branch| branch.get("type").is_some_and(null)))
}

fn word<T>(word: &model::Word<T>, wire: String, ty: Ty) -> Branch {
    Branch { wire: Wire::Constant(wire), rust: word.ident.clone(), ty, draft: is_marked(word.docs.as_deref()) }
}

fn variant(normalised: &Normalised, variant: &model::Variant, wire: Wire) -> Branch {
    let ty = match &variant.payload {
        Payload::Named(name) if normalised.inline.contains(name) => Ty::Fields(name.clone()),
        payload => payload_ty(payload),
    };
    Branch { wire, rust: variant.ident.clone(), ty, draft: is_marked(variant.docs.as_deref()) }
}

fn fallback(normalised: &Normalised, fallback: &Fallback) -> Branch {
    match fallback {
        Fallback::Shape(shape) => variant(normalised, shape, Wire::Shape),
        Fallback::Other(other) => Branch {
            wire: Wire::Unknown,
            rust: other.ident.clone(),
            ty: Ty::Nothing,
            draft: is_marked(other.docs.as_deref()),
        },
    }
}

fn shapes(fallbacks: &[Fallback]) -> impl Iterator<Item = &model::Variant> {
    fallbacks.iter().filter_map(|fallback| match fallback {
        Fallback::Shape(variant) => Some(variant),
        Fallback::Other(_) => None,
    })
}

fn payload_ty(payload: &Payload) -> Ty {
    match payload {
        Payload::Unit => Ty::Nothing,
        Payload::Named(name) => Ty::Named(name.clone()),
        Payload::Text => Ty::Plain("String"),
        Payload::Integer(kind) => Ty::Plain(kind.rust()),
        Payload::Float => Ty::Plain("f64"),
        Payload::Boolean => Ty::Plain("bool"),
        Payload::List(inner) => Ty::List(Box::new(payload_ty(inner))),
        Payload::Any => Ty::Any,
    }
}

/// Fields that stand in a variant have no type of their own in Rust; they are shown where an author finds them.
fn label_inline(normalised: &Normalised, model: &Model, types: &mut BTreeMap<String, Type>) {
    for definition in &model.definitions {
        let variants: Vec<&model::Variant> = match &definition.shape {
            Shape::Tagged(union) => union.variants.iter().chain(shapes(&union.fallbacks)).collect(),
            Shape::Untagged(union) => union.variants.iter().collect(),
            _ => continue,
        };
        for variant in variants {
            let Payload::Named(name) = &variant.payload else { continue };
            if let Some(ty) = types.get_mut(name).filter(|_| normalised.inline.contains(name)) {
                ty.label = format!("{}::{}", definition.name, variant.ident);
            }
        }
    }
}
