//! Unions. With a tag they are decoded in one pass by our own visitor; by shape alone, branch after branch is tried.

use std::collections::HashMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::{Finished, doc, doc_or, ident};
use crate::model::{Fallback, Model, Other, Payload, Tagged, Untagged, Variant};
use crate::post::{Input, Whole, reading};
use crate::source::drafts::{is_remarked, remark};

pub(super) fn alias(name: &Ident, target: &Payload, docs: &TokenStream) -> TokenStream {
    let target = payload_type(target);
    quote!(#docs pub type #name = #target;)
}

pub(super) fn untagged(model: &Model, name: &Ident, union: &Untagged, docs: &TokenStream) -> TokenStream {
    let variants = union.variants.iter().map(|variant| {
        let docs = variant_docs(variant);
        let ident = ident(&variant.ident);
        match &variant.payload {
            Payload::Unit => quote!(#docs #ident),
            payload => {
                let payload = field(model, payload);
                quote!(#docs #ident(#payload))
            }
        }
    });
    let shapes = shapes(name, &union.variants, union.overlap, |variant, input| match &variant.payload {
        Payload::Unit => {
            let (ident, value) = (ident(&variant.ident), &input.deserializer);
            quote!(<() as ::serde::Deserialize>::deserialize(#value).map(|()| Self::#ident))
        }
        _ => read(variant, &Finished::new(), input),
    });
    let conversions = conversions(model, name, union.variants.iter(), &Finished::new());
    let display = union.variants.iter().all(|variant| is_displayed(&variant.payload)).then(|| display(name, union));
    let derives = if union.variants.iter().all(|variant| is_key(&variant.payload)) {
        quote!(Eq, PartialOrd, Ord, Hash,)
    } else {
        TokenStream::new()
    };
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq, #derives ::serde::Serialize)]
        #[serde(untagged)]
        #[non_exhaustive]
        pub enum #name { #(#variants,)* }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                ::acp_runtime::schema::support::untagged(deserializer)
            }
        }

        #shapes
        #conversions
        #display
    }
}

/// `draft` says that the union is one as a whole.
pub(super) fn tagged(
    model: &Model,
    name: &str,
    union: &Tagged,
    finished: &Finished,
    docs: &TokenStream,
    draft: bool,
) -> TokenStream {
    let Tagged { tag, variants, fallbacks, strict } = union;
    let ident_of = ident(name);
    let known = variants.iter().map(|variant| declare(model, variant, Some(&variant.wire), finished));
    let rest = fallbacks.iter().map(|fallback| match fallback {
        Fallback::Shape(variant) => declare(model, variant, None, finished),
        Fallback::Other(other) => {
            let docs = doc_or(other.docs.as_deref(), || "What this version of the protocol does not know.".to_owned());
            let (ident, payload) = (ident(&other.ident), other_name(name, other));
            quote!(#docs #[serde(untagged)] #ident(#payload))
        }
    });
    let words: Vec<&String> = variants.iter().map(|variant| &variant.wire).collect();
    let arms = variants.iter().enumerate().map(|(index, variant)| {
        let read = read(variant, finished, &Input { deserializer: quote!(content), error: quote!(__D::Error) });
        let index = Literal::usize_unsuffixed(index);
        quote!(#index => #read)
    });
    let shapes_of = shapes(&ident_of, fallbacks, false, |fallback, input| match fallback {
        Fallback::Shape(variant) => read(variant, finished, input),
        Fallback::Other(other) => {
            let (ident, value) = (ident(&other.ident), &input.deserializer);
            quote!(::serde::Deserialize::deserialize(#value).map(Self::#ident))
        }
    });
    let (open, function) = if fallbacks.is_empty() {
        (TokenStream::new(), quote!(tagged))
    } else {
        let open = quote! {
            impl ::acp_runtime::schema::support::Open for #ident_of {
                const STRICT: bool = #strict;
            }

            #shapes_of
        };
        (open, quote!(open))
    };
    let conversions = conversions(model, &ident_of, variants.iter().chain(union.shapes()), finished);
    let others = fallbacks.iter().filter_map(|fallback| match fallback {
        Fallback::Other(other) => Some(other_struct(name, tag, &words, other, draft)),
        Fallback::Shape(_) => None,
    });
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
        #[serde(tag = #tag)]
        #[non_exhaustive]
        pub enum #ident_of { #(#known,)* #(#rest,)* }

        impl ::acp_runtime::schema::support::Tagged for #ident_of {
            const NAME: &'static str = #name;
            const TAG: &'static str = #tag;
            const TAGS: &'static [&'static str] = &[#(#words),*];

            fn variant<'de, __D: ::serde::Deserializer<'de>>(
                tag: usize,
                content: __D,
            ) -> ::std::result::Result<Self, __D::Error> {
                match tag {
                    #(#arms,)*
                    _ => ::std::result::Result::Err(::acp_runtime::schema::support::no_variant(#name)),
                }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #ident_of {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                ::acp_runtime::schema::support::#function(deserializer)
            }
        }

        #open
        #conversions
        #(#others)*
    }
}

/// What tries the branches that no tag tells apart, one after the other; all of them where a value may fit several.
fn shapes<B>(name: &Ident, branches: &[B], overlap: bool, read: impl Fn(&B, &Input) -> TokenStream) -> TokenStream {
    if overlap {
        let reads = branches.iter().map(|branch| {
            let read = read(branch, &Input { deserializer: quote!(value), error: quote!(::serde_json::Error) });
            quote!(|value| #read)
        });
        let text = name.to_string();
        return quote! {
            impl ::acp_runtime::schema::support::Shapes for #name {
                fn read(value: ::serde_json::Value) -> ::std::result::Result<Self, ::serde_json::Error> {
                    ::acp_runtime::schema::support::best(#text, &value, &[#(#reads),*])
                }
            }
        };
    }
    let last = branches.len().saturating_sub(1);
    let reads = branches.iter().enumerate().map(|(index, branch)| {
        let deserializer = if index == last { quote!(value) } else { quote!(::std::clone::Clone::clone(&value)) };
        read(branch, &Input { deserializer, error: quote!(::serde_json::Error) })
    });
    let text = name.to_string();
    quote! {
        impl ::acp_runtime::schema::support::Shapes for #name {
            fn read(value: ::serde_json::Value) -> ::std::result::Result<Self, ::serde_json::Error> {
                #(
                    if let ::std::result::Result::Ok(value) = #reads {
                        return ::std::result::Result::Ok(value);
                    }
                )*
                ::std::result::Result::Err(::acp_runtime::schema::support::no_variant(#text))
            }
        }
    }
}

/// A variant as it is declared; without a tag, serde writes it as its content alone.
fn declare(model: &Model, variant: &Variant, tag: Option<&String>, finished: &Finished) -> TokenStream {
    let docs = variant_docs(variant);
    let name = ident(&variant.ident);
    let serde = match tag {
        Some(tag) => quote!(#[serde(rename = #tag)]),
        None => quote!(#[serde(untagged)]),
    };
    match (&variant.payload, inline(variant, finished)) {
        (_, Some(inline)) => {
            let fields = inline.item.fields.iter().map(|field| {
                // Fields of a variant are as visible as the enum is, and are only written here.
                let mut field = field.clone();
                field.vis = syn::Visibility::Inherited;
                field
            });
            quote!(#docs #serde #name { #(#fields),* })
        }
        (Payload::Unit, None) => quote!(#docs #serde #name),
        (payload, None) => {
            let payload = field(model, payload);
            quote!(#docs #serde #name(#payload))
        }
    }
}

/// The field that holds the content of a variant.
fn field(model: &Model, payload: &Payload) -> TokenStream {
    let ty = payload_type(payload);
    let innermost = std::iter::successors(Some(model.resolved(payload)), |payload| match payload {
        Payload::List(inner) | Payload::Map(inner) => Some(model.resolved(inner)),
        _ => None,
    });
    let attribute = (innermost.last() == Some(&Payload::Float))
        .then(|| quote!(#[serde(serialize_with = "::acp_runtime::schema::support::number")]));
    quote!(#attribute #ty)
}

/// An expression that reads a variant from the deserializer `content`.
fn read(variant: &Variant, finished: &Finished, input: &Input) -> TokenStream {
    let name = ident(&variant.ident);
    let content = &input.deserializer;
    match (&variant.payload, inline(variant, finished)) {
        (_, Some(crate::post::Finished { item, readings: Some(readings), .. })) => {
            let whole = Whole { name: &item.ident.to_string(), path: quote!(Self::#name) };
            let block = reading(readings, &whole, "object", input);
            quote!({ #block })
        }
        (_, Some(inline)) => {
            let fields = inline.item.fields.iter().map(|field| {
                let mut field = field.clone();
                field.vis = syn::Visibility::Inherited;
                field.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
                field
            });
            let idents: Vec<_> = inline.item.fields.iter().map(|field| &field.ident).collect();
            quote! {{
                #[derive(::serde::Deserialize)]
                struct Fields { #(#fields),* }
                <Fields as ::serde::Deserialize>::deserialize(#content).map(|Fields { #(#idents),* }| Self::#name { #(#idents),* })
            }}
        }
        (Payload::Unit, None) => {
            quote!(::acp_runtime::schema::support::nothing(#content).map(|()| Self::#name))
        }
        _ => quote!(::serde::Deserialize::deserialize(#content).map(Self::#name)),
    }
}

fn inline<'a>(variant: &Variant, finished: &'a Finished) -> Option<&'a crate::post::Finished> {
    match &variant.payload {
        Payload::Named(name) => finished.get(name).filter(|structure| structure.inline),
        _ => None,
    }
}

fn other_name(union: &str, other: &Other) -> Ident {
    ident(&other.type_name(union))
}

/// What an open union keeps of a variant that it does not know: the tag, and all fields beside it.
fn other_struct(union: &str, tag: &str, known: &[&String], other: &Other, draft: bool) -> TokenStream {
    let name = other_name(union, other);
    let text = format!("A `{union}` that this version of the protocol does not know, kept as it came.");
    let draft = draft || other.docs.as_deref().is_some_and(is_remarked);
    let docs = doc(Some(&if draft { remark(Some(&text)) } else { text }));
    let tag_ident = ident(&other.tag_ident);
    let tag_docs = doc_or(other.tag_docs.as_deref(), || format!("The unknown `{tag}`."));
    let Other { required, also, .. } = other;
    let typed = required.iter().filter(|(_, payload)| *payload != Payload::Any).map(|(key, payload)| {
        let payload = payload_type(payload);
        quote! {
            if let ::std::option::Option::Some(value) = fields.get(#key) {
                <#payload as ::serde::Deserialize>::deserialize(value).map_err(::serde::de::Error::custom)?;
            }
        }
    });
    let required: Vec<_> = required.iter().map(|(key, _)| key).collect();
    let also = also.as_ref().map(|also| {
        let also = ident(also);
        quote!(<#also as ::serde::Deserialize>::deserialize(&fields).map_err(::serde::de::Error::custom)?;)
    });
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
        #[non_exhaustive]
        pub struct #name {
            #tag_docs
            #[serde(rename = #tag)]
            pub #tag_ident: ::std::string::String,
            /// All fields beside it.
            #[serde(flatten)]
            pub fields: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        }

        impl #name {
            /// Keeps `fields` under a tag that is not known.
            #[must_use]
            pub fn new(
                #tag_ident: impl ::std::convert::Into<::std::string::String>,
                mut fields: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
            ) -> Self {
                fields.remove(#tag);
                Self { #tag_ident: #tag_ident.into(), fields }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                let (#tag_ident, fields) =
                    ::acp_runtime::schema::support::unknown(deserializer, #tag, &[#(#known),*], &[#(#required),*])?;
                #(#typed)*
                #also
                ::std::result::Result::Ok(Self { #tag_ident, fields })
            }
        }
    }
}

fn variant_docs(variant: &Variant) -> TokenStream {
    doc_or(variant.docs.as_deref(), || format!("`{}` on the wire.", variant.wire))
}

/// The Rust type.
pub(crate) fn payload_type(payload: &Payload) -> TokenStream {
    match payload {
        Payload::Unit => quote!(()),
        Payload::Named(name) => {
            let name = ident(name);
            quote!(#name)
        }
        Payload::Text => quote!(::std::string::String),
        Payload::Integer(kind) => {
            let kind = ident(kind.rust());
            quote!(#kind)
        }
        Payload::Float => quote!(f64),
        Payload::Boolean => quote!(bool),
        Payload::List(items) => {
            let items = payload_type(items);
            quote!(::std::vec::Vec<#items>)
        }
        Payload::Map(values) if **values == Payload::Any => {
            quote!(::serde_json::Map<::std::string::String, ::serde_json::Value>)
        }
        Payload::Map(values) => {
            let values = payload_type(values);
            quote!(::std::collections::BTreeMap<::std::string::String, #values>)
        }
        Payload::Any => quote!(::serde_json::Value),
    }
}

/// Ids of all kinds can be keys of maps.
fn is_key(payload: &Payload) -> bool {
    matches!(payload, Payload::Unit | Payload::Text | Payload::Integer(_))
}

fn is_displayed(payload: &Payload) -> bool {
    matches!(payload, Payload::Unit | Payload::Text | Payload::Integer(_))
}

fn display(name: &Ident, union: &Untagged) -> TokenStream {
    let arms = union.variants.iter().map(|variant| {
        let ident = ident(&variant.ident);
        match variant.payload {
            Payload::Unit => quote!(Self::#ident => f.write_str("null")),
            _ => quote!(Self::#ident(value) => ::std::fmt::Display::fmt(value, f)),
        }
    });
    quote! {
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self { #(#arms,)* }
            }
        }
    }
}

/// A `From` for every content that only one variant has.
fn conversions<'a>(
    model: &Model,
    name: &Ident,
    variants: impl Iterator<Item = &'a Variant>,
    finished: &Finished,
) -> TokenStream {
    let sources: Vec<_> = variants.flat_map(|variant| contents(model, variant, finished)).collect();
    let mut times: HashMap<String, usize> = HashMap::new();
    for (ty, _) in &sources {
        *times.entry(ty.to_string()).or_default() += 1;
    }
    let once = sources.iter().filter(|(ty, _)| times[&ty.to_string()] == 1);
    let conversion = |(ty, value): &(TokenStream, TokenStream)| {
        quote! {
            impl ::std::convert::From<#ty> for #name {
                fn from(value: #ty) -> Self {
                    #value
                }
            }
        }
    };
    once.map(conversion).collect()
}

/// The types that a variant is made of, with the expression that makes it of a `value`.
fn contents(model: &Model, variant: &Variant, finished: &Finished) -> Vec<(TokenStream, TokenStream)> {
    let name = ident(&variant.ident);
    if let Some(inline) = inline(variant, finished) {
        let mut fields = inline.item.fields.iter();
        let (Some(field), None) = (fields.next(), fields.next()) else { return Vec::new() };
        let (ty, field_ident) = (&field.ty, &field.ident);
        let short = field_ident.as_ref().is_some_and(|ident| ident == "value");
        let of_value = if short { quote!(Self::#name { value }) } else { quote!(Self::#name { #field_ident: value }) };
        let mut out = vec![(quote!(#ty), of_value)];
        if inline.id_fields.contains(&0) {
            let value = quote!(Self::#name { #field_ident: value.into() });
            out.extend([(quote!(&str), value.clone()), (quote!(::std::string::String), value)]);
        }
        return out;
    }
    // Two names of the same type would be the same conversion twice.
    let payload = model.resolved(&variant.payload);
    let ty = payload_type(payload);
    match payload {
        Payload::Unit | Payload::Any => Vec::new(),
        Payload::Text => vec![(ty, quote!(Self::#name(value))), (quote!(&str), quote!(Self::#name(value.to_owned())))],
        _ => vec![(ty, quote!(Self::#name(value)))],
    }
}
