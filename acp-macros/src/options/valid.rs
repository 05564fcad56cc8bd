//! The struct as a declaration that cannot be wrong in itself: ids unique, kinds and categories known, values and
//! defaults there. What the macro cannot see (the types behind the names) is left to bounds of the runtime. Fields with
//! errors are kept by name and type, and the others are expanded beside them, so that a build shows the errors of both.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Member, Type, TypePath, Visibility};

use super::{Form, raw};
use crate::diagnostics::{Sink, listed};
use crate::keys::Keyed;
use crate::text;

/// The categories that the protocol reserves; a test holds them against the schema.
pub(super) const CATEGORIES: &[&str] = &["mode", "model", "model_config", "thought_level"];
const KINDS: &[&str] = &["select", "boolean"];

#[derive(Debug)]
pub(super) struct Struct {
    pub(super) form: Form,
    pub(super) name: Ident,
    pub(super) vis: Visibility,
    pub(super) krate: TokenStream,
    pub(super) fields: Vec<Field>,
    /// Whether all of it stands; the build fails otherwise.
    pub(super) sound: bool,
}

#[derive(Debug)]
pub(super) enum Field {
    Option(Box<Declaration>),
    /// State of an agent that is its own config.
    Plain {
        member: Member,
        ty: Type,
    },
    /// An option whose errors are reported.
    Broken {
        field: Ident,
        ty: Type,
    },
}

#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) field: Ident,
    pub(super) ty: Type,
    pub(super) id: LitStr,
    pub(super) label: String,
    pub(super) description: Option<String>,
    pub(super) category: Option<String>,
    pub(super) kind: Kind,
}

/// The kind, and the default that it needs.
#[derive(Debug)]
pub(super) enum Kind {
    /// Follows from the type.
    Inferred(Option<Expr>),
    Boolean(Expr),
    Select(Option<Expr>),
    Text {
        values: Vec<Value>,
        default: Expr,
    },
}

#[derive(Debug)]
pub(super) struct Value {
    pub(super) id: LitStr,
    pub(super) label: LitStr,
}

impl Struct {
    /// `None` for a generic struct: its impls would need bounds that the author never wrote.
    pub(super) fn check(raw: raw::Struct, sink: &Sink) -> Option<Self> {
        let raw::Struct { form, name, vis, generics, krate, shape } = raw;
        if !generics.params.is_empty() {
            sink.error(&generics, "a struct with config options cannot be generic")
                .note("its options are one table, the same for every session");
            return None;
        }
        let fields = fields_of(shape, form, &name, sink);
        let fields: Vec<_> = fields.into_iter().filter_map(|field| check_field(field, form, sink)).collect();
        check_ids(&fields, sink);
        Some(Self { form, name, vis, krate, fields, sound: !sink.failed() })
    }
}

fn fields_of(shape: raw::Shape, form: Form, name: &Ident, sink: &Sink) -> Vec<raw::Field> {
    match (shape, form) {
        (raw::Shape::Named(fields), _) => return fields,
        (raw::Shape::Tuple(fields), Form::Agent) => {
            for field in fields.iter().filter(|field| field.marked) {
                sink.error(&field.ty, "an option needs a field with a name: it is the option's id")
                    .help(format_args!("write `struct {name} {{ brave: bool, .. }}`"));
            }
            return fields;
        }
        (raw::Shape::Unit, Form::Agent) => {}
        (raw::Shape::Other(keyword), _) => not_named(sink, keyword, name),
        (raw::Shape::Tuple(_) | raw::Shape::Unit, Form::Config) => not_named(sink, name.to_token_stream(), name),
    }
    Vec::new()
}

fn not_named(sink: &Sink, at: TokenStream, name: &Ident) {
    sink.error(at, "`ConfigOptions` needs a struct with named fields, one for each option")
        .help(format_args!("write `struct {name} {{ .. }}`"))
        .note("the values of one select are an enum with `#[derive(SelectValue)]`");
}

