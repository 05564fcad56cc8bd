//! `new(required..)` and one setter for each optional field.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::{Finished, Optional, types};
use crate::model::{Model, Presence, Shape};

pub(super) fn all(model: &Model, finished: &Finished) -> TokenStream {
    let name = &finished.item.ident;
    let fields: Vec<&syn::Field> = finished.item.fields.iter().collect();
    let new = new(model, finished, &fields);
    let setters = finished.optional.iter().map(|optional| setter(model, optional, fields[optional.field]));
    quote! {
        impl #name {
            #new
            #(#setters)*
        }
    }
}

fn new(model: &Model, finished: &Finished, fields: &[&syn::Field]) -> TokenStream {
    let name = &finished.item.ident;
    let docs = if finished.required.is_empty() {
        format!(" A new `{name}` in which nothing is set.")
    } else {
        format!(" A new `{name}` of what is required; the rest is not set.")
    };
    let mut parameters = Vec::new();
    let mut values = Vec::new();
    for (position, field) in fields.iter().enumerate() {
        let ident = &field.ident;
        if finished.required.iter().any(|required| required.field == position) {
            let (ty, value) = argument(model, ident.as_ref(), &field.ty);
            parameters.push(quote!(#ident: #ty));
            values.push(if converts(model, &field.ty) { quote!(#ident: #value) } else { quote!(#ident) });
        } else {
            values.push(quote!(#ident: ::std::default::Default::default()));
        }
    }
    quote! {
        #[doc = #docs]
        #[must_use]
        pub fn new(#(#parameters),*) -> Self {
            Self { #(#values),* }
        }
    }
}

fn setter(model: &Model, optional: &Optional, field: &syn::Field) -> TokenStream {
    let ident = field.ident.as_ref();
    let docs = &optional.docs;
    let (ty, value) = match optional.presence {
        Presence::Optional => {
            let inner = types::inner(&field.ty, "Option").unwrap_or(&field.ty);
            (quote!(impl ::acp_runtime::schema::IntoOption<#inner>), quote!(#ident.into_option()))
        }
        Presence::ThreeState => {
            let inner = types::inner(&field.ty, "MaybeUndefined").unwrap_or(&field.ty);
            (quote!(impl ::acp_runtime::schema::IntoMaybeUndefined<#inner>), quote!(#ident.into_maybe_undefined()))
        }
        Presence::Required | Presence::Constant | Presence::Defaulted { .. } => argument(model, ident, &field.ty),
    };
    quote! {
        #docs
        #[must_use]
        pub fn #ident(mut self, #ident: #ty) -> Self {
            self.#ident = #value;
            self
        }
    }
}

/// The type of a parameter for a field, and the expression that makes the field of it.
fn argument(model: &Model, name: Option<&syn::Ident>, ty: &Type) -> (TokenStream, TokenStream) {
    if converts(model, ty) {
        return (quote!(impl ::std::convert::Into<#ty>), quote!(#name.into()));
    }
    (quote!(#ty), quote!(#name))
}

/// Texts, paths, ids and unions by shape take what converts into them. Lists, tagged unions and structs are taken as
/// they are: there an argument such as `vec!["hi".into()]` or `"hi".into()` must be able to tell its own type.
pub(super) fn converts(model: &Model, ty: &Type) -> bool {
    let Some(name) = types::simple_name(ty) else { return false };
    match model.get(&name) {
        None => name == "String" || name == "PathBuf",
        Some(definition) => match &definition.shape {
            Shape::Text | Shape::Untagged(_) | Shape::Integer(_) => true,
            Shape::Tagged(_) => !model.holders(&name).is_empty(),
            _ => false,
        },
    }
}
