//! Makes the model of a normalised schema. Only this module of the model reads JSON.

mod boxes;
mod branches;
mod conversions;
mod cycles;
mod defaults;
mod definition;
mod enums;
mod field;
#[cfg(feature = "cli")]
mod frames;
mod keywords;
mod methods;
mod names;
mod presence;
mod types;
mod unions;

use std::collections::HashMap;

use cycles::Circular;

use super::{Definition, Fallback, Method, Model, Shape};
use crate::error::{Refused, Result};
use crate::normalise::Normalised;
use crate::source::Source;

/// The context of a definition: the schema before and after `normalise`, and the name.
#[derive(Clone, Copy)]
struct Scope<'a> {
    source: &'a Source,
    normalised: &'a Normalised,
    name: &'a str,
    /// The definitions that contain themselves.
    circular: &'a Circular,
}

/// Makes the model. Fails with the errors in `refused` and the errors that it finds.
pub(crate) fn build(source: &Source, normalised: &Normalised, mut refused: Refused) -> Result<Model> {
    names::check(source, normalised, &mut refused);
    // This check comes first: to read the fields of a struct, the code below follows aliases, and in a circle of
    // aliases it would never end.
    let circular = match cycles::check(source, normalised) {
        Ok(circular) => circular,
        Err(error) => return Err(refused.with(error)),
    };
    let mut definitions = Vec::with_capacity(normalised.definitions.len());
    for (name, schema) in &normalised.definitions {
        if !refused.contains(normalised.origin(name)) {
            let scope = Scope { source, normalised, name, circular: &circular };
            let read = normalised.at(source, name, |at| definition::read(scope, schema, at));
            definitions.extend(refused.take(normalised.origin(name), read));
        }
    }
    refused.into_result()?;
    unknown_variants_have_names(source, normalised, &definitions)?;
    boxes::put(&mut definitions, &circular);
    let index = definitions.iter().enumerate().map(|(position, d)| (d.name.clone(), position)).collect();
    let methods = methods::collect(source)?;
    let payloads = |method: &Method| [Some(method.params.clone()), method.response.clone()].into_iter().flatten();
    let by_payload = methods.iter().enumerate().flat_map(|(at, method)| payloads(method).map(move |name| (name, at)));
    let by_payload = by_payload.collect();
    let mut holders: HashMap<String, Vec<String>> = HashMap::new();
    for name in normalised.definitions.keys() {
        if let Some(flattened) = normalised.flattened.get(name) {
            holders.entry(flattened.union.clone()).or_default().push(name.clone());
        }
    }
    let mut model = Model {
        definitions,
        envelopes: normalised.envelopes.clone(),
        #[cfg(feature = "cli")]
        frames: frames::of(source, &normalised.envelopes),
        methods,
        index,
        holders,
        by_payload,
    };
    defaults_exist(source, normalised, &model)?;
    conversions::add(source, &mut model)?;
    Ok(model)
}

/// Checks that a type has a default if wrong values are read as its default.
fn defaults_exist(source: &Source, normalised: &Normalised, model: &Model) -> Result<()> {
    let mut refused = Refused::default();
    for definition in &model.definitions {
        let Shape::Struct(structure) = &definition.shape else { continue };
        for field in structure.fields.iter().filter(|field| field.needs_default()) {
            let Some(name) = field.ty.name().filter(|name| !model.has_default(name)) else { continue };
            let error = normalised.at(source, &definition.name, |at| {
                at.key("properties").key(&field.wire).unsupported(
                    format!("a wrong value of this is to be read as the default, and `{name}` has none"),
                    "let it be absent: take it out of `required`",
                )
            });
            refused.extend(&definition.name, vec![error]);
        }
    }
    refused.into_result()
}

/// Checks that the name of the type for an open union's unknown content is free.
fn unknown_variants_have_names(source: &Source, normalised: &Normalised, definitions: &[Definition]) -> Result<()> {
    for definition in definitions {
        let Shape::Tagged(union) = &definition.shape else { continue };
        for fallback in &union.fallbacks {
            let Fallback::Other(other) = fallback else { continue };
            let name = other.type_name(&definition.name);
            if normalised.definitions.contains_key(&name) {
                return normalised.at(source, &definition.name, |at| {
                    Err(at.name(
                        format!("a part of this is to be called `{name}`, which exists"),
                        "name that definition, or the union, under `names` in an overlay",
                    ))
                });
            }
        }
    }
    Ok(())
}