/// `None` for what has no name to be an option by.
fn check_field(raw: raw::Field, form: Form, sink: &Sink) -> Option<Field> {
    let raw::Field { member, ty, description, marked, keys } = raw;
    if form == Form::Agent && !marked {
        return Some(Field::Plain { member, ty });
    }
    let Member::Named(field) = member else { return None };
    let raw::Keys { kind, id, name, category, default, values } = keys;
    let plain = text::plain(&field);
    let kind = check_kind(&plain, &field, &ty, RawKind { kind, default, values }, sink);
    let id = check_id(id, &plain, &field, sink);
    let category = category.map(|category| check_category(&category, sink));
    let label = name.map_or_else(|| text::title_case(&plain), |name| name.value.value());
    Some(match kind {
        Some(kind) => Field::Option(Box::new(Declaration { field, ty, id, label, description, category, kind })),
        None => Field::Broken { field, ty },
    })
}

struct RawKind {
    kind: Option<Keyed<LitStr>>,
    default: Option<Keyed<Expr>>,
    values: Option<Keyed<syn::Result<Vec<raw::Value>>>>,
}

fn check_kind(name: &str, field: &Ident, ty: &Type, raw: RawKind, sink: &Sink) -> Option<Kind> {
    let RawKind { kind, default, values } = raw;
    let default = default.map(|default| default.value);
    let kind = match kind {
        Some(kind) => Some(known_kind(&kind.value, sink)?),
        None => None,
    };
    let boolean = kind == Some("boolean");
    if let Some(values) = values {
        if boolean || is_bool(ty) {
            sink.error(&values.key, "a boolean has no `values`")
                .help("remove `values(..)`, or make the field a `String` to select from them");
            return None;
        }
        let Keyed { key, value } = values;
        let values = Keyed { key, value: sink.take(value)? };
        return check_text(name, field, values, default, sink);
    }
    if let Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) = &default {
        quoted_default(name, text, sink);
        return None;
    }
    match (kind, default) {
        (_, None) if boolean || is_bool(ty) => {
            no_default(name, field, "default = false", sink);
            None
        }
        (Some("boolean"), Some(default)) => Some(Kind::Boolean(default)),
        (Some(_), default) => Some(Kind::Select(default)),
        (None, default) => Some(Kind::Inferred(default)),
    }
}

fn known_kind(kind: &LitStr, sink: &Sink) -> Option<&'static str> {
    let written = kind.value();
    let known = KINDS.iter().copied().find(|known| *known == written);
    if known.is_none() {
        sink.error(kind, format_args!("no kind of option is called `{written}`"))
            .did_you_mean(&written, KINDS.iter().copied())
            .note(format_args!("the kinds are {}; left out, the kind follows from the field's type", listed(KINDS)));
    }
    known
}

fn no_default(name: &str, field: &Ident, example: &str, sink: &Sink) {
    sink.error(field, format_args!("the option `{name}` has no default"))
        .help(format_args!("add `{example}` to its `#[config_option(..)]`"))
        .note("the protocol requires one of every option, since a client may never set it");
}

/// rustc would propose to make a `String` of it.
fn quoted_default(name: &str, text: &LitStr, sink: &Sink) {
    sink.error(text, format_args!("the option `{name}` has a default in quotes and no values"))
        .help(format_args!("list the values of a `String`: `values({:?}, ..)`", text.value()))
        .help("the default of an enum is a variant: `default = Model::Fast`");
}

fn check_text(
    name: &str,
    field: &Ident,
    values: Keyed<Vec<raw::Value>>,
    default: Option<Expr>,
    sink: &Sink,
) -> Option<Kind> {
    let Keyed { key, value: values } = values;
    let Some(first) = values.first() else {
        sink.error(&key, format_args!("the option `{name}` has nothing to select from"))
            .help("list its values: `values(\"a\" = \"A\", \"b\")`");
        return None;
    };
    check_values(&values, sink);
    let Some(default) = default else {
        no_default(name, field, &format!("default = {:?}", first.id.value()), sink);
        return None;
    };
    check_text_default(name, &values, &default, sink);
    let values =
        values.into_iter().map(|raw::Value { id, name }| Value { label: name.unwrap_or_else(|| id.clone()), id });
    Some(Kind::Text { values: values.collect(), default })
}

