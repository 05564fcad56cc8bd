//! The code that reads a struct. It describes the fields to `acp_schema::support`. That module has the code which
//! serde's derive would repeat for each struct. So generated code compiles much faster, and reads the same values.
//!
//! If a struct contains fields of another type (`flatten`), serde's derive reads it.

use heck::ToUpperCamelCase as _;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::attributes;
use crate::emit::{Context, ident, types};
use crate::model::{Field, Presence};

/// A field for the reader.
struct Reading<'a> {
    ident: Ident,
    ty: TokenStream,
    wire: &'a str,
    required: bool,
    /// The function that reads the field; `None` if the type alone reads it by the right rules.
    lenient: Option<Ident>,
}

impl<'a> Reading<'a> {
    fn new(cx: Context<'_>, field: &'a Field) -> Self {
        Self {
            ident: ident(&field.ident),
            ty: types::of_field(cx, field),
            wire: &field.wire,
            // Like serde, this reads a missing optional value as `None`.
            required: matches!(field.presence, Presence::Required | Presence::Constant) && field.is_bare(),
            lenient: attributes::leniency(field).map(|function| format_ident!("{}", function.to_upper_camel_case())),
        }
    }
}

/// The struct that the code reads: its name in errors, and the path with which it is built.
pub(in crate::emit) struct Whole<'a> {
    pub(in crate::emit) name: &'a str,
    pub(in crate::emit) path: TokenStream,
}

/// The input.
pub(in crate::emit) struct Input {
    pub(in crate::emit) deserializer: TokenStream,
    /// The type of the input's errors.
    pub(in crate::emit) error: TokenStream,
}

/// The end of the block that reads the fields, with a `function` of the support module. It returns a `Result`.
pub(in crate::emit) fn block(
    cx: Context<'_>,
    fields: &[Field],
    Whole { name, path }: &Whole<'_>,
    function: &str,
    Input { deserializer, error }: &Input,
) -> TokenStream {
    let function = format_ident!("{function}");
    let support = cx.schema.support();
    let readings: Vec<Reading<'_>> = fields.iter().map(|field| Reading::new(cx, field)).collect();
    let slots = readings.iter().map(|Reading { ident, ty, .. }| quote!(#ident: ::std::option::Option<#ty>));
    let empty = readings.iter().map(|Reading { ident, .. }| quote!(#ident: ::std::option::Option::None));
    let wires = readings.iter().map(|reading| reading.wire);
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
    let (field, read) = match readings.as_slice() {
        [] => (quote!(_), quote!(next.skip())),
        _ => (quote!(field), quote!(match field { #(#arms,)* _ => next.skip() })),
    };
    quote! {
        use #support as __support;

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
