//! Closed lists of words, with the defaults from the overlay.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{doc_or, ident};
use crate::model::ClosedEnum;

pub(super) fn closed(name: &Ident, list: &ClosedEnum, docs: &TokenStream) -> TokenStream {
    let ClosedEnum { values, default, unknown_is_default } = list;
    let idents: Vec<Ident> = values.iter().map(|value| ident(&value.ident)).collect();
    let wires: Vec<&String> = values.iter().map(|value| &value.wire).collect();
    let variants = values.iter().zip(&idents).map(|(value, ident)| {
        let wire = &value.wire;
        let docs = doc_or(value.docs.as_deref(), || format!("`{wire}` on the wire."));
        let is_default = default.as_ref() == Some(&value.ident);
        let default = is_default.then(|| quote!(#[default]));
        let other = (is_default && *unknown_is_default).then(|| quote!(#[serde(other)]));
        quote!(#docs #[serde(rename = #wire)] #default #other #ident)
    });
    let derive = default.is_some().then(|| quote!(#[derive(Default)]));
    quote! {
        #docs
        #[derive(
            ::serde::Deserialize, ::serde::Serialize, Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd
        )]
        #[non_exhaustive]
        #derive
        pub enum #name { #(#variants,)* }

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
            type Err = self::error::ConversionError;

            fn from_str(value: &str) -> ::std::result::Result<Self, self::error::ConversionError> {
                match value {
                    #(#wires => Ok(Self::#idents),)*
                    _ => Err("invalid value".into()),
                }
            }
        }

        impl ::std::convert::TryFrom<&str> for #name {
            type Error = self::error::ConversionError;

            fn try_from(value: &str) -> ::std::result::Result<Self, self::error::ConversionError> {
                value.parse()
            }
        }

        impl ::std::convert::TryFrom<::std::string::String> for #name {
            type Error = self::error::ConversionError;

            fn try_from(value: ::std::string::String) -> ::std::result::Result<Self, self::error::ConversionError> {
                value.parse()
            }
        }
    }
}

/// The module that closed lists refer to.
pub(super) fn support() -> TokenStream {
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
