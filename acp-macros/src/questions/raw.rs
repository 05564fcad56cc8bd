//! The struct and its `#[question(..)]` attributes, as the author wrote them: parsed, but not checked.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Expr, Fields, Generics, Ident, LitStr, Path, Type};

use crate::keys::{self, Entry, Given, Keys as _, Reading, keys};
use crate::text::{self, Description};

const ATTRIBUTE: &str = "question";

keys! {
    /// In `#[question(..)]` on a field.
    pub(crate) struct Keys in "question", read(entry);
    /// | `default = expr` | the field's type; for a `String` a text, for a `Vec` a list such as `[Check::Tests]` | none: the question needs an answer | the value with which the form begins, and the answer if the client sends none |
    default: Given<Expr> = hinted(entry).taking("a value of the field's type", "\"main\""),
    /// | `min = 1` | a number, or a constant | none; of a whole number, the least of its type | the least number, the least length of a text in characters, or how many values of a list are selected at least |
    min: Given<Expr> = hinted(entry).taking("a number", "1"),
    /// | `max = 10` | a number, or a constant | none; of a whole number, the greatest of its type | the greatest number, the greatest length of a text, or how many values of a list are selected at most |
    max: Given<Expr> = hinted(entry).taking("a number", "10"),
    /// | `format = ".."` | `"email"`, `"uri"`, `"date"` or `"date-time"` | any text | the format of a text |
    format: Given<LitStr> = entry.word("\"email\""),
    /// | `pattern = ".."` | a regular expression of JavaScript | none | clients compare a text with it; the runtime does not |
    pattern: Given<LitStr> = entry.assigned("\"^v[0-9]+$\""),
    /// | `title = ".."` | string | the field's name in Title Case | the label |
    title: Given<LitStr> = entry.assigned("\"Branch\""),
    /// | `id = ".."` | string | the field's name | the name on the wire |
    id: Given<LitStr> = entry.assigned("\"branch\""),
}

keys! {
    /// In `#[question(..)]` on a struct.
    pub(crate) struct StructKeys in "questions", read(entry);
    /// | `title = ".."` | string | the struct's name in Title Case | the title of the form |
    title: Given<LitStr> = entry.assigned("\"Deploy\""),
    /// | `crate = path` | path | `::acp_runtime` | the path of this crate |
    krate as "crate": Given<Path> = entry.assigned("acp"),
}

pub(super) struct Struct {
    pub(super) name: Ident,
    pub(super) generics: Generics,
    /// The path of the runtime.
    pub(super) krate: TokenStream,
    pub(super) title: Option<Given<LitStr>>,
    pub(super) description: Option<Description>,
    /// The fields. If the item is no struct with named fields, the place to report.
    pub(super) fields: Result<Vec<Field>, TokenStream>,
}

pub(super) struct Field {
    pub(super) name: Ident,
    pub(super) ty: Type,
    pub(super) description: Option<Description>,
    pub(super) keys: Keys,
}

impl Struct {
    pub(super) fn read(item: &DeriveInput, reading: Reading<'_>) -> Self {
        let mut keys = StructKeys::default();
        keys::read(&item.attrs, ATTRIBUTE, &StructKeys::KNOWN, reading, |entry| keys.read(entry));
        let StructKeys { title, krate, given: _ } = keys;
        let krate = krate.and_then(|krate| krate.value);
        let krate = krate.map_or_else(|| quote!(::acp_runtime), Path::into_token_stream);
        let fields = match &item.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => {
                    Ok(fields.named.iter().filter_map(|field| Field::read(field, reading)).collect())
                }
                Fields::Unnamed(_) | Fields::Unit => Err(item.ident.to_token_stream()),
            },
            Data::Enum(data) => Err(data.enum_token.to_token_stream()),
            Data::Union(data) => Err(data.union_token.to_token_stream()),
        };
        Self {
            name: item.ident.clone(),
            generics: item.generics.clone(),
            krate,
            title,
            description: text::description(&item.attrs),
            fields,
        }
    }
}

impl Field {
    fn read(field: &syn::Field, reading: Reading<'_>) -> Option<Self> {
        let mut keys = Keys::default();
        keys::read(&field.attrs, ATTRIBUTE, &Keys::KNOWN, reading, |entry| keys.read(entry));
        let description = text::description(&field.attrs);
        Some(Self { name: field.ident.clone()?, ty: field.ty.clone(), description, keys })
    }
}

fn hinted(entry: Entry<'_>) -> Entry<'_> {
    entry.hint(None);
    entry
}
