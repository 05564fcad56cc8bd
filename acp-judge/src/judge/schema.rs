//! The protocol's schema, read as strictly as a sender must follow it. A receiver may be more tolerant.
//!
//! The types of this crate accept some wrong values, so a value that they can read may still break the schema. A copy
//! of the schema, without its texts, lies beside this file. A test compares the copy with the schema that the types are
//! generated from.

mod check;
mod shape;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

pub(super) use self::check::Deviations;
use self::{
    check::{At, Check},
    shape::Shape,
};
use crate::value::{Map, Value};

/// One of the published schemas: each version has a stable one, and one with its drafts.
pub(super) struct Schema {
    defs: Vec<Shape>,
    /// The receiver, the params and the result of each method.
    methods: BTreeMap<String, Definition>,
}

#[derive(Clone, Default)]
struct Definition {
    sides: Vec<String>,
    /// The numbers of the definitions of its params and its result.
    params: Option<usize>,
    result: Option<usize>,
    is_request: bool,
    is_notification: bool,
}

/// A method of a schema.
#[derive(Clone, Copy)]
pub(super) struct Method<'s> {
    schema: &'s Schema,
    definition: &'s Definition,
}

impl Method<'_> {
    /// Whether this side (`agent` or `client`) receives the method.
    pub(super) fn is_for(self, side: &str) -> bool {
        self.definition.sides.iter().any(|known| known == side || known == "protocol" || known == "proxy")
    }

    /// Whether the method is of this kind: a request, or a notification.
    pub(super) fn is_kind(self, request: bool) -> bool {
        if request { self.definition.is_request } else { self.definition.is_notification }
    }

    pub(super) fn params(self, params: &Value<'_>) -> Deviations {
        self.schema.of(self.definition.params, params)
    }
}

/// The stable part of version 1.
static V1: LazyLock<Schema> = LazyLock::new(|| Schema::read(include_str!("v1.json")));
/// The stable part and the drafts of version 1.
static V1_DRAFT: LazyLock<Schema> = LazyLock::new(|| Schema::read(include_str!("v1.unstable.json")));
/// The stable part of version 2.
static V2: LazyLock<Schema> = LazyLock::new(|| Schema::read(include_str!("v2.json")));
/// The stable part and the drafts of version 2.
static V2_DRAFT: LazyLock<Schema> = LazyLock::new(|| Schema::read(include_str!("v2.unstable.json")));

/// The stable part of a version.
pub(super) fn stable(version: u16) -> &'static Schema {
    if version == 2 { &V2 } else { &V1 }
}

/// The stable part and the drafts of a version.
pub(super) fn draft(version: u16) -> &'static Schema {
    if version == 2 { &V2_DRAFT } else { &V1_DRAFT }
}

impl Schema {
    fn read(text: &'static str) -> Self {
        let Ok(Value::Object(defs)) = serde_json::from_str(text) else {
            unreachable!("a test compares this file with the protocol's schema")
        };
        let mut methods = BTreeMap::<String, Definition>::new();
        for (number, (name, def)) in defs.iter().enumerate() {
            let (Some(method), Some(side)) = (def["x-method"].as_str(), def["x-side"].as_str()) else { continue };
            let method = methods.entry(method.to_owned()).or_default();
            if !method.sides.iter().any(|known| known == side) {
                method.sides.push(side.to_owned());
            }
            if name.ends_with("Response") {
                method.result = Some(number);
            } else {
                method.is_request |= name.ends_with("Request");
                method.is_notification |= name.ends_with("Notification");
                method.params = Some(number);
            }
        }
        let names: HashMap<_, _> = defs.iter().enumerate().map(|(number, (name, _))| (name, number)).collect();
        Self { defs: defs.iter().map(|(_, def)| Shape::read(def, &names)).collect(), methods }
    }

    /// Whether the protocol has this method.
    pub(super) fn has(&self, method: &str) -> bool {
        self.methods.contains_key(method)
    }

    /// The method with this name, if the protocol has it.
    pub(super) fn method(&self, name: &str) -> Option<Method<'_>> {
        self.methods.get(name).map(|definition| Method { schema: self, definition })
    }

    pub(super) fn params(&self, method: &str, params: &Value<'_>) -> Deviations {
        self.method(method).map(|method| method.params(params)).unwrap_or_default()
    }

    pub(super) fn result(&self, method: &str, result: &Value<'_>) -> Deviations {
        let number = self.methods.get(method).and_then(|method| method.result);
        // If an answer has no required fields, it may be `null` or `{}`.
        let empty = Value::Object(Map::default());
        let no_field = number.is_some_and(|number| self.defs[number].required.is_empty());
        self.of(number, if result.is_null() && no_field { &empty } else { result })
    }

    fn of(&self, number: Option<usize>, value: &Value<'_>) -> Deviations {
        let mut deviations = Deviations::default();
        if let Some(number) = number {
            Check(&self.defs).value(&self.defs[number], value, At::Whole, 0, &mut deviations);
        }
        deviations
    }
}
