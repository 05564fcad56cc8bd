//! A value that is always the same: a type with that one value, which reads nothing else. By it a union whose branches are
//! told apart by nothing but such a value tells them apart.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use crate::model::Constant;

pub(super) fn constant(name: &Ident, constant: &Constant, docs: &TokenStream) -> TokenStream {
    let (ty, value, function) = match constant {
        Constant::Text(text) => (quote!(&'static str), quote!(#text), quote!(constant_text)),
        Constant::Integer(number) => {
            let number = Literal::i64_unsuffixed(*number);
            (quote!(i64), quote!(#number), quote!(constant_number))
        }
    };
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
                ::acp_runtime::schema::support::#function(deserializer, Self::VALUE).map(|()| Self)
            }
        }
    }
}
