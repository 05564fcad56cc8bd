//! Third stage: what the schema says, in our own terms. The emitters read only this, never JSON.

mod boxes;
mod cycles;
mod definition;
mod enums;
mod field;
mod keywords;
mod method;
mod names;
mod overlaps;
mod payload;
mod unions;

use std::collections::HashMap;

pub(crate) use definition::{Constant, Definition, Raw, Shape, Struct};
#[cfg(feature = "cli")]
pub(crate) use enums::Word;
pub(crate) use enums::{ClosedEnum, OpenIntegers, OpenWords};
pub(crate) use field::{Content, Field, Leniency, Presence};
pub(crate) use method::{Kind, Method, Side};
pub(crate) use names::handler_marker;
pub(crate) use payload::{IntegerType, Payload, ref_name};
pub(crate) use unions::{Fallback, Other, Tagged, Untagged, Variant};

use crate::error::{Refused, Result};
use crate::normalise::{Envelope, Normalised};
use crate::source::Source;

/// Everything that code is emitted from.
#[derive(Debug)]
pub(crate) struct Model {
    /// In schema order.
    pub(crate) definitions: Vec<Definition>,
    pub(crate) envelopes: Vec<Envelope>,
    pub(crate) methods: Vec<Method>,
    index: HashMap<String, usize>,
    /// For a union that structs hold flattened, these structs.
    holders: HashMap<String, Vec<String>>,
    /// Methods by the names of their payloads.
    by_payload: HashMap<String, usize>,
}

impl Model {
    /// The definition of a Rust name.
    pub(crate) fn get(&self, name: &str) -> Option<&Definition> {
        self.index.get(name).map(|position| &self.definitions[*position])
    }

    /// What a name stands for, where it is another name for something.
    pub(crate) fn resolved<'a>(&'a self, payload: &'a Payload) -> &'a Payload {
        let next = |payload: &&'a Payload| match payload {
            Payload::Named(name) => match &self.get(name)?.shape {
                Shape::Alias(target) => Some(target),
                _ => None,
            },
            _ => None,
        };
        std::iter::successors(Some(payload), next).last().unwrap_or(payload)
    }

    /// Whether the Rust type of a definition has a default.
    fn has_default(&self, name: &str) -> bool {
        let target = Payload::Named(name.to_owned());
        let Payload::Named(name) = self.resolved(&target) else { return true };
        self.get(name).is_some_and(|definition| match &definition.shape {
            Shape::Struct(structure) => {
                structure.fields.iter().all(|field| field.presence != Presence::Required)
                    && structure.flattened.as_ref().is_none_or(|flattened| flattened.optional)
            }
            Shape::ClosedEnum(list) => list.default.is_some(),
            Shape::Constant(_) | Shape::Alias(_) => true,
            _ => false,
        })
    }

    /// The method whose params or result a definition is.
    pub(crate) fn method_of(&self, payload: &str) -> Option<&Method> {
        self.by_payload.get(payload).map(|position| &self.methods[*position])
    }

    /// The structs that hold a union flattened.
    pub(crate) fn holders(&self, union: &str) -> &[String] {
        self.holders.get(union).map_or(&[], Vec::as_slice)
    }
}

/// Fails with everything that was `refused`, and what is to be refused here.
pub(crate) fn build(source: &Source, normalised: &Normalised, mut refused: Refused) -> Result<Model> {
    names::check(source, normalised, &mut refused);
    // A circle of names has no end, and the fields of a struct are read by what names stand for in the end.
    let circular = match cycles::check(source, normalised) {
        Ok(circular) => circular,
        Err(error) => return Err(refused.with(error)),
    };
    let mut definitions = Vec::with_capacity(normalised.definitions.len());
    for (name, schema) in &normalised.definitions {
        if !refused.contains(normalised.origin(name)) {
            let read = normalised.at(source, name, |at| definition::read(source, normalised, name, schema, at));
            definitions.extend(refused.take(normalised.origin(name), read));
        }
    }
    refused.into_result()?;
    boxes::put(&mut definitions, &circular);
    unknown_variants_have_names(source, normalised, &definitions)?;
    let index = definitions.iter().enumerate().map(|(position, d)| (d.name.clone(), position)).collect();
    let methods = method::collect(source)?;
    let payloads = |method: &Method| [Some(method.params.clone()), method.response.clone()].into_iter().flatten();
    let by_payload = methods.iter().enumerate().flat_map(|(at, method)| payloads(method).map(move |name| (name, at)));
    let by_payload = by_payload.collect();
    let mut holders: HashMap<String, Vec<String>> = HashMap::new();
    for name in normalised.definitions.keys() {
        if let Some(flattened) = normalised.flattened.get(name) {
            holders.entry(flattened.union.clone()).or_default().push(name.clone());
        }
    }
    let model = Model { definitions, envelopes: normalised.envelopes.clone(), methods, index, holders, by_payload };
    defaults_exist(source, normalised, &model)?;
    Ok(model)
}

/// A wrong value can be read as the default where the type has one.
fn defaults_exist(source: &Source, normalised: &Normalised, model: &Model) -> Result<()> {
    let mut refused = Refused::default();
    for definition in &model.definitions {
        let Shape::Struct(structure) = &definition.shape else { continue };
        for field in structure.fields.iter().filter(|field| field.needs_default()) {
            let Payload::Named(name) = &field.payload else { continue };
            if model.has_default(name) {
                continue;
            }
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

/// What an open union keeps gets a type of its own, whose name must be free.
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
                        "rename one of the two",
                    ))
                });
            }
        }
    }
    Ok(())
}