fn check_values(values: &[raw::Value], sink: &Sink) {
    for (position, value) in values.iter().enumerate() {
        let id = value.id.value();
        if id.is_empty() {
            sink.error(&value.id, "a value's id cannot be empty");
        } else if values[..position].iter().any(|earlier| earlier.id.value() == id) {
            sink.error(&value.id, format_args!("the value `{id}` is listed twice"))
                .note("a client sends the id to select the value");
        }
    }
}

/// A literal is judged here, at its own place; a constant in a const evaluation.
fn check_text_default(name: &str, values: &[raw::Value], default: &Expr, sink: &Sink) {
    let Expr::Lit(ExprLit { lit, .. }) = default else { return };
    let offered = listed(values.iter().map(|value| value.id.value()));
    let Lit::Str(text) = lit else {
        sink.error(lit, format_args!("the default of `{name}` must be the id of one of its values, in quotes"))
            .note(format_args!("it offers {offered}"));
        return;
    };
    let written = text.value();
    let ids: Vec<_> = values.iter().map(|value| value.id.value()).collect();
    if !ids.contains(&written) {
        sink.error(text, format_args!("`{written}` is not one of the values of `{name}`"))
            .did_you_mean(&written, ids.iter().map(String::as_str))
            .note(format_args!("it offers {offered}"));
    }
}

fn check_id(id: Option<Keyed<LitStr>>, name: &str, field: &Ident, sink: &Sink) -> LitStr {
    let Some(Keyed { key: _, value: id }) = id else { return LitStr::new(name, field.span()) };
    if id.value().is_empty() {
        sink.error(&id, "an option's id cannot be empty").help(format_args!("left out, the id is `{name}`"));
    }
    id
}

fn check_category(category: &Keyed<LitStr>, sink: &Sink) -> String {
    let written = category.value.value();
    let at = &category.value;
    if written.is_empty() {
        sink.error(at, "a category cannot be empty").help("leave `category` out for an option without one");
    } else if !written.starts_with('_') && !CATEGORIES.contains(&written.as_str()) {
        sink.error(at, format_args!("the protocol knows no category `{written}`"))
            .did_you_mean(&written, CATEGORIES.iter().copied())
            .note(format_args!("it knows {}; one of your own begins with `_`: `_{written}`", listed(CATEGORIES)));
    }
    written
}

fn check_ids(fields: &[Field], sink: &Sink) {
    let mut earlier: Vec<&Declaration> = Vec::new();
    for option in fields.iter().filter_map(Field::as_option) {
        let id = option.id.value();
        if let Some(first) = earlier.iter().find(|first| first.id.value() == id) {
            sink.error(&option.id, format_args!("the option id `{id}` is used twice"))
                .note(format_args!("the field `{}` has it already", text::plain(&first.field)))
                .help("give one of them another: `id = \"..\"`");
        }
        earlier.push(option);
    }
}

/// The type `bool` by that name; behind an alias, the runtime's bounds say the same.
fn is_bool(ty: &Type) -> bool {
    matches!(ty, Type::Path(TypePath { qself: None, path, .. }) if path.is_ident("bool"))
}

impl Field {
    pub(super) fn as_option(&self) -> Option<&Declaration> {
        match self {
            Self::Option(option) => Some(option),
            Self::Plain { .. } | Self::Broken { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_categories_are_those_of_the_schema() {
        let schema: serde_json::Value = serde_json::from_str(include_str!("../../../schema/v1/schema.json")).unwrap();
        let alternatives = schema["$defs"]["SessionConfigOptionCategory"]["anyOf"].as_array().unwrap();
        let reserved: Vec<_> = alternatives.iter().filter_map(|one| one["const"].as_str()).collect();
        assert_eq!(reserved, CATEGORIES);
    }
}
