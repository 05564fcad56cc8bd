//! An agent of several blocks. Each block implements `OneBlockPerPart` under its name, and the main block under the name `()`.
//! The main block joins all blocks to `impl OneBlockWithoutPart`. Its `NamesPart` tells the parts that it names them.
//!
//! A type spells the name of a block letter by letter, because blocks of different modules share no types. The main block
//! names all others, and joins them while the author's crate compiles (`agent/blocks.rs` of the core). The handlers of a block
//! are data (`Block`), and the runtime reads them block by block. `OneBlockWithoutPart` is the supertrait of `Handlers` with
//! all its items, for the main block or the only one. Both traits are named after the mistake in rustc's error about two blocks.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Generics, Type};

use super::head::{declared, heads, of_parts};
use super::parts::{Place, spelt};
use super::valid::Agent;
use crate::diagnostics::{joined, place, respan};

/// What the macro makes of the functions of one block.
pub(super) struct Own {
    /// The handlers as data.
    pub(super) block: TokenStream,
    pub(super) consts: TokenStream,
    /// The functions that parts call, if there are any.
    pub(super) functions: Option<TokenStream>,
    pub(super) arms: Vec<TokenStream>,
    /// Items of which the blocks of an agent have one.
    pub(super) once: TokenStream,
}

/// `None` for a part without a name.
pub(super) fn expand(agent: &Agent, own: &Own) -> Option<TokenStream> {
    let Agent { name, place: position, .. } = agent;
    let (aliases, block, joined) = match position {
        Place::Main { parts, .. } => {
            (declared(name), handlers(name, &quote!(()), place(name), own), Some(join(agent, parts)))
        }
        Place::Part(part) => (named_by_main(name, part), handlers(name, &spelt(part), place(part), own), None),
        Place::Only | Place::Unnamed => return None,
    };
    let named = named(name, position);
    let once = &own.once;
    Some(quote! {
        #aliases
        #named
        #once
        #[automatically_derived]
        #block
        #joined
    })
}

/// `__A` of a part: the agent, if its main block names the part. The compiler checks that here, once.
fn named_by_main(name: &Type, part: &Ident) -> TokenStream {
    let spelt = spelt(part);
    let fact = quote!([(); __acp::NamedPart::<#name, #spelt>::BY.named()]);
    respan(quote!(use __acp::ByMainBlock as _; type __A = __acp::Given<#name, #fact>;), place(part))
}

fn handlers(name: &Type, spelt: &TokenStream, here: Span, own: &Own) -> TokenStream {
    let Own { block, consts, functions, arms, once: _ } = own;
    let functions = functions.as_ref().map(|all| quote!(const FUNCTIONS: __acp::Functions<__A> = #all;));
    let body = if arms.is_empty() {
        quote!(__acp::Some(call))
    } else {
        quote! {
            match call.method() {
                #(#arms)*
                _ => return __acp::Some(call),
            }
            __acp::None
        }
    };
    // If two blocks have one name, the compiler shows the names.
    let head = respan(quote!(impl __acp::OneBlockPerPart<#spelt, __A> for #name), here);
    quote_spanned! {here=>
        #head {
            const BLOCK: __acp::Block<__A> = #block;
            #consts
            #functions
            fn call<'call>(call: __acp::Call<'call, __A>) -> __acp::Option<__acp::Call<'call, __A>> {
                #body
            }
        }
    }
}

/// The names of the parts, for the parts themselves.
pub(super) fn named(name: &Type, position: &Place) -> Option<TokenStream> {
    let Place::Main { parts, whole } = position else { return None };
    let value = quote!(const NAMED: __acp::usize = __acp::declared::<#name>().0;);
    let value = respan(value, place(name));
    if !whole {
        return Some(quote!(impl<__N> __acp::NamesPart<__N> for #name { #value }));
    }
    let each = parts.iter().map(|part| {
        let spelt = spelt(part);
        quote_spanned!(place(part)=> impl __acp::NamesPart<#spelt> for #name { #value })
    });
    Some(joined(each))
}

fn join(agent: &Agent, parts: &[Ident]) -> TokenStream {
    let name = &agent.name;
    let [head, has_functions] = heads(name);
    let functions = of_parts(&quote!(&__acp::Joined::functions::<{ __PARTS.len() }>(__PARTS)));
    let each = parts.iter().map(|part| {
        let spelt = spelt(part);
        respan(quote!(__acp::Joined::of::<__Whole, #spelt>()), place(part))
    });
    // The main block is the first.
    let once = (2usize..)
        .zip(parts)
        .map(|(count, part)| quote_spanned!(place(part)=> __acp::Joined::<__A>::once::<__Main>(__PARTS, #count);));
    let whole = respan(quote!(type __Whole = __acp::Given<#name, [(); __acp::handled::<#name>()]>;), place(name));
    quote! {
        #whole
        const __PARTS: &[__acp::Joined<__A>] = &[__acp::Joined::of::<#name, ()>(), #(#each),*];
        #has_functions { #functions }
        #[automatically_derived]
        #head {
            type Main = __Main;
            __acp::joined_handlers!(__A, __PARTS);
            const CHECKED: () = { #(#once)* };
        }
    }
}

/// A part without handlers, so that the main block does not miss it. `None` for another block.
pub(super) fn fallback(name: &Type, generics: &Generics, position: &Place, block: &TokenStream) -> Option<TokenStream> {
    let part = match position {
        Place::Part(part) => part,
        Place::Unnamed => return Some(TokenStream::new()),
        Place::Only | Place::Main { .. } => return None,
    };
    let spelt = spelt(part);
    Some(quote! {
        impl #generics __acp::OneBlockPerPart<#spelt, #name> for #name where #name: __acp::Handlers {
            const BLOCK: __acp::Block<#name> = #block;
            fn call<'call>(call: __acp::Call<'call, #name>) -> __acp::Option<__acp::Call<'call, #name>> {
                __acp::Some(call)
            }
        }
    })
}
