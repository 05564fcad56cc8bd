//! The struct and its `#[config_option(..)]` attributes, as the author wrote them: parsed, but not checked.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::{
    Attribute, Data, DeriveInput, Expr, ExprPath, Fields, Generics, Ident, LitBool, LitStr, Member, Path, Type,
    Visibility,
};

use super::Form;
use crate::diagnostics::{Sink, code};
use crate::keys::{self, Element, Entry, Flag, Given, Keyed, Keys as _, Reading, Value as _, keys, vocabulary};
use crate::select::VariantKeys;
use crate::text::{self, Description};

/// The attribute of fields and, for `crate = path`, of the struct.
pub(crate) const ATTRIBUTE: &str = "config_option";
/// The attribute by which `#[acp_agent(crate = path)]` gives its path to the hidden derive.
const CRATE_ATTRIBUTE: &str = "acp_crate";

vocabulary! {
    /// In `reset = ..`, beside the path of a function.
    pub(crate) RESETS in "reset";
    /// | `reset = default` | the option's default, or the first value if the default is not offered |
    default,
    /// | `reset = first` | the first value that is offered |
    first,
}

pub(super) struct Struct {
    pub(super) form: Form,
    pub(super) name: Ident,
    pub(super) vis: Visibility,
    pub(super) generics: Generics,
    /// The path of the runtime.
    pub(super) krate: TokenStream,
    /// The function of the members that follow from the options.
    pub(super) members: Option<ExprPath>,
    pub(super) shape: Shape,
}

pub(super) enum Shape {
    Named(Vec<Field>),
    Tuple(Vec<Field>),
    Unit,
    /// The item is no struct. This is its keyword.
    Other(TokenStream),
}

pub(super) struct Field {
    pub(super) member: Member,
    pub(super) ty: Type,
    pub(super) description: Option<Description>,
    /// Whether there is the attribute, with or without keys.
    pub(super) marked: bool,
    pub(super) keys: Keys,
}

keys! {
    /// In `#[config_option(..)]` on a field.
    pub(crate) struct Keys in "config_option", read(entry, ty: &Type);
    /// | `default = expr` | the field's type; for a `String` a literal or a constant | the enum's `Default`; a `bool`, `String` or [`Choice`] needs this key | the initial value |
    default: Given<Expr> = hinted(entry).taking("a value of the field's type", &default_of(ty)),
    /// | `values("id" = "Label", "id")` | strings | for an enum, its variants; for a [`Choice`], its own list | the values of a `String` |
    /// | `values = path` | a function that lists values | all values are offered | the offered values of an enum, or all values of a `String`: ids, pairs of id and label, or [`ChoiceValue`]s, which have descriptions and groups. Of several values with one id, the first counts; a value with a blank id is left out. While there are no values, clients are not shown the option, and it keeps its value |
    values: Given<Values> = read_values(hinted(entry)),
    /// | `depends_on(a, b)` | options of the same struct | functions take nothing | the arguments of this option's functions: `bool` and enums by value, `String` and `Choice` as `&str`, a `Choice` with data as `&Choice<T>` |
    depends_on: Given<Vec<Ident>> = entry.list("the names of options in parentheses", "model, brave", option),
    /// | `open` | | only listed values | a [`Choice`] or a `String` takes any value. A value that is not listed is shown behind the list while it is selected. A client can set values of at most 1,024 bytes |
    open: Flag = entry.flag(),
    /// | `shown_if = path` | a function that gives a `bool` | always | whether clients are shown the option; a hidden option keeps its value, and a client that sets it is answered `-32602` |
    shown_if: Given<ExprPath> = function(entry.sink, hinted(entry).assigned("is_shown"), "name a function that returns it"),
    /// | `reset = default`, `first`, or `path` | a function that gives a value | the default, or the first value if the default is not offered | the new value when the old one is no longer offered. The function gets the options of `depends_on`, then the current value. A function whose name is `default` or `first` is written with its path: `self::first` |
    reset: Given<ExprPath> = read_reset(entry),
    /// | `name = ".."` | string | the field's name in Title Case | the label |
    name: Given<LitStr> = entry.assigned("\"Model\""),
    /// | `id = ".."` | string | the field's name | the name on the wire |
    id: Given<LitStr> = entry.assigned("\"model\""),
    /// | `category = ".."` | `"mode"`, `"model"`, `"model_config"`, `"thought_level"`, or one of your own that begins with `_` | none | the place where clients show the option. A select of category `"mode"` is also the session's mode, a `bool` is not |
    category: Given<LitStr> = entry.word("\"model\""),
    /// | `kind = ".."` | `"boolean"` or `"select"` | follows from the type | checked against the type |
    kind: Given<LitStr> = entry.word("\"boolean\""),
    /// | `fallback = ".."` | `"select"` or `"omit"` | `"omit"` | how a client without boolean options sees a `bool`: as a select of on and off, or not at all |
    fallback: Given<LitStr> = entry.word("\"select\""),
    /// | `mirror = false` | boolean | `true` | keeps a select of category `mode` out of the session's modes; one option at most is mirrored |
    mirror: Given<LitBool> = entry.assigned("false"),
    /// | `flatten` | | | the field is another struct of options; its options stand in the field's place, and no other key may stand beside `flatten` |
    flatten: Flag = entry.flag(),
}

