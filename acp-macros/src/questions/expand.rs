//! Writes the code for a struct: its form, and the function from the answers to the struct.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, Ident};

use super::raw;
use super::valid::{Question, Struct, whole};
use crate::diagnostics::{place, respan};
use crate::keys::Keyed;

pub(super) fn expand(item: &Struct) -> TokenStream {
    let Struct { name, krate, title, description, questions } = item;
    let description = description.as_ref().map(|text| quote!(.description(#text)));
    let checks = questions.iter().enumerate().map(check);
    let rows = questions.iter().enumerate().map(row);
    let fields = questions.iter().enumerate().map(|(position, question)| {
        let (field, asked) = (&question.field, asked(position, question));
        quote!(#field: #asked.read(__answers, #position)?)
    });
    quote! {
        const _: () = {
            use #krate::__private as __acp;
            #(#checks)*
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

/// The type of a question, or an error. In the second case, the keys and the answer give no further error.
fn check((position, question): (usize, &Question)) -> TokenStream {
    let (name, ty) = (checked(position), &question.ty);
    let here = place(ty);
    let answers = respan(quote!(__acp::answers::<#ty>()), here);
    // Only the compiler knows how many values there are, if they are more than one.
    let least =
        question.min.as_ref().map(|min| &min.value).and_then(|min| Some((min, whole(min).filter(|least| *least > 1)?)));
    let selects =
        least.map(|(min, least)| respan(quote!(const _: () = __acp::can_be_selected::<#name>(#least);), place(min)));
    quote!(#[allow(deprecated)] type #name = __acp::Given<#ty, [(); #answers]>; #selects)
}

fn checked(position: usize) -> Ident {
    format_ident!("__Question{position}")
}

/// A question of this type. It has the place of the type, because a bound may refuse the type.
fn asked(position: usize, question: &Question) -> TokenStream {
    let checked = checked(position);
    respan(quote!(__acp::asked::<#checked>()), place(&question.ty))
}

fn row((position, question): (usize, &Question)) -> TokenStream {
    let asked = asked(position, question);
    let Question { field: _, ty: _, id, title, description, default, min, max, format, pattern } = question;
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
