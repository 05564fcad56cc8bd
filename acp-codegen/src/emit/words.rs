//! Open lists of words. The known words are variants, and a last variant keeps any other word.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{Context, conversions, doc_or, ident};
use crate::model::OpenWords;

pub(super) fn open(cx: Context<'_>, name: &Ident, list: &OpenWords, docs: &TokenStream) -> TokenStream {
    let OpenWords { values, other } = list;
    let support = cx.schema.support();
    let rest = ident(&other.ident);
    let rest_docs = doc_or(other.docs.as_deref(), || "Any other word.".to_owned());
    let idents: Vec<Ident> = values.iter().map(|value| ident(&value.ident)).collect();
    let wires: Vec<&String> = values.iter().map(|value| &value.wire).collect();
    let docs_of = values.iter().map(|value| doc_or(value.docs.as_deref(), || format!("`{}` on the wire.", value.wire)));
    let from_texts = conversions::from_texts(cx, name);
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #(#docs_of #idents,)*
            #rest_docs
            #rest(::std::string::String),
        }

        impl #name {
            /// The word as it stands on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    #(Self::#idents => #wires,)*
                    Self::#rest(other) => other,
                }
            }
        }

        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl ::std::convert::From<&str> for #name {
            fn from(word: &str) -> Self {
                match word {
                    #(#wires => Self::#idents,)*
                    other => Self::#rest(other.to_owned()),
                }
            }
        }

        impl ::std::convert::From<::std::string::String> for #name {
            fn from(word: ::std::string::String) -> Self {
                match word.as_str() {
                    #(#wires => Self::#idents,)*
                    _ => Self::#rest(word),
                }
            }
        }

        #from_texts

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                #support::word(deserializer)
            }
        }
    }
}
