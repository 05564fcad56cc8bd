//! `#[method("session/set_model")]`, `#[method(prefix = "_vendor/")]` and `#[fallback]`: methods that the schema does not
//! know.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Meta, MetaNameValue, Path};

use super::extended::{Attributed, Ext, Extended, Kind, is_unseen};
use crate::diagnostics::Sink;
use crate::handlers::{Unhandled, WhyUnhandled};
use crate::keys::{self, Flag, Given, Keys as _, Reading, keys};
use crate::methods::METHODS;

const FORMS: &str =
    "write `#[method(\"name\")]`, `#[method(\"name\", notification)]`, or `#[method(prefix = \"_vendor/\")]`";

keys! {
    /// In `#[method(..)]`.
    pub(crate) struct MethodKeys in "method", read(entry);
    /// | `prefix = "_vendor/"` | string | one method, whose name stands first in quotes | the function handles all methods that begin so and have no handler of their own; a longer prefix comes first |
    prefix: Given<LitStr> = entry.assigned("\"_vendor/\""),
    /// | `notification` | | requests | the function handles notifications, which are not answered |
    notification: Flag = entry.flag(),
    /// | `opens` | | the answer is the function's own | the request opens a session: the function answers what `new_session` does, and the client gets the session's id, options and modes |
    opens: Flag = entry.flag(),
    /// | `capability = "fork"` | string | none | `initialize` answers this capability: among those of sessions if the method's name begins with `session/`, and otherwise among those of the agent. The schema has no capability of this name, or `initialize` is answered with an error |
    capability: Given<LitStr> = entry.assigned("\"fork\""),
}

keys! {
    /// In `#[fallback(..)]`.
    pub(crate) struct FallbackKeys in "fallback", read(entry);
    /// | `notification` | | requests | the function handles the notifications that have no other handler |
    notification: Flag = entry.flag(),
}

fn kind(notification: Option<&Flag>) -> Kind {
    if notification.is_some() { Kind::Notification } else { Kind::Request }
}

pub(super) fn read(attribute: &Attribute, reading: Reading<'_>) -> Ext {
    let sink = reading.sink;
    let missing = || {
        sink.error(&attribute.meta, "`#[method]` needs the name of the method that this function handles").help(FORMS);
    };
    let Meta::List(list) = &attribute.meta else {
        missing();
        return Ext { method: None };
    };
    if let Some(named) = by_another_key(&list.tokens, reading) {
        return named;
    }
    if let Some(path) = syn::parse2::<Path>(list.tokens.clone()).ok().filter(|path| path.segments.len() > 1) {
        sink.error(&path, "`#[method]` takes a name in quotes")
            .help(format_args!("write `#[ext({})]` for a method of your own schema", crate::diagnostics::code(&path)));
        return Ext { method: None };
    }
    if let Some(constant) = syn::parse2::<Ident>(list.tokens.clone()).ok().filter(is_constant) {
        sink.error(&constant, "`#[method]` takes a name in quotes: the macro compares it with the names of the schema")
            .help("write the text of the constant");
        return Ext { method: None };
    }
    let before = sink.count();
    let (name, rest) = name_first(&list.tokens);
    let mut keys = MethodKeys::default();
    keys::read_arguments(rest, &MethodKeys::KNOWN, reading, |entry| keys.read(entry));
    let MethodKeys { prefix, notification, opens, capability, given: _ } = keys;
    let kind = match opens {
        Some(opens) => opener(&opens, prefix.is_some(), notification.is_some(), sink),
        None => kind(notification.as_ref()),
    };
    let capability = capability.and_then(|capability| word(capability, prefix.is_some(), sink));
    let method = match (name, prefix) {
        (Some(name), Some(prefix)) => {
            sink.error(&prefix.key, "`#[method]` takes a name or a prefix, not both")
                .help(format_args!("remove `{}`, or give it a function of its own", name.to_token_stream()));
            None
        }
        (Some(name), None) => Some(Extended::Named { kind, name, by: Attributed::Method, capability }),
        (None, Some(prefix)) => prefix.value.map(|prefix| Extended::Prefixed { kind, prefix }),
        (None, None) => {
            if sink.count() == before {
                missing();
            }
            None
        }
    };
    Ext { method }
}

/// The kind of a method with `opens`.
fn opener(opens: &Flag, is_prefix: bool, is_notification: bool, sink: &Sink) -> Kind {
    if is_prefix {
        sink.error(&opens.key, "one method opens a session, and a prefix stands for many")
            .help("write the method's name in quotes, and give it a function of its own");
    } else if is_notification {
        sink.error(&opens.key, "a notification is not answered, so the client would not learn of the session")
            .help("remove `notification`, or `opens`");
    } else {
        return Kind::Opener;
    }
    kind(is_notification.then_some(opens))
}

/// The word of a capability. It is the name of a member, as the schema's own capabilities are.
fn word(capability: Given<LitStr>, is_prefix: bool, sink: &Sink) -> Option<LitStr> {
    if is_prefix {
        sink.error(&capability.key, "a capability tells of one method, and a prefix stands for many")
            .help("write the method's name in quotes, and give it a function of its own");
        return None;
    }
    let word = capability.value?;
    let written = word.value();
    if written.is_empty() || !written.chars().all(|char| char.is_ascii_alphanumeric()) {
        sink.error(&word, "the name of a capability has letters and digits only").help("write it as `\"fork\"`");
        return None;
    }
    Some(word)
}

