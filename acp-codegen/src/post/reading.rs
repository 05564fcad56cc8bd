//! How a struct is read: its fields described for `acp_runtime::schema::support`, which does once what a derive would write
//! out for each struct anew. That compiles in a fraction of the time, and reads the same.
//!
//! A struct that takes in fields of others (`flatten`) is left to serde's derive.

use heck::ToUpperCamelCase as _;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Type;

use super::attributes;
use super::types::inner;
use crate::model::{Field, Presence};

/// A field as it is read.
pub(crate) struct Reading {
    ident: Ident,
    ty: Type,
    wire: String,
    required: bool,
    /// What reads it where its type would be too strict.
    lenient: Option<Ident>,
}

impl Reading {
    pub(super) fn new(field: &Field, ident: &Ident, ty: &Type) -> Self {
        Self {
            ident: ident.clone(),
            ty: ty.clone(),
            wire: field.wire.clone(),
            // serde, too, takes an optional value that is missing for none.
            required: matches!(field.presence, Presence::Required | Presence::Constant)
                && inner(ty, "Option").is_none(),
            lenient: attributes::leniency(field).map(|function| format_ident!("{}", function.to_upper_camel_case())),
        }
    }
}

/// Who is read: the name in errors, and the path of what its fields make.
pub(crate) struct Whole<'a> {
    pub(crate) name: &'a str,
    pub(crate) path: TokenStream,
}

/// What is read from.
pub(crate) struct Input {
    pub(crate) deserializer: TokenStream,
    /// The type of its errors.
    pub(crate) error: TokenStream,
}

/// The end of a block that reads the fields by a `function` of the support module: a `Result`.
pub(crate) fn block(
    readings: &[Reading],
    Whole { name, path }: &Whole<'_>,
    function: &str,
    Input { deserializer, error }: &Input,
) -> TokenStream {
    let function = format_ident!("{function}");
    let slots = readings.iter().map(|Reading { ident, ty, .. }| quote!(#ident: ::std::option::Option<#ty>));
    let empty = readings.iter().map(|Reading { ident, .. }| quote!(#ident: ::std::option::Option::None));
    let wires = readings.iter().map(|reading| &reading.wire);
    let arms = readings.iter().enumerate().map(|(index, Reading { ident, lenient, .. })| {
        let index = Literal::usize_unsuffixed(index);
        match lenient {
            Some(lenient) => quote!(#index => next.read_by::<__support::#lenient, _>(&mut self.#ident)),
            None => quote!(#index => next.read(&mut self.#ident)),
        }
    });
    let values = readings.iter().map(|Reading { ident, wire, required, .. }| match required {
        true => quote!(#ident: __support::required::<_, #error>(fields.#ident, #wire)?),
        false => quote!(#ident: fields.#ident.unwrap_or_default()),
    });
    let fields = if readings.is_empty() { quote!(_) } else { quote!(fields) };
    let whole = quote!(#path { #(#values),* });
    let finish = match readings.iter().any(|reading| reading.required) {
        true => quote!(and_then(|#fields| ::std::result::Result::Ok(#whole))),
        false => quote!(map(|#fields| #whole)),
    };
    let (field, read) = match readings {
        [] => (quote!(_), quote!(next.skip())),
        _ => (quote!(field), quote!(match field { #(#arms,)* _ => next.skip() })),
    };
    quote! {
        use ::acp_runtime::schema::support as __support;

        struct __Fields { #(#slots),* }

        impl<'de> __support::Fields<'de> for __Fields {
            const NAME: &'static str = #name;
            const WIRE: &'static [&'static str] = &[#(#wires),*];

            fn read<N: __support::Next<'de>>(&mut self, #field: usize, next: N) -> ::std::result::Result<(), N::Error> {
                #read
            }
        }

        __support::#function(#deserializer, __Fields { #(#empty),* }).#finish
    }
}
