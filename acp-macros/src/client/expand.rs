//! Writes `impl Handlers`: the capabilities of the client, and one arm for each handler. The arm lends the call to the
//! author's function. The crate `acp-client` does all other work of a call.

use heck::ToPascalCase;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{ItemImpl, Type};

use super::keys::Given;
use super::valid::{Client, Handler, Serves};
use crate::diagnostics::{place, respan};
use crate::handlers::block::holds_lifetime;
use crate::handlers::call;
use crate::handlers::extensions::Extended;
use crate::handlers::raw::Block;

pub(super) fn expand(client: &Client) -> TokenStream {
    let Client { name, runtime, keys, handlers, sound } = client;
    let run = format_ident!("{}", if keys.local { "run_local" } else { "run" });
    let local = keys.local.then(|| {
        quote!(
            const LOCAL: __acp::bool = true;
        )
    });
    let capabilities = capabilities(keys, handlers);
    let base = keys.base.as_ref().map(base);
    let calls = handlers.iter().filter(|handler| !handler.is_update()).map(|handler| arm(handler, &run));
    let updates = updates(handlers, &run);
    let checked = sound.then(|| checked(name, keys, handlers)).flatten();
    let (shared, head) = (shared(name), head(name));
    let once = once(name);
    quote! {
        const _: () = {
            use #runtime::__private as __acp;
            use __acp::Otherwise as _;
            #shared
            #once
            #[automatically_derived]
            #[allow(deprecated, unreachable_patterns)]
            #head {
                #local
                #capabilities
                #base
                fn call(call: __acp::Call<'_, Self>) {
                    match call.method() {
                        #(#calls)*
                        _ => call.unhandled(),
                    }
                }
                #updates
            }
            #checked
        };
    }
}

