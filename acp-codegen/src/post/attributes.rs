//! The serde attributes of fields: renames, omission, and, where a derive reads them, defaults and the leniency of the
//! `x-deserialize-*` extensions.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Content, Field, Leniency, Presence};

const SUPPORT: &str = "::acp_runtime::schema::support";

/// `derived` says that serde's derive reads the field, too.
pub(super) fn serde(field: &Field, derived: bool) -> TokenStream {
    let mut parts = Vec::new();
    if field.wire != field.ident {
        let wire = &field.wire;
        parts.push(quote!(rename = #wire));
    }
    if derived && !matches!(field.presence, Presence::Required | Presence::Constant) {
        parts.push(quote!(default));
    }
    if let Some(predicate) = omission(field) {
        parts.push(quote!(skip_serializing_if = #predicate));
    }
    if field.fractions {
        let function = format!("{SUPPORT}::number");
        parts.push(quote!(serialize_with = #function));
    }
    if let Some(function) = leniency(field).filter(|_| derived) {
        let function = format!("{SUPPORT}::{function}");
        parts.push(quote!(deserialize_with = #function));
    }
    if parts.is_empty() { TokenStream::new() } else { quote!(#[serde(#(#parts),*)]) }
}

fn omission(field: &Field) -> Option<String> {
    match (field.presence, field.content) {
        (Presence::Required | Presence::Constant | Presence::Defaulted { written: true }, _) => None,
        (Presence::Optional, _) => Some("::std::option::Option::is_none".to_owned()),
        (Presence::ThreeState, _) => Some("::acp_runtime::schema::MaybeUndefined::is_undefined".to_owned()),
        (Presence::Defaulted { .. }, Content::List) => Some("::std::vec::Vec::is_empty".to_owned()),
        (Presence::Defaulted { .. }, Content::Map) => Some("::std::collections::BTreeMap::is_empty".to_owned()),
        (Presence::Defaulted { .. }, Content::Object | Content::Meta) => Some("::serde_json::Map::is_empty".to_owned()),
        (Presence::Defaulted { .. }, _) => Some(format!("{SUPPORT}::is_default")),
    }
}

/// The function of the support module that reads the field where its type would be too strict.
pub(super) fn leniency(field: &Field) -> Option<&'static str> {
    let optional = field.presence == Presence::Optional || field.nullable;
    let Leniency { default_on_error, default_on_null, skip_invalid_items } = field.leniency;
    Some(match (default_on_error, skip_invalid_items, field.presence, field.content) {
        (true, true, Presence::ThreeState, _) => "three_state_items_or_default",
        (true, true, _, _) if optional => "optional_items_or_default",
        (true, true, _, _) => "items_or_default",
        (false, true, Presence::ThreeState, _) => "three_state_valid_items",
        (false, true, _, _) if optional => "optional_valid_items",
        (false, true, _, _) => "valid_items",
        (true, false, Presence::Optional, Content::Meta) => "meta_or_default",
        // A bound says what is wrong, and is heeded where the schema says what becomes of that. Elsewhere it is up to the
        // reader, as for the reference types.
        (true, false, Presence::Optional, Content::Scalar) if field.positive => "optional_positive_or_default",
        (true, false, Presence::Optional, Content::Scalar) => "optional_scalar_or_default",
        (true, false, Presence::Defaulted { .. }, Content::Scalar) => "scalar_or_default",
        (true, false, _, _) => "default_on_error",
        (false, false, _, _) if default_on_null => "default_on_null",
        (false, false, Presence::Optional, Content::Any) => "present",
        (false, false, _, _) => return None,
    })
}
