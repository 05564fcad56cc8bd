//! Errors: a struct that wants nothing but a `code` from an open list of numbers and a `message` gets a constructor for
//! each number of the list, so that nobody has to look them up.

use heck::ToSnakeCase;
use proc_macro2::TokenStream;
use quote::quote;

use super::{doc, ident};
use crate::model::{Model, OpenIntegers, Shape, Struct};
use crate::post::{Finished, simple_name};

pub(super) fn constructors(model: &Model, structure: &Struct, finished: &Finished) -> Option<TokenStream> {
    let (code, list) = code_of(model, finished)?;
    let (name, code, rust) = (&finished.item.ident, ident(&code), ident(list.kind.rust()));
    let taken = |method: &str| method == "new" || structure.fields.iter().any(|field| field.ident == method);
    let words = list.words.iter().map(|word| (word, word.ident.to_snake_case()));
    let words = words.filter(|(_, method)| !taken(method) && syn::parse_str::<syn::Ident>(method).is_ok());
    let constructors = words.map(|(word, method)| {
        let text = word.docs.as_deref().or(word.title.as_deref()).unwrap_or(&word.ident);
        let docs = doc(Some(&format!("{text}\n\nThe code is {}.", word.wire)));
        let (method, variant) = (ident(&method), ident(&word.ident));
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

/// The list that the codes of an error are from.
fn code_of<'a>(model: &'a Model, finished: &Finished) -> Option<(String, &'a OpenIntegers)> {
    let [code, message] = finished.required.as_slice() else { return None };
    if finished.inline {
        return None;
    }
    let fields: Vec<&syn::Field> = finished.item.fields.iter().collect();
    let (code, message) = (fields[code.field], fields[message.field]);
    let named = |field: &syn::Field, name: &str| field.ident.as_ref().is_some_and(|ident| ident == name);
    if !named(code, "code") || !named(message, "message") || simple_name(&message.ty)? != "String" {
        return None;
    }
    let ty = simple_name(&code.ty)?;
    match &model.get(&ty)?.shape {
        Shape::OpenIntegers(list) => Some((ty, list)),
        _ => None,
    }
}
