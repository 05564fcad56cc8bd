//! Unions. If a union has a tag, a visitor of our own decodes it in one pass. If only the shapes distinguish the
//! branches, one branch after the other is tried.

mod conversions;
mod shapes;
mod unknown;
mod untagged;
mod variants;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

pub(super) use untagged::untagged;

use super::structs::Input;
use super::{Context, doc_or, ident, types};
use crate::model::{Fallback, Tagged, Type};

pub(super) fn alias(cx: Context<'_>, name: &Ident, target: &Type, docs: &TokenStream) -> TokenStream {
    let target = types::rust(cx, target);
    quote!(#docs pub type #name = #target;)
}

/// A union with a tag. `draft` tells that the whole union is a draft.
pub(super) fn tagged(cx: Context<'_>, name: &str, union: &Tagged, docs: &TokenStream, draft: bool) -> TokenStream {
    let Tagged { tag, variants, fallbacks, strict } = union;
    let (ident_of, support) = (ident(name), cx.schema.support());
    let known = variants.iter().map(|variant| variants::declare(cx, variant, Some(&variant.wire)));
    let rest = fallbacks.iter().map(|fallback| match fallback {
        Fallback::Shape(variant) => variants::declare(cx, variant, None),
        Fallback::Other(other) => {
            let docs =
                doc_or(other.docs.as_deref(), || "A value that this version of the protocol does not know.".to_owned());
            let (ident, payload) = (ident(&other.ident), unknown::name(name, other));
            quote!(#docs #[serde(untagged)] #ident(#payload))
        }
    });
    let words: Vec<&String> = variants.iter().map(|variant| &variant.wire).collect();
    let arms = variants.iter().enumerate().map(|(index, variant)| {
        let read = variants::read(cx, variant, &Input { deserializer: quote!(content), error: quote!(__D::Error) });
        let index = Literal::usize_unsuffixed(index);
        quote!(#index => #read)
    });
    let shapes = shapes::read(cx, &ident_of, fallbacks, false, |fallback, input| match fallback {
        Fallback::Shape(variant) => variants::read(cx, variant, input),
        Fallback::Other(other) => {
            let (ident, value) = (ident(&other.ident), &input.deserializer);
            quote!(::serde::Deserialize::deserialize(#value).map(Self::#ident))
        }
    });
    let (open, function) = if fallbacks.is_empty() {
        (TokenStream::new(), quote!(tagged))
    } else {
        let open = quote! {
            impl #support::Open for #ident_of {
                const STRICT: bool = #strict;
            }

            #shapes
        };
        (open, quote!(open))
    };
    let conversions = conversions::all(cx, &ident_of, variants.iter().chain(union.shapes()));
    let others = fallbacks.iter().filter_map(|fallback| match fallback {
        Fallback::Other(other) => Some(unknown::structure(cx, name, tag, &words, other, draft)),
        Fallback::Shape(_) => None,
    });
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
        #[serde(tag = #tag)]
        #[allow(clippy::large_enum_variant, reason = "the schema says what a variant holds")]
        #[non_exhaustive]
        pub enum #ident_of { #(#known,)* #(#rest,)* }

        impl #support::Tagged for #ident_of {
            const NAME: &'static str = #name;
            const TAG: &'static str = #tag;
            const TAGS: &'static [&'static str] = &[#(#words),*];

            fn variant<'de, __D: ::serde::Deserializer<'de>>(
                tag: usize,
                content: __D,
            ) -> ::std::result::Result<Self, __D::Error> {
                match tag {
                    #(#arms,)*
                    _ => ::std::result::Result::Err(#support::no_variant(#name)),
                }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #ident_of {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                #support::#function(deserializer)
            }
        }

        #open
        #conversions
        #(#others)*
    }
}
