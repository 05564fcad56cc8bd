//! Fourth stage: Rust items from the model. Structs and closed enums come from typify and go through `post`;
//! everything that typify gets wrong is emitted here.

mod conversions;
mod docs;
mod envelopes;
mod failures;
mod integers;
pub(crate) mod macro_table;
mod methods;
mod structs;
mod texts;
mod unions;
mod words;

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};

pub(crate) use docs::{doc, doc_or, draft, summary};
pub(crate) use structs::Typified;

use crate::error::Result;
use crate::model::{Model, Shape};
use crate::normalise::Normalised;
use crate::post;
use crate::source::Source;

/// The generated module, as one token stream in schema order.
pub(crate) fn module(source: &Source, normalised: &Normalised, model: &Model) -> Result<TokenStream> {
    let mut typified = structs::typify(source, normalised, model)?;
    let finished = post::finish(model, &mut typified);
    let mut out = TokenStream::new();
    for definition in &model.definitions {
        let name = ident(&definition.name);
        let text = if definition.draft { draft(definition.docs.clone()) } else { definition.docs.clone() };
        let docs = doc_or(text.as_deref(), || undescribed(model, &definition.name));
        out.extend(match &definition.shape {
            Shape::Struct(structure) if structure.inline => TokenStream::new(),
            Shape::Struct(structure) => post::structure(model, structure, &finished[&definition.name], &docs),
            Shape::ClosedEnum(words) => post::closed_enum(words, &mut typified, &definition.name, &docs),
            Shape::Text => texts::text(&name, &docs),
            Shape::Integer(kind) => integers::newtype(&name, *kind, &docs),
            Shape::OpenWords(words) => words::open(&name, words, &docs),
            Shape::OpenIntegers(words) => integers::open(&name, words, &docs),
            Shape::Tagged(union) => unions::tagged(&definition.name, union, &finished, &docs),
            Shape::Untagged(union) => unions::untagged(&name, union, &docs),
            Shape::Raw(raw) => texts::raw(&name, raw, &docs),
            Shape::Alias(target) => unions::alias(&name, target, &docs),
        });
        if let Shape::Struct(structure) = &definition.shape {
            out.extend(failures::constructors(model, structure, &finished[&definition.name]));
        }
        out.extend(conversions::from_overlay(source, model, &finished, definition)?);
    }
    out.extend(typified.support());
    out.extend(envelopes::all(model));
    out.extend(methods::all(model));
    Ok(out)
}

/// What is said of a definition of which the schema says nothing.
fn undescribed(model: &Model, name: &str) -> String {
    match model.holders(name) {
        [] => format!("`{name}` of the protocol."),
        holders => {
            let holders: Vec<_> = holders.iter().map(|holder| format!("`{holder}`")).collect();
            format!("The alternatives inside {}.", holders.join(" and "))
        }
    }
}

/// Structs after the post pass, by name.
pub(crate) type Finished = BTreeMap<String, post::Finished>;

/// An identifier that the model has checked.
pub(crate) fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
