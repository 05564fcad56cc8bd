//! Writes the code that reads the branches without a tag.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::emit::Context;
use crate::emit::structs::Input;

/// The code tries the branches without a tag in order. If a value may fit several branches, the code tries all of them.
pub(super) fn read<B>(
    cx: Context<'_>,
    name: &Ident,
    branches: &[B],
    overlap: bool,
    read: impl Fn(&B, &Input) -> TokenStream,
) -> TokenStream {
    let support = cx.schema.support();
    if overlap {
        let reads = branches.iter().map(|branch| {
            let read = read(branch, &Input { deserializer: quote!(value), error: quote!(::serde_json::Error) });
            quote!(|value| #read)
        });
        let text = name.to_string();
        return quote! {
            impl #support::Shapes for #name {
                fn read(value: ::serde_json::Value) -> ::std::result::Result<Self, ::serde_json::Error> {
                    #support::best(#text, &value, &[#(#reads),*])
                }
            }
        };
    }
    let last = branches.len().saturating_sub(1);
    let reads = branches.iter().enumerate().map(|(index, branch)| {
        let deserializer = if index == last { quote!(value) } else { quote!(::std::clone::Clone::clone(&value)) };
        read(branch, &Input { deserializer, error: quote!(::serde_json::Error) })
    });
    let reads: Vec<_> = reads.collect();
    // If there is only one branch, its own error tells the mistake.
    if let [read] = &reads[..] {
        return quote! {
            impl #support::Shapes for #name {
                fn read(value: ::serde_json::Value) -> ::std::result::Result<Self, ::serde_json::Error> {
                    #read
                }
            }
        };
    }
    let text = name.to_string();
    quote! {
        impl #support::Shapes for #name {
            fn read(value: ::serde_json::Value) -> ::std::result::Result<Self, ::serde_json::Error> {
                #(
                    if let ::std::result::Result::Ok(value) = #reads {
                        return ::std::result::Result::Ok(value);
                    }
                )*
                ::std::result::Result::Err(#support::no_variant(#text))
            }
        }
    }
}
