//! The struct and its `#[config_option(..)]` attributes as written: parsed, not yet judged.

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
use crate::keys::{self, Element, Entry, Given, Keyed, Value as _};
use crate::select::VARIANT_KEYS;
use crate::text::{self, Description};
use crate::words::Vocabulary;

/// The attribute of fields and, for `crate = path`, of the struct.
pub(crate) const ATTRIBUTE: &str = "config_option";
/// How `#[acp_agent(crate = path)]` hands the path on to the hidden derive.
const CRATE_ATTRIBUTE: &str = "acp_crate";
pub(crate) const FIELD_KEYS: Vocabulary = Vocabulary {
    module: "config_option",
    words: &[
        "kind",
        "id",
        "name",
        "category",
        "default",
        "values",
        "depends_on",
        "shown_if",
        "reset",
        "fallback",
        "mirror",
        "flatten",
    ],
};
pub(crate) const STRUCT_KEYS: Vocabulary = Vocabulary { module: "config_options", words: &["crate"] };

/// What `reset` may say beside a path.
pub(crate) const RESETS: Vocabulary = Vocabulary { module: "reset", words: &["default", "first"] };

pub(super) struct Struct {
    pub(super) form: Form,
    pub(super) name: Ident,
    pub(super) vis: Visibility,
    pub(super) generics: Generics,
    /// Where the runtime is.
    pub(super) krate: TokenStream,
    pub(super) shape: Shape,
}

pub(super) enum Shape {
    Named(Vec<Field>),
    Tuple(Vec<Field>),
    Unit,
    /// No struct at all: the keyword that says so.
    Other(TokenStream),
}

pub(super) struct Field {
    pub(super) member: Member,
    pub(super) ty: Type,
    pub(super) description: Option<Description>,
    /// Whether the attribute is there, with or without keys.
    pub(super) marked: bool,
    pub(super) keys: Keys,
}

#[derive(Default)]
pub(super) struct Keys {
    pub(super) kind: Option<Given<LitStr>>,
    pub(super) id: Option<Given<LitStr>>,
    pub(super) name: Option<Given<LitStr>>,
    pub(super) category: Option<Given<LitStr>>,
    pub(super) default: Option<Given<Expr>>,
    pub(super) values: Option<Given<Values>>,
    pub(super) depends_on: Option<Given<Vec<Ident>>>,
    pub(super) shown_if: Option<Given<ExprPath>>,
    pub(super) reset: Option<Given<ExprPath>>,
    pub(super) fallback: Option<Given<LitStr>>,
    pub(super) mirror: Option<Given<LitBool>>,
    pub(super) flatten: Option<Ident>,
}

/// What a select offers.
pub(super) enum Values {
    /// `values("1" = "Once", "2")`.
    Listed(Vec<Value>),
    /// `values = path`.
    By(ExprPath),
}

/// `"id" = "Label"`, or `"id"`.
pub(super) struct Value {
    pub(super) id: LitStr,
    pub(super) name: Option<LitStr>,
}

impl Struct {
    pub(super) fn read(item: &DeriveInput, form: Form, sink: &Sink) -> Self {
        let shape = match &item.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => Shape::Named(read_fields(&fields.named, sink)),
                Fields::Unnamed(fields) => Shape::Tuple(read_fields(&fields.unnamed, sink)),
                Fields::Unit => Shape::Unit,
            },
            Data::Enum(data) => Shape::Other(data.enum_token.to_token_stream()),
            Data::Union(data) => Shape::Other(data.union_token.to_token_stream()),
        };
        if let Shape::Named(fields) | Shape::Tuple(fields) = &shape {
            let named = fields.iter().flat_map(|field| &field.keys.depends_on).flat_map(|keyed| &keyed.value).flatten();
            named.for_each(|name| sink.words.field(&item.ident, name));
        }
        Self {
            form,
            name: item.ident.clone(),
            vis: item.vis.clone(),
            generics: item.generics.clone(),
            krate: read_crate(&item.attrs, sink),
            shape,
        }
    }
}

fn read_crate(attributes: &[Attribute], sink: &Sink) -> TokenStream {
    let mut krate = quote!(::acp_runtime);
    keys::read(attributes, ATTRIBUTE, &STRUCT_KEYS, sink, |entry| {
        krate = entry.assigned::<Path>("acp").value.map_or_else(|| krate.clone(), Path::into_token_stream);
    });
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(CRATE_ATTRIBUTE)) {
        if let Some(path) = sink.take(attribute.parse_args::<Path>()) {
            krate = path.into_token_stream();
        }
    }
    krate
}

fn read_fields<'a>(fields: impl IntoIterator<Item = &'a syn::Field>, sink: &Sink) -> Vec<Field> {
    let fields = fields.into_iter().enumerate();
    fields.map(|(position, field)| read_field(position, field, sink)).collect()
}

fn read_field(position: usize, field: &syn::Field, sink: &Sink) -> Field {
    let mut keys = Keys::default();
    let marked = keys::read(&field.attrs, ATTRIBUTE, &FIELD_KEYS, sink, |entry| keys.read(entry, &field.ty));
    if field
        .attrs
        .iter()
        .any(|attribute| attribute.path().is_ident(ATTRIBUTE) && attribute.meta.require_name_value().is_ok())
    {
        // Its keys may all have been meant by what was reported.
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

impl Keys {
    fn read(&mut self, entry: Entry<'_>, ty: &Type) {
        match entry.key.to_string().as_str() {
            "kind" => self.kind = Some(entry.word("\"boolean\"")),
            "id" => self.id = Some(entry.assigned("\"model\"")),
            "name" => self.name = Some(entry.assigned("\"Model\"")),
            "category" => self.category = Some(entry.word("\"model\"")),
            "default" => self.default = Some(told(entry).taking("a value of the field's type", &default_of(ty))),
            "values" => self.values = Some(read_values(told(entry))),
            "depends_on" => {
                self.depends_on = Some(entry.list("the names of options in parentheses", "model, brave", option))
            }
            "shown_if" => self.shown_if = Some(told(entry).assigned("is_shown")),
            "reset" => {
                entry.tell(Some(&RESETS));
                self.reset = Some(entry.taking("`default`, `first`, or the path of a function", "first"));
            }
            "fallback" => self.fallback = Some(entry.word("\"select\"")),
            "mirror" => self.mirror = Some(entry.assigned("false")),
            "flatten" => self.flatten = Some(entry.flag()),
            other => unreachable!("`{other}` is not among the keys"),
        }
    }
}

fn told(entry: Entry<'_>) -> Entry<'_> {
    entry.tell(None);
    entry
}

/// A value to begin with, for a message.
fn default_of(ty: &Type) -> String {
    let written = code(ty);
    match written.as_str() {
        "bool" => "false".to_owned(),
        "String" => "\"a\"".to_owned(),
        _ => format!("{written}::default()"),
    }
}

/// `("1" = "Once", "2")`, or `= path`.
fn read_values(entry: Entry<'_>) -> Given<Values> {
    const IDS: &str = "ids in parentheses, each alone or with its label, or `=` and the path of a function";
    const PATH: &str = "the path of a function, or a list in parentheses";
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
            let Keyed { key, value } = entry.taking(PATH, "Effort::offered_by");
            Keyed { key, value: value.map(Values::By) }
        }
    }
}

/// A bare id is no `Meta`, so syn's attribute parser cannot read it.
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
    // A key of another attribute is no id.
    if !id_right && VARIANT_KEYS.knows(&id.value()) {
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

/// A text, and whether it is written as one.
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

/// The name of a field; its key is easily taken for it.
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