keys! {
    /// In `#[config_option(..)]` on a struct.
    pub(crate) struct StructKeys in "config_options", read(entry);
    /// | `crate = path` | path | `::acp_runtime` | the path of this crate |
    krate as "crate": Given<Path> = entry.assigned("acp"),
    /// | `members = path` | a function of the struct that gives members with their values | none | members that the schema lacks and that follow from the options. They stand wherever the full state does: in answers that open a session, in answers to a client that sets an option, and in `config_option_update` |
    members: Given<ExprPath> = hinted(entry).assigned("older"),
}

/// The values that a select offers.
pub(crate) enum Values {
    /// A list such as `values("1" = "Once", "2")`.
    Listed(Vec<Value>),
    /// A function: `values = path`.
    By(ExprPath),
}

/// A value such as `"id" = "Label"`, or only `"id"`.
pub(crate) struct Value {
    pub(super) id: LitStr,
    pub(super) name: Option<LitStr>,
}

impl Struct {
    pub(super) fn read(item: &DeriveInput, form: Form, reading: Reading<'_>) -> Self {
        let shape = match &item.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => Shape::Named(read_fields(&fields.named, reading)),
                Fields::Unnamed(fields) => Shape::Tuple(read_fields(&fields.unnamed, reading)),
                Fields::Unit => Shape::Unit,
            },
            Data::Enum(data) => Shape::Other(data.enum_token.to_token_stream()),
            Data::Union(data) => Shape::Other(data.union_token.to_token_stream()),
        };
        if let Shape::Named(fields) | Shape::Tuple(fields) = &shape {
            let named = fields.iter().flat_map(|field| &field.keys.depends_on).flat_map(|keyed| &keyed.value).flatten();
            named.for_each(|name| reading.hints.field(&item.ident, name));
        }
        let (krate, members) = read_own(&item.attrs, reading);
        Self {
            form,
            name: item.ident.clone(),
            vis: item.vis.clone(),
            generics: item.generics.clone(),
            krate,
            members,
            shape,
        }
    }
}

/// Reads the keys of the struct: the path of the runtime, and the function of the members.
fn read_own(attributes: &[Attribute], reading: Reading<'_>) -> (TokenStream, Option<ExprPath>) {
    let mut krate = quote!(::acp_runtime);
    let mut keys = StructKeys::default();
    keys::read(attributes, ATTRIBUTE, &StructKeys::KNOWN, reading, |entry| keys.read(entry));
    if let Some(Keyed { value: Some(path), .. }) = keys.krate {
        krate = path.into_token_stream();
    }
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(CRATE_ATTRIBUTE)) {
        if let Some(path) = reading.sink.take(attribute.parse_args::<Path>()) {
            krate = path.into_token_stream();
        }
    }
    (krate, keys.members.and_then(|members| members.value))
}

fn read_fields<'a>(fields: impl IntoIterator<Item = &'a syn::Field>, reading: Reading<'_>) -> Vec<Field> {
    let fields = fields.into_iter().enumerate();
    fields.map(|(position, field)| read_field(position, field, reading)).collect()
}

fn read_field(position: usize, field: &syn::Field, reading: Reading<'_>) -> Field {
    let mut keys = Keys::default();
    let marked = keys::read(&field.attrs, ATTRIBUTE, &Keys::KNOWN, reading, |entry| keys.read(entry, &field.ty));
    if field
        .attrs
        .iter()
        .any(|attribute| attribute.path().is_ident(ATTRIBUTE) && attribute.meta.require_name_value().is_ok())
    {
        // The keys of this list may all belong to the reported mistake. So the error is at the macro's call.
        let key = Ident::new("default", Span::call_site());
        keys.default.get_or_insert(Keyed { key, value: None });
    }
    Field {
        member: field.ident.clone().map_or_else(|| Member::from(position), Member::from),
        ty: field.ty.clone(),
        description: text::description(&field.attrs),
        marked,
        keys,
    }
}

