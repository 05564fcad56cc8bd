//! Writes the code for a struct: its form, and the function from the answers to the struct.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, Type};

use super::raw;
use super::valid::{Question, Struct};
use crate::diagnostics::{place, respan};
use crate::keys::Keyed;

pub(super) fn expand(item: &Struct) -> TokenStream {
    let Struct { name, krate, title, description, questions } = item;
    let description = description.as_ref().map(|text| quote!(.description(#text)));
    let rows = questions.iter().map(row);
    let fields = questions.iter().enumerate().map(|(position, Question { field, ty, .. })| {
        let asked = asked(ty);
        quote!(#field: #asked.read(__answers, #position)?)
    });
    quote! {
        const _: () = {
            use #krate::__private as __acp;
            #[automatically_derived]
            #[allow(deprecated)]
            impl __acp::Questions for #name {
                fn declared() -> __acp::Form {
                    __acp::Form::new(#title) #description #(#rows)*
                }
                fn read(__answers: &mut __acp::Answers) -> __acp::Result<Self, __acp::Error> {
                    __acp::Ok(Self { #(#fields),* })
                }
            }
        };
    }
}

/// The code for a struct with errors. With it, a call that asks the questions gets no second error.
pub(super) fn fallback(item: &raw::Struct) -> TokenStream {
    let raw::Struct { name, generics, krate, .. } = item;
    if !generics.params.is_empty() {
        // The impl would need bounds that the author did not write.
        return TokenStream::new();
    }
    quote! {
        const _: () = {
            use #krate::__private as __acp;
            impl __acp::Questions for #name {
                fn declared() -> __acp::Form { __acp::unreachable() }
                fn read(_: &mut __acp::Answers) -> __acp::Result<Self, __acp::Error> { __acp::unreachable() }
            }
        };
    }
}

/// A question of this type. It has the place of the type, because a bound may refuse the type.
fn asked(ty: &Type) -> TokenStream {
    respan(quote!(__acp::asked::<#ty>()), place(ty))
}

fn row(question: &Question) -> TokenStream {
    let Question { field: _, ty, id, title, description, default, min, max, format, pattern } = question;
    let asked = asked(ty);
    let description = description.as_ref().map(|text| quote!(.description(#text)));
    let default = default.as_ref().map(|value| match value {
        Expr::Array(list) => quote!(.default(&#list)),
        value => quote!(.default(#value)),
    });
    let min = min.as_ref().map(|Keyed { key, value }| quote_spanned!(place(key)=> .min(#value)));
    let max = max.as_ref().map(|Keyed { key, value }| quote_spanned!(place(key)=> .max(#value)));
    let format = format.as_ref().map(|Keyed { key, value }| quote_spanned!(place(key)=> .format(#value)));
    let pattern = pattern.as_ref().map(|Keyed { key, value }| quote_spanned!(place(key)=> .pattern(#value)));
    quote!(.ask(#id, #title, #asked #description #default #min #max #format #pattern))
}
