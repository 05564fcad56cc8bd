//! A declaration without mistakes. A missing or wrong part is reported and then replaced by another one. So the other
//! half of the agent reports no error that only follows from this mistake.

use heck::ToKebabCase;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Expr, ExprLit, Field, Generics, Ident, Lit, LitInt, LitStr, Path, Token, Type,
};

use super::auth::{self, TerminalWayKeys};
use super::raw::{CAPABILITIES, Declaration, Holder, Keys, LENIENT};
use crate::diagnostics::{Sink, code, listed};
use crate::handlers::conditions::cfgs;
use crate::keys::{Given, Keyed};
use crate::text;

/// The attribute of options. Only in the small form, fields of the agent are options.
pub(super) const OPTION: &str = "config_option";
/// The capabilities that need a `session/new` handler.
const OPENING: &[&str] = &["mcp_http", "mcp_sse", "additional_directories"];
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

/// The words of `lenient` that leave something out, each with the capabilities for all of it. If the agent states these, the word
/// has no effect.
const LEFT_OUT: &[(&str, &[&str], &str)] = &[
    ("mcp_servers", &["mcp_http", "mcp_sse"], "transports"),
    ("content", &["image", "audio", "embedded_context"], "blocks"),
];

/// The words of `turns`, each with the function of the runtime's `AgentInfo`.
const TURNS: &[(&str, Option<&str>)] =
    &[("refuse", None), ("queue", Some("turns_queue")), (STEER, Some("turns_steer"))];
/// The word that needs a handler of the same name.
const STEER: &str = "steer";

/// One agent.
pub(super) struct Agent {
    pub(super) name: Ident,
    pub(super) generics: Generics,
    /// The path of the runtime.
    pub(super) runtime: TokenStream,
    pub(super) config: Config,
    pub(super) session: Option<Type>,
    pub(super) shared: Option<Type>,
    pub(super) store: Option<Store>,
    /// Whether the author means a store, also where its keys have mistakes.
    pub(super) means_store: bool,
    /// Whether handlers' futures stay on one thread.
    pub(super) local: bool,
    /// The declarations that need a handler in the other half.
    pub(super) promises: Vec<Promise>,
    pub(super) identity: AgentInfo,
}

/// The store that keeps the sessions.
pub(super) struct Store {
    /// The field that holds it.
    pub(super) field: Ident,
    /// The version of the state that it keeps.
    pub(super) version: u32,
}

/// A declaration that needs a handler, and its place.
pub(super) struct Promise {
    pub(super) at: Ident,
    /// The runtime's function that checks whether there is such a handler.
    pub(super) check: &'static str,
}

/// The struct that carries the options.
pub(super) enum Config {
    /// The agent itself.
    Small,
    Full(Box<Type>),
    /// The agent itself, but with mistakes in its options. It then has no options.
    Broken,
}

pub(super) struct AgentInfo {
    pub(super) name: TokenStream,
    pub(super) title: Option<Expr>,
    pub(super) version: TokenStream,
    pub(super) capabilities: Vec<Ident>,
    pub(super) auth: Vec<Auth>,
    pub(super) needs_auth: bool,
    pub(super) lenient: Vec<Ident>,
    /// The function that states what becomes of prompts during a turn; `None` if they are refused.
    pub(super) turns: Option<&'static str>,
    pub(super) ext_listing: Option<Expr>,
}

pub(super) struct Auth {
    pub(super) id: LitStr,
    pub(super) name: LitStr,
    pub(super) description: Option<LitStr>,
    /// The arguments of the command for a terminal; `None` if the agent itself authenticates.
    pub(super) terminal: Option<Vec<LitStr>>,
}

