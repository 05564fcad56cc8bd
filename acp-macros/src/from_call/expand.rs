//! Writes the code for a struct: it takes from the call what its fields take, one after another.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericParam, Lifetime, parse_quote};

use super::raw::{self, Field};
use super::valid::Struct;
use crate::diagnostics::place;

pub(super) fn expand(item: &Struct) -> TokenStream {
    let Struct { name, lifetime, krate, fields } = item;
    let arguments = lifetime.as_ref().map(|lifetime| quote!(<#lifetime>));
    let call = lifetime.clone().unwrap_or_else(|| parse_quote!('__call));
    let taken = |Field { name: _, ty }: &Field| quote_spanned!(place(ty)=> <#ty as __acp::FromCall<#call, __M, __A>>);
    // A handler whose call cannot provide a field is told of the field here.
    let bounds =
        fields.iter().map(|Field { name: _, ty }| quote_spanned!(ty.span()=> #ty: __acp::FromCall<#call, __M, __A>));
    let slots = fields.iter().map(|field| {
        let taken = taken(field);
        quote_spanned! {place(&field.ty)=>
            __acp::distinct(&[slots, #taken::SLOT]);
            let slots = slots | #taken::SLOT;
        }
    });
    let values = fields.iter().map(|field| {
        let (name, taken) = (&field.name, taken(field));
        quote_spanned!(place(&field.ty)=> #name: #taken::from_call(parts)?)
    });
    quote! {
        #[allow(deprecated)]
        const _: () = {
            use #krate::__private as __acp;
            #[automatically_derived]
            impl<#call, __M: __acp::Handled<__A>, __A: __acp::Handlers> __acp::FromCall<#call, __M, __A>
                for #name #arguments
            where
                #(#bounds,)*
            {
                const SLOT: __acp::u32 = {
                    let slots = 0;
                    #(#slots)*
                    slots
                };
                fn from_call(parts: &mut __acp::Parts<#call, __A, __M>) -> __acp::Result<Self, __acp::Error> {
                    const { <Self as __acp::FromCall<#call, __M, __A>>::SLOT };
                    __acp::Ok(Self { #(#values),* })
                }
            }
        };
    }
}

/// The code for a struct with errors. With it, a handler that takes the struct gets no second error.
pub(super) fn fallback(item: &raw::Struct) -> TokenStream {
    let raw::Struct { name, generics, krate, fields: _ } = item;
    let call: Lifetime = parse_quote!('__call);
    let (_, arguments, bounds) = generics.split_for_impl();
    let mut parameters = generics.params.clone();
    for parameter in &mut parameters {
        match parameter {
            GenericParam::Type(parameter) => parameter.default = None,
            GenericParam::Const(parameter) => parameter.default = None,
            GenericParam::Lifetime(_) => {}
        }
    }
    let lifetimes = parameters.iter().filter(|parameter| matches!(parameter, GenericParam::Lifetime(_)));
    let others = parameters.iter().filter(|parameter| !matches!(parameter, GenericParam::Lifetime(_)));
    quote! {
        const _: () = {
            use #krate::__private as __acp;
            impl<#call, #(#lifetimes,)* #(#others,)* __M: __acp::Handled<__A>, __A: __acp::Handlers>
                __acp::FromCall<#call, __M, __A> for #name #arguments #bounds
            {
                fn from_call(_: &mut __acp::Parts<#call, __A, __M>) -> __acp::Result<Self, __acp::Error> {
                    __acp::unreachable()
                }
            }
        };
    }
}
