//! The overlay's conversions, if the types allow them.

use crate::error::{Place, Result};
use crate::model::{Conversion, Definition, Made, Member, Model, Shape, Struct, Type, Variant, Way};
use crate::source::Source;
use crate::source::overlay;

/// The overlay's word for the type of texts.
const TEXT: &str = "string";

/// Adds the overlay's conversions to each definition.
pub(super) fn add(source: &Source, model: &mut Model) -> Result<()> {
    let read = |definition: &Definition| match definition.is_inline() {
        true => Ok(Vec::new()),
        false => of_definition(source, model, definition),
    };
    let all: Vec<_> = model.definitions.iter().map(read).collect::<Result<_>>()?;
    for (definition, conversions) in model.definitions.iter_mut().zip(all) {
        definition.conversions = conversions;
    }
    Ok(())
}

fn of_definition(source: &Source, model: &Model, definition: &Definition) -> Result<Vec<Conversion>> {
    let mut out = Vec::new();
    for entry in source.overlay.conversions_into(&definition.name) {
        if has_own_fields(source, model, definition, entry) {
            source.overlay.does_not_fit(entry);
            continue;
        }
        let is_known = entry.from == TEXT || model.get(&entry.from).is_some();
        let Some(by) = way(source, model, definition, entry).filter(|_| is_known) else {
            let file = source.files.last().map_or_else(|| source.files[0].as_path(), |file| file.as_path());
            return Err(Place::root(file).key("conversions").overlay(
                format!("`{}` cannot be made of `{}` this way", definition.name, entry.from),
                "name a struct with one required field, or a union and under `via` one of its variants",
            ));
        };
        let from = if entry.from == TEXT { Made::OfText } else { Made::Of(entry.from.clone()) };
        out.push(Conversion { from, by });
    }
    Ok(out)
}

/// Whether the variant contains its fields itself, as in the first versions. In later versions, it contains a value of
/// a type. Of an untagged union, the type of such a variant has a name of its own, which no conversion knows.
fn has_own_fields(source: &Source, model: &Model, definition: &Definition, entry: &overlay::Conversion) -> bool {
    let Some(variant) = variant(definition, entry) else { return false };
    let is_unknown = |name: &str| name != entry.from && !is_made_of(source, model, name, &entry.from);
    let is_untagged = matches!(definition.shape, Shape::Untagged(_));
    model.inline(variant).is_some() || is_untagged && variant.payload.name().is_some_and(is_unknown)
}

/// The variant that the overlay names. The only variant of an untagged union needs not have this name, because the name
/// comes from a title, which differs between versions.
fn variant<'d>(definition: &'d Definition, entry: &overlay::Conversion) -> Option<&'d Variant> {
    let named = |variants: &'d [Variant]| variants.iter().find(|variant| Some(&variant.ident) == entry.via.as_ref());
    match &definition.shape {
        Shape::Tagged(union) => named(&union.variants),
        Shape::Untagged(union) => match &union.variants[..] {
            [only] if entry.via.is_some() => Some(only),
            variants => named(variants),
        },
        _ => None,
    }
}

fn way(source: &Source, model: &Model, definition: &Definition, entry: &overlay::Conversion) -> Option<Way> {
    if let Shape::Struct(structure) = &definition.shape {
        return argument(source, model, structure, &entry.from);
    }
    let variant = variant(definition, entry)?;
    variant.payload.name().map(|_| Way::Variant(variant.ident.clone()))
}

/// A conversion by a struct's constructor. The constructor has only one argument.
fn argument(source: &Source, model: &Model, structure: &Struct, from: &str) -> Option<Way> {
    let mut required = structure.members().into_iter().filter(|member| member.is_required());
    let (only, None) = (required.next()?, required.next()) else { return None };
    let (name, takes_what_converts) = match only {
        Member::Field(field) if field.is_bare() => match &field.ty {
            Type::Text | Type::Path => (None, true),
            Type::Named(name) => (Some(name), model.converts(&field.ty)),
            _ => return None,
        },
        Member::Union(union) => (Some(&union.union), true),
        Member::Field(_) | Member::Rest(_) => return None,
    };
    let is_same = name.is_some_and(|name| name == from);
    let fits = match name {
        None => from == TEXT,
        Some(name) => is_same || is_made_of(source, model, name, from),
    };
    fits.then_some(Way::Constructor { converted: !takes_what_converts && !is_same })
}

/// Whether a definition has a `From` for this type.
fn is_made_of(source: &Source, model: &Model, name: &str, from: &str) -> bool {
    match model.get(name).map(|definition| &definition.shape) {
        None => false,
        Some(Shape::Text) if from == TEXT => true,
        Some(Shape::Tagged(union)) if union.variants.iter().any(|variant| variant.payload.name() == Some(from)) => true,
        Some(_) => source.overlay.conversions_into(name).iter().any(|conversion| conversion.from == from),
    }
}
