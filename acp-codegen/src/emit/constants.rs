//! A type with one constant value. It reads no other value. Unions use such types if only the constants distinguish
//! their branches.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::Context;
use crate::model::Constant;

pub(super) fn constant(cx: Context<'_>, name: &Ident, constant: &Constant, docs: &TokenStream) -> TokenStream {
    let (ty, value, function) = match constant {
        Constant::Text(text) => (quote!(&'static str), quote!(#text), quote!(constant_text)),
        Constant::Integer(number) => {
            let number = Literal::i64_unsuffixed(*number);
            (quote!(i64), quote!(#number), quote!(constant_number))
        }
    };
    let support = cx.schema.support();
    quote! {
        #docs
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct #name;

        impl #name {
            /// The value as it stands on the wire.
            pub const VALUE: #ty = #value;
        }

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                ::serde::Serialize::serialize(&Self::VALUE, serializer)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                #support::#function(deserializer, Self::VALUE).map(|()| Self)
            }
        }
    }
}
