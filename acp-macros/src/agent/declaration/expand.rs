//! Expands the struct as the author wrote it, and `impl AgentDeclaration` for it.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::punctuated::Iter;
use syn::{Attribute, Data, DeriveInput, Field, Type, parse_quote};

use super::identity::{AgentInfo, Auth};
use super::parts::store::{self, Store};
use super::raw::Declaration;
use super::valid::{Agent, Config, OPTION, Promise, derived, is_error, is_options};
use crate::diagnostics::{place, respan};
use crate::handlers::conditions::cfgs;
use crate::{options, threads};

/// The struct. In the small form, a hidden derive reads the options, because the `cfg`s on fields are settled when a
/// derive runs. In the other form, a `config_option` attribute on a field is a mistake that was reported. It is
/// removed, because the compiler does not know it, and with it the derive that would miss it.
pub(super) fn item(raw: &Declaration, agent: &Agent) -> TokenStream {
    let Declaration { item, keys: _, has_keys_of_blocks: _ } = raw;
    let runtime = &agent.runtime;
    match agent.config {
        Config::Small => {
            let item = without_derive(item.clone());
            quote!(#[derive(#runtime::__private::AgentOptions)] #[acp_crate(#runtime)] #item)
        }
        Config::Full(_) | Config::Broken => without_options(item.clone()).into_token_stream(),
    }
}

fn without_options(mut item: DeriveInput) -> DeriveInput {
    let mut any = false;
    if let Data::Struct(data) = &mut item.data {
        for field in &mut data.fields {
            let written = field.attrs.len();
            field.attrs.retain(|attribute| !attribute.path().is_ident(OPTION));
            any |= field.attrs.len() < written;
        }
    }
    if any { without_derive(item) } else { item }
}

/// The item without the derive of options. That derive was reported as a mistake, and would write the same impl as
/// ours.
fn without_derive(mut item: DeriveInput) -> DeriveInput {
    for attribute in &mut item.attrs {
        let Some(mut paths) = derived(attribute) else { continue };
        paths.retain(|path| !is_options(path));
        *attribute = parse_quote!(#[derive(#(#paths),*)]);
    }
    item
}

pub(super) fn expand(agent: &Agent, raw: &Declaration) -> TokenStream {
    let Declaration { item, keys: _, has_keys_of_blocks } = raw;
    let Agent { name, generics, runtime, local, identity, .. } = agent;
    let (of, on, _) = generics.split_for_impl();
    let Bounds { facts, bounds, sound } = bounds(agent, item);
    let config = config_of(agent);
    let session = session_of(agent);
    let shared = shared_of(agent);
    let meant = store::meant(agent.means_store, agent.store.as_ref());
    let store = agent.store.as_ref().map(Store::expand).map(|store| {
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #of __acp::HasStore for #name #on #bounds { #store }
        }
    });
    let threading = if *local { format_ident!("Local") } else { format_ident!("Threaded") };
    let parts = parts_of(agent);
    let identity = identity_of(identity);
    let own = matches!(agent.config, Config::Small | Config::Broken).then(own_config);
    let keep = agent.stays().then(keep_local);
    // The other half finds this constant first. Without it, the other half finds the constant of a trait that every
    // type has.
    let own_threading = local.then(|| {
        quote! {
            impl #of #name #on {
                #[doc(hidden)]
                pub(crate) const ACP_THREADING: __acp::Local = __acp::Local;
            }
        }
    });
    let no_options = no_options(agent, item);
    // `parts` was meant for the main block, so the parts are named.
    let names_parts = (*has_keys_of_blocks && generics.params.is_empty())
        .then(|| quote!(impl __acp::NamesPartsOnItsStruct for #name {}));
    let checked = checked(agent);
    quote! {
        const _: () = {
            use #runtime::__private as __acp;
            use __acp::Otherwise as _;
            #facts
            #[automatically_derived]
            #[allow(deprecated)]
            impl #of __acp::AgentDeclaration for #name #on #bounds {
                #config
                #session
                #shared
                #meant
                type Threads = __acp::#threading;
                type DeclaredParts = __acp::OfAllVersions<#parts>;
                type Sound = #sound;
                const IDENTITY: __acp::AgentInfo = #identity;
                #own
                #keep
            }
            #store
            #own_threading
            #no_options
            #names_parts
            #checked
        };
    }
}

/// If the type does not meet a bound of the trait, or is private, the error points at the place where the author names
/// the type.
fn config_of(agent: &Agent) -> TokenStream {
    let (here, config) = match &agent.config {
        Config::Small => (Span::call_site(), quote!(<Self as __acp::OwnConfig>::Config)),
        Config::Broken => (Span::call_site(), quote!(Self)),
        Config::Full(ty) => {
            let options_of = respan(quote!(__acp::options_of), place(ty));
            (place(ty), given(agent, ty, &options_of))
        }
    };
    quote_spanned!(here=> type Config = #config;)
}

fn session_of(agent: &Agent) -> TokenStream {
    let Some(ty) = &agent.session else {
        return quote! {
            type Session = ();
        };
    };
    // If threads cannot send a session, this check reports it. Then no other error follows from it.
    let session = given(agent, ty, &quote!(__acp::session_sent_between_threads));
    // Of a session that the store cannot keep, only this is reported.
    let session = match &agent.store {
        Some(_) => given_to(agent, ty, &session, &quote!(__acp::session_kept_by_store)),
        None => session,
    };
    quote_spanned!(place(ty)=> type Session = #session;)
}

/// The part that the handlers of a session share.
fn shared_of(agent: &Agent) -> TokenStream {
    let Agent { shared: Some(ty), local, .. } = agent else {
        return quote! {
            type Shared = ();
            type KeptShared = ();
        };
    };
    let (fact, kept) =
        if *local { ("shared_on_one_thread", "OnThread") } else { ("shared_by_handlers", "SharedByAll") };
    let (fact, kept) = (format_ident!("{fact}"), format_ident!("{kept}"));
    let shared = given(agent, ty, &quote!(__acp::#fact));
    let keep = local.then(|| {
        quote! {
            fn keep_shared(shared: Self::Shared) -> Self::KeptShared {
                use __acp::StaysOnItsThread as _;
                __acp::Keeping(shared).keep()
            }
        }
    });
    quote_spanned! {place(ty)=>
        type Shared = #shared;
        type KeptShared = __acp::#kept<Self::Shared>;
        const DEFAULT_SHARED: __acp::Option<fn() -> Self::Shared> = __acp::Facts::<Self::Shared>::DEFAULT;
        #keep
    }
}

/// The type. If `fact` does not hold for the type, this is an error instead.
fn given(agent: &Agent, ty: &Type, fact: &TokenStream) -> TokenStream {
    given_to(agent, ty, &ty.to_token_stream(), fact)
}

/// As [`given`], for a type of which another fact is given already.
fn given_to(agent: &Agent, ty: &Type, stands: &TokenStream, fact: &TokenStream) -> TokenStream {
    // The length of an array cannot depend on a type parameter. A generic agent is a mistake that was reported.
    if !agent.generics.params.is_empty() || is_error(ty) {
        return stands.clone();
    }
    let fact = quote_spanned!(place(ty)=> #fact::<#ty>());
    quote_spanned!(place(ty)=> __acp::Given<#stands, [(); #fact]>)
}

/// The checks of the whole agent: that it is complete, and that it has the handlers that its declarations need.
fn checked(agent: &Agent) -> Option<TokenStream> {
    let Agent { name, promises, .. } = agent;
    if !agent.is_sound() {
        return None;
    }
    // Of several checks, only this one reports an agent without handlers.
    let handled = (!promises.is_empty())
        .then(|| respan(quote!(type __Handled = __acp::Given<#name, [(); __acp::handled::<#name>()]>;), place(name)));
    let checked = if handled.is_some() { &format_ident!("__Handled") } else { name };
    let check = |check: &str, here| {
        let check = format_ident!("{check}");
        let check = quote!(__acp::#check::<#checked>());
        // If threads cannot share the agent, this was reported, and the compiler does not evaluate the check.
        let check = if agent.stays() { check } else { quote!(if __acp::Facts::<#name>::SHARE { #check }) };
        respan(quote!(const _: () = #check;), here)
    };
    let complete = check("complete", place(name));
    let promises = promises.iter().map(|Promise { at, check: promise }| check(promise, place(at)));
    Some(quote!(#handled #complete #(#promises)*))
}

/// The bounds of the traits on the agent, and the types in these bounds.
struct Bounds {
    facts: Option<TokenStream>,
    bounds: TokenStream,
    /// The agent, or an error if a mistake of its struct was reported.
    sound: TokenStream,
}

fn bounds(agent: &Agent, item: &DeriveInput) -> Bounds {
    let Agent { name, generics, config, .. } = agent;
    if !generics.params.is_empty() {
        return Bounds { facts: None, bounds: threads::bounds_of(generics), sound: quote!(Self) };
    }
    if let Config::Small = config {
        // The hidden derive implements this trait and reports its mistakes, for example an agent that threads cannot
        // share. Because of the lifetime in the bound, the compiler does not check the bound here again.
        let stands = quote!(for<'__acp> <#name as __acp::Assumed<'__acp>>::Itself: __acp::ConfigOptions);
        let sound = quote!(<Self as __acp::OwnConfig>::Sound);
        return Bounds { facts: None, bounds: quote!(where #stands), sound };
    }
    if let (true, Config::Full(_)) = (agent.local, config) {
        return Bounds { facts: None, bounds: TokenStream::new(), sound: quote!(Self) };
    }
    let facts = threads::sent(name, fields(item), &TokenStream::new());
    Bounds { facts: Some(facts), bounds: threads::bounds(), sound: quote!(__Sent) }
}

/// The fields of a struct. Enums and unions were refused, but their fields are included.
fn fields<'i>(item: &'i DeriveInput) -> Vec<threads::Field<'i>> {
    let mut all = Vec::new();
    match &item.data {
        Data::Struct(data) => add(data.fields.iter(), &[], &mut all),
        Data::Union(data) => add(data.fields.named.iter(), &[], &mut all),
        Data::Enum(data) => {
            for variant in &data.variants {
                add(variant.fields.iter(), &cfgs(&variant.attrs), &mut all);
            }
        }
    }
    all
}

fn add<'i>(fields: Iter<'i, Field>, outer: &[Attribute], all: &mut Vec<threads::Field<'i>>) {
    for Field { attrs, ty, .. } in fields {
        let mut conditions = outer.to_vec();
        conditions.append(&mut cfgs(attrs));
        all.push(threads::Field { cfgs: conditions, ty });
    }
}

fn keep_local() -> TokenStream {
    quote! {
        fn keep_local(self) -> __acp::OnThread<Self> {
            use __acp::StaysOnItsThread as _;
            __acp::Keeping(self).keep()
        }
    }
}

/// The items in which an agent that is its own config differs from the trait's defaults.
fn own_config() -> TokenStream {
    quote! {
        fn initial_config(&self) -> Self { __acp::ConfigOptions::snapshot(self) }
        fn receiver<__T: __acp::Keeps<Self>>(_: &__T::Kept, config: &__acp::Arc<Self>) -> __T::Kept {
            __T::share(__acp::Clone::clone(config))
        }
    }
}

/// The list of the parts that the keys ask for.
fn parts_of(agent: &Agent) -> TokenStream {
    let store = agent.store.is_some().then(|| quote!(Stored));
    let all: Vec<_> = agent.identity.parts.iter().cloned().chain(store).collect();
    all.into_iter().rfold(quote!(()), |rest, part| quote!((__acp::#part, #rest)))
}

fn identity_of(identity: &AgentInfo) -> TokenStream {
    let AgentInfo { name, title, version, capabilities, drafts, auth, parts: _, ext_listing } = identity;
    let title = title.as_ref().map(|title| quote!(.title(#title)));
    let drafts = (!drafts.is_empty()).then(|| quote!(.drafts(&[#(#drafts),*])));
    let methods = auth.iter().map(auth_of);
    let auth = (!auth.is_empty()).then(|| quote!(.auth(&[#(#methods),*])));
    let ext_listing = ext_listing.as_ref().map(|key| quote!(.ext_listing(#key)));
    quote!(__acp::AgentInfo::new(#name, #version) #title #(.#capabilities())* #drafts #auth #ext_listing)
}

fn auth_of(auth: &Auth) -> TokenStream {
    let Auth { id, name, description, terminal } = auth;
    let description = description.as_ref().map(|description| quote!(.description(#description)));
    let start = match terminal {
        None => quote!(agent(#id, #name)),
        Some(args) => quote!(terminal(#id, #name, &[#(#args),*])),
    };
    quote!(__acp::AuthDeclaration::#start #description)
}

/// Options for an agent that cannot carry any. The agent is still its own config, so that its handlers are checked.
fn no_options(agent: &Agent, item: &DeriveInput) -> Option<TokenStream> {
    let Agent { name, generics, config, .. } = agent;
    let Config::Broken = config else { return None };
    Some(options::nothing(name, generics, &bounds(agent, item).bounds))
}
