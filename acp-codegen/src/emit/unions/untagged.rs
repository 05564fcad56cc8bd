//! A union without a tag: only the shapes distinguish its branches.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{conversions, shapes, variants};
use crate::emit::{Context, ident};
use crate::model::{Type, Untagged};

pub(in crate::emit) fn untagged(cx: Context<'_>, name: &Ident, union: &Untagged, docs: &TokenStream) -> TokenStream {
    let variants = union.variants.iter().map(|variant| {
        let docs = variants::docs(variant);
        let ident = ident(&variant.ident);
        match &variant.payload {
            Type::Unit => quote!(#docs #ident),
            payload => {
                let payload = variants::content(cx, payload);
                quote!(#docs #ident(#payload))
            }
        }
    });
    let shapes =
        shapes::read(cx, name, &union.variants, cx.model.overlap(union), |variant, input| match &variant.payload {
            Type::Unit => {
                let (ident, value) = (ident(&variant.ident), &input.deserializer);
                quote!(<() as ::serde::Deserialize>::deserialize(#value).map(|()| Self::#ident))
            }
            _ => variants::read(cx, variant, input),
        });
    let conversions = conversions::all(cx, name, union.variants.iter());
    let plain = union.variants.iter().all(|variant| is_plain(&variant.payload));
    let display = plain.then(|| display(name, union));
    let derives = plain.then(|| quote!(Eq, PartialOrd, Ord, Hash,));
    let support = cx.schema.support();
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq, #derives ::serde::Serialize)]
        #[serde(untagged)]
        #[allow(clippy::large_enum_variant, reason = "the schema says what a variant holds")]
        #[non_exhaustive]
        pub enum #name { #(#variants,)* }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                #support::untagged(deserializer)
            }
        }

        #shapes
        #conversions
        #display
    }
}

/// Whether the ids are texts or numbers. Such ids can be keys of maps, and can be printed.
fn is_plain(payload: &Type) -> bool {
    matches!(payload, Type::Unit | Type::Text | Type::Integer(_))
}

fn display(name: &Ident, union: &Untagged) -> TokenStream {
    let arms = union.variants.iter().map(|variant| {
        let ident = ident(&variant.ident);
        match variant.payload {
            Type::Unit => quote!(Self::#ident => f.write_str("null")),
            _ => quote!(Self::#ident(value) => ::std::fmt::Display::fmt(value, f)),
        }
    });
    quote! {
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self { #(#arms,)* }
            }
        }
    }
}
