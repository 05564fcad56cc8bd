//! Closed enums: their variants, the conversions from and to words, with the defaults that the overlay gives.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::emit::{self, ident};
use crate::model::ClosedEnum;

pub(crate) fn closed_enum(words: &ClosedEnum, name: &Ident, docs: &TokenStream) -> TokenStream {
    let default = words.default.is_some().then(|| quote!(#[derive(Default)]));
    let variants = words.words.iter().map(|word| {
        let (variant, wire) = (ident(&word.ident), &word.wire);
        let docs = emit::doc_or(word.docs.as_deref(), || format!("`{wire}` on the wire."));
        let is_default = words.default.as_ref() == Some(&word.ident);
        let default = is_default.then(|| quote!(#[default]));
        let other = (is_default && words.unknown_is_default).then(|| quote!(#[serde(other)]));
        quote!(#docs #[serde(rename = #wire)] #default #other #variant)
    });
    let idents: Vec<_> = words.words.iter().map(|word| ident(&word.ident)).collect();
    let wires: Vec<_> = words.words.iter().map(|word| &word.wire).collect();
    let error = quote!(self::error::ConversionError);
    let result = quote!(::std::result::Result<Self, #error>);
    quote! {
        #docs
        #[derive(
            ::serde::Deserialize, ::serde::Serialize, Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd
        )]
        #[non_exhaustive]
        #default
        pub enum #name { #(#variants),* }
        impl #name {
            /// The word as it stands on the wire.
            #[must_use]
            pub const fn as_str(&self) -> &'static str {
                match self { #(Self::#idents => #wires,)* }
            }
        }
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
        impl ::std::str::FromStr for #name {
            type Err = #error;
            fn from_str(value: &str) -> #result {
                match value {
                    #(#wires => Ok(Self::#idents),)*
                    _ => Err("invalid value".into()),
                }
            }
        }
        impl ::std::convert::TryFrom<&str> for #name {
            type Error = #error;
            fn try_from(value: &str) -> #result {
                value.parse()
            }
        }
        impl ::std::convert::TryFrom<::std::string::String> for #name {
            type Error = #error;
            fn try_from(value: ::std::string::String) -> #result {
                value.parse()
            }
        }
    }
}

/// What the conversions of closed enums fail with.
pub(crate) fn conversion_error() -> TokenStream {
    quote! {
        /// Error types.
        pub mod error {
            /// Error from a `TryFrom` or `FromStr` implementation.
            pub struct ConversionError(::std::borrow::Cow<'static, str>);
            impl ::std::error::Error for ConversionError {}
            impl ::std::fmt::Display for ConversionError {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> Result<(), ::std::fmt::Error> {
                    ::std::fmt::Display::fmt(&self.0, f)
                }
            }
            impl ::std::fmt::Debug for ConversionError {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> Result<(), ::std::fmt::Error> {
                    ::std::fmt::Debug::fmt(&self.0, f)
                }
            }
            impl From<&'static str> for ConversionError {
                fn from(value: &'static str) -> Self {
                    Self(value.into())
                }
            }
            impl From<String> for ConversionError {
                fn from(value: String) -> Self {
                    Self(value.into())
                }
            }
        }
    }
}
