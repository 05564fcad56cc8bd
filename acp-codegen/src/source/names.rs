//! The names of definitions in Rust. For example, the `JSONObject` of a schema is `JsonObject` in all later stages.
//! Errors have the places of the file.

use std::collections::HashMap;

use heck::ToPascalCase;
use serde_json::{Map, Value};

use super::dialect::REF_PREFIX;
use super::overlay::Overlay;

/// The definitions whose names in Rust and in the schema differ.
#[derive(Debug, Default)]
pub(super) struct Names {
    rust: HashMap<String, String>,
    written: HashMap<String, String>,
}

impl Names {
    /// Gives definitions their Rust names, and changes the references to them. A name comes from the overlay, or from a
    /// rule. If a name is taken or is not an identifier, the model refuses it. Fails if a name in the overlay is the
    /// name of another definition.
    pub(super) fn give(definitions: &mut Map<String, Value>, overlay: &Overlay) -> Result<Self, Taken> {
        let mut names = Self::default();
        let given = definitions.keys().filter_map(|name| Some((name, overlay.type_name(name)?)));
        for (name, given) in given {
            if names.written.contains_key(given) {
                return Err(Taken { name: name.clone(), given: given.to_owned() });
            }
            names.add(name, given.to_owned());
        }
        let stays = |names: &Self, name: &String| definitions.contains_key(name) && !names.rust.contains_key(name);
        for (name, given) in definitions.keys().filter_map(|name| Some((name, names.rust.get(name)?))) {
            if stays(&names, given) {
                return Err(Taken { name: name.clone(), given: given.clone() });
            }
        }
        for name in definitions.keys() {
            let pascal = pascal_case(name);
            let taken = stays(&names, &pascal) || names.written.contains_key(&pascal);
            let readable = !name.contains(char::is_control);
            if stays(&names, name) && readable && !taken && syn::parse_str::<syn::Ident>(&pascal).is_ok() {
                names.add(name, pascal);
            }
        }
        if !names.rust.is_empty() {
            let renamed = |(name, definition): (String, Value)| (names.rust(&name).to_owned(), definition);
            *definitions = std::mem::take(definitions).into_iter().map(renamed).collect();
        }
        definitions.values_mut().for_each(|definition| names.follow(definition));
        Ok(names)
    }

    fn add(&mut self, written: &str, rust: String) {
        self.rust.insert(written.to_owned(), rust.clone());
        self.written.insert(rust, written.to_owned());
    }

    /// The Rust name of a definition in the file.
    pub(super) fn rust<'a>(&'a self, written: &'a str) -> &'a str {
        self.rust.get(written).map_or(written, String::as_str)
    }

    /// Whether the file has a definition with this name that has another name in Rust.
    pub(super) fn is_renamed(&self, written: &str) -> bool {
        self.rust.contains_key(written)
    }

    /// The name of a definition in the file.
    pub(super) fn written<'a>(&'a self, rust: &'a str) -> &'a str {
        self.written.get(rust).map_or(rust, String::as_str)
    }

    /// Changes references to the new names. If an older schema has `definitions`, the references lead to `$defs`.
    pub(super) fn follow(&self, value: &mut Value) {
        match value {
            Value::Object(object) => {
                if let Some(Value::String(reference)) = object.get_mut("$ref") {
                    let target = reference.strip_prefix(REF_PREFIX).or_else(|| reference.strip_prefix(OLD_PREFIX));
                    if let Some(target) = target {
                        *reference = format!("{REF_PREFIX}{}", self.rust(&plain(target)));
                    }
                }
                object.values_mut().for_each(|inner| self.follow(inner));
            }
            Value::Array(list) => list.iter_mut().for_each(|inner| self.follow(inner)),
            _ => {}
        }
    }
}

/// A name in the overlay that is the name of another definition.
pub(super) struct Taken {
    pub(super) name: String,
    pub(super) given: String,
}

/// The name of a type. The rule may change a name twice: `a_b` becomes `AB`, and `AB` becomes `Ab`.
pub(crate) fn pascal_case(name: &str) -> String {
    name.to_pascal_case().to_pascal_case()
}

/// The name under `$defs` to which a reference leads: a reference writes `a~1b` for `a/b`, and `a%3Cb%3E` for `a<b>`.
/// References in another form, or with a longer path, stay unchanged.
fn plain(target: &str) -> String {
    if target.contains('/') {
        return target.to_owned();
    }
    let mut bytes = Vec::with_capacity(target.len());
    let mut rest = target.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    let text = String::from_utf8(bytes).unwrap_or_else(|_| target.to_owned());
    text.replace("~1", "/").replace("~0", "~")
}

/// The prefix of references in drafts of JSON Schema before 2019.
const OLD_PREFIX: &str = "#/definitions/";
