//! Finds the kind of a field's option, and the default that the kind needs.

use syn::{Expr, ExprLit, ExprPath, Ident, Lit, LitStr, Type, TypePath};

use crate::diagnostics::{Sink, listed};
use crate::keys::{Given, Keyed};
use crate::options::raw;
use crate::text::{converted, is_blank};

const KINDS: &[&str] = &["select", "boolean"];

/// The kind of an option, and its default.
pub(in crate::options) enum Kind {
    /// The type decides.
    Inferred(Option<Expr>),
    Boolean(Expr),
    Select(Option<Expr>),
    /// A string. If the list is empty, the values come from a function.
    Text {
        values: Option<Vec<Value>>,
        default: Expr,
    },
}

pub(in crate::options) struct Value {
    pub(in crate::options) id: LitStr,
    pub(in crate::options) label: LitStr,
}

/// The keys that decide the kind.
pub(super) struct RawKind {
    pub(super) kind: Option<Given<LitStr>>,
    pub(super) default: Option<Given<Expr>>,
    pub(super) values: Option<Given<raw::Values>>,
}

/// The kind. Also the function that returns the values, if there is one.
pub(super) struct Checked {
    pub(super) kind: Kind,
    pub(super) values: Option<ExprPath>,
}

impl From<Kind> for Checked {
    fn from(kind: Kind) -> Self {
        Self { kind, values: None }
    }
}

pub(super) fn check(name: &str, field: &Ident, ty: &Type, raw: RawKind, sink: &Sink) -> Option<Checked> {
    let RawKind { kind, default, values } = raw;
    // If a key could not be read, this was reported, and no further error follows from it.
    let kind = match kind {
        Some(kind) => Some(known_kind(&kind.value?, sink)?),
        None => None,
    };
    let default = match default {
        Some(default) => Some(default.value?),
        None => None,
    };
    let boolean = kind == Some("boolean");
    if let Some(Keyed { key, value }) = values {
        let value = value?;
        if is(ty, "Choice") {
            sink.error(&key, "a `Choice` has no `values`: it carries its own list")
                .help("start with `default = Choice::new([..])`, and change it by `config.model.offer([..])`");
            return None;
        }
        if boolean || is_bool(ty) {
            sink.error(&key, "a boolean has no `values`")
                .help("remove `values`, or make the field a `String` to select from them");
            return None;
        }
        return match value {
            raw::Values::Listed(values) => check_text(name, field, Keyed { key, value: values }, default, sink),
            raw::Values::By(path) => check_offered(name, field, ty, (kind, path), default, sink),
        };
    }
    if let Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) = &default {
        if boolean || is_bool(ty) {
            sink.error(
                text,
                format_args!("the default of the boolean `{name}` must be `true` or `false`, without quotes"),
            )
            .help(match text.value().as_str() {
                "true" => "write `default = true`",
                "false" => "write `default = false`",
                _ => "write `default = true` or `default = false`",
            });
        } else if is(ty, "Choice") {
            sink.error(text, format_args!("the default of the `Choice` `{name}` is the list that it starts with"))
                .help(format_args!("write `default = Choice::new([{:?}, ..])`", text.value()));
        } else {
            quoted_default(name, text, sink);
        }
        return None;
    }
    if is(ty, "String") && !boolean {
        sink.error(ty, format_args!("the option `{name}` has nothing to select from"))
            .help("list the values of a `String`: `values(\"a\" = \"A\", \"b\"), default = \"a\"`")
            .note("values known only at run time are a `Choice`, or come from a function: `values = path`");
        return None;
    }
    match (kind, default) {
        (_, None) if boolean || is_bool(ty) => {
            no_default(name, field, "default = false", sink);
            None
        }
        (Some("boolean"), Some(default)) => Some(Kind::Boolean(default).into()),
        (Some(_), default) => Some(Kind::Select(default).into()),
        (None, default) => Some(Kind::Inferred(default).into()),
    }
}

