//! Newtypes for numbers that may have a fraction, and for lists and maps of such numbers. They write whole numbers
//! without a fraction everywhere.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{Context, types};
use crate::model::Type;

pub(super) fn newtype(cx: Context<'_>, name: &Ident, ty: &Type, docs: &TokenStream) -> TokenStream {
    let (rust, function) = (types::rust(cx, ty), cx.schema.in_support("number"));
    let one = *ty == Type::Float;
    let derives = one.then(|| quote!(Copy, PartialOrd,));
    let (held, reader) = if one { ("number", Some(reader(name))) } else { ("numbers", None) };
    let field = format!(" The {held} as on the wire.");
    quote! {
        #docs
        #[derive(Clone, Debug, Default, PartialEq, #derives ::serde::Serialize, ::serde::Deserialize)]
        #[serde(transparent)]
        pub struct #name(
            #[doc = #field]
            #[serde(serialize_with = #function)]
            pub #rust,
        );

        #reader

        impl ::std::convert::From<#rust> for #name {
            fn from(value: #rust) -> Self {
                Self(value)
            }
        }
    }
}

fn reader(name: &Ident) -> TokenStream {
    quote! {
        impl #name {
            /// The number as it stands on the wire.
            #[must_use]
            pub const fn as_f64(self) -> f64 {
                self.0
            }
        }

        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
    }
}
