//! The constructors of errors. If a struct requires only a `code` from an open list of numbers and a `message`, it gets
//! a constructor for each number. So authors need not look the numbers up.

use heck::ToSnakeCase;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{Context, doc, ident};
use crate::model::{Field, Member, OpenIntegers, Shape, Struct, Type};

pub(super) fn constructors(cx: Context<'_>, name: &Ident, structure: &Struct) -> Option<TokenStream> {
    let (code, list) = code_of(cx, structure)?;
    let (code, rust) = (ident(code), ident(list.kind.rust()));
    let taken = |method: &str| method == "new" || structure.fields.iter().any(|field| field.ident == method);
    let values = list.values.iter().map(|value| (value, value.ident.to_snake_case()));
    let values = values.filter(|(_, method)| !taken(method) && syn::parse_str::<syn::Ident>(method).is_ok());
    let constructors = values.map(|(value, method)| {
        let text = value.docs.as_deref().or(value.title.as_deref()).unwrap_or(&value.ident);
        let docs = doc(Some(&format!("{text}\n\nThe code is {}.", value.wire)));
        let (method, variant) = (ident(&method), ident(&value.ident));
        quote! {
            #docs
            #[must_use]
            pub fn #method() -> Self {
                #code::#variant.into()
            }
        }
    });
    Some(quote! {
        impl #name {
            #(#constructors)*
        }

        impl ::std::convert::From<#code> for #name {
            /// The error whose message is the name of the code.
            fn from(code: #code) -> Self {
                Self::new(code, code.to_string())
            }
        }

        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, "{} (code {})", self.message, #rust::from(self.code))
            }
        }

        impl ::std::error::Error for #name {}
    })
}

/// The list of an error's codes.
fn code_of<'a>(cx: Context<'a>, structure: &'a Struct) -> Option<(&'a str, &'a OpenIntegers)> {
    let required = structure.members().into_iter().filter(|member| member.is_required());
    let required: Vec<Member<'_>> = required.collect();
    let [Member::Field(code), Member::Field(message)] = required.as_slice() else { return None };
    let is = |field: &Field, name: &str| field.ident == name && field.is_bare();
    if !is(code, "code") || !is(message, "message") || message.ty != Type::Text {
        return None;
    }
    let Type::Named(name) = &code.ty else { return None };
    match &cx.model.get(name)?.shape {
        Shape::OpenIntegers(list) => Some((name, list)),
        _ => None,
    }
}
