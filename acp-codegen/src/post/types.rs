//! The types of fields: typify's, with optionality, paths and `_meta` put right.

use std::collections::HashMap;

use syn::{Field, GenericArgument, ItemStruct, PathArguments, Type, parse_quote};

use crate::model::{self, Content, Model, Presence, Shape};

/// The fields that typify made, by the properties that it made them of.
pub(crate) fn by_wire(skeleton: &ItemStruct) -> HashMap<String, &Field> {
    let wire = |field: &Field| {
        let plain = || field.ident.as_ref().map(ToString::to_string);
        super::attributes::rename(&field.attrs).or_else(plain)
    };
    skeleton.fields.iter().filter_map(|field| Some((wire(field)?, field))).collect()
}

pub(super) fn finish(field: &model::Field, typified: &Field) -> Type {
    let bare = inner(&typified.ty, "Option").unwrap_or(&typified.ty).clone();
    let bare = if field.content == Content::Meta { parse_quote!(::acp_runtime::schema::Meta) } else { bare };
    let bare = if field.path { paths(bare) } else { bare };
    match field.presence {
        Presence::Required if inner(&typified.ty, "Option").is_some() => parse_quote!(::std::option::Option<#bare>),
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
