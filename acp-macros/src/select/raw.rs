//! The enum and its `#[select_value(..)]` attributes, as the author wrote them: parsed, but not checked.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Generics, Ident, LitStr, Path};

use crate::keys::{self, Elsewhere, Given, Keys as _, Reading, keys};
use crate::text::{self, Description};

const ATTRIBUTE: &str = "select_value";

const OF_THE_LANGUAGE: Elsewhere = Elsewhere {
    words: &["default"],
    belongs: "is an attribute of its own",
    cure: "write `#[default]` on the variant, and derive `Default` for the enum",
};

keys! {
    /// In `#[select_value(..)]` on a variant.
    pub(crate) struct VariantKeys in "select_value", read(entry);
    /// | `id = "fast"` | string | the variant in snake case | the id on the wire |
    id: Given<LitStr> = entry.assigned("\"fast\""),
    /// | `name = "Fast"` | string | the variant in Title Case | the label |
    name: Given<LitStr> = entry.assigned("\"Fast\""),
    /// | `group = "Small"` | string | none | the header under which clients list the value; either every variant has a group, or none has |
    group: Given<LitStr> = entry.assigned("\"Small\""),
}

keys! {
    /// In `#[select_value(..)]` on an enum.
    pub(crate) struct EnumKeys in "select_values", read(entry);
    /// | `crate = path` | path | `::acp_runtime` | the path of this crate |
    krate as "crate": Given<Path> = entry.assigned("acp"),
}

pub(super) struct Enum {
    pub(super) name: Ident,
    pub(super) generics: Generics,
    /// The path of the runtime.
    pub(super) krate: TokenStream,
    /// The variants. If the item is no enum, its keyword.
    pub(super) variants: Result<Vec<Variant>, TokenStream>,
}

pub(super) struct Variant {
    pub(super) name: Ident,
    /// The fields, if the variant has any.
    pub(super) fields: Option<TokenStream>,
    pub(super) description: Option<Description>,
    pub(super) keys: VariantKeys,
}

impl Enum {
    pub(super) fn read(item: &DeriveInput, reading: Reading<'_>) -> Self {
        let mut keys = EnumKeys::default();
        keys::read(&item.attrs, ATTRIBUTE, &EnumKeys::KNOWN, reading, |entry| keys.read(entry));
        let krate = keys.krate.and_then(|krate| krate.value);
        let krate = krate.map_or_else(|| quote!(::acp_runtime), Path::into_token_stream);
        let variants = match &item.data {
            Data::Enum(data) => Ok(data.variants.iter().map(|variant| Variant::read(variant, reading)).collect()),
            Data::Struct(data) => Err(data.struct_token.to_token_stream()),
            Data::Union(data) => Err(data.union_token.to_token_stream()),
        };
        Self { name: item.ident.clone(), generics: item.generics.clone(), krate, variants }
    }
}

impl Variant {
    fn read(variant: &syn::Variant, reading: Reading<'_>) -> Self {
        let mut keys = VariantKeys::default();
        let known = (&VariantKeys::KNOWN, Some(&OF_THE_LANGUAGE));
        keys::read_beside(&variant.attrs, ATTRIBUTE, known, reading, |entry| keys.read(entry));
        Self {
            name: variant.ident.clone(),
            fields: (!variant.fields.is_empty()).then(|| variant.fields.to_token_stream()),
            description: text::description(&variant.attrs),
            keys,
        }
    }
}
