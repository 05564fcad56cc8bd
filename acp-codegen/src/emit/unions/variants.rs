//! The variants of a union: their declaration and the code that reads them.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::emit::structs::{self, Declared, Input, Whole, declared};
use crate::emit::{Context, doc_or, ident, types};
use crate::model::{Type, Variant};

/// Declares a variant. If there is no tag, serde writes only the variant's content.
pub(super) fn declare(cx: Context<'_>, variant: &Variant, tag: Option<&String>) -> TokenStream {
    let (docs, name) = (docs(variant), ident(&variant.ident));
    let serde = match tag {
        Some(tag) => quote!(#[serde(rename = #tag)]),
        None => quote!(#[serde(untagged)]),
    };
    match (&variant.payload, cx.model.inline(variant)) {
        (_, Some(inline)) => {
            let fields = declared(cx, &name, inline);
            let fields = fields.iter().map(Declared::inherited);
            quote!(#docs #serde #name { #(#fields),* })
        }
        (Type::Unit, None) => quote!(#docs #serde #name),
        (payload, None) => {
            let payload = content(cx, payload);
            quote!(#docs #serde #name(#payload))
        }
    }
}

/// The field that holds the content of a variant.
pub(super) fn content(cx: Context<'_>, payload: &Type) -> TokenStream {
    let ty = types::rust(cx, payload);
    let function = cx.schema.in_support("number");
    let attribute = cx.model.holds_fractions(payload).then(|| quote!(#[serde(serialize_with = #function)]));
    quote!(#attribute #ty)
}

/// An expression that reads a variant from the deserializer `content`.
pub(super) fn read(cx: Context<'_>, variant: &Variant, input: &Input) -> TokenStream {
    let name = ident(&variant.ident);
    let content = &input.deserializer;
    match (&variant.payload, cx.model.inline(variant)) {
        (Type::Named(of), Some(inline)) if !inline.is_derived() => {
            let whole = Whole { name: of, path: quote!(Self::#name) };
            let block = structs::read(cx, &inline.fields, &whole, "object", input);
            quote!({ #block })
        }
        (_, Some(inline)) => {
            let declared = declared(cx, &name, inline);
            let fields = declared.iter().map(Declared::undocumented);
            let idents: Vec<&Ident> = declared.iter().map(|field| &field.ident).collect();
            quote! {{
                #[derive(::serde::Deserialize)]
                struct Fields { #(#fields),* }
                <Fields as ::serde::Deserialize>::deserialize(#content).map(|Fields { #(#idents),* }| Self::#name { #(#idents),* })
            }}
        }
        (Type::Unit, None) => {
            let support = cx.schema.support();
            quote!(#support::nothing(#content).map(|()| Self::#name))
        }
        _ => quote!(::serde::Deserialize::deserialize(#content).map(Self::#name)),
    }
}

pub(super) fn docs(variant: &Variant) -> TokenStream {
    doc_or(variant.docs.as_deref(), || format!("`{}` on the wire.", variant.wire))
}