/// The expansion of a block that is not a client's. It implements the trait, so that code which connects the type does
/// not report it as missing.
pub(super) fn fallback<A>(block: &Block<A>) -> Option<TokenStream> {
    let runtime = super::runtime(block.krate.as_ref());
    let ItemImpl { self_ty: name, generics, .. } = &block.head;
    // The trait requires `'static`. So a type with a lifetime cannot implement it, and a generic type may not.
    if !generics.params.is_empty() || holds_lifetime(quote!(#name)) {
        return None;
    }
    let (shared, head) = (shared(name), head(name));
    Some(quote! {
        const _: () = {
            use #runtime::__private as __acp;
            #shared
            #head {
                fn capabilities() -> __acp::ClientCapabilities { __acp::Stated::NOTHING.capabilities(&[], &[]) }
                fn call(call: __acp::Call<'_, Self>) { call.unhandled() }
            }
        };
    })
}

/// A constant whose name tells the cure, because the compiler repeats the name if a client has two blocks. The other
/// error, about two implementations of a trait, does not tell it.
fn once(name: &Type) -> TokenStream {
    let at = place(name);
    let once = quote_spanned!(at=> all_handlers_of_a_client_stand_in_one_impl_block);
    let head = respan(quote!(impl #name), at);
    quote! {
        #[automatically_derived]
        #[allow(dead_code, non_upper_case_globals)]
        #head {
            #[doc(hidden)]
            const #once: () = ();
        }
    }
}

/// `__C`: the client, if threads can share it. The compiler checks that here, once. Otherwise the type is an error.
fn shared(name: &Type) -> TokenStream {
    let checked = quote! {
        type __Sent = __acp::Given<#name, [(); __acp::sent_between_threads::<#name>()]>;
        type __C = __acp::Given<__Sent, [(); __acp::shared_between_threads::<__Sent>()]>;
    };
    respan(checked, place(name))
}

/// The bounds of the trait, which were checked: a type that is an error fulfils them, too. With a lifetime in the bound, the
/// compiler assumes it here.
fn head(name: &Type) -> TokenStream {
    let assumed = quote!(for<'__acp> <__C as __acp::Assumed<'__acp>>::Itself: __acp::Send + __acp::Sync);
    respan(quote!(impl __acp::Handlers for #name where #assumed), place(name))
}

/// The field that is a client. The only use of it stands here, so a field of another type gives one error.
fn base(field: &Ident) -> TokenStream {
    let base = quote_spanned!(field.span()=> &self.#field);
    quote! {
        const EXTENDS: __acp::bool = true;
        fn base(&self) -> __acp::Option<&dyn __acp::Base> {
            __acp::Some(#base)
        }
    }
}

fn capabilities(keys: &Given, handlers: &[Handler]) -> TokenStream {
    let Given { form, url, notices, compaction, terminal, .. } = keys;
    let (form, url) = (form.is_some(), url.is_some());
    let stated: Vec<_> =
        [("form", form), ("url", url), ("notices", *notices), ("compaction", *compaction), ("terminal", *terminal)]
            .into_iter()
            .filter(|(_, stated)| *stated)
            .map(|(field, _)| format_ident!("{field}"))
            .collect();
    // With all fields given, the rest would be needless, and clippy says so.
    let stated = match stated.len() {
        0 => quote!(__acp::Stated::NOTHING),
        5 => quote!(__acp::Stated { #(#stated: true),* }),
        _ => quote!(__acp::Stated { #(#stated: true,)* ..__acp::Stated::NOTHING }),
    };
    let methods = methods(handlers);
    let gates = handlers.iter().filter_map(|Handler { serves, cfgs, .. }| match serves {
        Serves::Update(update) => update.gate.map(|gate| quote!(#(#cfgs)* #gate)),
        _ => None,
    });
    quote! {
        fn capabilities() -> __acp::ClientCapabilities {
            #stated.capabilities(#methods, &[#(#gates),*])
        }
    }
}

/// The names of the handled methods on the wire.
fn methods(handlers: &[Handler]) -> TokenStream {
    let names = handlers.iter().filter_map(|Handler { serves, cfgs, .. }| match serves {
        Serves::Method(method) => {
            let wire = method.wire;
            Some(quote!(#(#cfgs)* #wire))
        }
        _ => None,
    });
    quote!(&[#(#names),*])
}

fn updates(handlers: &[Handler], run: &Ident) -> Option<TokenStream> {
    let updates: Vec<_> = handlers.iter().filter(|handler| handler.is_update()).collect();
    if updates.is_empty() {
        return None;
    }
    let kinds = updates.iter().map(|handler| {
        let (cfgs, kind) = (&handler.cfgs, handler.kind());
        quote!(#(#cfgs)* #kind)
    });
    // The handler of all other updates must come last.
    let (each, all): (Vec<_>, Vec<_>) = updates.iter().partition(|handler| matches!(handler.serves, Serves::Update(_)));
    let arms = each.into_iter().chain(all).map(|handler| arm(handler, run));
    Some(quote! {
        const UPDATES: &'static [&'static __acp::str] = &[#(#kinds),*];
        fn update(call: __acp::Call<'_, Self>) {
            match call.method() {
                #(#arms)*
                _ => call.unhandled(),
            }
        }
    })
}

impl Handler {
    fn is_update(&self) -> bool {
        matches!(self.serves, Serves::Update(_) | Serves::Updates)
    }

    fn kind(&self) -> &'static str {
        match self.serves {
            Serves::Update(update) => update.kind,
            _ => "session_update",
        }
    }
}

/// Checks that only the compiler can make: of the types of parameters, of the names of markers, and of configurations.
fn checked(name: &Type, keys: &Given, handlers: &[Handler]) -> Option<TokenStream> {
    let slots = handlers.iter().filter(|handler| handler.parameters.len() > 1).map(|handler| {
        let marker = marker(handler);
        let slots = call::slots(&handler.parameters, |_| quote!(FromCall<#marker>));
        call::distinct((&handler.name, &handler.cfgs), slots)
    });
    let extensions: Vec<_> = handlers.iter().filter_map(extension).collect();
    let is_marked = |handler: &Handler| matches!(handler.serves, Serves::Extension(Extended::Marked(_)));
    let once = handlers.iter().any(is_marked).then(|| quote!(__acp::extend_once(&[#(#extensions),*]);));
    let is_conditional = |handler: &Handler| {
        matches!(handler.serves, Serves::Method(method) if method.wire.starts_with("terminal/"))
            && !handler.cfgs.is_empty()
    };
    let methods = methods(handlers);
    let here = place(name);
    let has_some = keys.base.is_none() && handlers.iter().any(is_conditional);
    let terminals = has_some.then(|| quote_spanned!(here=> __acp::all_terminal_methods(#methods);));
    let each: Vec<_> = slots.chain(once).chain(terminals).collect();
    (!each.is_empty()).then(|| quote!(const _: () = { #(#each)* };))
}

fn extension(handler: &Handler) -> Option<TokenStream> {
    let Handler { serves: Serves::Extension(method), cfgs, .. } = handler else { return None };
    let name = match method {
        Extended::Marked(path) => quote_spanned!(place(path)=> __acp::extension_of_client::<#path>()),
        named => named.name(),
    };
    Some(quote!(#(#cfgs)* #name))
}

fn arm(handler: &Handler, run: &Ident) -> TokenStream {
    let Handler { name, cfgs, serves, parameters, output } = handler;
    let called = match serves {
        Serves::Method(method) | Serves::Draft(method) => method.wire.to_token_stream(),
        Serves::Update(update) => update.kind.to_token_stream(),
        Serves::Updates => quote!(_),
        Serves::Extension(method) => method.name(),
    };
    let marker = marker(handler);
    let sent_by = matches!(serves, Serves::Extension(Extended::Named { .. })).then_some("sent_by_agent");
    let from_call = |ty: &Type| quote_spanned!(place(ty)=> <#ty as __acp::FromCall<__M>>::from_call(parts));
    let taken = call::taken(parameters, sent_by, from_call);
    let given = call::given(parameters);
    // If the future does not meet a bound, the error points at the handler.
    let run = respan(run.to_token_stream(), place(name));
    // The answer may borrow from the call, and these borrows end with the inner block.
    let [shape, answer] = call::answer(output);
    quote! {
        #(#cfgs)*
        #called => {
            type __M = #marker;
            call.#run::<__M, _>(move |mut lent| async move {
                let answer = async {
                    let (this, parts) = &mut lent.lend();
                    #(#taken)*
                    let answer = Self::#name(this, #(#given),*).await;
                    parts.answer #shape (#answer)
                }
                .await;
                lent.finish(answer);
            })
        }
    }
}

fn marker(handler: &Handler) -> TokenStream {
    let marker = match &handler.serves {
        Serves::Method(method) => format_ident!("{}", method.handler).to_token_stream(),
        Serves::Update(_) | Serves::Updates => format_ident!("{}", handler.kind()).to_token_stream(),
        Serves::Extension(method) => method.marker(),
        Serves::Draft(method) => {
            let marker = format_ident!("{}", method.handler.to_pascal_case());
            quote!(ExtOf<__acp::drafts::#marker>)
        }
    };
    quote!(__acp::handlers::#marker)
}
