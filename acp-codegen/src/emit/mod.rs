//! Fourth stage: Rust items from the model. Structs and closed enums are written in `post`, everything else here.

mod constants;
mod conversions;
mod docs;
mod envelopes;
mod failures;
mod integers;
pub(crate) mod macro_table;
mod methods;
mod texts;
mod unions;
mod words;

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};

pub(crate) use docs::{doc, doc_or, summary};
pub(crate) use unions::payload_type;

use crate::error::{Location, Result};
use crate::format;
use crate::model::{Constant, Definition, Model, Shape};
use crate::normalise::Normalised;
use crate::post;
use crate::source::Source;
use crate::source::drafts::remark;

/// The generated module, in schema order.
pub(crate) fn module(source: &Source, normalised: &Normalised, model: &Model) -> Result<String> {
    let mut out = format::Source::default();
    items(source, normalised, model, &mut |tokens, place| out.add(tokens, place))?;
    Ok(out.finish())
}

/// Takes a part of the module, and where in the schema it comes from.
pub(crate) type Add<'a> = dyn FnMut(TokenStream, &dyn Fn() -> Location) -> Result<()> + 'a;

/// Gives the module to `add`, a part after the other.
pub(crate) fn items(source: &Source, normalised: &Normalised, model: &Model, add: &mut Add<'_>) -> Result<()> {
    let whole = || Location { file: source.files[0].clone(), pointer: String::new() };
    for definition in &model.definitions {
        // What stands inline in a variant is written there.
        if !definition.is_inline() {
            let place = || normalised.at(source, &definition.name, |at| at.location());
            let finished = post::finish(model, definition);
            add(one(source, model, &finished, definition)?, &place)?;
        }
    }
    add(post::conversion_error(), &whole)?;
    add(envelopes::all(model), &whole)?;
    add(methods::all(model), &whole)
}

fn one(source: &Source, model: &Model, finished: &Finished, definition: &Definition) -> Result<TokenStream> {
    let name = ident(&definition.name);
    let text = definition.docs.as_deref();
    let text = if definition.draft { Some(remark(text)) } else { text.map(str::to_owned) };
    let docs = doc_or(text.as_deref(), || undescribed(model, definition));
    let mut out = match &definition.shape {
        Shape::Struct(structure) => post::structure(model, structure, &finished[&definition.name], &docs),
        Shape::ClosedEnum(words) => post::closed_enum(words, &name, &docs),
        Shape::Text => texts::text(&name, &docs),
        Shape::Integer(kind) => integers::newtype(&name, *kind, &docs),
        Shape::Constant(constant) => constants::constant(&name, constant, &docs),
        Shape::OpenWords(words) => words::open(&name, words, &docs),
        Shape::OpenIntegers(words) => integers::open(&name, words, &docs),
        Shape::Tagged(union) => unions::tagged(model, &definition.name, union, finished, &docs, definition.draft),
        Shape::Untagged(union) => unions::untagged(model, &name, union, &docs),
        Shape::Raw(raw) => texts::raw(&name, raw, &docs),
        Shape::Alias(target) => unions::alias(&name, target, &docs),
    };
    if let Shape::Struct(structure) = &definition.shape {
        out.extend(failures::constructors(model, structure, &finished[&definition.name]));
    }
    out.extend(conversions::from_overlay(source, model, finished, definition)?);
    Ok(out)
}

/// What is said of a definition of which the schema says nothing.
fn undescribed(model: &Model, Definition { name, shape, .. }: &Definition) -> String {
    match shape {
        Shape::Constant(Constant::Text(text)) => return format!("Always `{text}`."),
        Shape::Constant(Constant::Integer(number)) => return format!("Always `{number}`."),
        _ => {}
    }
    match model.holders(name) {
        [] => format!("`{name}` of the protocol."),
        holders => {
            let holders: Vec<_> = holders.iter().map(|holder| format!("`{holder}`")).collect();
            format!("The alternatives inside {}.", holders.join(" and "))
        }
    }
}

/// Structs after the post pass, by name.
pub(crate) type Finished = HashMap<String, post::Finished>;

/// An identifier that the model has checked.
pub(crate) fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
