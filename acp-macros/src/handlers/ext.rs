//! `#[ext("_vendor/name")]`, `#[ext(notification = "_vendor/name")]` and `#[ext(methods::Name)]`: the function handles
//! a method of the author's own. See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility).

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, MetaNameValue, Path, parse_quote};

use super::{method, raw};
use crate::diagnostics::{Sink, nearest};
use crate::keys::{self, Given, Keys as _, Reading, keys};
use crate::methods::{METHODS, Side};
use crate::text;

/// The attributes that make a function the handler of a method that the schema does not know.
const ATTRIBUTES: [&str; 3] = ["ext", "method", "fallback"];
const FORMS: &str = "write `#[ext(\"_vendor/name\")]`, `#[ext(notification = \"_vendor/name\")]`, or `#[ext(methods::Name)]` for a method of your schema";

keys! {
    /// In `#[ext(..)]`.
    pub(crate) struct ExtKeys in "ext", read(entry);
    /// | `notification = "_vendor/name"` | string | a request | the function handles an extension notification, which is not answered |
    notification: Given<LitStr> = entry.assigned("\"_vendor/name\""),
}

/// The attribute, as the author wrote it.
#[derive(Clone)]
pub(crate) struct Ext {
    /// `None` if the method could not be read. This was reported.
    pub(crate) method: Option<Extended>,
}

/// A method that the author has defined.
#[derive(Clone)]
pub(crate) enum Extended {
    /// The author wrote the method's name on the wire.
    Named { kind: Kind, name: LitStr, by: Attributed },
    /// The author wrote a type that was generated from a schema. The type has the name and all other facts.
    Marked(Path),
    /// All methods that begin so.
    Prefixed { kind: Kind, prefix: LitStr },
    /// All methods that have no other handler. The attribute's name is its place.
    Fallback { kind: Kind, at: Path },
}

/// The attribute that names a method.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Attributed {
    Ext,
    Method,
}

/// Whether the method is answered.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Request,
    Notification,
}

/// Removes our attribute from the list, and reads it.
pub(crate) fn take(attributes: &mut Vec<Attribute>, reading: Reading<'_>) -> Option<Ext> {
    let sink = reading.sink;
    let mut found = None;
    attributes.retain(|attribute| {
        if let Some(ext) = raw::inside_condition(&attribute.meta, |meta| ours(meta).is_some()) {
            let name = ours(&ext).unwrap_or_default();
            sink.error(
                &ext,
                format_args!("`#[{name}]` cannot depend on a condition: without it, the function handles nothing"),
            )
            .help(format_args!("write `#[cfg(..)]` and `#[{name}(..)]` as two attributes of the function"));
            found = Some(Ext { method: None });
            return false;
        }
        let Some(name) = ours(&attribute.meta) else { return true };
        if found.is_some() {
            sink.error(attribute, "a function is the handler of one method")
                .help("give the other method a function of its own");
        } else {
            found = Some(match name {
                "method" => method::read(attribute, reading),
                "fallback" => method::read_fallback(attribute, reading),
                _ => read(attribute, reading),
            });
        }
        false
    });
    found
}

/// The name of an attribute that is ours.
fn ours(meta: &Meta) -> Option<&'static str> {
    ATTRIBUTES.into_iter().find(|name| meta.path().is_ident(name))
}

