//! The enum and its `#[select_value(..)]` attributes as written: parsed, not yet judged.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Generics, Ident, LitStr, Path};

use crate::diagnostics::Sink;
use crate::keys::{self, Entry, Given};
use crate::text::{self, Description};
use crate::words::Vocabulary;

const ATTRIBUTE: &str = "select_value";
pub(crate) const VARIANT_KEYS: Vocabulary = Vocabulary { module: "select_value", words: &["id", "name", "group"] };
pub(crate) const ENUM_KEYS: Vocabulary = Vocabulary { module: "select_values", words: &["crate"] };

pub(super) struct Enum {
    pub(super) name: Ident,
    pub(super) generics: Generics,
    /// Where the runtime is.
    pub(super) krate: TokenStream,
    /// `None` if this is no enum at all; the keyword says so.
    pub(super) variants: Result<Vec<Variant>, TokenStream>,
}

pub(super) struct Variant {
    pub(super) name: Ident,
    /// The fields, if it has any.
    pub(super) fields: Option<TokenStream>,
    pub(super) description: Option<Description>,
    pub(super) id: Option<Given<LitStr>>,
    pub(super) label: Option<Given<LitStr>>,
    pub(super) group: Option<Given<LitStr>>,
}

impl Enum {
    pub(super) fn read(item: &DeriveInput, sink: &Sink) -> Self {
        let mut krate = quote!(::acp_runtime);
        keys::read(&item.attrs, ATTRIBUTE, &ENUM_KEYS, sink, |entry| {
            krate = entry.assigned::<Path>("acp").value.map_or_else(|| krate.clone(), Path::into_token_stream);
        });
        let variants = match &item.data {
            Data::Enum(data) => Ok(data.variants.iter().map(|variant| Variant::read(variant, sink)).collect()),
            Data::Struct(data) => Err(data.struct_token.to_token_stream()),
            Data::Union(data) => Err(data.union_token.to_token_stream()),
        };
        Self { name: item.ident.clone(), generics: item.generics.clone(), krate, variants }
    }
}

impl Variant {
    fn read(variant: &syn::Variant, sink: &Sink) -> Self {
        let mut read = Self {
            name: variant.ident.clone(),
            fields: (!variant.fields.is_empty()).then(|| variant.fields.to_token_stream()),
            description: text::description(&variant.attrs),
            id: None,
            label: None,
            group: None,
        };
        keys::read(&variant.attrs, ATTRIBUTE, &VARIANT_KEYS, sink, |entry| read.key(entry));
        read
    }

    fn key(&mut self, entry: Entry<'_>) {
        match entry.key.to_string().as_str() {
            "id" => self.id = Some(entry.assigned("\"fast\"")),
            "name" => self.label = Some(entry.assigned("\"Fast\"")),
            "group" => self.group = Some(entry.assigned("\"Small\"")),
            other => unreachable!("`{other}` is not among the keys"),
        }
    }
}
