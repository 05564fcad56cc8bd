//! Writes the code for an enum: its values as a client gets them, and the function from a variant to its row.

use proc_macro2::TokenStream;
use quote::quote;

use super::raw;
use super::valid::{Enum, Value, group_id};

pub(super) fn expand(item: &Enum) -> TokenStream {
    let Enum { name, krate, values } = item;
    let rows = values.iter().map(row);
    let variants: Vec<_> = values.iter().map(|value| &value.variant).collect();
    let positions = 0..variants.len();
    quote! {
        const _: () = {
            use #krate::__private as __acp;
            #[automatically_derived]
            #[allow(deprecated)]
            impl __acp::SelectValue for #name {
                const ALL: &'static [Self] = &[#(Self::#variants),*];
                const VALUES: &'static [__acp::ValueDeclaration<'static>] = &[#(#rows),*];
                fn position(&self) -> __acp::usize {
                    match self { #(Self::#variants => #positions),* }
                }
                fn at(position: __acp::usize) -> __acp::Option<Self> {
                    __acp::nth([#(Self::#variants),*], position)
                }
            }
        };
    }
}

/// The code for an enum with errors. With it, an option of this type gets no second error.
pub(super) fn fallback(item: &raw::Enum) -> TokenStream {
    let raw::Enum { name, generics, krate, variants: _ } = item;
    if !generics.params.is_empty() {
        // The impl would need bounds that the author did not write.
        return TokenStream::new();
    }
    quote! {
        const _: () = {
            use #krate::__private as __acp;
            impl __acp::SelectValue for #name {
                const ALL: &'static [Self] = &[];
                const VALUES: &'static [__acp::ValueDeclaration<'static>] = &[];
                fn position(&self) -> __acp::usize { __acp::unreachable() }
                fn at(_: __acp::usize) -> __acp::Option<Self> { __acp::None }
            }
        };
    }
}

fn row(value: &Value) -> TokenStream {
    let Value { variant: _, id, label, description, group } = value;
    let description = description.as_ref().map(|text| quote!(.description(#text)));
    let group = group.as_ref().map(|name| {
        let id = group_id(name);
        quote!(.group(#id, #name))
    });
    quote!(__acp::ValueDeclaration::new(#id, #label) #description #group)
}
