//! Checks that threads can own and share an agent. There is a check for each field, and the checks have an order. If
//! threads cannot own a field, they mostly cannot share it either, for the same reason. The compiler would report both.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Generics, Type};

use crate::diagnostics::place;

/// A field, and the conditions under which it exists.
pub(crate) struct Field<'a> {
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) ty: &'a Type,
}

/// `__Sent`: the struct. It is an error if a mistake was reported, at a field or by one of the `facts`.
pub(crate) fn sent(name: &Ident, fields: Vec<Field<'_>>, facts: &TokenStream) -> TokenStream {
    let others = fields.into_iter().filter(|field| !holds(field.ty.to_token_stream(), name));
    let asked: Vec<_> = others.map(ask).collect();
    if asked.is_empty() {
        return quote!(type __Sent = __acp::Given<#name, (#facts)>;);
    }
    quote! {
        #[allow(deprecated)]
        type __Sent = __acp::Given<#name, ([(); {
            use __acp::Otherwise as _;
            #(#asked)*
            0
        }], #facts)>;
    }
}

/// Checks sharing only for fields that any thread may own. If two fields are wrong, each is one error.
fn ask(Field { cfgs, ty }: Field<'_>) -> TokenStream {
    quote_spanned! {place(ty)=>
        #(#cfgs)*
        {
            __acp::sent_between_threads::<#ty>();
            __acp::Facts::<#ty>::SENT.shared_between_threads();
        }
    }
}

/// Whether the type contains the struct itself. Then threads can share it if they can share the other fields.
fn holds(ty: TokenStream, name: &Ident) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "Self" || word == *name,
        TokenTree::Group(group) => holds(group.stream(), name),
        _ => false,
    })
}

/// The bounds for a generic type, which cannot meet them. This mistake was reported.
pub(crate) fn bounds_of(generics: &Generics) -> TokenStream {
    let own = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    quote!(where Self: ::core::marker::Send + ::core::marker::Sync + 'static #(, #own)*)
}

/// The bounds of the agents' traits on a type. If the type is an error, the compiler accepts it.
pub(crate) fn bounds() -> TokenStream {
    quote!(where __Sent: ::core::marker::Send + ::core::marker::Sync)
}
