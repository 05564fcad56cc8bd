//! The agent's identity without mistakes: its name, its capabilities and the rest of its answer to `initialize`.

use heck::ToKebabCase;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{DeriveInput, Expr, ExprLit, Ident, Lit, LitStr};

use super::auth::{self, TerminalWayKeys};
use super::parts::{clients, lenient, turns};
use super::raw::{CAPABILITIES, Keys};
use crate::diagnostics::{Sink, listed};
use crate::handlers::draft;
use crate::keys::{Given, Keyed};
use crate::text;

/// The capabilities that handlers imply, each with its handler.
const IMPLIED: &[(&str, &str)] = &[
    ("load_session", "load_session"),
    ("load", "load_session"),
    ("list", "list_sessions"),
    ("resume", "resume_session"),
    ("close", "close_session"),
    ("delete", "delete_session"),
    ("logout", "logout"),
];

pub(super) struct AgentInfo {
    pub(super) name: TokenStream,
    pub(super) title: Option<Expr>,
    pub(super) version: TokenStream,
    pub(super) capabilities: Vec<Ident>,
    /// Words of drafts.
    pub(super) drafts: Vec<String>,
    pub(super) auth: Vec<Auth>,
    /// The parts that the keys ask for, without that of a store.
    pub(super) parts: Vec<TokenStream>,
    pub(super) ext_listing: Option<Expr>,
}

pub(super) struct Auth {
    pub(super) id: LitStr,
    pub(super) name: LitStr,
    pub(super) description: Option<LitStr>,
    /// The arguments of the command for a terminal; `None` if the agent itself authenticates.
    pub(super) terminal: Option<Vec<LitStr>>,
}

impl AgentInfo {
    pub(super) fn check(item: &DeriveInput, keys: &Keys, sink: &Sink) -> Self {
        let text = |key: &Option<Given<Expr>>| check_text(key.as_ref(), sink).cloned();
        let default_name = || text::plain(&item.ident).to_kebab_case().to_token_stream();
        let package = || quote!(::core::env!("CARGO_PKG_VERSION"));
        let name = text(&keys.name).map_or_else(default_name, ToTokens::into_token_stream);
        let title = text(&keys.title);
        let version = text(&keys.version).map_or_else(package, ToTokens::into_token_stream);
        let stated = keys.capabilities.iter().flat_map(|words| &words.value).flatten();
        let (drafts, stable): (Vec<_>, Vec<_>) = stated.partition(|word| draft::is_word(word));
        let capabilities = check_capabilities(stable.into_iter(), sink);
        Self {
            name,
            title,
            version,
            auth: keys.auth.as_ref().map_or_else(Vec::new, |auth| check_auth(auth, sink)),
            parts: parts(keys, &capabilities, sink),
            capabilities,
            drafts: check_drafts(&drafts, sink),
            ext_listing: text(&keys.ext_listing),
        }
    }
}

/// The parts that the keys ask for. The part of a store needs the fields of the struct, too.
fn parts(keys: &Keys, capabilities: &[Ident], sink: &Sink) -> Vec<TokenStream> {
    let gate = keys.needs_auth.iter().map(|_| quote!(Gate));
    let lenient = keys.lenient.iter().flat_map(|words| lenient::parts(words, capabilities, sink));
    let turns = keys.turns.iter().filter_map(|turns| turns::part(turns, sink));
    let on_demand = keys.on_demand.iter().map(|_| quote!(OnDemand));
    let clients = keys.clients.iter().filter_map(|clients| clients::part(clients, sink));
    gate.chain(on_demand).chain(clients).chain(lenient).chain(turns).collect()
}

/// Refuses a literal that is blank. The compiler checks constants.
fn check_text<'a>(text: Option<&'a Given<Expr>>, sink: &Sink) -> Option<&'a Expr> {
    let Keyed { key, value } = text?;
    let value = value.as_ref()?;
    let Expr::Lit(ExprLit { lit, .. }) = value else { return Some(value) };
    match lit {
        Lit::Str(text) if text.value().trim().is_empty() => {
            sink.error(text, format_args!("`{key}` cannot be empty")).help(format_args!("leave `{key}` out instead"));
        }
        Lit::Str(_) => return Some(value),
        _ => {
            let text = lit.to_token_stream().to_string();
            sink.error(lit, format_args!("`{key}` is a text: put it in quotes"))
                .help(format_args!("write `{key} = {text:?}`"));
        }
    }
    None
}

