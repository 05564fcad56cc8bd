//! `store = field` and `store_version`: a store keeps the sessions.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Data, DeriveInput, Field, Ident, LitInt, Type};

use crate::diagnostics::{Sink, place};
use crate::keys::{Given, Keyed, Value};
use crate::text;

pub(crate) const FIELD: &str = "the name of a field, without quotes";

/// The value of `store`: the name of a field. An author may write the field's type instead, which is reported where the fields are
/// known.
#[derive(Clone)]
pub(crate) enum Holder {
    Field(Ident),
    Type(Box<Type>),
}

impl Parse for Holder {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ty: Type = input.parse()?;
        Ok(syn::parse2(ty.to_token_stream()).map_or_else(|_| Self::Type(Box::new(ty)), Self::Field))
    }
}

impl ToTokens for Holder {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Field(name) => name.to_tokens(tokens),
            Self::Type(ty) => ty.to_tokens(tokens),
        }
    }
}

impl Value for Holder {
    const TAKES: &'static str = FIELD;

    fn meant(tokens: &TokenStream) -> Option<Self> {
        Ident::meant(tokens).map(Self::Field)
    }
}

/// The store that keeps the sessions.
pub(crate) struct Store {
    /// The field that holds it.
    field: Ident,
    /// The version of the state that it keeps.
    version: u32,
}

/// Finds the field of the store, and the version of the state.
pub(crate) fn check(
    item: &DeriveInput,
    store: Option<&Given<Holder>>,
    version: Option<&Given<LitInt>>,
    sink: &Sink,
) -> Option<Store> {
    let version = match (version, store) {
        (Some(Keyed { key, value: _ }), None) => {
            sink.error(key, "`store_version` is the version of what a store keeps, and there is no store")
                .help("write `store = field`, or remove `store_version`");
            return None;
        }
        (Some(Keyed { key: _, value: Some(written) }), Some(_)) => match written.base10_parse() {
            Ok(version) => version,
            Err(_) => {
                sink.error(written, "`store_version` is a number from 0 to 4294967295")
                    .help("write `store_version = 2`");
                1
            }
        },
        _ => 1,
    };
    let holder = store?.value.as_ref()?;
    let Data::Struct(data) = &item.data else { return None };
    let written = holder.to_token_stream().to_string();
    let is_of_type = |field: &&Field| field.ty.to_token_stream().into_iter().any(|token| token.to_string() == written);
    let of_type =
        data.fields.iter().find(|field| field.ty.to_token_stream().to_string() == written || is_of_type(field));
    let of_type = of_type.and_then(|field| field.ident.as_ref()).map(text::plain);
    let Holder::Field(name) = holder else {
        sink.error(holder, "`store` takes the name of the field that holds the store, not its type")
            .help(format_args!("write `store = {}`", of_type.as_deref().unwrap_or("store")));
        return None;
    };
    let fields: Vec<_> = data.fields.iter().filter_map(|field| field.ident.as_ref()).collect();
    if let Some(field) = fields.iter().find(|field| text::plain(field) == text::plain(name)) {
        let mut field = Ident::clone(field);
        field.set_span(name.span());
        return Some(Store { field, version });
    }
    let (agent, written) = (&item.ident, text::plain(name));
    let report = sink.error(name, format_args!("`{agent}` has no field `{written}` that could hold the store"));
    let names: Vec<_> = fields.iter().map(|field| text::plain(field)).collect();
    let report = match of_type {
        Some(field) => report.help(format_args!("write `store = {field}`, the name of the field of this type")),
        None => report.did_you_mean(&written, names.iter().map(String::as_str)),
    };
    report.note("the field is an `Arc<dyn SessionStore>`, or an `Arc` of a type that implements `acp_runtime::store::SessionStore`");
    None
}

/// A key of a store with a mistake. Behind it, a handler `restore_session` is not reported, too.
pub(crate) fn meant(means_store: bool, store: Option<&Store>) -> Option<TokenStream> {
    (means_store && store.is_none()).then(|| {
        quote!(
            const MEANT: &'static [&'static __acp::str] = &["store"];
        )
    })
}

impl Store {
    pub(crate) fn expand(&self) -> TokenStream {
        let Self { field, version } = self;
        let holds = quote_spanned!(place(field)=> __acp::HoldsStore::store(&agent.#field));
        quote! {
            const STORE: __acp::StoreDeclaration<Self> = {
                use __acp::MayLackRestore as _;
                __acp::StoreDeclaration::new(|agent| #holds, #version, __acp::Restores::<Self::Session>::RESTORE)
            };
        }
    }
}