/// Whether the word is written as the name of a constant. A key is written in lower case.
fn is_constant(word: &Ident) -> bool {
    word.to_string().chars().all(|char| !char.is_lowercase())
}

/// The name at the beginning, and the keys behind it.
fn name_first(tokens: &TokenStream) -> (Option<LitStr>, TokenStream) {
    let mut rest = tokens.clone().into_iter();
    let name = rest.next().and_then(|first| syn::parse2(first.into()).ok());
    if name.is_none() {
        return (None, tokens.clone());
    }
    let mut behind = rest.clone();
    match behind.next() {
        Some(TokenTree::Punct(comma)) if comma.as_char() == ',' => (name, behind.collect()),
        _ => (name, rest.collect()),
    }
}

/// `notification = "name"`, `name = "name"` and similar keys, as in `#[ext(..)]`.
fn by_another_key(tokens: &TokenStream, reading: Reading<'_>) -> Option<Ext> {
    let MetaNameValue { path, value, .. } = syn::parse2(tokens.clone()).ok()?;
    let Expr::Lit(ExprLit { lit: Lit::Str(name), .. }) = value else { return None };
    let word =
        path.get_ident().filter(|word| ["notification", "request", "name", "method"].iter().any(|key| *word == key))?;
    reading.hints.list(MethodKeys::KNOWN.module).add(word);
    let written = name.to_token_stream();
    let (kind, form) = if word == "notification" {
        (Kind::Notification, format!("#[method({written}, notification)]"))
    } else {
        (Kind::Request, format!("#[method({written})]"))
    };
    reading
        .sink
        .error(word, "`#[method]` takes the name of a method without a key")
        .help(format_args!("write `{form}`"));
    Some(Ext { method: Some(Extended::Named { kind, name, by: Attributed::Method, capability: None }) })
}

pub(super) fn read_fallback(attribute: &Attribute, reading: Reading<'_>) -> Ext {
    let sink = reading.sink;
    let named = |at: &dyn ToTokens, example: &str| {
        sink.error(at.to_token_stream(), "`#[fallback]` takes no name: it handles what has no other handler")
            .help(format_args!("write `#[method({example})]` for names that you know"));
        Ext { method: None }
    };
    let mut keys = FallbackKeys::default();
    let before = sink.count();
    match &attribute.meta {
        Meta::Path(_) => {}
        Meta::List(list) => match name_first(&list.tokens) {
            (Some(name), _) => return named(&name, &format!("prefix = {}", name.to_token_stream())),
            (None, _) => {
                let tokens = list.tokens.clone();
                keys::read_arguments(tokens, &FallbackKeys::KNOWN, reading, |entry| keys.read(entry));
            }
        },
        Meta::NameValue(pair) => return named(pair, "\"name\""),
    }
    let kind = kind(keys.notification.as_ref());
    let method = (sink.count() == before).then(|| Extended::Fallback { kind, at: attribute.path().clone() });
    Ext { method }
}

/// The name, if no handler of the protocol has it.
pub(super) fn check(name: &LitStr, why_unhandled: WhyUnhandled, sink: &Sink) -> bool {
    let written = name.value();
    // A draft has no handler, so this is how it is handled.
    if let Some(method) = METHODS.iter().find(|method| method.wire == written && !method.draft) {
        match why_unhandled(method) {
            Some(Unhandled { why, clause: _, cure }) => sink.error(name, format_args!("`{written}` {why}")).help(cure),
            None => sink
                .error(name, format_args!("`{written}` is a method of the protocol"))
                .help(format_args!("its handler is a function named `{}`, without `#[method]`", method.handler)),
        };
        return false;
    }
    if written.is_empty() {
        sink.error(name, "a method needs a name").help(FORMS);
        return false;
    }
    if let Some((stem, _)) = written.split_once('*') {
        sink.error(name, "the name of a method is compared whole: `*` is no pattern")
            .help(format_args!("write `#[method(prefix = {stem:?})]` for all names that begin so"));
        return false;
    }
    check_unseen(name, "the name of a method", sink)
}

pub(super) fn check_prefix(prefix: &LitStr, sink: &Sink) -> bool {
    let written = prefix.value();
    if written.is_empty() {
        sink.error(prefix, "every name begins with an empty prefix")
            .help("write `#[fallback]` for what has no other handler");
        return false;
    }
    if let Some((stem, _)) = written.split_once('*') {
        sink.error(prefix, "a prefix is compared as it stands: `*` is no pattern")
            .help(format_args!("write `prefix = {stem:?}`"));
        return false;
    }
    check_unseen(prefix, "a prefix", sink)
}

fn check_unseen(name: &LitStr, what: &str, sink: &Sink) -> bool {
    let written = name.value();
    if !written.contains(is_unseen) {
        return true;
    }
    let seen: String = written.chars().filter(|&char| !is_unseen(char)).collect();
    sink.error(name, format_args!("{what} holds no blanks and no control characters"))
        .help(format_args!("write `{seen:?}`"));
    false
}
