//! The types that every message needs beside its payload: ids and errors.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::normalise::Envelope;
use crate::source::Source;
use crate::source::dialect::REF_PREFIX;

/// All types to which messages refer, except for their payloads.
pub(super) fn of(source: &Source, envelopes: &[Envelope]) -> BTreeSet<String> {
    let payloads: BTreeSet<&str> =
        envelopes.iter().flat_map(|envelope| &envelope.payloads).map(|payload| payload.definition.as_str()).collect();
    let mut names = BTreeSet::new();
    for envelope in envelopes {
        each_reference(&source.definitions[&envelope.name], &mut |name| {
            if !payloads.contains(name) {
                names.insert(name.to_owned());
            }
        });
    }
    names
}

fn each_reference(schema: &Value, f: &mut impl FnMut(&str)) {
    match schema {
        Value::Object(object) => {
            object
                .get("$ref")
                .and_then(|target| target.as_str()?.strip_prefix(REF_PREFIX))
                .into_iter()
                .for_each(&mut *f);
            object.values().for_each(|value| each_reference(value, f));
        }
        Value::Array(list) => list.iter().for_each(|value| each_reference(value, f)),
        _ => {}
    }
}
