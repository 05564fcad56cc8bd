//! The names that definitions have in Rust: `JSONObject` of a schema is `JsonObject` in all later stages. Places in errors are
//! those of the file.

use std::collections::HashMap;

use heck::ToPascalCase;
use serde_json::{Map, Value};

use super::dialect::REF_PREFIX;

/// The names of a schema's definitions, of those that have another one in Rust.
#[derive(Debug, Default)]
pub(super) struct Names {
    rust: HashMap<String, String>,
    written: HashMap<String, String>,
}

impl Names {
    /// Gives definitions their Rust names, also where others refer to them. A name that is taken, or gives none, stays for
    /// the model to refuse.
    pub(super) fn give(definitions: &mut Map<String, Value>) -> Self {
        let mut names = Self::default();
        for name in definitions.keys() {
            // `a/b` is `AB` the first time, which is `Ab` to whoever asks again.
            let pascal = name.to_pascal_case().to_pascal_case();
            let readable = !name.contains(char::is_control);
            let free = readable && !definitions.contains_key(&pascal) && !names.written.contains_key(&pascal);
            if free && syn::parse_str::<syn::Ident>(&pascal).is_ok() {
                names.rust.insert(name.clone(), pascal.clone());
                names.written.insert(pascal, name.clone());
            }
        }
        if !names.rust.is_empty() {
            let renamed = |(name, definition): (String, Value)| (names.rust(&name).to_owned(), definition);
            *definitions = std::mem::take(definitions).into_iter().map(renamed).collect();
        }
        definitions.values_mut().for_each(|definition| names.follow(definition));
        names
    }

    /// The Rust name of what the file calls so.
    pub(super) fn rust<'a>(&'a self, written: &'a str) -> &'a str {
        self.rust.get(written).map_or(written, String::as_str)
    }

    /// What the file calls the definition of a Rust name.
    pub(super) fn written<'a>(&'a self, rust: &'a str) -> &'a str {
        self.written.get(rust).map_or(rust, String::as_str)
    }

    /// Lets references lead to the new names, and to `$defs` where an older schema has `definitions`.
    fn follow(&self, value: &mut Value) {
        match value {
            Value::Object(object) => {
                if let Some(Value::String(reference)) = object.get_mut("$ref") {
                    let target = reference.strip_prefix(REF_PREFIX).or_else(|| reference.strip_prefix(OLD_PREFIX));
                    if let Some(target) = target {
                        *reference = format!("{REF_PREFIX}{}", self.rust(target));
                    }
                }
                object.values_mut().for_each(|inner| self.follow(inner));
            }
            Value::Array(list) => list.iter_mut().for_each(|inner| self.follow(inner)),
            _ => {}
        }
    }
}

/// How the drafts of JSON Schema before 2019 refer to a definition.
const OLD_PREFIX: &str = "#/definitions/";
