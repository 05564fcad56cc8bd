//! Closed enums: typify's variants and conversions, with the defaults that the overlay gives.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse_quote;

use crate::emit::{self, Typified};
use crate::model::ClosedEnum;

pub(crate) fn closed_enum(words: &ClosedEnum, typified: &mut Typified, name: &str, docs: &TokenStream) -> TokenStream {
    let mut item = typified.enums.remove(name).expect("typify's output was checked to be complete");
    item.attrs.push(parse_quote!(#[non_exhaustive]));
    if words.default.is_some() {
        item.attrs.push(parse_quote!(#[derive(Default)]));
    }
    let mut arms = TokenStream::new();
    for (variant, word) in item.variants.iter_mut().zip(&words.words) {
        variant.ident = emit::ident(&word.ident);
        let wire = &word.wire;
        let docs = emit::doc_or(word.docs.as_deref(), || format!("`{wire}` on the wire."));
        variant.attrs = parse_quote!(#docs #[serde(rename = #wire)]);
        if words.default.as_ref() == Some(&word.ident) {
            variant.attrs.push(parse_quote!(#[default]));
            if words.unknown_is_default {
                variant.attrs.push(parse_quote!(#[serde(other)]));
            }
        }
        let ident = &variant.ident;
        arms.extend(quote!(Self::#ident => #wire,));
    }
    let ident = &item.ident;
    let mut out = quote! {
        #docs
        #item
        impl #ident {
            /// The word as it stands on the wire.
            #[must_use]
            pub const fn as_str(&self) -> &'static str {
                match self { #arms }
            }
        }
    };
    for item in typified.impls.remove(name).unwrap_or_default() {
        item.to_tokens(&mut out);
    }
    out
}
