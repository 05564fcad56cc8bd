//! Writes `impl OneBlockWithoutPart`, by which the agent is a `Handlers`: the methods that an agent handles, and one arm for each method. The arm lends the call to
//! the author's function. The runtime does all other work of a call.
//!
//! [`blocks`] writes the expansion of an agent of several blocks.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{ItemImpl, Type};

use super::arm::{Handler, List};
use super::blocks::{self, Own};
use super::head::{declared, heads, of_parts};
use super::hook;
use super::parts::Place;
use super::valid::{Agent, Soundness};
use crate::diagnostics::{joined, place, respan};
use crate::handlers::block::holds_lifetime;
use crate::handlers::conditions::any;
use crate::handlers::raw::Block;

/// `None` for a part without a name.
pub(super) fn expand(agent: &Agent) -> Option<TokenStream> {
    let Agent { name: _, runtime, handlers, hooks, named, lacks_prompt: _, soundness, place } = agent;
    let is_only = matches!(place, Place::Only);
    let hooks_once = hook::once(hooks);
    let hooks = hook::expand(hooks);
    let block = data(handlers, soundness, hooks.as_ref());
    let new_session = if is_only { new_session(agent) } else { None };
    let checked = checked(agent);
    let named = named.expand();
    let own = Own {
        block,
        consts: quote!(#new_session #checked),
        functions: functions(handlers),
        arms: handlers.iter().filter_map(Handler::arm).collect(),
        once: quote!(#named #hooks_once),
    };
    let block = if is_only { whole(agent, &own) } else { blocks::expand(agent, &own)? };
    Some(quote! {
        #[allow(deprecated)]
        const _: () = {
            use #runtime::__private as __acp;
            use __acp::{MayName as _, NotLocal as _, Otherwise as _};
            #block
        };
    })
}

/// The impl of the agent's only block.
fn whole(agent: &Agent, own: &Own) -> TokenStream {
    let Agent { name, lacks_prompt, .. } = agent;
    let Own { block, consts, functions, arms, once } = own;
    let functions = functions.as_ref().map(|functions| of_parts(&quote!(&[#functions])));
    let declared = declared(name);
    let missing = lacks_prompt.then(|| missing_prompt(name));
    let parts = parts(&agent.handlers);
    let [head, has_functions] = heads(name);
    quote! {
        #declared
        #once
        #missing
        #has_functions { #functions }
        #[automatically_derived]
        #head {
            type Threading = <__A as __acp::AgentDeclaration>::Threads;
            type Main = __Main;
            type Parts = #parts;
            const BLOCKS: &'static [__acp::Block<Self>] = &[#block];
            #consts
            fn call(call: __acp::Call<'_, __A>) {
                match call.method() {
                    #(#arms)*
                    _ => call.unhandled(),
                }
            }
        }
    }
}

/// The functions of a block that its parts call.
fn functions(handlers: &[Handler]) -> Option<TokenStream> {
    let commands = entries(handlers, List::Commands);
    let commands = (!commands.is_empty()).then(|| {
        quote! {
            const COMMANDS: &'static [__acp::DeclaredCommand] = &[#(#commands),*];
            let all = all.commands(COMMANDS);
        }
    });
    let each = handlers.iter().filter_map(|handler| {
        let (cfgs, function) = (&handler.cfgs, handler.arm.of_part(handler)?);
        Some(quote!(#(#cfgs)* let all = all.#function;))
    });
    let all = joined(commands.into_iter().chain(each));
    (!all.is_empty()).then(|| quote!({ let all = __acp::Functions::<__A>::NONE; #all all }))
}

/// The parts of the agent: those of its functions, and those that its struct declares.
fn parts(handlers: &[Handler]) -> TokenStream {
    let mut parts: Vec<_> = handlers.iter().filter_map(|handler| handler.arm.part()).collect();
    parts.sort_unstable();
    parts.dedup();
    parts.into_iter().rfold(quote!(<__A as __acp::AgentDeclaration>::DeclaredParts), |rest, part| {
        let part = format_ident!("{part}");
        quote!((__acp::#part, #rest))
    })
}

/// The expansion of a block without an agent's handlers. It implements the trait, so that the struct half and the other
/// blocks do not report it as missing.
pub(super) fn fallback<A>(block: &Block<A>, place: &Place) -> Option<TokenStream> {
    let runtime = crate::agent::runtime(block.krate.as_ref());
    let ItemImpl { self_ty: name, generics, .. } = &block.head;
    // The trait requires `'static`, so a type with a lifetime cannot implement it.
    if holds_lifetime(quote!(#name)) {
        return None;
    }
    let block = unsound();
    if let Some(part) = blocks::fallback(name, generics, place, &block) {
        return Some(quote!(const _: () = { use #runtime::__private as __acp; #part };));
    }
    let named = blocks::named(name, place);
    let threads = quote!(<#name as __acp::AgentDeclaration>::Threads: __acp::Keeps<#name>);
    let bounds = quote!(#name: __acp::AgentDeclaration, #threads);
    let head = quote!(impl #generics __acp::OneBlockWithoutPart for #name where #bounds);
    let head = respan(head, crate::diagnostics::place(name));
    Some(quote! {
        const _: () = {
            use #runtime::__private as __acp;
            #named
            pub struct __Main;
            impl #generics __acp::FunctionsOf<__Main> for #name where #bounds {}
            #head {
                type Threading = <Self as __acp::AgentDeclaration>::Threads;
                type Main = __Main;
                type Parts = ();
                const BLOCKS: &'static [__acp::Block<Self>] = &[#block];
                fn call(call: __acp::Call<'_, Self>) { call.unhandled() }
            }
        };
    })
}

/// The error of an agent without a `prompt` handler. The compiler evaluates it only if there is no other block without
/// `part = ..`: beside that block, this one is the mistake, and the compiler reports both.
fn missing_prompt(name: &Type) -> TokenStream {
    let text = "an agent must handle `session/prompt`
help: add `async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason>`
note: with `config = Config` on the struct, the turn is a `Turn<Config>`
note: handlers in another `impl` block are those of a part: `#[acp_agent(part = name)]` there, and `#[acp_agent(parts(name))]` here";
    respan(
        quote!(
            const _: () = match __acp::handled::<__A>() {
                _ => ::core::panic!("{}", #text),
            };
        ),
        place(name),
    )
}

/// The handlers of a block as data: the lists that are not empty.
fn data(handlers: &[Handler], soundness: &Soundness, hooks: Option<&TokenStream>) -> TokenStream {
    let Soundness::Except(broken) = soundness else { return unsound() };
    let names = entries(handlers, List::Methods);
    let [extensions, routes] = [(List::Extensions, "extensions"), (List::Routes, "routes")].map(|(list, field)| {
        let (entries, field) = (entries(handlers, list), format_ident!("{field}"));
        (!entries.is_empty()).then(|| quote!(#field: &[#(#entries),*],))
    });
    let (methods, sound) = match any(broken) {
        None => (quote!(methods: &[#(#names),*],), None),
        Some(broken) => {
            (quote!(#[cfg(not(#broken))] methods: &[#(#names),*],), Some(quote!(#[cfg(#broken)] sound: false,)))
        }
    };
    quote!(__acp::Block { #methods #sound #extensions #routes #hooks ..__acp::Block::NONE })
}

fn entries(handlers: &[Handler], list: List) -> Vec<TokenStream> {
    let entries = handlers.iter().filter_map(|handler| Some((&handler.cfgs, handler.arm.entry()?)));
    entries.filter(|(_, (of, _))| *of == list).map(|(cfgs, (_, entry))| quote!(#(#cfgs)* #entry)).collect()
}

/// For an agent with errors. A handler with an error may exist, so no handler is reported as missing.
fn unsound() -> TokenStream {
    quote!(__acp::Block { sound: false, ..__acp::Block::NONE })
}

/// The start of a session without a `new_session` handler. It is also needed in the configurations in which this
/// handler is missing.
fn new_session(agent: &Agent) -> Option<TokenStream> {
    let own: Vec<_> = agent
        .handlers
        .iter()
        .filter(|handler| handler.arm.wire() == "session/new")
        .map(|handler| &handler.cfgs)
        .collect();
    if own.iter().any(|cfgs| cfgs.is_empty()) {
        return None;
    }
    let Soundness::Except(broken) = &agent.soundness else { return None };
    let absent = any(own.into_iter().chain(broken)).map(|there| quote!(#[cfg(not(#there))]));
    let here = place(&agent.name);
    let start = quote_spanned!(here=> __acp::DefaultSession::default_session);
    let session = quote!(<__A as __acp::AgentDeclaration>::Session);
    Some(quote!(#absent const NEW_SESSION: __acp::Option<fn() -> #session> = __acp::Some(#start);))
}

/// Checks that need types: two parameters may take the same part of a call, and two functions may handle the same
/// method.
fn checked(agent: &Agent) -> Option<TokenStream> {
    let Agent { handlers, named, place, .. } = agent;
    let slots = handlers.iter().filter(|handler| handler.parameters.len() > 1).map(Handler::distinct);
    // Only the compiler knows the method's name of a marker.
    let once = named.has_markers().then(|| match place {
        Place::Only => quote!(__acp::extend_once(Self::BLOCKS[0].extensions);),
        // There, `Self` has several blocks.
        _ => {
            let extensions = entries(handlers, List::Extensions);
            quote!(__acp::extend_once(&[#(#extensions),*]);)
        }
    });
    let checks = handlers.iter().flat_map(|handler| {
        let cfgs = &handler.cfgs;
        handler.arm.checks(handler).into_iter().map(move |check| quote!(#(#cfgs)* #check))
    });
    let each: Vec<_> = slots.chain(checks).chain(once).collect();
    (!each.is_empty()).then(|| quote!(const CHECKED: () = { #(#each)* };))
}