/// The doc comment as a constant expression. The compiler settles the conditions of a function after this macro, so the
/// expression contains each condition.
pub(crate) fn description(attributes: &[Attribute]) -> TokenStream {
    let conditions = attributes.iter().enumerate().find_map(|(position, attribute)| {
        let (condition, metas) = raw::conditional(&attribute.meta)?;
        metas.iter().any(is_doc).then_some((position, condition, metas))
    });
    let Some((position, condition, metas)) = conditions else {
        return text::description(attributes).map_or_else(|| quote!(""), ToTokens::into_token_stream);
    };
    let (before, after) = (&attributes[..position], &attributes[position + 1..]);
    let metas: Vec<Attribute> = metas.iter().map(|meta| parse_quote!(#[#meta])).collect();
    let with = description(&[before, &metas, after].concat());
    let without = description(&[before, after].concat());
    quote!(if ::core::cfg!(#condition) { #with } else { #without })
}

fn is_doc(meta: &Meta) -> bool {
    let inner = raw::conditional(meta).is_some_and(|(_, metas)| metas.iter().any(is_doc));
    inner || meta.path().is_ident("doc")
}

fn read(attribute: &Attribute, reading: Reading<'_>) -> Ext {
    let Reading { sink, hints } = reading;
    let missing = || {
        sink.error(&attribute.meta, "`#[ext]` needs the name of the method that this function handles").help(FORMS);
        Ext { method: None }
    };
    let Meta::List(list) = &attribute.meta else { return missing() };
    if let Ok(name) = syn::parse2(list.tokens.clone()) {
        return Ext { method: Some(Extended::Named { kind: Kind::Request, name, by: Attributed::Ext }) };
    }
    if let Some(marker) = syn::parse2(list.tokens.clone()).ok().filter(is_marker) {
        return Ext { method: Some(Extended::Marked(marker)) };
    }
    if let Some(named) = by_another_key(&list.tokens, reading) {
        return named;
    }
    if !is_key(&list.tokens) {
        hints.list(ExtKeys::KNOWN.module);
        sink.error(&list.tokens, "`#[ext]` takes the name of one method, in quotes").help(FORMS);
        return Ext { method: None };
    }
    let mut keys = ExtKeys::default();
    let before = sink.count();
    keys::read_arguments(list.tokens.clone(), &ExtKeys::KNOWN, reading, |entry| keys.read(entry));
    match keys.notification.and_then(|notification| notification.value) {
        Some(name) => Ext { method: Some(Extended::Named { kind: Kind::Notification, name, by: Attributed::Ext }) },
        None if sink.count() == before => missing(),
        None => Ext { method: None },
    }
}

/// Reads a wrong key such as `request = "_vendor/name"`.
fn by_another_key(tokens: &TokenStream, reading: Reading<'_>) -> Option<Ext> {
    let MetaNameValue { path, value, .. } = syn::parse2(tokens.clone()).ok()?;
    let Expr::Lit(ExprLit { lit: Lit::Str(name), .. }) = value else { return None };
    let word =
        path.get_ident().filter(|word| nearest(&word.to_string(), ExtKeys::KNOWN.words.iter().copied()).is_none())?;
    reading.hints.list(ExtKeys::KNOWN.module).add(word);
    if word == "prefix" {
        reading
            .sink
            .error(word, "`#[ext]` takes the whole name of a method")
            .help(format_args!("write `#[method(prefix = {})]`", name.to_token_stream()));
        return Some(Ext { method: None });
    }
    reading
        .sink
        .error(word, "`#[ext]` takes the name of a request without a key")
        .help(format_args!("write `#[ext({})]`", name.to_token_stream()));
    Some(Ext { method: Some(Extended::Named { kind: Kind::Request, name, by: Attributed::Ext }) })
}

/// Whether the tokens are a key, a misspelt key, or empty.
fn is_key(tokens: &TokenStream) -> bool {
    match tokens.clone().into_iter().next() {
        None => true,
        Some(TokenTree::Ident(word)) => !word.to_string().starts_with('_'),
        Some(_) => false,
    }
}

/// Whether the path is a type. If a path begins in lower case, it is a key or a misspelt key.
fn is_marker(path: &Path) -> bool {
    let last = path.segments.last().map(|segment| segment.ident.to_string());
    last.is_some_and(|name| name.starts_with(char::is_uppercase))
}

impl ToTokens for Extended {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Named { name, .. } => name.to_tokens(tokens),
            Self::Marked(path) => path.to_tokens(tokens),
            Self::Prefixed { kind: _, prefix } => prefix.to_tokens(tokens),
            Self::Fallback { kind: _, at } => at.to_tokens(tokens),
        }
    }
}

impl Extended {
    /// Whether a handler can serve the method, as far as its name is known here.
    pub(crate) fn check(&self, side: Side, sink: &Sink) -> bool {
        match self {
            Self::Named { name, by: Attributed::Ext, .. } => check(name, side, sink),
            Self::Marked(path) => check_marker(path, sink),
            _ if side == Side::Client => {
                sink.error(self, "a client handles extension methods by their names only").help(FORMS);
                false
            }
            Self::Named { name, by: Attributed::Method, .. } => method::check(name, sink),
            Self::Prefixed { kind: _, prefix } => method::check_prefix(prefix, sink),
            Self::Fallback { .. } => true,
        }
    }

    /// The method's name in messages and, except for a marker, in the code. No name on the wire contains a `*`.
    pub(crate) fn wire(&self) -> String {
        match self {
            Self::Named { name, .. } => name.value(),
            Self::Marked(path) => path.to_token_stream().to_string().replace(' ', ""),
            Self::Prefixed { kind: Kind::Request, prefix } => format!("{}*", prefix.value()),
            Self::Prefixed { kind: Kind::Notification, prefix } => format!("{}* (notification)", prefix.value()),
            Self::Fallback { kind: Kind::Request, .. } => "*".to_owned(),
            Self::Fallback { kind: Kind::Notification, .. } => "* (notification)".to_owned(),
        }
    }

    /// Whether it is answered; of a marker, only the compiler knows.
    pub(crate) fn kind(&self) -> Option<Kind> {
        match self {
            Self::Named { kind, .. } | Self::Prefixed { kind, .. } | Self::Fallback { kind, .. } => Some(*kind),
            Self::Marked(_) => None,
        }
    }

    /// What has two handlers, when it has.
    pub(crate) fn doubled(&self) -> String {
        let kind = match self.kind() {
            Some(Kind::Notification) => "notifications",
            Some(Kind::Request) | None => "requests",
        };
        match self {
            Self::Named { .. } | Self::Marked(_) => format!("`{}` has two handlers", self.wire()),
            Self::Prefixed { kind: _, prefix } => {
                format!("{kind} with the prefix `{}` have two handlers", prefix.value())
            }
            Self::Fallback { .. } => format!("{kind} have two fallbacks"),
        }
    }
}

/// Refuses a type of a method, because it is easily mistaken for the method's marker.
fn check_marker(path: &Path, sink: &Sink) -> bool {
    let Some(last) = path.segments.last() else { return true };
    let name = last.ident.to_string();
    let stem = ["Request", "Notification", "Response"].into_iter().find_map(|suffix| name.strip_suffix(suffix));
    let Some(stem) = stem.filter(|stem| !stem.is_empty()) else { return true };
    sink.error(path, format_args!("`{name}` is a type of the method, not the method"))
        .help(format_args!("write `#[ext(methods::{stem})]`, with the module `methods` of your generated types"));
    false
}

/// Whether the character is invisible. In a name, such a character is a mistake.
pub(super) fn is_unseen(char: char) -> bool {
    char.is_whitespace() || char.is_control()
}

/// Whether the protocol allows vendors to use this name.
fn check(name: &LitStr, side: Side, sink: &Sink) -> bool {
    let written = name.value();
    if let Some(method) = METHODS.iter().find(|method| method.wire == written) {
        let report = sink.error(name, format_args!("`{written}` is a method of the protocol, not an extension"));
        if method.side == side || side == Side::Agent {
            report.help(format_args!("its handler is a function named `{}`, without `#[ext]`", method.handler));
        } else {
            report.help("leave the handler out: a client calls this method, and no agent does");
        }
    } else if written.trim_start_matches('_').is_empty() {
        sink.error(name, "an extension method needs a name").help(FORMS);
    } else if written.contains('*') {
        let report = sink.error(name, "the name of an extension method is compared whole: `*` is no pattern");
        let report = report.help("give each method a function of its own, with its name in `#[ext(..)]`");
        if let (Side::Agent, Some((stem, _))) = (side, written.split_once('*')) {
            report.help(format_args!("or handle all in one function, with `#[method(prefix = {stem:?})]`"));
        }
    } else if let Some(unseen) = written.chars().find(|&char| is_unseen(char)) {
        let what = if unseen.is_control() { "control characters" } else { "blanks" };
        let seen: String = written.chars().filter(|&char| !is_unseen(char)).collect();
        sink.error(name, format_args!("the name of an extension method holds no {what}"))
            .help(format_args!("write `\"_{}\"`", seen.trim_start_matches('_')))
            .note("it is compared whole, `_` first: a client would have to send the same; `_vendor/name` is the usual form");
    } else if !written.starts_with('_') {
        let report = sink
            .error(name, "the name of an extension method begins with `_`")
            .help(format_args!("write `\"_{written}\"`"))
            .note("the protocol keeps all other names for itself");
        if side == Side::Agent {
            report
                .note(format_args!("a method that is named so all the same is handled with `#[method({written:?})]`"));
        }
    } else {
        return true;
    }
    false
}
