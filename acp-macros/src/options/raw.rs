//! The struct and its `#[config_option(..)]` attributes as written: parsed, not yet judged.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{
    Attribute, Data, DeriveInput, Expr, ExprPath, Fields, Generics, Ident, LitBool, LitStr, Member, Path, Token, Type,
    Visibility,
};

use super::Form;
use crate::diagnostics::Sink;
use crate::keys::{self, Keyed};
use crate::text;
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
    pub(super) description: Option<String>,
    /// Whether the attribute is there, with or without keys.
    pub(super) marked: bool,
    pub(super) keys: Keys,
}

#[derive(Default)]
pub(super) struct Keys {
    pub(super) kind: Option<Keyed<LitStr>>,
    pub(super) id: Option<Keyed<LitStr>>,
    pub(super) name: Option<Keyed<LitStr>>,
    pub(super) category: Option<Keyed<LitStr>>,
    pub(super) default: Option<Keyed<Expr>>,
    /// An error here is known to be about the values, so that nothing else complains of their absence.
    pub(super) values: Option<Keyed<syn::Result<Values>>>,
    pub(super) depends_on: Option<Keyed<Vec<Ident>>>,
    pub(super) shown_if: Option<Keyed<ExprPath>>,
    pub(super) reset: Option<Keyed<ExprPath>>,
    pub(super) fallback: Option<Keyed<LitStr>>,
    pub(super) mirror: Option<Keyed<LitBool>>,
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
            let named = fields.iter().flat_map(|field| &field.keys.depends_on).flat_map(|keyed| &keyed.value);
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
    keys::read(attributes, ATTRIBUTE, &STRUCT_KEYS, sink, |key, input| {
        krate = keys::assigned::<Path>(key, input)?.value.into_token_stream();
        Ok(())
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
    let marked = keys::read(&field.attrs, ATTRIBUTE, &FIELD_KEYS, sink, |key, input| keys.read(key, input, sink));
    Field {
        member: field.ident.clone().map_or_else(|| Member::from(position), Member::from),
        ty: field.ty.clone(),
        description: text::description(&field.attrs),
        marked,
        keys,
    }
}

impl Keys {
    fn read(&mut self, key: &Ident, input: ParseStream<'_>, sink: &Sink) -> syn::Result<()> {
        match key.to_string().as_str() {
            "default" | "values" | "shown_if" => keys::tell(input, None, sink),
            "reset" => keys::tell(input, Some(&RESETS), sink),
            _ => {}
        }
        match key.to_string().as_str() {
            "kind" => self.kind = Some(keys::assigned(key, input)?),
            "id" => self.id = Some(keys::assigned(key, input)?),
            "name" => self.name = Some(keys::assigned(key, input)?),
            "category" => self.category = Some(keys::assigned(key, input)?),
            "default" => self.default = Some(keys::assigned(key, input)?),
            "values" => self.values = Some(Keyed { key: key.clone(), value: read_values(key, input) }),
            "depends_on" => self.depends_on = Some(Keyed { key: key.clone(), value: read_names(key, input)? }),
            "shown_if" => self.shown_if = Some(keys::assigned(key, input)?),
            "reset" => self.reset = Some(keys::assigned(key, input)?),
            "fallback" => self.fallback = Some(keys::assigned(key, input)?),
            "mirror" => self.mirror = Some(keys::assigned(key, input)?),
            "flatten" => self.flatten = Some(key.clone()),
            other => unreachable!("`{other}` is not among the keys"),
        }
        Ok(())
    }
}

/// `("1" = "Once", "2")`, or `= path`. A bare id is no `Meta`, so syn's attribute parser cannot read it.
fn read_values(key: &Ident, input: ParseStream<'_>) -> syn::Result<Values> {
    if !input.peek(syn::token::Paren) {
        if input.peek(Token![=]) {
            return read_path(key, input).map(Values::By);
        }
        let text = "expected the values in parentheses\nhelp: write `values(\"a\" = \"A\", \"b\")`, or `values = path` \
                    with the path of a function that returns them";
        return Err(syn::Error::new(key.span(), text));
    }
    let list;
    syn::parenthesized!(list in input);
    let value = |input: ParseStream<'_>| {
        let id = input.parse()?;
        let name =
            if input.peek(Token![=]) { Some(input.parse::<Token![=]>().and_then(|_| input.parse())?) } else { None };
        Ok(Value { id, name })
    };
    Ok(Values::Listed(list.parse_terminated(value, Token![,])?.into_iter().collect()))
}

/// Whatever else stands there is read too, so that it is one error.
fn read_path(key: &Ident, input: ParseStream<'_>) -> syn::Result<ExprPath> {
    match keys::assigned::<Expr>(key, input)?.value {
        Expr::Path(path) => Ok(path),
        other => {
            let text =
                "expected the path of a function that returns the values\nhelp: write `values = Effort::offered_by`";
            Err(syn::Error::new_spanned(other, text))
        }
    }
}

fn read_names(key: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<Ident>> {
    if !input.peek(syn::token::Paren) {
        let text = "expected the options in parentheses\nhelp: write `depends_on(model, brave)`";
        return Err(syn::Error::new(key.span(), text));
    }
    let list;
    syn::parenthesized!(list in input);
    Ok(list.parse_terminated(Ident::parse_any, Token![,])?.into_iter().collect())
}
