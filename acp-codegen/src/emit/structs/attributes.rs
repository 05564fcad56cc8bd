//! The serde attributes of fields: other names, and fields that are left out. If serde's derive reads the field, its
//! attributes also give the defaults and the rules of the `x-deserialize-*` extensions.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::Context;
use crate::model::{Field, Leniency, Presence, Type};

/// The attributes of a field. `derived` tells that serde's derive also reads the field.
pub(super) fn serde(cx: Context<'_>, field: &Field, derived: bool) -> TokenStream {
    let mut parts = Vec::new();
    if field.wire != field.ident {
        let wire = &field.wire;
        parts.push(quote!(rename = #wire));
    }
    if derived && !matches!(field.presence, Presence::Required | Presence::Constant) {
        parts.push(quote!(default));
    }
    if let Some(predicate) = omission(cx, field) {
        parts.push(quote!(skip_serializing_if = #predicate));
    }
    if cx.model.holds_fractions(&field.ty) {
        let function = cx.schema.in_support("number");
        parts.push(quote!(serialize_with = #function));
    }
    if let Some(function) = leniency(field).filter(|_| derived) {
        let function = cx.schema.in_support(function);
        parts.push(quote!(deserialize_with = #function));
    }
    if parts.is_empty() { TokenStream::new() } else { quote!(#[serde(#(#parts),*)]) }
}

fn omission(cx: Context<'_>, field: &Field) -> Option<String> {
    let written = |path: &str| Some(path.to_owned());
    match (field.presence, &field.ty) {
        (Presence::Required | Presence::Constant | Presence::Defaulted { written: true }, _) => None,
        (Presence::Optional, _) => written("::std::option::Option::is_none"),
        (Presence::ThreeState, _) => Some(format!("{}::MaybeUndefined::is_undefined", cx.schema.text())),
        (Presence::Defaulted { .. }, Type::List(_)) => written("::std::vec::Vec::is_empty"),
        (Presence::Defaulted { .. }, Type::Meta) => written("::serde_json::Map::is_empty"),
        (Presence::Defaulted { .. }, Type::Map(values)) if **values == Type::Any => {
            written("::serde_json::Map::is_empty")
        }
        (Presence::Defaulted { .. }, Type::Map(_)) => written("::std::collections::BTreeMap::is_empty"),
        (Presence::Defaulted { .. }, _) => Some(cx.schema.in_support("is_default")),
    }
}

/// The support function that reads the field; `None` if the type alone reads it by the right rules.
pub(super) fn leniency(field: &Field) -> Option<&'static str> {
    let optional = field.presence == Presence::Optional || field.nullable;
    let Leniency { default_on_error, default_on_null, skip_invalid_items } = field.leniency;
    Some(match (default_on_error, skip_invalid_items, field.presence, &field.ty) {
        (true, true, Presence::ThreeState, _) => "three_state_items_or_default",
        (true, true, _, _) if optional => "optional_items_or_default",
        (true, true, _, _) => "items_or_default",
        (false, true, Presence::ThreeState, _) => "three_state_valid_items",
        (false, true, _, _) if optional => "optional_valid_items",
        (false, true, _, _) => "valid_items",
        (true, false, Presence::Optional, Type::Meta) => "meta_or_default",
        // If a value breaks a bound, it counts as wrong only if the schema tells how to read wrong values. Otherwise it
        // is read, as the reference types do.
        (true, false, Presence::Optional, ty) if ty.is_scalar() && field.positive => "optional_positive_or_default",
        (true, false, Presence::Optional, ty) if ty.is_scalar() => "optional_scalar_or_default",
        (true, false, Presence::Defaulted { .. }, ty) if ty.is_scalar() => "scalar_or_default",
        (true, false, _, _) => "default_on_error",
        (false, false, _, _) if default_on_null => "default_on_null",
        (false, false, Presence::Optional, _) if field.keeps_null => "present",
        (false, false, _, _) => return None,
    })
}