/// Checks `values = path`: for an enum, the function returns some of its variants; for a `String`, any values.
fn check_offered(
    name: &str,
    field: &Ident,
    ty: &Type,
    (kind, path): (Option<&str>, ExprPath),
    default: Option<Expr>,
    sink: &Sink,
) -> Option<Checked> {
    if is(ty, "String") && default.as_ref().is_some_and(|default| !check_converted(name, default, sink)) {
        return None;
    }
    let quoted = matches!(&default, Some(Expr::Lit(ExprLit { lit: Lit::Str(_), .. })));
    let kind = match (kind, default) {
        (_, Some(default)) if quoted || is(ty, "String") => Kind::Text { values: None, default },
        (_, None) if is(ty, "String") => {
            no_default(name, field, "default = \"..\"", sink);
            return None;
        }
        (Some(_), default) => Kind::Select(default),
        (None, default) => Kind::Inferred(default),
    };
    Some(Checked { kind, values: Some(path) })
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

/// Refuses a default in quotes. If it were left to rustc, rustc would propose to make it a `String`.
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
) -> Option<Checked> {
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
    if !check_text_default(name, &values, &default, sink) {
        return None;
    }
    let values =
        values.into_iter().map(|raw::Value { id, name }| Value { label: name.unwrap_or_else(|| id.clone()), id });
    Some(Kind::Text { values: Some(values.collect()), default }.into())
}

fn check_values(values: &[raw::Value], sink: &Sink) {
    for (position, value) in values.iter().enumerate() {
        let id = value.id.value();
        if let Some(name) = value.name.as_ref().filter(|name| is_blank(name)) {
            sink.error(name, "a value's name cannot be empty")
                .help(format_args!("write `{id:?}` alone to show the id"));
        }
        if is_blank(&value.id) {
            sink.error(&value.id, "a value's id cannot be empty").help("write what a client sends to select the value");
        } else if values[..position].iter().any(|earlier| earlier.id.value() == id) {
            sink.error(&value.id, format_args!("the value `{id}` is listed twice"))
                .note("a client sends the id to select the value");
        }
    }
}

/// Checks a default that is a literal, so that the error is at its own place. The compiler checks a constant. Returns
/// whether the compiler may check the default, too.
fn check_text_default(name: &str, values: &[raw::Value], default: &Expr, sink: &Sink) -> bool {
    if !check_converted(name, default, sink) {
        return false;
    }
    let Expr::Lit(ExprLit { lit, .. }) = default else { return true };
    let offered = listed(values.iter().map(|value| value.id.value()));
    let Lit::Str(text) = lit else {
        sink.error(lit, format_args!("the default of `{name}` must be the id of one of its values, in quotes"))
            .note(format_args!("it offers {offered}"));
        return false;
    };
    let written = text.value();
    let ids: Vec<_> = values.iter().map(|value| value.id.value()).collect();
    if !ids.contains(&written) {
        sink.error(text, format_args!("`{written}` is not one of the values of `{name}`"))
            .did_you_mean(&written, ids.iter().map(String::as_str))
            .note(format_args!("it offers {offered}"));
    }
    true
}

/// Refuses `"a".to_string()` and `String::from("a")`. If they were left to rustc, rustc would report them twice.
fn check_converted(name: &str, default: &Expr, sink: &Sink) -> bool {
    let Some(text) = converted(default) else { return true };
    sink.error(
        default,
        format_args!("the default of `{name}` is the id of one of its values, and made a `String` for you"),
    )
    .help(format_args!("write `default = {:?}`", text.value()));
    false
}

/// Whether the type has the name `bool`. If it is an alias of `bool`, the runtime's bounds give the same result.
pub(super) fn is_bool(ty: &Type) -> bool {
    is(ty, "bool")
}

fn is(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(TypePath { qself: None, path, .. }) if path.segments.last().is_some_and(|last| last.ident == name))
}

impl Kind {
    /// Whether the option is a boolean, as far as the names of types show.
    pub(super) fn is_boolean(&self, ty: &Type) -> bool {
        matches!(self, Self::Boolean(_)) || is_bool(ty)
    }
}
