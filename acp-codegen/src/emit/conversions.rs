//! The `From` impls that the overlay asks for. Setters of optional fields take what a text converts into, too.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{Context, ident};
use crate::model::{Definition, Made, Way};

pub(super) fn all(cx: Context<'_>, definition: &Definition) -> TokenStream {
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
            Made::OfText => {
                out.extend(from_texts(cx, &name));
                vec![quote!(&str), quote!(::std::string::String)]
            }
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

/// The impls by which the setter of an optional field takes a text. `From` is not enough: such a setter also takes an
/// `Option`.
pub(super) fn from_texts(cx: Context<'_>, name: &Ident) -> TokenStream {
    let schema = cx.schema;
    let sources = [quote!(&str), quote!(::std::string::String)];
    let impls = sources.iter().map(|from| {
        quote! {
            impl #schema::IntoOption<#name> for #from {
                fn into_option(self) -> ::std::option::Option<#name> {
                    ::std::option::Option::Some(self.into())
                }
            }
        }
    });
    impls.collect()
}
