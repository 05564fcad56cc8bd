//! Fills a surface. The names in Rust come from the generated module, and the JSON comes from the model.
//!
//! The patterns for the model have no `..`. So if the model gets a new part, it is compared, too.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use super::api::{Api, Item};
use super::drafts::{self, is_marked};
use super::surface::{Branch, By, Choice, Field, Form, Key, Method, Presence, Surface, Type, Wire};
use super::ty::Ty;
use crate::builder::Builder;
use crate::error::Result;
use crate::model::{self, Definition, Envelope, Fallback, Flattened, Kind, Model, Shape, Side};

/// A rule of reading.
const DEFAULT_ON_ERROR: &str = "a wrong value reads as the default";

impl Surface {
    /// Reads the schema and the overlays of a builder, and generates code from them.
    ///
    /// # Errors
    ///
    /// The errors of [`Builder::generate`].
    pub fn read(builder: &Builder) -> Result<Self> {
        builder.inspect(Api::add, |api, model| {
            let reader = Reader { model, inline: inline(model), api: &api };
            let types: BTreeMap<String, Type> =
                model.definitions.iter().map(|d| (d.name.clone(), reader.ty(d))).collect();
            let methods = model.methods.iter().map(|m| method(&model.envelopes, m)).collect();
            let mut surface = Self { methods, errors: errors(&types), types, owners: owners(model), api };
            drafts::mark_what_only_drafts_use(&mut surface, &model.frames);
            surface
        })
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
    let carried = |member: &&model::Payload| {
        member.definition == method.params || method.response.as_deref() == Some(member.definition.as_str())
    };
    envelope.payloads.iter().filter(carried).map(|member| format!("{}::{}", envelope.name, member.variant))
}

/// For each item that is generated beside a type, the name of this type.
fn owners(model: &Model) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    for definition in &model.definitions {
        let Shape::Tagged(union) = &definition.shape else { continue };
        for fallback in &union.fallbacks {
            if let Fallback::Other(other) = fallback {
                out.insert(other.type_name(&definition.name), definition.name.clone());
            }
        }
    }
    for (constant, names) in [
        ("AGENT_METHOD_NAMES", "AgentMethodNames"),
        ("CLIENT_METHOD_NAMES", "ClientMethodNames"),
        ("PROTOCOL_LEVEL_METHOD_NAMES", "GeneralMethodNames"),
        ("PROXY_METHOD_NAMES", "ProxyMethodNames"),
    ] {
        out.insert(constant.to_owned(), names.to_owned());
    }
    out
}

fn errors(types: &BTreeMap<String, Type>) -> BTreeMap<String, Vec<String>> {
    let mut out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, ty) in types {
        let Form::Struct(fields) = &ty.form else { continue };
        if let Some(Field { ty: Ty::Named(code), .. }) = fields.iter().find(|field| field.rust == "code") {
            out.entry(code.clone()).or_default().push(name.clone());
        }
    }
    out
}

/// For each struct whose fields are inside a variant, the union and the variant.
fn inline(model: &Model) -> HashMap<&str, (&str, &str)> {
    let mut out = HashMap::new();
    for definition in &model.definitions {
        let Shape::Tagged(union) = &definition.shape else { continue };
        for variant in union.variants.iter().chain(union.shapes()) {
            if let Some(name) = variant.payload.name().filter(|_| model.inline(variant).is_some()) {
                out.insert(name, (definition.name.as_str(), variant.ident.as_str()));
            }
        }
    }
    out
}

struct Reader<'a> {
    model: &'a Model,
    inline: HashMap<&'a str, (&'a str, &'a str)>,
    api: &'a Api,
}

