//! Payloads in which nothing is required may be `null` on the wire: then they are the default.
//!
//! A private twin derives the decoding, so that a `null` inside an `Option` of the type still means `None`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemStruct;

pub(super) fn deserialize(item: &ItemStruct) -> TokenStream {
    let name = &item.ident;
    let text = name.to_string();
    let idents: Vec<_> = item.fields.iter().map(|field| &field.ident).collect();
    let fields = item.fields.iter().map(|field| {
        let mut field = field.clone();
        field.vis = syn::Visibility::Inherited;
        field.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
        field
    });
    quote! {
        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                #[derive(::serde::Deserialize)]
                #[serde(rename = #text)]
                struct Wire { #(#fields),* }

                let wire: ::std::option::Option<Wire> = ::serde::Deserialize::deserialize(deserializer)?;
                ::std::result::Result::Ok(match wire {
                    ::std::option::Option::Some(Wire { #(#idents),* }) => Self { #(#idents),* },
                    ::std::option::Option::None => ::std::default::Default::default(),
                })
            }
        }
    }
}
