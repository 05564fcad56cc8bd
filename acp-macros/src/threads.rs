//! That threads can share a type and hand it on, asked once and in an order: most types that cannot be handed on cannot be
//! shared either, and the compiler would tell of both.
//!
//! Names of `__private` used here: `Given`, `sent_between_threads`, `shared_by_threads`.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use crate::diagnostics::place;

/// `__Sent`: the type, or an error where a mistake was told of. Shared first: of two fields, one of which is wrong in both
/// ways and the other only cannot be shared, each is one error then.
///
/// What is asked of bears the span of the name itself, so that the error shows the struct and not the attribute, too.
pub(crate) fn facts(name: &Ident) -> TokenStream {
    let shared = Ident::new("__Shared", name.span());
    quote_spanned! {place(name)=>
        type #shared = __acp::Given<#name, [(); __acp::shared_by_threads::<#name>()]>;
        type __Sent = __acp::Given<#shared, [(); __acp::sent_between_threads::<#shared>()]>;
    }
}

/// What the traits of agents ask of a type. The compiler believes it of an error.
pub(crate) fn bounds() -> TokenStream {
    quote!(where __Sent: ::core::marker::Send + ::core::marker::Sync)
}
