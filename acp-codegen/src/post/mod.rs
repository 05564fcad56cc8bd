//! Structs and closed enums: their fields and variants, how they are written and read, constructors and conversions.

mod attributes;
mod constructors;
mod enums;
mod reading;
mod types;

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{ItemStruct, parse_quote};

use crate::emit::{self, ident};
use crate::model::{Content, Definition, Model, Payload, Presence, Shape, Struct, Variant};
use crate::normalise::Flattened;

pub(crate) use enums::{closed_enum, conversion_error};
pub(crate) use reading::{Input, Reading, Whole, block as reading};
pub(crate) use types::simple_name;

/// A struct with its fields as they will stand in the code, in schema order.
pub(crate) struct Finished {
    pub(crate) item: ItemStruct,
    /// It is the content of a union's variant, and not emitted itself.
    pub(crate) inline: bool,
    /// The arguments of its constructor.
    pub(crate) required: Vec<Required>,
    /// The fields that have setters.
    optional: Vec<Optional>,
    /// The positions of fields that hold an id.
    pub(crate) id_fields: Vec<usize>,
    /// How its fields are read; nothing where serde's derive reads it.
    pub(crate) readings: Option<Vec<Reading>>,
}

struct Optional {
    field: usize,
    presence: Presence,
    /// What the setter is for, in a line or two.
    docs: TokenStream,
}

/// An argument of a constructor.
#[derive(Debug)]
pub(crate) struct Required {
    pub(crate) field: usize,
    /// The argument takes everything that converts into the field.
    pub(crate) converts: bool,
}

/// The structs that the code of a definition is made of: itself, and those that stand inline in the variants of a union.
/// Only they are in memory, as all of a large schema would be too much.
pub(crate) fn finish(model: &Model, definition: &Definition) -> HashMap<String, Finished> {
    let inline = |variant: &Variant| match &variant.payload {
        Payload::Named(name) => model.get(name).filter(|named| named.is_inline()),
        _ => None,
    };
    let inside: Vec<&Definition> = match &definition.shape {
        Shape::Struct(_) => vec![definition],
        Shape::Tagged(union) => union.variants.iter().chain(union.shapes()).filter_map(inline).collect(),
        _ => Vec::new(),
    };
    let mut out = HashMap::new();
    for Definition { name, shape, .. } in inside {
        let Shape::Struct(structure) = shape else { continue };
        out.insert(name.clone(), fields(model, structure, &ident(name)));
    }
    out
}

fn fields(model: &Model, structure: &Struct, name: &Ident) -> Finished {
    let mut out = Finished {
        item: parse_quote!(pub struct #name {}),
        inline: structure.inline,
        required: Vec::new(),
        optional: Vec::new(),
        id_fields: Vec::new(),
        readings: None,
    };
    let derived = structure.flattened.is_some() || structure.open;
    let mut readings = Vec::new();
    let mut all: Vec<syn::Field> = Vec::with_capacity(structure.fields.len() + 1);
    // The union goes where a reader expects it: after what all kinds have in common, before the metadata.
    let union_at = structure.fields.iter().position(|field| field.content == Content::Meta);
    for (position, field) in structure.fields.iter().enumerate() {
        if union_at == Some(position) {
            all.extend(flattened(structure, name, all.len(), &mut out));
        }
        let ty = types::of(field);
        let attributes = attributes::serde(field, derived);
        let docs = emit::doc_or(field.docs.as_deref(), || format!("`{}` on the wire.", field.wire));
        let ident = ident(&field.ident);
        if types::is_id(model, &ty) {
            out.id_fields.push(all.len());
        }
        match field.presence {
            Presence::Required => {
                out.required.push(Required { field: all.len(), converts: constructors::converts(model, &ty) });
            }
            // Nobody has to give it, and nobody can give another one.
            Presence::Constant => {}
            Presence::Optional | Presence::Defaulted { .. } | Presence::ThreeState => {
                let docs = emit::summary(field.docs.as_deref(), &field.wire);
                out.optional.push(Optional { field: all.len(), presence: field.presence, docs });
            }
        }
        readings.push(Reading::new(field, &ident, &ty));
        all.push(parse_quote!(#docs #attributes pub #ident: #ty));
    }
    out.readings = (!derived).then_some(readings);
    if union_at.is_none() {
        all.extend(flattened(structure, name, all.len(), &mut out));
    }
    if structure.open {
        let docs = emit::doc(Some("Sets all fields beyond those of the schema."));
        out.optional.push(Optional { field: all.len(), presence: Presence::Defaulted { written: true }, docs });
        all.push(parse_quote! {
            /// All fields beyond those of the schema, as they came.
            #[serde(flatten)]
            pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>
        });
    }
    out.item.fields = syn::Fields::Named(parse_quote!({ #(#all),* }));
    out
}

fn flattened(structure: &Struct, name: &Ident, position: usize, out: &mut Finished) -> Option<syn::Field> {
    let Flattened { field, union, optional } = structure.flattened.as_ref()?;
    let (field, union) = (ident(field), ident(union));
    let docs_of = emit::doc(Some(&format!("What kind of `{name}` this is, with what belongs to it.")));
    if *optional {
        let docs = emit::doc(Some(&format!("Sets what kind of `{name}` this is.")));
        out.optional.push(Optional { field: position, presence: Presence::Optional, docs });
        return Some(parse_quote!(#docs_of #[serde(flatten)] pub #field: ::std::option::Option<#union>));
    }
    out.required.push(Required { field: position, converts: true });
    Some(parse_quote!(#docs_of #[serde(flatten)] pub #field: #union))
}

/// The struct with its derives and constructors.
pub(crate) fn structure(model: &Model, structure: &Struct, finished: &Finished, docs: &TokenStream) -> TokenStream {
    let ItemStruct { ident: name, fields, .. } = &finished.item;
    let default = finished.required.is_empty().then(|| quote!(Default,));
    let (derive, deserialize) = match &finished.readings {
        Some(readings) => (TokenStream::new(), deserialize(readings, name, structure.null_is_default)),
        None => (quote!(::serde::Deserialize,), TokenStream::new()),
    };
    let constructors = constructors::all(model, finished);
    quote! {
        #docs
        #[derive(Clone, Debug, #default PartialEq, ::serde::Serialize, #derive)]
        #[non_exhaustive]
        pub struct #name #fields
        #deserialize
        #constructors
    }
}

/// Payloads in which nothing is required may be `null` on the wire: then they are the default.
fn deserialize(readings: &[Reading], name: &Ident, null_is_default: bool) -> TokenStream {
    let text = name.to_string();
    let whole = Whole { name: &text, path: quote!(Self) };
    let function = if null_is_default { "payload" } else { "object" };
    let read =
        reading(readings, &whole, function, &Input { deserializer: quote!(deserializer), error: quote!(__D::Error) });
    quote! {
        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                #read
            }
        }
    }
}