impl Agent {
    pub(super) fn check(raw: &Declaration, sink: &Sink) -> Self {
        let Declaration { item, keys, has_keys_of_blocks: _ } = raw;
        let Keys {
            name,
            title,
            version,
            config,
            session,
            shared,
            store,
            store_version,
            auth,
            needs_auth,
            capabilities,
            lenient,
            turns,
            ext_listing,
            local,
            krate,
            given: _,
        } = keys;
        let sound = check_item(item, sink);
        let config = match config {
            Some(Keyed { value: Some(config), .. }) if sound && is_itself(config, &item.ident) => {
                sink.error(config, format_args!("`{}` is its own config if the struct names no other", item.ident))
                    .help(if derives_options(item).is_some() {
                        format!("remove `config = {}`, and `ConfigOptions` from the derive", code(config))
                    } else {
                        format!("remove `config = {}`", code(config))
                    });
                Config::Small
            }
            Some(Keyed { value: Some(config), .. }) => {
                if !is_error(config) {
                    check_fields(item, config, sink);
                }
                Config::Full(Box::new(config.clone()))
            }
            None if sound => {
                check_derives(item, sink);
                Config::Small
            }
            Some(Keyed { value: None, .. }) | None => Config::Broken,
        };
        let package = || quote!(::core::env!("CARGO_PKG_VERSION"));
        let default_name = || text::plain(&item.ident).to_kebab_case().to_token_stream();
        let name = check_text(name.as_ref(), sink).map_or_else(default_name, ToTokens::to_token_stream);
        let title = check_text(title.as_ref(), sink).cloned();
        let version = check_text(version.as_ref(), sink).map_or_else(package, ToTokens::to_token_stream);
        let capabilities = check_capabilities(capabilities.iter().flat_map(|words| &words.value).flatten(), sink);
        let identity = AgentInfo {
            name,
            title,
            version,
            auth: auth.as_ref().map_or_else(Vec::new, |auth| check_auth(auth, sink)),
            needs_auth: needs_auth.is_some(),
            lenient: lenient.as_ref().map_or_else(Vec::new, |lenient| check_lenient(lenient, &capabilities, sink)),
            capabilities,
            turns: turns.as_ref().and_then(|turns| check_turns(turns, sink)),
            ext_listing: check_text(ext_listing.as_ref(), sink).cloned(),
        };
        Self {
            name: item.ident.clone(),
            generics: item.generics.clone(),
            runtime: crate::agent::runtime(krate.as_ref().and_then(|krate| krate.value.as_ref())),
            config,
            session: session.as_ref().and_then(|session| session.value.clone()),
            shared: shared.as_ref().and_then(|shared| shared.value.clone()),
            store: check_store(item, store.as_ref(), store_version.as_ref(), sink),
            means_store: store.is_some() || store_version.is_some(),
            local: local.is_some(),
            promises: if sink.failed() { Vec::new() } else { promises(keys, &identity) },
            identity,
        }
    }

    /// Whether the agent has no errors, so that its other half can be checked.
    pub(super) fn is_sound(&self) -> bool {
        self.generics.params.is_empty() && !matches!(self.config, Config::Broken)
    }
}

/// Whether the type stands for one that could not be read.
pub(super) fn is_error(ty: &Type) -> bool {
    matches!(ty, Type::Verbatim(_))
}

fn check_item(item: &DeriveInput, sink: &Sink) -> bool {
    let keyword = match &item.data {
        Data::Struct(_) => None,
        Data::Enum(data) => Some(data.enum_token.to_token_stream()),
        Data::Union(data) => Some(data.union_token.to_token_stream()),
    };
    if let Some(keyword) = &keyword {
        sink.error(keyword, "an agent is a struct").note("all its sessions share one value of it");
    }
    let generic = !item.generics.params.is_empty();
    if generic {
        sink.error(&item.generics, "an agent cannot be generic")
            .note("the runtime serves one type, whose handlers it knows when it compiles");
    }
    keyword.is_none() && !generic
}

fn check_fields(item: &DeriveInput, config: &Type, sink: &Sink) {
    let Data::Struct(data) = &item.data else { return };
    let config = config.to_token_stream();
    for field in &data.fields {
        sink.under(&cfgs(&field.attrs), || {
            for attribute in options(&field.attrs) {
                sink.error(attribute, format_args!("the options of `{}` are the fields of `{config}`", item.ident))
                    .help(format_args!("move the field to `{config}`, or remove `config = {config}`"));
            }
        });
    }
}

