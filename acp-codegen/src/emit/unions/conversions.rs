//! The `From` impls of a union.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::emit::structs::{Declared, declared};
use crate::emit::{Context, ident, types};
use crate::model::{Type, Variant};

/// Makes a `From` for every type that is the content of only one variant.
pub(super) fn all<'a>(cx: Context<'_>, name: &Ident, variants: impl Iterator<Item = &'a Variant>) -> TokenStream {
    let sources: Vec<_> = variants.flat_map(|variant| contents(cx, variant)).collect();
    let mut times: HashMap<String, usize> = HashMap::new();
    for (ty, _) in &sources {
        *times.entry(ty.to_string()).or_default() += 1;
    }
    let once = sources.iter().filter(|(ty, _)| times[&ty.to_string()] == 1);
    let conversion = |(ty, value): &(TokenStream, TokenStream)| {
        quote! {
            impl ::std::convert::From<#ty> for #name {
                fn from(value: #ty) -> Self {
                    #value
                }
            }
        }
    };
    once.map(conversion).collect()
}

/// The types that convert into a variant. For each, the expression that converts a `value`.
fn contents(cx: Context<'_>, variant: &Variant) -> Vec<(TokenStream, TokenStream)> {
    let name = ident(&variant.ident);
    if let Some(inline) = cx.model.inline(variant) {
        let declared = declared(cx, &name, inline);
        let [Declared { ident, ty, .. }] = declared.as_slice() else { return Vec::new() };
        let of_value =
            if ident == "value" { quote!(Self::#name { value }) } else { quote!(Self::#name { #ident: value }) };
        let mut out = vec![(quote!(#ty), of_value)];
        if matches!(inline.fields.as_slice(), [field] if field.is_bare() && cx.model.is_id(&field.ty)) {
            let value = quote!(Self::#name { #ident: value.into() });
            out.extend([(quote!(&str), value.clone()), (quote!(::std::string::String), value)]);
        }
        return out;
    }
    // If two names mean the same type, two equal conversions would be written.
    let payload = cx.model.resolved(&variant.payload);
    let ty = types::rust(cx, payload);
    match payload {
        Type::Unit | Type::Any => Vec::new(),
        Type::Text => vec![(ty, quote!(Self::#name(value))), (quote!(&str), quote!(Self::#name(value.to_owned())))],
        _ => vec![(ty, quote!(Self::#name(value)))],
    }
}
