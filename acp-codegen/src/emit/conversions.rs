//! The `From` impls that the overlay asks for.

use proc_macro2::TokenStream;
use quote::quote;

use super::ident;
use crate::model::{Definition, Made, Way};

pub(super) fn all(definition: &Definition) -> TokenStream {
    let name = ident(&definition.name);
    let mut out = TokenStream::new();
    for conversion in &definition.conversions {
        let value = match &conversion.by {
            Way::Constructor { converted: false } => quote!(Self::new(value)),
            Way::Constructor { converted: true } => quote!(Self::new(value.into())),
            Way::Variant(variant) => {
                let variant = ident(variant);
                quote!(Self::#variant(value.into()))
            }
        };
        let sources = match &conversion.from {
            Made::OfText => vec![quote!(&str), quote!(::std::string::String)],
            Made::Of(from) => {
                let from = ident(from);
                vec![quote!(#from)]
            }
        };
        for from in sources {
            out.extend(quote! {
                impl ::std::convert::From<#from> for #name {
                    fn from(value: #from) -> Self {
                        #value
                    }
                }
            });
        }
    }
    out
}
