//! Newtypes over text (ids), and untyped values.
//!
//! Ids travel with every message and are cloned for every task. So they share their text, as the reference crate's ids
//! do.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{Context, conversions};
use crate::model::Raw;

pub(super) fn text(cx: Context<'_>, name: &Ident, docs: &TokenStream) -> TokenStream {
    let support = cx.schema.support();
    let from_texts = conversions::from_texts(cx, name);
    let new = format!(" A new `{name}` of a text.");
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct #name(pub ::std::sync::Arc<str>);

        impl #name {
            #[doc = #new]
            #[must_use]
            pub fn new(text: impl ::std::convert::Into<::std::sync::Arc<str>>) -> Self {
                Self(text.into())
            }

            /// The text as it stands on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl ::std::convert::AsRef<str> for #name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl ::std::borrow::Borrow<str> for #name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl ::std::cmp::PartialEq<str> for #name {
            fn eq(&self, other: &str) -> bool {
                *self.0 == *other
            }
        }

        impl ::std::cmp::PartialEq<&str> for #name {
            fn eq(&self, other: &&str) -> bool {
                *self.0 == **other
            }
        }

        impl ::std::convert::From<&str> for #name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl ::std::convert::From<::std::string::String> for #name {
            fn from(text: ::std::string::String) -> Self {
                Self(text.into())
            }
        }

        impl ::std::convert::From<::std::sync::Arc<str>> for #name {
            fn from(text: ::std::sync::Arc<str>) -> Self {
                Self(text)
            }
        }

        #from_texts

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                #support::shared_text(deserializer).map(Self)
            }
        }
    }
}

pub(super) fn raw(cx: Context<'_>, name: &Ident, raw: &Raw, docs: &TokenStream) -> TokenStream {
    if raw.has_method { with_method(cx, name, docs) } else { value_only(cx, name, docs) }
}

fn with_method(cx: Context<'_>, name: &Ident, docs: &TokenStream) -> TokenStream {
    let support = cx.schema.support();
    let new = format!(" A new `{name}` of a method name, which starts with `_`, and its params.");
    quote! {
        #docs
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub struct #name {
            /// The method; it travels in the message around the params, not in them.
            pub method: ::std::sync::Arc<str>,
            /// The params, as they stand on the wire.
            pub params: ::std::sync::Arc<::serde_json::value::RawValue>,
        }

        impl #name {
            #[doc = #new]
            #[must_use]
            pub fn new(
                method: impl ::std::convert::Into<::std::sync::Arc<str>>,
                params: ::std::sync::Arc<::serde_json::value::RawValue>,
            ) -> Self {
                Self { method: method.into(), params }
            }
        }

        /// The same text: spaces and the order of keys count.
        impl ::std::cmp::PartialEq for #name {
            fn eq(&self, other: &Self) -> bool {
                self.method == other.method && self.params.get() == other.params.get()
            }
        }

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                ::serde::Serialize::serialize(&*self.params, serializer)
            }
        }

        /// The method stays empty, because it is not a part of the params.
        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                let params = #support::shared_raw(deserializer)?;
                ::std::result::Result::Ok(Self { method: "".into(), params })
            }
        }
    }
}

fn value_only(cx: Context<'_>, name: &Ident, docs: &TokenStream) -> TokenStream {
    let support = cx.schema.support();
    let new = format!(" A new `{name}` of any JSON.");
    quote! {
        #docs
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub struct #name(
            /// The value, as it stands on the wire.
            pub ::std::sync::Arc<::serde_json::value::RawValue>,
        );

        impl #name {
            #[doc = #new]
            #[must_use]
            pub fn new(value: ::std::sync::Arc<::serde_json::value::RawValue>) -> Self {
                Self(value)
            }
        }

        impl ::std::convert::From<::std::sync::Arc<::serde_json::value::RawValue>> for #name {
            fn from(value: ::std::sync::Arc<::serde_json::value::RawValue>) -> Self {
                Self(value)
            }
        }

        /// The same text: spaces and the order of keys count.
        impl ::std::cmp::PartialEq for #name {
            fn eq(&self, other: &Self) -> bool {
                self.0.get() == other.0.get()
            }
        }

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                ::serde::Serialize::serialize(&*self.0, serializer)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                #support::shared_raw(deserializer).map(Self)
            }
        }
    }
}
