//! The struct and its `#[from_call(..)]`, as the author wrote them: parsed, but not checked.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Fields, Generics, Ident, Path, Type};

use crate::keys::{self, Given, Keys as _, Reading, keys};

const ATTRIBUTE: &str = "from_call";

keys! {
    /// In `#[from_call(..)]` on a struct.
    pub(crate) struct StructKeys in "from_call", read(entry);
    /// | `crate = path` | path | `::acp_runtime` | the path of this crate |
    krate as "crate": Given<Path> = entry.assigned("acp"),
}

pub(super) struct Struct {
    pub(super) name: Ident,
    pub(super) generics: Generics,
    /// The path of the runtime.
    pub(super) krate: TokenStream,
    /// The fields. If the item is no struct with named fields, the place to report.
    pub(super) fields: Result<Vec<Field>, TokenStream>,
}

pub(super) struct Field {
    pub(super) name: Ident,
    pub(super) ty: Type,
}

impl Struct {
    pub(super) fn read(item: &DeriveInput, reading: Reading<'_>) -> Self {
        let mut keys = StructKeys::default();
        keys::read(&item.attrs, ATTRIBUTE, &StructKeys::KNOWN, reading, |entry| keys.read(entry));
        let krate = keys.krate.and_then(|krate| krate.value);
        let krate = krate.map_or_else(|| quote!(::acp_runtime), Path::into_token_stream);
        let fields = match &item.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => Ok(fields.named.iter().filter_map(Field::read).collect()),
                Fields::Unnamed(fields) => Err(fields.to_token_stream()),
                Fields::Unit => Ok(Vec::new()),
            },
            Data::Enum(data) => Err(data.enum_token.to_token_stream()),
            Data::Union(data) => Err(data.union_token.to_token_stream()),
        };
        Self { name: item.ident.clone(), generics: item.generics.clone(), krate, fields }
    }
}

impl Field {
    fn read(field: &syn::Field) -> Option<Self> {
        Some(Self { name: field.ident.clone()?, ty: field.ty.clone() })
    }
}