fn hinted(entry: Entry<'_>) -> Entry<'_> {
    entry.hint(None);
    entry
}

/// An example value, for a message.
fn default_of(ty: &Type) -> String {
    let written = code(ty);
    match written.as_str() {
        "bool" => "false".to_owned(),
        "String" => "\"a\"".to_owned(),
        _ => format!("{written}::default()"),
    }
}

/// Reads a word of [`RESETS`], or the path of a function.
fn read_reset(entry: Entry<'_>) -> Given<ExprPath> {
    const CURE: &str = "name a function that returns it; or make it the `default`, and write `reset = default`";
    entry.hint(Some(&RESETS));
    function(entry.sink, entry.taking("`default`, `first`, or the path of a function", "first"), CURE)
}

/// Refuses the path of a value: of a constant such as `Effort::ALL`, or of a variant. rustc would say that a call needs a function.
fn function(sink: &Sink, given: Given<ExprPath>, cure: &str) -> Given<ExprPath> {
    let Keyed { key, value } = given;
    let is_value = |path: &ExprPath| {
        let last = path.path.segments.last().map(|last| text::plain(&last.ident));
        last.is_some_and(|name| name.starts_with(|first: char| first.is_uppercase()))
    };
    let value = value.filter(|path| {
        if is_value(path) {
            sink.error(path, format_args!("`{key}` takes the path of a function, and `{}` is a value", code(path)))
                .help(cure);
        }
        !is_value(path)
    });
    Keyed { key, value }
}

/// Reads `("1" = "Once", "2")`, or `= path`.
fn read_values(entry: Entry<'_>) -> Given<Values> {
    const IDS: &str = "ids in parentheses, each alone or with its label, or `=` and the path of a function";
    const PATH: &str = "the path of a function, or a list in parentheses";
    if let Some(list) = entry.list_ahead().filter(|list| keys::elements(list.stream()).iter().any(is_variant)) {
        entry.skip();
        let report = entry.sink.error(list.stream(), "`values(..)` lists the ids of a `String`, and no variants");
        report.help("an enum offers all its variants without `values`, and some by a function: `values = offered`");
        return Keyed { key: entry.key.clone(), value: None };
    }
    match entry.first_assigned() {
        None | Some(TokenTree::Group(_)) => {
            let Keyed { key, value } = entry.list(IDS, "\"a\" = \"A\", \"b\"", value);
            Keyed { key, value: value.map(Values::Listed) }
        }
        Some(TokenTree::Literal(quoted)) => {
            entry.skip();
            let path = quoted.to_string().replace('"', "");
            let report = entry.sink.error(&quoted, format_args!("`values` takes {PATH}"));
            report.help(format_args!("write `values = {path}` for a function, `values({quoted})` for a list"));
            Keyed { key: entry.key.clone(), value: None }
        }
        Some(TokenTree::Ident(_) | TokenTree::Punct(_)) => {
            let given = entry.taking(PATH, "Effort::offered_by");
            let Keyed { key, value } = function(entry.sink, given, "name a function that returns it");
            Keyed { key, value: value.map(Values::By) }
        }
    }
}

/// Whether an element of a list is the path of a variant, such as `Effort::Low`.
fn is_variant(tokens: &TokenStream) -> bool {
    syn::parse2::<Path>(tokens.clone()).is_ok_and(|path| path.segments.len() > 1)
}

/// Reads one value of a list. Syn's own parser of attributes cannot read a bare id, because it is no `Meta`.
fn value(tokens: &TokenStream) -> Element<Value> {
    let mut id = TokenStream::new();
    let mut tokens = tokens.clone().into_iter();
    let sign = tokens.by_ref().find(|token| {
        let sign = matches!(token, TokenTree::Punct(sign) if matches!(sign.as_char(), '=' | ':'));
        if !sign {
            id.extend([token.clone()]);
        }
        sign
    });
    let label: TokenStream = tokens.collect();
    let arrow = label.to_string().starts_with('>');
    let label: TokenStream = label.into_iter().skip(usize::from(arrow)).collect();
    let (Some((id, id_right)), label) = (text(&id), sign.as_ref().map(|_| text(&label))) else {
        return Element::Wrong;
    };
    // A key of `#[select_value(..)]` is not an id.
    if !id_right && VariantKeys::KNOWN.knows(&id.value()) {
        return Element::Wrong;
    }
    let signed = matches!(&sign, Some(TokenTree::Punct(sign)) if sign.as_char() == '=') && !arrow;
    match label {
        None if id_right => Element::Right(Value { id, name: None }),
        None => Element::Meant(Value { id, name: None }),
        Some(Some((name, true))) if id_right && signed => Element::Right(Value { id, name: Some(name) }),
        Some(Some((name, _))) => Element::Meant(Value { id, name: Some(name) }),
        Some(None) => Element::Wrong,
    }
}

/// The text of a literal or a name, and whether it was in quotes.
fn text(tokens: &TokenStream) -> Option<(LitStr, bool)> {
    match syn::parse2(tokens.clone()) {
        Ok(text) => Some((text, true)),
        Err(_) => LitStr::meant(tokens).map(|text| (text, false)),
    }
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { id, name } = self;
        let name = name.iter();
        tokens.extend(quote!(#id #(= #name)*));
    }
}

/// Reads the name of a field. Authors easily write the field's key instead.
fn option(tokens: &TokenStream) -> Element<Ident> {
    if let Ok(name) = Ident::parse_any.parse2(tokens.clone()) {
        return Element::Right(name);
    }
    let quoted = syn::parse2::<LitStr>(tokens.clone()).and_then(|name| name.parse_with(Ident::parse_any));
    let key = || {
        let path = syn::parse2::<Path>(tokens.clone()).ok()?;
        let last = path.segments.last()?.ident.clone();
        Some(Ident::new(&last.to_string().to_lowercase(), last.span()))
    };
    quoted.ok().or_else(key).map_or(Element::Wrong, Element::Meant)
}