/// The words of drafts, which need the feature.
fn check_drafts(written: &[&Ident], sink: &Sink) -> Vec<String> {
    let mut kept = Vec::new();
    for word in written {
        let name = text::plain(word);
        if kept.contains(&name) {
            sink.error(word, format_args!("the capability `{name}` is stated twice")).help("state it once");
        } else if !cfg!(feature = "unstable-agent") {
            sink.error(
                word,
                format_args!("`{name}` is a draft, which needs the feature `unstable` of `acp-agent-runtime`"),
            )
            .help(draft::FEATURE);
        } else {
            kept.push(name);
        }
    }
    kept
}

/// Reports the word of a draft that is gone.
#[cfg(feature = "unstable")]
fn is_withdrawn(word: &Ident, sink: &Sink) -> bool {
    let moved = draft::moved(&text::plain(word));
    moved.is_some_and(|moved| {
        sink.error(word, format_args!("`{}` was withdrawn in {}", moved.draft, moved.since))
            .help("remove the word; clients of that version do not know it");
        true
    })
}

#[cfg(not(feature = "unstable"))]
fn is_withdrawn(_: &Ident, _: &Sink) -> bool {
    false
}

fn check_capabilities<'a>(written: impl Iterator<Item = &'a Ident>, sink: &Sink) -> Vec<Ident> {
    let mut kept: Vec<Ident> = Vec::new();
    for word in written {
        let name = text::plain(word);
        if kept.contains(word) {
            sink.error(word, format_args!("the capability `{name}` is stated twice")).help("state it once");
        } else if CAPABILITIES.knows(&name) {
            kept.push(word.clone());
        } else if is_withdrawn(word, sink) {
        } else if let Some((_, handler)) = IMPLIED.iter().find(|(implied, _)| *implied == name) {
            sink.error(word, format_args!("the capability `{name}` follows from the handler `{handler}`"))
                .help(format_args!("leave it out here, and write `async fn {handler}` in the `impl` of the agent"))
                .note(format_args!("the ones to state are {}", listed(CAPABILITIES.words)));
        } else {
            sink.error(word, format_args!("no capability is called `{name}`"))
                .did_you_mean(&name, CAPABILITIES.words.iter().copied())
                .note(format_args!(
                    "the ones to state are {}; the others follow from the handlers",
                    listed(CAPABILITIES.words)
                ));
        }
    }
    kept
}

fn check_auth(auth: &Keyed<Vec<auth::Method>>, sink: &Sink) -> Vec<Auth> {
    let Keyed { key, value: written } = auth;
    let mut kept: Vec<Auth> = Vec::new();
    for method in written {
        let auth::Method { word, keys: TerminalWayKeys { id, name, description, args, given: _ } } = method;
        let terminal =
            (word == "terminal").then(|| args.as_ref().and_then(|args| args.value.clone()).unwrap_or_default());
        let id = check_required(word, "id", id.as_ref(), sink);
        let name = check_required(word, "name", name.as_ref(), sink);
        let (Some(id), Some(name)) = (id, name) else { continue };
        if kept.iter().any(|other| other.id.value() == id.value()) {
            sink.error(&id, format_args!("the id `{}` is used twice", id.value()))
                .note("a client names the way it takes by this id");
            continue;
        }
        let description = description.as_ref().and_then(|description| description.value.clone());
        kept.push(Auth { id, name, description, terminal });
    }
    if sink.failed() && kept.iter().all(|auth| auth.terminal.is_some()) {
        // If the declaration is wrong, the handler `authenticate` is still needed.
        let unread = LitStr::new("unread", key.span());
        kept.push(Auth { id: unread.clone(), name: unread, description: None, terminal: None });
    }
    kept
}

fn check_required(word: &Ident, key: &str, value: Option<&Given<LitStr>>, sink: &Sink) -> Option<LitStr> {
    let Some(Keyed { key: _, value }) = value else {
        sink.error(word, format_args!("`{word}(..)` lacks its `{key}`"))
            .help("write `id = \"..\", name = \"..\"`: the client sends the one and shows the other");
        return None;
    };
    let value = value.as_ref()?;
    if value.value().trim().is_empty() {
        sink.error(value, format_args!("`{key}` cannot be empty"))
            .help(format_args!("write `{key} = \"..\"`: the client sends the `id` and shows the `name`"));
        return None;
    }
    Some(value.clone())
}
