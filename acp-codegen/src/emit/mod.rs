//! Fourth stage: makes Rust items. It uses only the model.

mod constants;
mod conversions;
mod crate_path;
mod docs;
mod enums;
mod envelopes;
mod error_impls;
mod integers;
mod methods;
mod numbers;
mod structs;
mod texts;
mod types;
mod unions;
mod words;

use proc_macro2::{Ident, Span, TokenStream};

pub(crate) use crate_path::{CratePath, OF_THE_RUNTIME};
use docs::{doc, doc_or, summary};

use crate::error::Result;
use crate::model::{Constant, Definition, Model, Shape};
use crate::remarks::remark;

/// The input of the emitters: the model, and the path of the crate that the items name.
#[derive(Clone, Copy)]
struct Context<'a> {
    model: &'a Model,
    schema: &'a CratePath,
}

/// A function that takes a part of the module. If the part comes from a definition, it also takes the definition's
/// name.
pub(crate) type Add<'a> = dyn FnMut(TokenStream, Option<&str>) -> Result<()> + 'a;

/// Gives the parts of the module to `add`, in schema order. `schema` is the path of the crate that the code uses.
pub(crate) fn items(model: &Model, schema: &CratePath, add: &mut Add<'_>) -> Result<()> {
    let cx = Context { model, schema };
    // If the definition is the content of a variant, it is written there.
    for definition in model.definitions.iter().filter(|definition| !definition.is_inline()) {
        add(one(cx, definition), Some(&definition.name))?;
    }
    let converts =
        |definition: &Definition| matches!(definition.shape, Shape::ClosedEnum(_) | Shape::ClosedIntegers(_));
    if model.definitions.iter().any(converts) {
        add(enums::support(), None)?;
    }
    add(envelopes::all(cx), None)?;
    add(methods::all(cx), None)
}

fn one(cx: Context<'_>, definition: &Definition) -> TokenStream {
    let name = ident(&definition.name);
    let text = definition.docs.as_deref();
    let text = if definition.draft { Some(remark(text)) } else { text.map(str::to_owned) };
    let docs = doc_or(text.as_deref(), || undescribed(cx.model, definition));
    let mut out = match &definition.shape {
        Shape::Struct(structure) => structs::structure(cx, &name, structure, &docs),
        Shape::ClosedEnum(list) => enums::closed(&name, list, &docs),
        Shape::Text => texts::text(cx, &name, &docs),
        Shape::Integer(kind) => integers::newtype(&name, *kind, &docs),
        Shape::Numbers(ty) => numbers::newtype(cx, &name, ty, &docs),
        Shape::Constant(constant) => constants::constant(cx, &name, constant, &docs),
        Shape::ClosedIntegers(list) => integers::closed(&name, list, &docs),
        Shape::OpenWords(list) => words::open(cx, &name, list, &docs),
        Shape::OpenIntegers(list) => integers::open(&name, list, &docs),
        Shape::Tagged(union) => unions::tagged(cx, &definition.name, union, &docs, definition.draft),
        Shape::Untagged(union) => unions::untagged(cx, &name, union, &docs),
        Shape::Raw(raw) => texts::raw(cx, &name, raw, &docs),
        Shape::Alias(target) => unions::alias(cx, &name, target, &docs),
    };
    if let Shape::Struct(structure) = &definition.shape {
        out.extend(error_impls::constructors(cx, &name, structure));
    }
    out.extend(conversions::all(cx, definition));
    out
}

/// The documentation of a definition without a description.
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

/// Makes an identifier from a name that the model has checked.
fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
