//! The heads of the impls that make an agent a `Handlers`, and the name of the agent in its body.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use crate::diagnostics::{place, respan};

/// `__A`: the agent, if it has its struct half. The compiler checks this here, and only once: without a struct half,
/// the type is an error. The bodies name the agent `__A`. So the compiler does not report their parts again if they
/// depend on the struct.
pub(super) fn declared(name: &Type) -> TokenStream {
    respan(quote!(type __A = __acp::Given<#name, [(); __acp::declared::<#name>().0]>;), place(name))
}

/// The heads of the impls. The check above asks for the struct half, so here the compiler must assume it. For a type that
/// is an error, the compiler assumes every bound. For a struct that threads cannot share, it does not check the bound
/// because of the lifetime.
pub(super) fn heads(name: &Type) -> [TokenStream; 2] {
    let assumed = quote!(for<'__acp> <__A as __acp::Assumed<'__acp>>::Itself: __acp::AgentDeclaration);
    let head = quote!(impl __acp::OneBlockWithoutPart for #name where #assumed);
    let functions = quote!(pub struct __Main; impl __acp::FunctionsOf<__Main> for #name where #assumed);
    [respan(head, place(name)), functions]
}

/// The item of `FunctionsOf`.
pub(super) fn of_parts(blocks: &TokenStream) -> TokenStream {
    quote!(const FUNCTIONS: &'static [__acp::Functions<__A>] = #blocks;)
}