fn check_derives(item: &DeriveInput, sink: &Sink) {
    if let Some(path) = derives_options(item) {
        sink.error(path, "`#[acp_agent]` reads the options of an agent's own fields")
            .help("remove `ConfigOptions` from the derive; fields without `#[config_option]` are no options");
    }
}

/// The derive of a struct of options, on the agent.
fn derives_options(item: &DeriveInput) -> Option<Path> {
    let derived = item.attrs.iter().filter_map(derived).flatten();
    derived.into_iter().find(is_options)
}

/// Whether the type is the agent.
fn is_itself(ty: &Type, agent: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(agent) || path.path.is_ident("Self"))
}

/// Finds the field of the store, and the version of the state.
fn check_store(
    item: &DeriveInput,
    store: Option<&Given<Holder>>,
    version: Option<&Given<LitInt>>,
    sink: &Sink,
) -> Option<Store> {
    let version = match (version, store) {
        (Some(Keyed { key, value: _ }), None) => {
            sink.error(key, "`store_version` is the version of what a store keeps, and there is no store")
                .help("write `store = field`, or remove `store_version`");
            return None;
        }
        (Some(Keyed { key: _, value: Some(written) }), Some(_)) => match written.base10_parse() {
            Ok(version) => version,
            Err(_) => {
                sink.error(written, "`store_version` is a number from 0 to 4294967295")
                    .help("write `store_version = 2`");
                1
            }
        },
        _ => 1,
    };
    let holder = store?.value.as_ref()?;
    let Data::Struct(data) = &item.data else { return None };
    let written = holder.to_token_stream().to_string();
    let is_of_type = |field: &&Field| field.ty.to_token_stream().into_iter().any(|token| token.to_string() == written);
    let of_type =
        data.fields.iter().find(|field| field.ty.to_token_stream().to_string() == written || is_of_type(field));
    let of_type = of_type.and_then(|field| field.ident.as_ref()).map(text::plain);
    let Holder::Field(name) = holder else {
        sink.error(holder, "`store` takes the name of the field that holds the store, not its type")
            .help(format_args!("write `store = {}`", of_type.as_deref().unwrap_or("store")));
        return None;
    };
    let fields: Vec<_> = data.fields.iter().filter_map(|field| field.ident.as_ref()).collect();
    if let Some(field) = fields.iter().find(|field| text::plain(field) == text::plain(name)) {
        let mut field = Ident::clone(field);
        field.set_span(name.span());
        return Some(Store { field, version });
    }
    let (agent, written) = (&item.ident, text::plain(name));
    let report = sink.error(name, format_args!("`{agent}` has no field `{written}` that could hold the store"));
    let names: Vec<_> = fields.iter().map(|field| text::plain(field)).collect();
    let report = match of_type {
        Some(field) => report.help(format_args!("write `store = {field}`, the name of the field of this type")),
        None => report.did_you_mean(&written, names.iter().map(String::as_str)),
    };
    report.note("the field is an `Arc<dyn SessionStore>`, or an `Arc` of a type that implements `acp_runtime::store::SessionStore`");
    None
}

/// The names in a `#[derive(..)]`.
pub(super) fn derived(attribute: &Attribute) -> Option<Vec<Path>> {
    let derives = attribute.path().is_ident("derive");
    let paths = derives.then(|| attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated))?;
    Some(paths.ok()?.into_iter().collect())
}

/// The derive of a struct of options, which an agent must not have.
pub(super) fn is_options(path: &Path) -> bool {
    path.segments.last().is_some_and(|last| last.ident == "ConfigOptions")
}

/// The attributes that make a field an option.
fn options(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident(OPTION))
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

