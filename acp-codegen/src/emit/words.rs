//! Open lists of words: the known ones as variants, and a last one that keeps any other word.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{doc_or, ident};
use crate::model::OpenWords;

pub(super) fn open(name: &Ident, list: &OpenWords, docs: &TokenStream) -> TokenStream {
    let OpenWords { words, other } = list;
    let rest = ident(&other.ident);
    let rest_docs = doc_or(other.docs.as_deref(), || "Any other word.".to_owned());
    let idents: Vec<Ident> = words.iter().map(|word| ident(&word.ident)).collect();
    let wires: Vec<&String> = words.iter().map(|word| &word.wire).collect();
    let docs_of = words.iter().map(|word| doc_or(word.docs.as_deref(), || format!("`{}` on the wire.", word.wire)));
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

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                ::acp_runtime::schema::support::word(deserializer)
            }
        }
    }
}
