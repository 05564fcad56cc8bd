//! The four schemas of this workspace, complete or in part. A part has some definitions, and all definitions that they
//! refer to.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::random::Random;

/// A published schema, with its overlay and the stable schema beside it.
pub(crate) struct Published {
    pub(crate) definitions: Map<String, Value>,
    pub(crate) overlay: Value,
    pub(crate) stable: PathBuf,
}

pub(crate) fn all() -> Vec<Published> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
    let read = |path: &Path| -> Value {
        let text = fs::read_to_string(path).expect("the schemas are checked in");
        serde_json::from_str(&text).expect("they are JSON")
    };
    let files = ["v1/schema.json", "v1/schema.unstable.json", "v2/schema.json", "v2/schema.unstable.json"];
    let one = |file: &str| {
        let path = folder.join(file);
        let definitions = read(&path)["$defs"].as_object().cloned().expect("they have definitions");
        let overlay = read(&path.with_file_name("overlay.json"));
        Published { definitions, overlay, stable: path.with_file_name("schema.json") }
    };
    files.map(one).into()
}

impl Published {
    /// Some definitions and the definitions that they need. In rare cases, all definitions.
    pub(crate) fn piece(&self, random: &mut Random) -> Map<String, Value> {
        if random.one_in(60) {
            return self.definitions.clone();
        }
        let names: Vec<&str> = self.definitions.keys().map(String::as_str).collect();
        loop {
            let roots = (0..=random.below(4)).map(|_| names[random.below(names.len())]).collect();
            let piece = self.whole(roots);
            // A whole message needs most of the protocol, so it is chosen rarely.
            if piece.len() < 40 || random.one_in(12) {
                return piece;
            }
        }
    }

    /// These definitions with all definitions that they need.
    fn whole<'a>(&'a self, mut open: Vec<&'a str>) -> Map<String, Value> {
        let mut names = BTreeSet::new();
        while let Some(name) = open.pop() {
            let Some((name, definition)) = self.definitions.get_key_value(name) else { continue };
            if !names.insert(name.as_str()) {
                continue;
            }
            references(definition, &mut open);
            if let Some(method) = definition.get("x-method") {
                let same = |other: &Value| other.get("x-method") == Some(method);
                open.extend(self.definitions.iter().filter(|(_, other)| same(other)).map(|(name, _)| name.as_str()));
            }
            let conversions = self.overlay["conversions"].as_array().into_iter().flatten();
            let into = conversions.filter(|conversion| conversion["into"] == *name);
            open.extend(into.filter_map(|conversion| conversion["from"].as_str()));
        }
        let of_schema = self.definitions.iter().filter(|(name, _)| names.contains(name.as_str()));
        of_schema.map(|(name, definition)| (name.clone(), definition.clone())).collect()
    }
}

fn references<'a>(value: &'a Value, out: &mut Vec<&'a str>) {
    match value {
        Value::Object(object) => {
            let target = object.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
            out.extend(target);
            object.values().for_each(|inner| references(inner, out));
        }
        Value::Array(list) => list.iter().for_each(|inner| references(inner, out)),
        _ => {}
    }
}

/// The file for these definitions.
pub(crate) fn document(definitions: &Value) -> Value {
    json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions })
}
