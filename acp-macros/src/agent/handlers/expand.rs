//! Writes `impl OneBlockWithoutPart`, by which the agent is a `Handlers`: the methods that an agent handles, and one arm for each method. The arm lends the call to
//! the author's function. The runtime does all other work of a call.
//!
//! [`blocks`] writes the expansion of an agent of several blocks.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{ItemImpl, Type};

use super::parts::Place;
use super::valid::{Agent, Handler, Serves, Soundness};
use super::{blocks, command, hook, life, restore};
use crate::diagnostics::{place, respan};
use crate::handlers::block::holds_lifetime;
use crate::handlers::conditions::any;
use crate::handlers::extensions::{Extended, Kind};
use crate::handlers::raw::Block;
use crate::handlers::signature::Parameter;

pub(super) fn expand(agent: &Agent) -> TokenStream {
    let Agent { name, runtime, handlers, hooks, named, lacks_prompt, soundness, place } = agent;
    let methods = methods(handlers, soundness);
    let extensions = extensions(handlers);
    let commands = command::expand(handlers);
    let hooks_once = hook::once(hooks);
    let named = named.expand();
    let checked = checked(handlers, matches!(place, Place::Only));
    let arms = handlers.iter().filter_map(arm);
    let life = handlers.iter().filter_map(|handler| match handler.serves {
        Serves::Life(event) => Some(life::expand(event, handler)),
        _ => None,
    });
    if !matches!(place, Place::Only) {
        let hooks = hook::expand(hooks, &quote!(__A));
        let consts = quote!(#methods #extensions #commands #hooks #(#life)* #checked);
        return blocks::expand(agent, &blocks::Own { consts, arms: arms.collect(), once: quote!(#named #hooks_once) });
    }
    let hooks = hook::expand(hooks, &quote!(Self));
    let new_session = new_session(agent);
    let declared = declared(name);
    let missing = lacks_prompt.then(|| missing_prompt(name));
    let head = head(name);
    quote! {
        #[allow(deprecated)]
        const _: () = {
            use #runtime::__private as __acp;
            use __acp::{AnyParams as _, MayName as _, NotLocal as _};
            #declared
            #named
            #hooks_once
            #missing
            #[automatically_derived]
            #head {
                type Threading = <__A as __acp::AgentDeclaration>::Threads;
                #methods
                #extensions
                #commands
                #hooks
                #new_session
                #(#life)*
                #checked
                fn call(call: __acp::Call<'_, __A>) {
                    match call.method() {
                        #(#arms)*
                        _ => call.unhandled(),
                    }
                }
            }
        };
    }
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
    let methods = unsound(None);
    if let Some(part) = blocks::fallback(name, generics, place, &methods) {
        return Some(quote!(const _: () = { use #runtime::__private as __acp; #part };));
    }
    let named = blocks::named(name, place);
    let threads = quote!(<#name as __acp::AgentDeclaration>::Threads: __acp::Keeps<#name>);
    let head =
        quote!(impl #generics __acp::OneBlockWithoutPart for #name where #name: __acp::AgentDeclaration, #threads);
    let head = respan(head, crate::diagnostics::place(name));
    Some(quote! {
        const _: () = {
            use #runtime::__private as __acp;
            #named
            #head {
                type Threading = <Self as __acp::AgentDeclaration>::Threads;
                #methods
                fn call(call: __acp::Call<'_, Self>) { call.unhandled() }
            }
        };
    })
}

/// `__A`: the agent, if it has its struct half. The compiler checks this here, and only once: without a struct half,
/// the type is an error. The bodies name the agent `__A`. So the compiler does not report their parts again if they
/// depend on the struct.
pub(super) fn declared(name: &Type) -> TokenStream {
    respan(quote!(type __A = __acp::Given<#name, [(); __acp::declared::<#name>().0]>;), place(name))
}

/// The head of the impl. The check above asks for the struct half, so here the compiler must assume it. For a type that
/// is an error, the compiler assumes every bound. For a struct that threads cannot share, it does not check the bound
/// because of the lifetime.
pub(super) fn head(name: &Type) -> TokenStream {
    let assumed = quote!(for<'__acp> <__A as __acp::Assumed<'__acp>>::Itself: __acp::AgentDeclaration);
    respan(quote!(impl __acp::OneBlockWithoutPart for #name where #assumed), place(name))
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

fn methods(handlers: &[Handler], soundness: &Soundness) -> TokenStream {
    let Soundness::Except(broken) = soundness else { return unsound(None) };
    let names = handlers.iter().filter_map(|handler| match &handler.serves {
        Serves::Method(method) => Some((&handler.cfgs, method.wire)),
        Serves::Restore => Some((&handler.cfgs, restore::ARM)),
        _ => None,
    });
    let names = names.map(|(cfgs, wire)| quote!(#(#cfgs)* #wire));
    let methods = quote!(const METHODS: &'static [&'static __acp::str] = &[#(#names),*];);
    let Some(broken) = any(broken) else { return methods };
    let unsound = unsound(Some(quote!(#[cfg(#broken)])));
    quote!(#[cfg(not(#broken))] #methods #unsound)
}

/// For an agent with errors. A handler with an error may exist, so no handler is reported as missing.
fn unsound(condition: Option<TokenStream>) -> TokenStream {
    quote! {
        #condition const METHODS: &'static [&'static __acp::str] = &[];
        #condition const SOUND: __acp::bool = false;
    }
}

fn extensions(handlers: &[Handler]) -> TokenStream {
    let mut routes = Vec::new();
    for handler in handlers {
        let Serves::Extension { method, .. } = &handler.serves else { continue };
        let prefix = match method {
            Extended::Prefixed { prefix, .. } => prefix.value(),
            Extended::Fallback { .. } => String::new(),
            _ => continue,
        };
        let (Extended::Prefixed { kind, .. } | Extended::Fallback { kind, .. }) = method else { continue };
        let (cfgs, kind, arm) = (&handler.cfgs, kind.constructor(), method.wire());
        routes.push(quote_spanned!(place(method)=> #(#cfgs)* __acp::Route::#kind(#prefix, #arm)));
    }
    let entries = entries(handlers);
    let entries =
        (!entries.is_empty()).then(|| quote!(const EXTENSIONS: &'static [__acp::Extension] = &[#(#entries),*];));
    let routes = (!routes.is_empty()).then(|| quote!(const ROUTES: &'static [__acp::Route] = &[#(#routes),*];));
    quote!(#entries #routes)
}

/// The extension methods of a block, one by one.
fn entries(handlers: &[Handler]) -> Vec<TokenStream> {
    let entry = |handler: &Handler| {
        let Serves::Extension { method, description } = &handler.serves else { return None };
        let entry = match method {
            Extended::Named { kind: Kind::Request, name, .. } => quote!(request(#name, #description)),
            Extended::Named { kind: Kind::Notification, name, .. } => quote!(notification(#name, #description)),
            Extended::Marked(path) => quote_spanned!(place(path)=> of::<#path>(#description)),
            Extended::Prefixed { .. } | Extended::Fallback { .. } => return None,
        };
        let cfgs = &handler.cfgs;
        Some(quote_spanned!(place(method)=> #(#cfgs)* __acp::Extension::#entry))
    };
    handlers.iter().filter_map(entry).collect()
}

/// The start of a session without a `new_session` handler. It is also needed in the configurations in which this
/// handler is missing.
fn new_session(agent: &Agent) -> Option<TokenStream> {
    let own: Vec<_> =
        agent.handlers.iter().filter(|handler| handler.wire() == "session/new").map(|handler| &handler.cfgs).collect();
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
fn checked(handlers: &[Handler], is_only_block: bool) -> Option<TokenStream> {
    let slots = handlers.iter().filter(|handler| handler.parameters.len() > 1).map(slots);
    // Only the compiler knows the method's name of a marker.
    let is_marked = |handler: &Handler| matches!(handler.serves, Serves::Extension { method: Extended::Marked(_), .. });
    let once = handlers.iter().any(is_marked).then(|| {
        if is_only_block {
            return quote!(__acp::extend_once(Self::EXTENSIONS););
        }
        // There, `Self` has the extensions of several blocks.
        let entries = entries(handlers);
        quote!(__acp::extend_once(&[#(#entries),*]);)
    });
    let commands = handlers.iter().filter_map(command::checked);
    let life = handlers.iter().filter_map(life::check);
    let stored = handlers.iter().filter_map(restore::check);
    let each: Vec<_> =
        slots.chain(commands).chain(once).chain(life).chain(stored).filter(|check| !check.is_empty()).collect();
    (!each.is_empty()).then(|| quote!(const CHECKED: () = { #(#each)* };))
}

fn slots(handler: &Handler) -> TokenStream {
    let cfgs = &handler.cfgs;
    let method = marker(handler);
    let each = handler.parameters.iter().map(|Parameter { cfgs, ty }| {
        let here = place(ty);
        let method = respan(method.clone(), here);
        quote_spanned!(here=> #(#cfgs)* <#ty as __acp::FromCall<#method, __A>>::SLOT)
    });
    let distinct = quote_spanned!(place(&handler.name)=> __acp::distinct(&[#(#each),*]););
    quote!(#(#cfgs)* #distinct)
}

/// `None` for a function that no message calls.
fn arm(handler: &Handler) -> Option<TokenStream> {
    let Handler { name, cfgs, .. } = handler;
    if let Serves::Life(_) = handler.serves {
        return None;
    }
    let wire = match &handler.serves {
        Serves::Command(command) => command.arm().to_token_stream(),
        Serves::Restore => restore::ARM.to_token_stream(),
        _ => called(handler),
    };
    let method = marker(handler);
    let body = body(handler);
    // If the future does not meet a bound, the error points at the handler. If the answer does not, it points at the
    // answer's type.
    let run = quote_spanned!(place(name)=> run);
    Some(quote! {
        #(#cfgs)*
        #wire => {
            type __M = #method;
            call.#run::<__M, _, _>(Self::ACP_THREADING, #body)
        }
    })
}

/// The name of the method on the wire, or what the user types. The author's subscriber is told of a function that no message calls by its own name.
fn called(handler: &Handler) -> TokenStream {
    match &handler.serves {
        Serves::Life(event) => event.function().to_token_stream(),
        Serves::Restore => restore::FUNCTION.to_token_stream(),
        Serves::Method(method) => method.wire.to_token_stream(),
        Serves::Extension { method: Extended::Marked(path), .. } => {
            quote_spanned!(place(path)=> <#path as __acp::Method>::NAME)
        }
        Serves::Extension { method, .. } => method.wire().to_token_stream(),
        Serves::Command(command) => format!("/{}", command.name).to_token_stream(),
    }
}

/// The closure that lends the call of `__M` to the function.
pub(super) fn body(handler: &Handler) -> TokenStream {
    let Handler { name, cfgs: _, serves: _, parameters, output, returned } = handler;
    let arguments = || parameters.iter().enumerate().map(|(position, parameter)| (argument(position), parameter));
    // For a marker, the schema has the type of the params.
    let is_extension = matches!(&handler.serves, Serves::Extension { method, .. } if method.kind().is_some());
    let taken = arguments().map(|(argument, Parameter { cfgs, ty })| {
        let can_be = is_extension.then(|| quote_spanned!(place(ty)=> #(#cfgs)* __acp::Sent::<#ty>::can_be();));
        let made = quote_spanned!(place(ty)=> <#ty as __acp::FromCall<__M, __A>>::from_call(parts));
        let made = match handler.serves {
            Serves::Life(event) => {
                let function = event.function();
                quote_spanned!(place(ty)=> __acp::prepared(#function, #made))
            }
            _ => made,
        };
        quote_spanned! {place(ty)=>
            #can_be
            #(#cfgs)* let #argument = #made?;
        }
    });
    let given = arguments().map(|(argument, Parameter { cfgs, ty: _ })| quote!(#(#cfgs)* #argument));
    // If a type has the name `Result`, the compiler can tell which part is wrong. For any other type, it must first
    // find the kind. The answer may borrow from the call, and these borrows end with the inner block.
    let here = place(&output.at);
    let shape = output.fallible.then(|| quote_spanned!(here=> ::<_, __acp::Fallible<_>>));
    // A handler that opens a session also gives it the part that its handlers share.
    let answer = quote_spanned!(here=> answer);
    let called = called(handler);
    let returned = returned.as_ref().map(|ty| quote_spanned!(here=> : #ty));
    let give = if opens_session(handler) {
        quote_spanned!(here=> parts.opens #shape (#answer))
    } else {
        quote!(parts.answer #shape (#answer))
    };
    quote! {
        move |mut lent| async move {
            let answer = async {
                let parts = &mut lent.lend(#called).await?;
                let this = parts.receiver();
                #(#taken)*
                let answer #returned = Self::#name(&this, #(#given),*).await;
                #give
            }
            .await;
            lent.finish(answer).await;
        }
    }
}

pub(super) fn opens_session(handler: &Handler) -> bool {
    match &handler.serves {
        Serves::Method(method) => matches!(method.handler, "new_session" | "load_session" | "resume_session"),
        Serves::Restore => true,
        _ => false,
    }
}

pub(super) fn marker(handler: &Handler) -> TokenStream {
    let marker = match &handler.serves {
        Serves::Method(method) => format_ident!("{}", method.handler).to_token_stream(),
        Serves::Extension { method, .. } => match method {
            Extended::Named { kind: Kind::Request, .. } => quote!(Ext),
            Extended::Named { kind: Kind::Notification, .. } => quote!(ExtNotification),
            Extended::Marked(path) => quote!(ExtOf<#path>),
            Extended::Prefixed { kind, .. } | Extended::Fallback { kind, .. } => match kind {
                Kind::Request => quote!(AnyRequest),
                Kind::Notification => quote!(AnyNotification),
            },
        },
        Serves::Command(_) => quote!(command),
        Serves::Life(event) => format_ident!("{}", event.function()).to_token_stream(),
        Serves::Restore => format_ident!("{}", restore::FUNCTION).to_token_stream(),
    };
    quote!(__acp::handlers::#marker)
}

impl Kind {
    /// The runtime's function that makes a route.
    fn constructor(self) -> Ident {
        match self {
            Self::Request => format_ident!("request"),
            Self::Notification => format_ident!("notification"),
        }
    }
}

fn argument(position: usize) -> Ident {
    format_ident!("a{position}")
}
