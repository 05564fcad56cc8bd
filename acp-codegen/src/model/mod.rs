//! Third stage: what the schema says, in our own terms. The emitters read only this, never JSON.

mod definition;
mod enums;
mod field;
mod method;
mod names;
mod payload;
mod unions;

use std::collections::BTreeMap;

pub(crate) use definition::{Definition, Raw, Shape, Struct};
pub(crate) use enums::{ClosedEnum, OpenIntegers, OpenWords};
pub(crate) use field::{Content, Field, Leniency, Presence};
pub(crate) use method::{Kind, Method, Side};
pub(crate) use names::handler_marker;
pub(crate) use payload::{IntegerType, Payload};
pub(crate) use unions::{Fallback, Other, Tagged, Untagged, Variant};

use crate::error::Result;
use crate::normalise::{Envelope, Normalised};
use crate::source::Source;

/// Everything that code is emitted from.
#[derive(Debug)]
pub(crate) struct Model {
    /// In schema order.
    pub(crate) definitions: Vec<Definition>,
    pub(crate) envelopes: Vec<Envelope>,
    pub(crate) methods: Vec<Method>,
    index: BTreeMap<String, usize>,
}

impl Model {
    /// The definition of a Rust name.
    pub(crate) fn get(&self, name: &str) -> Option<&Definition> {
        self.index.get(name).map(|position| &self.definitions[*position])
    }
}

pub(crate) fn build(source: &Source, normalised: &Normalised) -> Result<Model> {
    names::check(source, normalised)?;
    let mut definitions = Vec::with_capacity(normalised.definitions.len());
    for (name, schema) in &normalised.definitions {
        let origin = names::origin(source, name);
        definitions.push(source.at(origin, |at| definition::read(source, normalised, name, schema, at))?);
    }
    let index = definitions.iter().enumerate().map(|(position, d)| (d.name.clone(), position)).collect();
    let methods = method::collect(source)?;
    Ok(Model { definitions, envelopes: normalised.envelopes.clone(), methods, index })
}