fn check_capabilities<'a>(written: impl Iterator<Item = &'a Ident>, sink: &Sink) -> Vec<Ident> {
    let mut kept: Vec<Ident> = Vec::new();
    for word in written {
        let name = text::plain(word);
        if kept.contains(word) {
            sink.error(word, format_args!("the capability `{name}` is stated twice")).help("state it once");
        } else if CAPABILITIES.knows(&name) {
            kept.push(word.clone());
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

fn check_lenient(lenient: &Given<Vec<Ident>>, capabilities: &[Ident], sink: &Sink) -> Vec<Ident> {
    let Keyed { key, value: Some(written) } = lenient else { return Vec::new() };
    if written.is_empty() {
        sink.error(key, "`lenient(..)` lacks its words: without them, the agent is lenient about nothing").help(
            format_args!("write one or more of {}, as in `lenient({})`", listed(LENIENT.words), LENIENT.words[0]),
        );
    }
    let states = |all: &[&str]| all.iter().all(|word| capabilities.iter().any(|stated| stated == word));
    let mut kept: Vec<Ident> = Vec::new();
    for word in written {
        let name = text::plain(word);
        if kept.contains(word) {
            sink.error(word, format_args!("`{name}` stands here twice")).help("write it once");
        } else if let Some((_, all, what)) = LEFT_OUT.iter().find(|(lenient, all, _)| *lenient == name && states(all)) {
            sink.error(word, format_args!("`{name}` leaves nothing out: the agent states {}", listed(*all)))
                .help(format_args!("remove `{name}`, or the capabilities for {what} that the agent does not read"));
        } else if LENIENT.knows(&name) {
            kept.push(word.clone());
        } else {
            sink.error(word, format_args!("an agent cannot be lenient about `{name}`"))
                .did_you_mean(&name, LENIENT.words.iter().copied())
                .note(format_args!("the words are {}", listed(LENIENT.words)));
        }
    }
    kept
}

fn check_turns(turns: &Given<LitStr>, sink: &Sink) -> Option<&'static str> {
    // Behind a mistake, a handler `steer` is not reported, too.
    let unread = Some("turns_steer");
    let Some(written) = &turns.value else { return unread };
    let word = written.value();
    if let Some((_, function)) = TURNS.iter().find(|(known, _)| *known == word) {
        return *function;
    }
    let known: Vec<_> = TURNS.iter().map(|(known, _)| *known).collect();
    let listed: Vec<_> = known.iter().map(|known| format!("{known:?}")).collect();
    sink.error(written, format_args!("`turns` cannot be {word:?}")).did_you_mean(&word, known.iter().copied()).note(
        format_args!(
            "prompts during a turn are refused ({}), wait for their turn ({}), or go to the handler `steer` ({})",
            listed[0], listed[1], listed[2]
        ),
    );
    unread
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

/// The declarations that need handlers. Of several that need the same handler, only the first is kept.
fn promises(keys: &Keys, identity: &AgentInfo) -> Vec<Promise> {
    let auth =
        keys.auth.iter().flat_map(|auth| &auth.value).find(|method| method.word == "agent").map(|method| &method.word);
    let gate = keys.needs_auth.as_ref().map(|gate| &gate.key);
    let listing = keys.ext_listing.as_ref().map(|listing| &listing.key);
    let steer = keys.turns.as_ref().filter(|turns| turns.value.as_ref().is_some_and(|word| word.value() == STEER));
    let steer = steer.map(|turns| &turns.key);
    let shared = keys.shared.as_ref().map(|shared| &shared.key);
    let store = keys.store.as_ref().map(|store| &store.key);
    let opening = identity.capabilities.iter().find(|word| OPENING.iter().any(|opening| *word == opening));
    let checks = [
        (auth, "authenticates"),
        (gate, "lets_in"),
        (steer, "steers"),
        (listing, "lists_extensions"),
        (opening, "opens_sessions"),
        (shared, "shares"),
        (store, "restores"),
    ];
    checks.into_iter().filter_map(|(at, check)| Some(Promise { at: at?.clone(), check })).collect()
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
