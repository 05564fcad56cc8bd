//! The `From`s that the overlay asks for: shortcuts through several types, such as from a text to a content block.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Finished, ident};
use crate::error::{Place, Result};
use crate::model::{Definition, Model, Payload, Shape};
use crate::post;
use crate::source::Source;

pub(super) fn from_overlay(
    source: &Source,
    model: &Model,
    finished: &Finished,
    definition: &Definition,
) -> Result<TokenStream> {
    let mut out = TokenStream::new();
    for conversion in source.overlay.conversions_into(&definition.name) {
        if has_own_fields(model, definition, conversion.via.as_deref()) {
            source.overlay.does_not_fit(conversion);
            continue;
        }
        let value = match &definition.shape {
            Shape::Struct(_) => argument(source, model, &finished[&definition.name], &conversion.from)
                .map(|value| quote!(Self::new(#value))),
            Shape::Tagged(union) => {
                let variant = union.variants.iter().find(|variant| Some(&variant.ident) == conversion.via.as_ref());
                variant.filter(|variant| matches!(variant.payload, Payload::Named(_))).map(|variant| {
                    let variant = ident(&variant.ident);
                    quote!(Self::#variant(value.into()))
                })
            }
            _ => None,
        };
        let known = conversion.from == "string" || model.get(&conversion.from).is_some();
        let Some(value) = value.filter(|_| known) else {
            let file = source.files.last().map_or_else(|| source.files[0].as_path(), |file| file.as_path());
            return Err(Place::root(file).key("conversions").overlay(
                format!("`{}` cannot be made of `{}` this way", definition.name, conversion.from),
                "name a struct with one required field, or a union and under `via` one of its variants",
            ));
        };
        let name = ident(&definition.name);
        let sources = if conversion.from == "string" {
            vec![quote!(&str), quote!(::std::string::String)]
        } else {
            let from = ident(&conversion.from);
            vec![quote!(#from)]
        };
        for from in sources {
            out.extend(quote! {
                impl ::std::convert::From<#from> for #name {
                    fn from(value: #from) -> Self {
                        #value
                    }
                }
            });
        }
    }
    Ok(out)
}

/// Whether that variant holds its fields itself, as those of the first versions do, and no value of a type.
fn has_own_fields(model: &Model, union: &Definition, via: Option<&str>) -> bool {
    let Shape::Tagged(tagged) = &union.shape else { return false };
    let variant = tagged.variants.iter().find(|variant| Some(variant.ident.as_str()) == via);
    let payload = variant.and_then(|variant| match &variant.payload {
        Payload::Named(name) => model.get(name),
        _ => None,
    });
    payload.is_some_and(|payload| matches!(&payload.shape, Shape::Struct(structure) if structure.inline))
}

/// `value` as the one argument of a struct's constructor.
fn argument(source: &Source, model: &Model, structure: &post::Finished, from: &str) -> Option<TokenStream> {
    let [required] = structure.required.as_slice() else { return None };
    let field = structure.item.fields.iter().nth(required.field)?;
    let name = post::simple_name(&field.ty)?;
    let same = name == from;
    if !same && !is_made_of(source, model, &name, from) {
        return None;
    }
    Some(if required.converts || same { quote!(value) } else { quote!(value.into()) })
}

/// Whether the type of a field has a `From` of that type.
fn is_made_of(source: &Source, model: &Model, name: &str, from: &str) -> bool {
    let text = from == "string";
    match model.get(name).map(|definition| &definition.shape) {
        None => text && matches!(name, "String" | "PathBuf"),
        Some(Shape::Text) if text => true,
        Some(Shape::Tagged(union))
            if union
                .variants
                .iter()
                .any(|variant| matches!(&variant.payload, Payload::Named(name) if name == from)) =>
        {
            true
        }
        Some(_) => source.overlay.conversions_into(name).iter().any(|conversion| conversion.from == from),
    }
}
