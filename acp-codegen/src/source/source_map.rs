//! Finds the place in the file for a place in a rewritten schema. The later stages get the schema after its rewriting,
//! and may name `oneOf` where the author wrote `anyOf`, `enum` or nothing. So each place in an error is changed before
//! a user reads it.

use serde_json::Value;

use super::Source;
use crate::error::{Error, Location};

impl Source {
    /// The error with its place in the file. If a rule made the wrong part, this is the place of the part from which
    /// the rule made it.
    pub(crate) fn as_written(&self, mut error: Error) -> Error {
        match &mut error {
            Error::Unsupported { at, .. }
            | Error::Reference { at, .. }
            | Error::Name { at, .. }
            | Error::Overlay { at, .. } => self.find(at),
            Error::Several(errors) => {
                *errors = std::mem::take(errors).into_iter().map(|error| self.as_written(error)).collect();
            }
            Error::Read { .. }
            | Error::Json { .. }
            | Error::NoRust { .. }
            | Error::CratePath(_)
            | Error::Write { .. } => {}
        }
        error
    }

    fn find(&self, at: &mut Location) {
        let Some((root, inside)) =
            ["/$defs/", "/definitions/"].iter().find_map(|root| Some((root, at.pointer.strip_prefix(root)?)))
        else {
            return;
        };
        let mut segments = inside.split('/');
        let Some(name) = segments.next() else { return };
        let definition = self.names.rust(&plain(name)).to_owned();
        let Some(mut here) = self.definitions.get(&definition) else { return };
        let mut found = format!("{root}{name}");
        for segment in segments {
            let Some((written, inner)) = child(here, &plain(segment)) else { break };
            found.push('/');
            found.push_str(written.unwrap_or(segment));
            here = inner;
        }
        let properties = format!("{root}{name}/properties/");
        at.pointer = found;
        self.find_added(&definition, &properties, at);
    }

    /// Changes a place in a property that an overlay adds to the place in the overlay.
    fn find_added(&self, definition: &str, properties: &str, at: &mut Location) {
        let Some(inside) = at.pointer.strip_prefix(properties) else { return };
        let (property, rest) = inside.split_at(inside.find('/').unwrap_or(inside.len()));
        let Some(added) = self.added_property(definition, &plain(property)) else { return };
        let pointer = format!("/properties/{}/schema{rest}", added.entry);
        *at = Location { file: self.files[added.file].clone(), pointer };
    }
}

/// The value at the place. If the path in the file differs, also that path.
fn child<'a>(here: &'a Value, segment: &str) -> Option<(Option<&'static str>, &'a Value)> {
    let direct = match here {
        Value::Array(list) => list.get(segment.parse::<usize>().ok()?),
        other => other.get(segment),
    };
    let before = |written: &'static str| here.pointer(&format!("/{written}")).map(|inner| (Some(written), inner));
    direct.map(|inner| (None, inner)).or_else(|| match segment {
        "oneOf" => before("anyOf").or_else(|| before("enum")),
        "$ref" => before("allOf/0/$ref"),
        _ => None,
    })
}

fn plain(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}
