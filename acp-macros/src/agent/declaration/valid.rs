//! A declaration without mistakes. A missing or wrong part is reported and then replaced by another one. So the other
//! half of the agent reports no error that only follows from this mistake.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Generics, Ident, Path, Token, Type};

use super::identity::AgentInfo;
use super::parts::store::{self, Store};
use super::parts::{clients, turns};
use super::raw::{Declaration, Keys};
use crate::diagnostics::{Sink, code};
use crate::handlers::conditions::cfgs;
use crate::keys::{Given, Keyed};

/// The attribute of options. Only in the small form, fields of the agent are options.
pub(super) const OPTION: &str = "config_option";
/// The capabilities that need a `session/new` handler.
const OPENING: &[&str] = &["mcp_http", "mcp_sse", "additional_directories"];
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

impl Agent {
    pub(super) fn check(raw: &Declaration, sink: &Sink) -> Self {
        let Declaration { item, keys, has_keys_of_blocks: _ } = raw;
        let config = Config::check(item, keys.config.as_ref(), sink);
        let identity = AgentInfo::check(item, keys, sink);
        let of_store = store::Written {
            store: keys.store.as_ref(),
            version: keys.store_version.as_ref(),
            kept_for: keys.kept_for.as_ref(),
            kept_at_most: keys.kept_at_most.as_ref(),
            replayed_at_most: keys.replayed_at_most.as_ref(),
        };
        let store = store::check(item, &of_store, sink);
        let ty = |key: &Option<Given<Type>>| key.as_ref().and_then(|key| key.value.clone());
        Self {
            name: item.ident.clone(),
            generics: item.generics.clone(),
            runtime: crate::agent::runtime(keys.krate.as_ref().and_then(|krate| krate.value.as_ref())),
            config,
            session: ty(&keys.session),
            shared: ty(&keys.shared),
            store,
            means_store: of_store.means_store(),
            local: keys.local.is_some(),
            promises: if sink.failed() { Vec::new() } else { promises(keys, &identity) },
            identity,
        }
    }

    /// Whether the agent stays on one thread: then threads need not share it.
    pub(super) fn stays(&self) -> bool {
        self.local && !matches!(self.config, Config::Small)
    }

    /// Whether the agent has no errors, so that its other half can be checked.
    pub(super) fn is_sound(&self) -> bool {
        self.generics.params.is_empty() && !matches!(self.config, Config::Broken)
    }
}

impl Config {
    fn check(item: &DeriveInput, key: Option<&Given<Type>>, sink: &Sink) -> Self {
        let sound = check_item(item, sink);
        match key {
            Some(Keyed { value: Some(config), .. }) if sound && is_itself(config, &item.ident) => {
                sink.error(config, format_args!("`{}` is its own config if the struct names no other", item.ident))
                    .help(if derives_options(item).is_some() {
                        format!("remove `config = {}`, and `ConfigOptions` from the derive", code(config))
                    } else {
                        format!("remove `config = {}`", code(config))
                    });
                Self::Small
            }
            Some(Keyed { value: Some(config), .. }) => {
                if !is_error(config) {
                    check_fields(item, config, sink);
                }
                Self::Full(Box::new(config.clone()))
            }
            None if sound => {
                check_derives(item, sink);
                Self::Small
            }
            Some(Keyed { value: None, .. }) | None => Self::Broken,
        }
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

/// The declarations that need handlers. Of several that need the same handler, only the first is kept.
fn promises(keys: &Keys, identity: &AgentInfo) -> Vec<Promise> {
    let auth =
        keys.auth.iter().flat_map(|auth| &auth.value).find(|method| method.word == "agent").map(|method| &method.word);
    let gate = keys.needs_auth.as_ref().map(|gate| &gate.key);
    let on_demand = keys.on_demand.as_ref().map(|on_demand| &on_demand.key);
    let listing = keys.ext_listing.as_ref().map(|listing| &listing.key);
    let steer = keys.turns.as_ref().and_then(turns::steers);
    let many = keys.clients.as_ref().and_then(clients::are_many);
    let shared = keys.shared.as_ref().map(|shared| &shared.key);
    let store = keys.store.as_ref().map(|store| &store.key);
    let stated = keys.capabilities.iter().flat_map(|words| &words.value).flatten();
    let opening = stated.clone().find(|word| {
        OPENING.iter().any(|opening| **word == *opening) || identity.drafts.iter().any(|draft| **word == **draft)
    });
    let checks = [
        (auth, "authenticates"),
        (gate, "lets_in"),
        (on_demand, "resumes"),
        (steer, "steers"),
        (many, "has_history"),
        (listing, "lists_extensions"),
        (opening, "opens_sessions"),
        (shared, "shares"),
        (shared.filter(|_| store.is_some()), "shares_restored"),
        (store, "restores"),
    ];
    checks.into_iter().filter_map(|(at, check)| Some(Promise { at: at?.clone(), check })).collect()
}
