//! Numbers with a meaning: newtypes, and open lists of constants such as the error codes.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::{doc, doc_or, ident};
use crate::model::{IntegerType, OpenIntegers};

pub(super) fn newtype(name: &Ident, kind: IntegerType, docs: &TokenStream) -> TokenStream {
    let rust = ident(kind.rust());
    let getter = ident(&format!("as_{}", kind.rust()));
    quote! {
        #docs
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ::serde::Serialize, ::serde::Deserialize,
        )]
        #[serde(transparent)]
        pub struct #name(pub #rust);

        impl #name {
            /// The number as it stands on the wire.
            #[must_use]
            pub const fn #getter(self) -> #rust {
                self.0
            }
        }

        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl ::std::convert::From<#rust> for #name {
            fn from(number: #rust) -> Self {
                Self(number)
            }
        }
    }
}

pub(super) fn open(name: &Ident, list: &OpenIntegers, docs: &TokenStream) -> TokenStream {
    let OpenIntegers { kind, values, other } = list;
    let rust = ident(kind.rust());
    let rust_text = kind.rust();
    let rest = ident(&other.ident);
    let rest_docs = doc_or(other.docs.as_deref(), || "Any other number.".to_owned());
    let idents: Vec<Ident> = values.iter().map(|value| ident(&value.ident)).collect();
    let numbers: Vec<Literal> = values.iter().map(|value| Literal::i64_unsuffixed(value.wire)).collect();
    let docs_of = values.iter().map(|value| doc(value.docs.as_deref().or(value.title.as_deref())));
    let titles = values.iter().map(|value| value.title.clone().unwrap_or_else(|| value.ident.clone()));
    let rest_title = other.title.clone().unwrap_or_else(|| other.ident.clone());
    quote! {
        #docs
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(from = #rust_text, into = #rust_text)]
        #[non_exhaustive]
        pub enum #name {
            #(#docs_of #idents,)*
            #rest_docs
            #rest(#rust),
        }

        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    #(Self::#idents => f.write_str(#titles),)*
                    Self::#rest(number) => {
                        f.write_str(#rest_title)?;
                        write!(f, " ({number})")
                    }
                }
            }
        }

        impl ::std::convert::From<#rust> for #name {
            fn from(number: #rust) -> Self {
                match number {
                    #(#numbers => Self::#idents,)*
                    other => Self::#rest(other),
                }
            }
        }

        impl ::std::convert::From<#name> for #rust {
            fn from(value: #name) -> Self {
                match value {
                    #(#name::#idents => #numbers,)*
                    #name::#rest(other) => other,
                }
            }
        }
    }
}
