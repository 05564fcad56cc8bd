//! `#[ext("_vendor/name")]`, `#[ext(notification = "_vendor/name")]` and `#[ext(methods::Name)]`: the short form for names
//! that the protocol leaves to vendors.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, MetaNameValue, Path};

use super::extended::{Attributed, Ext, Extended, Kind, is_unseen};
use crate::diagnostics::{Sink, nearest};
use crate::keys::{self, Given, Keys as _, Reading, keys};
use crate::methods::{METHODS, Side};

pub(super) const FORMS: &str = "write `#[ext(\"_vendor/name\")]`, `#[ext(notification = \"_vendor/name\")]`, or `#[ext(methods::Name)]` for a method of your schema";

keys! {
    /// In `#[ext(..)]`.
    pub(crate) struct ExtKeys in "ext", read(entry);
    /// | `notification = "_vendor/name"` | string | a request | the function handles an extension notification, which is not answered |
    notification: Given<LitStr> = entry.assigned("\"_vendor/name\""),
}

pub(super) fn read(attribute: &Attribute, reading: Reading<'_>) -> Ext {
    let Reading { sink, hints } = reading;
    let missing = || {
        sink.error(&attribute.meta, "`#[ext]` needs the name of the method that this function handles").help(FORMS);
        Ext { method: None }
    };
    let Meta::List(list) = &attribute.meta else { return missing() };
    if let Ok(name) = syn::parse2(list.tokens.clone()) {
        return Ext {
            method: Some(Extended::Named { kind: Kind::Request, name, by: Attributed::Ext, capability: None }),
        };
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
        Some(name) => Ext {
            method: Some(Extended::Named { kind: Kind::Notification, name, by: Attributed::Ext, capability: None }),
        },
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
    Some(Ext { method: Some(Extended::Named { kind: Kind::Request, name, by: Attributed::Ext, capability: None }) })
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

/// Refuses a type of a method, because it is easily mistaken for the method's marker.
pub(super) fn check_marker(path: &Path, sink: &Sink) -> bool {
    let Some(last) = path.segments.last() else { return true };
    let name = last.ident.to_string();
    let stem = ["Request", "Notification", "Response"].into_iter().find_map(|suffix| name.strip_suffix(suffix));
    let Some(stem) = stem.filter(|stem| !stem.is_empty()) else { return true };
    sink.error(path, format_args!("`{name}` is a type of the method, not the method"))
        .help(format_args!("write `#[ext(methods::{stem})]`, with the module `methods` of your generated types"));
    false
}

/// Whether the protocol allows vendors to use this name.
pub(super) fn check(name: &LitStr, side: Side, sink: &Sink) -> bool {
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