impl Reader<'_> {
    fn ty(&self, definition: &Definition) -> Type {
        let Definition { name, docs, draft, shape, conversions: _ } = definition;
        let item = self.api.items.get(name);
        let mut takes_null = false;
        let form = match shape {
            Shape::Struct(structure) => {
                let model::Struct { fields: _, flattened, null_is_default, inline: _, rest } = structure;
                // If a struct contains fields of another type, serde's derive reads it, and accepts no `null`.
                takes_null = *null_is_default && flattened.is_none() && rest.is_none();
                Form::Struct(self.fields(name, structure))
            }
            Shape::Text | Shape::Integer(_) | Shape::Numbers(_) | Shape::Raw(_) => {
                let fields = item.into_iter().flat_map(|item| item.field("0").or_else(|| item.field("params")));
                Form::Plain(fields.last().cloned().unwrap_or(Ty::Nothing))
            }
            Shape::Alias(_) => Form::Alias(whole(item)),
            Shape::Constant(constant) => {
                let (wire, by) = match constant {
                    model::Constant::Text(text) => (text.clone(), By::Words),
                    model::Constant::Integer(number) => (number.to_string(), By::Numbers(Ty::Other("i64".to_owned()))),
                };
                let only = branch(Wire::Constant(wire), name, None);
                Form::Choice(Choice { default: Some(name.clone()), ..choice(by, [only]) })
            }
            Shape::ClosedEnum(model::ClosedEnum { values, default, unknown_is_default }) => Form::Choice(Choice {
                default: default.clone(),
                unknown_is_default: *unknown_is_default,
                ..choice(By::Words, values.iter().map(constant))
            }),
            Shape::ClosedIntegers(model::ClosedIntegers { kind, values, default, unknown_is_default }) => {
                Form::Choice(Choice {
                    default: default.clone(),
                    unknown_is_default: *unknown_is_default,
                    ..choice(numbers(*kind), values.iter().map(constant))
                })
            }
            Shape::OpenWords(model::OpenWords { values, other }) => Form::Choice(Choice {
                other: Some(Box::new(value(other, Wire::Unknown))),
                ..choice(By::Words, values.iter().map(constant))
            }),
            Shape::OpenIntegers(model::OpenIntegers { kind, values, other }) => Form::Choice(Choice {
                other: Some(Box::new(shown(other, value(other, Wire::Unknown)))),
                ..choice(numbers(*kind), values.iter().map(|value| shown(value, constant(value))))
            }),
            Shape::Tagged(model::Tagged { tag, variants, fallbacks, strict }) => {
                let tagged = variants.iter().map(|v| self.variant(item, v, Wire::Constant(v.wire.clone())));
                let others = fallbacks.iter().map(|fallback| match fallback {
                    Fallback::Shape(shape) => self.variant(item, shape, Wire::Shape),
                    Fallback::Other(other) => unknown(other),
                });
                // If every branch has a tag, there is no other branch to try.
                let by = By::Tag { key: tag.clone(), strict: *strict && !fallbacks.is_empty() };
                Form::Choice(choice(by, tagged.chain(others)))
            }
            Shape::Untagged(union @ model::Untagged { variants }) => Form::Choice(Choice {
                best: self.model.overlap(union),
                ..choice(By::Shape, variants.iter().map(|v| self.variant(item, v, Wire::Shape)))
            }),
        };
        let place = self.inline.get(name.as_str());
        let label = place.map_or_else(|| name.clone(), |(union, variant)| format!("{union}::{variant}"));
        Type { label, form, takes_null, draft: *draft || is_marked(docs.as_deref()) }
    }

    fn fields(&self, name: &str, structure: &model::Struct) -> Vec<Field> {
        let model::Struct { fields, flattened, null_is_default: _, inline: _, rest } = structure;
        let mut out: Vec<Field> = fields.iter().map(|field| self.field(name, field)).collect();
        if let Some(Flattened { field, union, optional }) = flattened {
            let tag = match self.model.get(union).map(|union| &union.shape) {
                Some(Shape::Tagged(union)) => Some(union.tag.clone()),
                _ => None,
            };
            let held = self.rust(name, field);
            let (presence, ty) = match optional {
                true => (Presence::Optional, within(held, "Option")),
                false => (Presence::Required, held),
            };
            // If no branch accepts a value, it is read as `None`, because serde flattens an `Option`.
            let lenient = optional.then_some(DEFAULT_ON_ERROR).into_iter().collect();
            out.push(Field { lenient, ..self::field(Key::Union(tag), field, ty, presence) });
        }
        if rest.is_some() {
            out.push(self::field(Key::Rest, "extra", self.rust(name, "extra"), Presence::Defaulted));
        }
        out
    }

    fn field(&self, of: &str, field: &model::Field) -> Field {
        let model::Field {
            wire,
            ident,
            docs,
            presence,
            default,
            leniency,
            ty: schema_type,
            nullable: _,
            keeps_null: _,
            positive,
        } = field;
        let model::Leniency { default_on_error, default_on_null, skip_invalid_items } = *leniency;
        let rules = [
            (default_on_error, DEFAULT_ON_ERROR),
            // Any other rule also decides how `null` is read.
            (default_on_null && !default_on_error && !skip_invalid_items, "`null` reads as the default"),
            (skip_invalid_items, "wrong items are skipped"),
        ];
        let held = self.rust(of, ident);
        let (presence, ty) = match presence {
            model::Presence::Required => match held.inside("Option") {
                Some(inner) => (Presence::Nullable, inner.clone()),
                None => (Presence::Required, held),
            },
            model::Presence::Constant => (Presence::Required, held),
            model::Presence::Optional => (Presence::Optional, within(held, "Option")),
            model::Presence::ThreeState => (Presence::ThreeState, within(held, "MaybeUndefined")),
            model::Presence::Defaulted { written: _ } => (Presence::Defaulted, held),
        };
        Field {
            wire: wire.clone(),
            positive: *positive
                && schema_type.is_scalar()
                && presence == Presence::Optional
                && default_on_error
                && !skip_invalid_items,
            default: default.clone().filter(|default| presence != Presence::Defaulted || is_plain(default)),
            lenient: rules.into_iter().filter_map(|(set, words)| set.then_some(words)).collect(),
            always_written: field.presence == model::Presence::Defaulted { written: true },
            draft: is_marked(docs.as_deref()),
            ..self::field(Key::Own, ident, ty, presence)
        }
    }

    /// The Rust type of a field. The field may be in a struct or in a variant.
    fn rust(&self, of: &str, field: &str) -> Ty {
        let found = match self.inline.get(of) {
            Some((union, variant)) => self.api.items.get(*union).and_then(|item| item.field_of(variant, field)),
            None => self.api.items.get(of).and_then(|item| item.field(field)),
        };
        found.cloned().unwrap_or(Ty::Nothing)
    }

    fn variant(&self, item: Option<&Item>, variant: &model::Variant, by: Wire) -> Branch {
        let model::Variant { wire: _, ident, docs, payload } = variant;
        let ty = match payload {
            model::Type::Named(name) if self.inline.contains_key(name.as_str()) => Ty::Fields(name.clone()),
            _ => item.and_then(|item| item.field_of(ident, "0")).cloned().unwrap_or(Ty::Nothing),
        };
        Branch { ty, ..branch(by, ident, docs.as_deref()) }
    }
}

