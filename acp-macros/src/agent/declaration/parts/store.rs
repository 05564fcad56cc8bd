//! `store = field`, `store_version`, `kept_for`, `kept_at_most` and `replayed_at_most`: a store keeps the sessions.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Data, DeriveInput, Field, Ident, LitInt, LitStr, Type};

use crate::diagnostics::{Sink, place};
use crate::keys::{Given, Value};
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

pub(crate) const TIME: &str = "a time in quotes, in hours, days or weeks";

/// The value of `kept_for`: a text such as `30d`.
#[derive(Clone)]
pub(crate) struct Time(LitStr);

impl Parse for Time {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse().map(Self)
    }
}

impl ToTokens for Time {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

impl Value for Time {
    const TAKES: &'static str = TIME;

    /// A number without quotes: of days, if it names no unit.
    fn meant(tokens: &TokenStream) -> Option<Self> {
        let number: LitInt = syn::parse2(tokens.clone()).ok()?;
        let unit = if number.suffix().is_empty() { "d" } else { number.suffix() };
        let time = format!("{}{unit}", number.base10_digits());
        seconds(&time).map(|_| Self(LitStr::new(&time, number.span())))
    }
}

/// The store that keeps the sessions.
pub(crate) struct Store {
    /// The field that holds it.
    field: Ident,
    /// The version of the state that it keeps.
    version: u32,
    /// How long it keeps a session, in seconds.
    kept_for: Option<u64>,
    /// How many sessions it keeps.
    kept_at_most: Option<u32>,
    /// How many entries a load replays.
    replayed_at_most: Option<u32>,
}

/// The keys of a store, as the author wrote them.
pub(crate) struct Written<'k> {
    pub(crate) store: Option<&'k Given<Holder>>,
    pub(crate) version: Option<&'k Given<LitInt>>,
    pub(crate) kept_for: Option<&'k Given<Time>>,
    pub(crate) kept_at_most: Option<&'k Given<LitInt>>,
    pub(crate) replayed_at_most: Option<&'k Given<LitInt>>,
}

impl Written<'_> {
    /// Whether the author means a store, also where its keys have mistakes.
    pub(crate) fn means_store(&self) -> bool {
        self.store.is_some() || self.beside().next().is_some()
    }

    /// The keys that need a store, and what they say of it.
    fn beside(&self) -> impl Iterator<Item = (&Ident, &'static str)> {
        let Self { store: _, version, kept_for, kept_at_most, replayed_at_most } = self;
        let version = version.map(|key| (&key.key, "is the version of what a store keeps"));
        let kept_for = kept_for.map(|key| (&key.key, "says how long a store keeps a session"));
        let kept_at_most = kept_at_most.map(|key| (&key.key, "says how many sessions a store keeps"));
        let replayed = replayed_at_most.map(|key| (&key.key, "says how much of what a store keeps is replayed"));
        [version, kept_for, kept_at_most, replayed].into_iter().flatten()
    }
}

/// Finds the field of the store, the version of the state, and the bounds.
pub(crate) fn check(item: &DeriveInput, keys: &Written<'_>, sink: &Sink) -> Option<Store> {
    let Some(store) = keys.store else {
        for (key, says) in keys.beside() {
            sink.error(key, format_args!("`{key}` {says}, and there is no store"))
                .help(format_args!("write `store = field`, or remove `{key}`"));
        }
        return None;
    };
    let version = number(keys.version).map(|written| match written.base10_parse() {
        Ok(version) => version,
        Err(_) => {
            sink.error(written, "`store_version` is a number from 0 to 4294967295").help("write `store_version = 2`");
            1
        }
    });
    let from_1 = |key: Option<&Given<LitInt>>, what, example| {
        let written = number(key)?;
        let count = written.base10_parse::<u32>().ok().filter(|count| *count > 0);
        if count.is_none() {
            sink.error(written, format_args!("{what}: a number from 1 to 4294967295"))
                .help(format_args!("write `{example}`"));
        }
        count
    };
    let kept_at_most =
        from_1(keys.kept_at_most, "`kept_at_most` is how many sessions the store keeps", "kept_at_most = 200");
    let replayed_at_most = from_1(
        keys.replayed_at_most,
        "`replayed_at_most` is how many entries a load replays",
        "replayed_at_most = 500",
    );
    let kept_for = keys.kept_for.and_then(|key| key.value.as_ref()).and_then(|written| {
        let seconds = seconds(&written.0.value());
        if seconds.is_none() {
            sink.error(
                written,
                "`kept_for` is a time in hours, days or weeks: a number from 1 on with `h`, `d` or `w` behind it",
            )
            .help("write `kept_for = \"30d\"`");
        }
        seconds
    });
    let holder = store.value.as_ref()?;
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
        return Some(Store { field, version: version.unwrap_or(1), kept_for, kept_at_most, replayed_at_most });
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

fn number(key: Option<&Given<LitInt>>) -> Option<&LitInt> {
    key?.value.as_ref()
}

/// The seconds of a time such as `30d`.
fn seconds(written: &str) -> Option<u64> {
    const HOUR: u64 = 60 * 60;
    let unit = match written.chars().last()? {
        'h' => HOUR,
        'd' => 24 * HOUR,
        'w' => 7 * 24 * HOUR,
        _ => return None,
    };
    let count = written[..written.len() - 1].trim().parse::<u32>().ok()?;
    (count > 0).then(|| u64::from(count) * unit)
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
        let Self { field, version, kept_for, kept_at_most, replayed_at_most } = self;
        let kept_for = kept_for.map(|seconds| quote!(.kept_for(#seconds)));
        let kept_at_most = kept_at_most.map(|count| quote!(.kept_at_most(#count)));
        let replayed_at_most = replayed_at_most.map(|count| quote!(.replayed_at_most(#count)));
        let bounds = quote!(#kept_for #kept_at_most #replayed_at_most);
        // The compiler infers the agent of a declaration, but not in front of a call.
        let of = (!bounds.is_empty()).then(|| quote!(::<Self>));
        let holds = quote_spanned!(place(field)=> __acp::HoldsStore::store(&agent.#field));
        quote! {
            const STORE: __acp::StoreDeclaration<Self> = {
                use __acp::MayLackRestore as _;
                __acp::StoreDeclaration #of::new(|agent| #holds, #version, __acp::Restores::<Self::Session>::RESTORE)
                    #bounds
            };
        }
    }
}
