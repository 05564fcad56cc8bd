//! The types of fields: of what they hold, and when that may be absent.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericArgument, PathArguments, Type, parse_quote};

use crate::emit;
use crate::model::{Content, Field, Model, Presence, Shape};

pub(super) fn of(field: &Field) -> Type {
    let bare: TokenStream = match field.content {
        Content::Meta => quote!(::acp_runtime::schema::Meta),
        _ => emit::payload_type(&field.payload),
    };
    let bare = if field.boxed { quote!(::std::boxed::Box<#bare>) } else { bare };
    let bare: Type = parse_quote!(#bare);
    let bare = if field.path { paths(bare) } else { bare };
    match field.presence {
        Presence::Required if field.nullable => parse_quote!(::std::option::Option<#bare>),
        Presence::Required | Presence::Constant | Presence::Defaulted { .. } => bare,
        Presence::Optional => parse_quote!(::std::option::Option<#bare>),
        Presence::ThreeState => parse_quote!(::acp_runtime::schema::MaybeUndefined<#bare>),
    }
}

/// The argument of a generic type, if the type is called `name`.
pub(super) fn inner<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// The last name of a path without arguments: `String`, `SessionId`, `bool`.
pub(crate) fn simple_name(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    last.arguments.is_none().then(|| last.ident.to_string())
}

pub(super) fn is_id(model: &Model, ty: &Type) -> bool {
    let definition = simple_name(ty).and_then(|name| model.get(&name));
    definition.is_some_and(|definition| matches!(definition.shape, Shape::Text))
}

fn paths(ty: Type) -> Type {
    if simple_name(&ty).as_deref() == Some("String") {
        return parse_quote!(::std::path::PathBuf);
    }
    match inner(&ty, "Vec") {
        Some(items) => {
            let items = paths(items.clone());
            parse_quote!(::std::vec::Vec<#items>)
        }
        None => ty,
    }
}