/// Whether the default is neither a list nor an object.
fn is_plain(default: &Value) -> bool {
    default.is_string() || default.is_number() || default.is_boolean()
}

fn whole(item: Option<&Item>) -> Ty {
    item.and_then(|item| item.ty(&super::api::Part::Whole)).cloned().unwrap_or(Ty::Nothing)
}

fn within(ty: Ty, name: &str) -> Ty {
    ty.inside(name).cloned().unwrap_or(ty)
}

/// A field with this name in Rust, without a rule of its own.
fn field(key: Key, name: &str, ty: Ty, presence: Presence) -> Field {
    Field {
        key,
        wire: name.to_owned(),
        rust: name.to_owned(),
        ty,
        presence,
        default: None,
        lenient: BTreeSet::new(),
        positive: false,
        always_written: false,
        draft: false,
    }
}

/// A choice without a default, and without a rule for unknown values.
fn choice(by: By, branches: impl IntoIterator<Item = Branch>) -> Choice {
    let branches = branches.into_iter().collect();
    Choice { branches, by, best: false, default: None, unknown_is_default: false, other: None }
}

fn numbers(kind: model::IntegerType) -> By {
    By::Numbers(Ty::Other(kind.rust().to_owned()))
}

/// A branch without content.
fn branch(wire: Wire, rust: &str, docs: Option<&str>) -> Branch {
    let (rust, draft) = (rust.to_owned(), is_marked(docs));
    Branch { wire, rust, ty: Ty::Nothing, shown: None, required: BTreeSet::new(), draft }
}

fn value<T>(value: &model::EnumValue<T>, wire: Wire) -> Branch {
    let model::EnumValue { wire: _, ident, docs, title: _ } = value;
    branch(wire, ident, docs.as_deref())
}

fn constant<T: ToString>(constant: &model::EnumValue<T>) -> Branch {
    value(constant, Wire::Constant(constant.wire.to_string()))
}

/// Adds the text for people. A number is shown with its name, because the number alone tells nothing.
fn shown<T>(value: &model::EnumValue<T>, branch: Branch) -> Branch {
    Branch { shown: Some(value.title.clone().unwrap_or_else(|| value.ident.clone())), ..branch }
}

fn unknown(other: &model::Other) -> Branch {
    let model::Other { ident, docs, tag_ident: _, tag_docs: _, required, also } = other;
    let mut needs: BTreeSet<String> = required.iter().map(|(key, payload)| format!("`{key}`, {payload:?}")).collect();
    needs.extend(also.as_ref().map(|also| format!("what `{also}` has")));
    Branch { required: needs, ..branch(Wire::Unknown, ident, docs.as_deref()) }
}
