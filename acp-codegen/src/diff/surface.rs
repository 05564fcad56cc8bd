//! What a schema gives an author, small enough to be compared: read from the model, and from the normalised schema
//! where the model leaves types to typify.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::drafts::{self, is_marked};
use super::ty::Ty;
use crate::error::Result;
use crate::model::{self, Definition, Fallback, Kind, Payload, Shape, Side};
use crate::normalise::{Envelope, Normalised};
use crate::{Builder, model::Model};

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
    /// The function that handles it, `new_session`.
    pub handler: String,
    /// Who receives it: `agent`, `client` or `both`.
    pub side: &'static str,
    /// `request` or `notification`.
    pub kind: &'static str,
    /// The type of its params.
    pub params: String,
    /// The type of its result; none for notifications.
    pub response: Option<String>,
    /// Whether it may still change at any time.
    pub draft: bool,
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
    /// A newtype, or another name for a type.
    Plain(Ty),
}

/// A field of a struct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The key in JSON; for a union that is flattened into the struct, the name in Rust.
    pub wire: String,
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
    /// It is an `Option`, or has three states.
    Optional,
    /// Its absence is the default of its type.
    Defaulted,
}

/// A value of an enum or a shape of a union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The constant or the tag; the title where there is neither.
    pub wire: String,
    /// The variant in Rust.
    pub rust: String,
    /// What it holds.
    pub ty: Ty,
    /// Whether it may still change at any time.
    pub draft: bool,
}

impl Surface {
    /// Reads the schema and the overlays of a builder.
    ///
    /// # Errors
    ///
    /// Those of [`Builder::generate`].
    pub fn read(builder: &Builder) -> Result<Self> {
        let (source, normalised, model) = builder.read()?;
        let mut types: BTreeMap<String, Type> =
            model.definitions.iter().map(|d| (d.name.clone(), ty(&normalised, d))).collect();
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
        draft: *draft || is_marked(docs.as_deref()) || drafts::is_marked_payload(envelopes, params),
    }
}

fn ty(normalised: &Normalised, definition: &Definition) -> Type {
    let Definition { name, docs, draft, shape } = definition;
    let schema = &normalised.definitions[name];
    let form = match shape {
        Shape::Struct(structure) => Form::Struct(fields(structure, schema)),
        Shape::Text => Form::Plain(Ty::Plain("String")),
        Shape::Integer(kind) => Form::Plain(Ty::Plain(kind.rust())),
        Shape::Raw(_) => Form::Plain(Ty::Any),
        Shape::Alias(payload) => Form::Plain(payload_ty(payload)),
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
            branches: union.variants.iter().chain(shapes(&union.fallbacks)).map(variant).collect(),
            open: union.fallbacks.iter().any(|fallback| matches!(fallback, Fallback::Other(_))),
            constants: false,
        },
        Shape::Untagged(union) => {
            Form::Choice { branches: union.variants.iter().map(variant).collect(), open: false, constants: false }
        }
    };
    Type { label: name.clone(), form, draft: *draft || is_marked(docs.as_deref()) }
}

fn fields(structure: &model::Struct, schema: &Value) -> Vec<Field> {
    let flattened = structure.flattened.iter().map(|flattened| Field {
        wire: flattened.field.clone(),
        ty: Ty::Named(flattened.union.clone()),
        presence: if flattened.optional { Presence::Optional } else { Presence::Required },
        lenient: BTreeSet::new(),
        draft: false,
    });
    structure.fields.iter().map(|f| field(f, &schema["properties"][&f.wire])).chain(flattened).collect()
}

fn field(field: &model::Field, schema: &Value) -> Field {
    let mut lenient = BTreeSet::new();
    let model::Leniency { default_on_error, default_on_null, skip_invalid_items } = field.leniency;
    for (set, words) in [
        (default_on_error, "a wrong value reads as the default"),
        (default_on_null, "`null` reads as the default"),
        (skip_invalid_items, "wrong items are skipped"),
    ] {
        if set {
            lenient.insert(words);
        }
    }
    Field {
        wire: field.wire.clone(),
        ty: Ty::read(schema),
        presence: match field.presence {
            model::Presence::Required if takes_null(schema) => Presence::Nullable,
            model::Presence::Required => Presence::Required,
            model::Presence::Optional | model::Presence::ThreeState => Presence::Optional,
            model::Presence::Defaulted { .. } => Presence::Defaulted,
        },
        lenient,
        draft: is_marked(field.docs.as_deref()),
    }
}

fn takes_null(schema: &Value) -> bool {
    let null = |kind: &Value| kind == "null";
    let typed = schema.get("type").and_then(Value::as_array).is_some_and(|kinds| kinds.iter().any(null));
    let branches = schema.get("oneOf").and_then(Value::as_array);
    typed || branches.is_some_and(|list| list.iter().any(|branch| branch.get("type").is_some_and(null)))
}

fn word<T>(word: &model::Word<T>, wire: String, ty: Ty) -> Branch {
    Branch { wire, rust: word.ident.clone(), ty, draft: is_marked(word.docs.as_deref()) }
}

fn variant(variant: &model::Variant) -> Branch {
    Branch {
        wire: variant.wire.clone(),
        rust: variant.ident.clone(),
        ty: payload_ty(&variant.payload),
        draft: is_marked(variant.docs.as_deref()),
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
