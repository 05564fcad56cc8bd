//! The types of the model, in Rust.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, ident};
use crate::model::{Field, Type, Wrapper};

pub(super) fn rust(cx: Context<'_>, ty: &Type) -> TokenStream {
    match ty {
        Type::Unit => quote!(()),
        Type::Named(name) => {
            let name = ident(name);
            quote!(#name)
        }
        Type::Boxed(name) => {
            let name = ident(name);
            quote!(::std::boxed::Box<#name>)
        }
        Type::Text => quote!(::std::string::String),
        Type::Path => quote!(::std::path::PathBuf),
        Type::Integer(kind) => {
            let kind = ident(kind.rust());
            quote!(#kind)
        }
        Type::Float => quote!(f64),
        Type::Boolean => quote!(bool),
        Type::List(items) => {
            let items = rust(cx, items);
            quote!(::std::vec::Vec<#items>)
        }
        Type::Map(values) if **values == Type::Any => {
            quote!(::serde_json::Map<::std::string::String, ::serde_json::Value>)
        }
        Type::Map(values) => {
            let values = rust(cx, values);
            quote!(::std::collections::BTreeMap<::std::string::String, #values>)
        }
        Type::Meta => {
            let schema = cx.schema;
            quote!(#schema::Meta)
        }
        Type::Any => quote!(::serde_json::Value),
    }
}

/// The type of a field. If the value may be absent, the type has a wrapper.
pub(super) fn of_field(cx: Context<'_>, field: &Field) -> TokenStream {
    let ty = rust(cx, &field.ty);
    match field.wrapper() {
        Wrapper::None => ty,
        Wrapper::Option => quote!(::std::option::Option<#ty>),
        Wrapper::MaybeUndefined => {
            let schema = cx.schema;
            quote!(#schema::MaybeUndefined<#ty>)
        }
    }
}
