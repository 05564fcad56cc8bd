//! Integers with a name of their own: newtypes, closed lists of constants, and open lists such as the error codes.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::{doc, doc_or, ident};
use crate::model::{ClosedIntegers, IntegerType, OpenIntegers};

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

pub(super) fn closed(name: &Ident, list: &ClosedIntegers, docs: &TokenStream) -> TokenStream {
    let ClosedIntegers { kind, values, default, unknown_is_default } = list;
    let rust = ident(kind.rust());
    let getter = ident(&format!("as_{}", kind.rust()));
    let idents: Vec<Ident> = values.iter().map(|value| ident(&value.ident)).collect();
    let numbers: Vec<Literal> = values.iter().map(|value| Literal::i64_unsuffixed(value.wire)).collect();
    let variants = values.iter().zip(&idents).map(|(value, ident)| {
        let text = value.docs.as_deref().or(value.title.as_deref());
        let docs = doc_or(text, || format!("`{}` on the wire.", value.wire));
        let default = (default.as_ref() == Some(&value.ident)).then(|| quote!(#[default]));
        quote!(#docs #default #ident)
    });
    let derive = default.is_some().then(|| quote!(Default,));
    let read = match unknown_is_default {
        true => quote!(::std::result::Result::Ok(Self::try_from(number).unwrap_or_default())),
        false => quote!(Self::try_from(number).map_err(::serde::de::Error::custom)),
    };
    let wires: Vec<String> = values.iter().map(|value| value.wire.to_string()).collect();
    let invalid = format!("invalid value, expected {}", wires.join(" or "));
    quote! {
        #docs
        #[derive(Clone, Copy, Debug, #derive Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum #name { #(#variants,)* }

        impl #name {
            /// The number as it stands on the wire.
            #[must_use]
            pub const fn #getter(self) -> #rust {
                match self { #(Self::#idents => #numbers,)* }
            }
        }

        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.#getter(), f)
            }
        }

        impl ::std::convert::TryFrom<#rust> for #name {
            type Error = self::error::ConversionError;

            fn try_from(number: #rust) -> ::std::result::Result<Self, self::error::ConversionError> {
                match number {
                    #(#numbers => Ok(Self::#idents),)*
                    _ => Err(#invalid.into()),
                }
            }
        }

        impl ::std::convert::From<#name> for #rust {
            fn from(value: #name) -> Self {
                value.#getter()
            }
        }

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                ::serde::Serialize::serialize(&self.#getter(), serializer)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                let number = <#rust as ::serde::Deserialize>::deserialize(deserializer)?;
                #read
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
