//! The overlay: a small file beside a schema. It has additions to the schema, with a reason for every entry.
//!
//! The later stages ask the overlay by name. If no stage asks for an entry, the entry is reported as unused. So no
//! entry stays longer than its reason.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::nearest::advice;
use crate::error::{Error, Place, Result};

/// The content of an overlay file. Every entry of a list has a `why`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Overlay {
    /// Definitions that the overlay adds: a vendor's own types and methods.
    #[serde(rename = "$defs")]
    pub(crate) definitions: Map<String, Value>,
    /// Properties that the overlay adds to definitions of the schema.
    pub(crate) properties: Vec<Property>,
    names: Vec<TypeName>,
    unions: Vec<UnionName>,
    strict_unions: Vec<TypeEntry>,
    structs: Vec<TypeEntry>,
    omitted: Vec<FieldEntry>,
    three_state: Vec<FieldEntry>,
    paths: Vec<FieldEntry>,
    fields: Vec<FieldName>,
    variants: Vec<VariantName>,
    enum_defaults: Vec<EnumDefault>,
    handlers: Vec<HandlerName>,
    conversions: Vec<Conversion>,
    /// What the drafts of the protocol imply. Only the tables of the toolkit read these.
    pub(crate) drafts: Vec<Value>,
    #[serde(skip)]
    used: RefCell<HashSet<(&'static str, usize)>>,
}

/// The keys of an overlay, as [`Overlay`] has them.
const KEYS: &[&str] = &[
    "$defs",
    "properties",
    "names",
    "unions",
    "strict_unions",
    "structs",
    "omitted",
    "three_state",
    "paths",
    "fields",
    "variants",
    "enum_defaults",
    "handlers",
    "conversions",
    "drafts",
];

/// A property for a definition of the schema.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Property {
    pub(crate) field: String,
    pub(crate) schema: Value,
    #[serde(default)]
    pub(crate) required: bool,
    #[serde(rename = "why")]
    _why: String,
}

/// The Rust name of a definition, or of a part of one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TypeName {
    #[serde(rename = "type")]
    ty: String,
    name: String,
    #[serde(rename = "why")]
    _why: String,
}

/// The names of a union that a struct contains flattened.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnionName {
    of: String,
    #[serde(rename = "type")]
    pub(crate) ty: String,
    pub(crate) field: String,
    #[serde(rename = "why")]
    _why: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TypeEntry {
    #[serde(rename = "type")]
    ty: String,
    #[serde(rename = "why")]
    _why: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldEntry {
    field: String,
    #[serde(rename = "why")]
    _why: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldName {
    field: String,
    name: String,
    #[serde(rename = "why")]
    _why: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct VariantName {
    #[serde(rename = "type")]
    ty: String,
    value: Value,
    name: String,
    #[serde(rename = "why")]
    _why: String,
}

/// The value of an enum that means absence.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EnumDefault {
    #[serde(rename = "type")]
    ty: String,
    pub(crate) value: Value,
    /// Whether unknown values are also decoded as this value.
    #[serde(default)]
    pub(crate) unknown: bool,
    #[serde(rename = "why")]
    _why: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HandlerName {
    method: String,
    handler: String,
    #[serde(rename = "why")]
    _why: String,
}

/// A `From` that does not follow from the shapes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Conversion {
    pub(crate) into: String,
    /// `string`, or the name of a definition.
    pub(crate) from: String,
    /// The variant that contains the value. Not set for a struct.
    #[serde(default)]
    pub(crate) via: Option<String>,
    #[serde(rename = "why")]
    _why: String,
}

impl Overlay {
    pub(crate) fn parse(path: &Path, value: Value) -> Result<Self> {
        let refused = |what: &dyn fmt::Display| Error::Overlay {
            at: Place::root(path).location(),
            what: format!("this is no overlay: {what}"),
            help: "the page `acp_codegen::overlay` has all entries".to_owned(),
        };
        // Without this check, serde would also read the entries from a list, by position.
        let Value::Object(object) = &value else { return Err(refused(&"it is no object")) };
        if let Some(key) = object.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(Place::root(path)
                .key(key)
                .overlay(format!("an overlay has no key `{key}`"), advice(key, KEYS)));
        }
        serde_json::from_value(value).map_err(|source| refused(&source))
    }

    pub(crate) fn extend(&mut self, more: Self) {
        let Self {
            definitions,
            properties: _,
            names,
            unions,
            strict_unions,
            structs,
            omitted,
            three_state,
            paths,
            fields,
            variants,
            enum_defaults,
            handlers,
            conversions,
            drafts,
            used: _,
        } = more;
        self.definitions.extend(definitions);
        self.names.extend(names);
        self.unions.extend(unions);
        self.strict_unions.extend(strict_unions);
        self.structs.extend(structs);
        self.omitted.extend(omitted);
        self.three_state.extend(three_state);
        self.paths.extend(paths);
        self.fields.extend(fields);
        self.variants.extend(variants);
        self.enum_defaults.extend(enum_defaults);
        self.handlers.extend(handlers);
        self.conversions.extend(conversions);
        self.drafts.extend(drafts);
    }

    /// The name in the overlay of a definition that has this name in the schema or by a rule.
    pub(crate) fn type_name(&self, definition: &str) -> Option<&str> {
        let entry = self.find("names", &self.names, |entry| entry.ty == definition)?;
        Some(&entry.name)
    }

    pub(crate) fn union_of(&self, base: &str) -> Option<&UnionName> {
        self.find("unions", &self.unions, |entry| entry.of == base)
    }

    /// Whether a known tag decides. Then only the tag's own branch is tried, and no branch without a tag.
    pub(crate) fn is_strict(&self, union: &str) -> bool {
        self.find("strict_unions", &self.strict_unions, |entry| entry.ty == union).is_some()
    }

    /// Whether an object whose content is not described is a struct. Such a struct may get fields later. Otherwise the
    /// object is a map.
    pub(crate) fn is_struct(&self, definition: &str) -> bool {
        self.find("structs", &self.structs, |entry| entry.ty == definition).is_some()
    }

    /// Whether an empty list or map means the same as absence. Where any value may stand, the same question for `null`.
    pub(crate) fn is_omitted(&self, definition: &str, field: &str) -> bool {
        self.find("omitted", &self.omitted, |entry| is_of(&entry.field, definition, field)).is_some()
    }

    pub(crate) fn is_three_state(&self, definition: &str, field: &str) -> bool {
        self.find("three_state", &self.three_state, |entry| is_of(&entry.field, definition, field)).is_some()
    }

    pub(crate) fn is_path(&self, definition: &str, field: &str) -> bool {
        self.find("paths", &self.paths, |entry| is_of(&entry.field, definition, field)).is_some()
    }

    pub(crate) fn field_name(&self, definition: &str, field: &str) -> Option<&str> {
        let entry = self.find("fields", &self.fields, |entry| is_of(&entry.field, definition, field))?;
        Some(&entry.name)
    }

    pub(crate) fn variant_name(&self, definition: &str, value: &Value) -> Option<&str> {
        let entry = self.find("variants", &self.variants, |entry| entry.ty == definition && entry.value == *value)?;
        Some(&entry.name)
    }

    pub(crate) fn enum_default(&self, definition: &str) -> Option<&EnumDefault> {
        self.find("enum_defaults", &self.enum_defaults, |entry| entry.ty == definition)
    }

    pub(crate) fn handler(&self, method: &str) -> Option<&str> {
        let entry = self.find("handlers", &self.handlers, |entry| entry.method == method)?;
        Some(&entry.handler)
    }

    pub(crate) fn conversions_into(&self, definition: &str) -> Vec<&Conversion> {
        let hit = |(index, entry): (usize, &'_ Conversion)| (entry.into == definition).then_some(index);
        let hits: Vec<usize> = self.conversions.iter().enumerate().filter_map(hit).collect();
        hits.iter().for_each(|index| self.mark("conversions", *index));
        hits.into_iter().map(|index| &self.conversions[index]).collect()
    }

    /// Marks a conversion as unused again. The entry belongs to another shape than this schema has.
    pub(crate) fn does_not_fit(&self, conversion: &Conversion) {
        let index = self.conversions.iter().position(|entry| std::ptr::eq(entry, conversion));
        if let Some(index) = index {
            self.used.borrow_mut().remove(&("conversions", index));
        }
    }

    /// The entries for which no stage has asked, as `section: subject`.
    pub(crate) fn unused(&self) -> Vec<String> {
        let mut all: Vec<(&str, usize, String)> = Vec::new();
        let mut add = |section, subjects: Vec<String>| {
            all.extend(subjects.into_iter().enumerate().map(|(index, subject)| (section, index, subject)));
        };
        add("names", self.names.iter().map(|entry| entry.ty.clone()).collect());
        add("unions", self.unions.iter().map(|entry| entry.of.clone()).collect());
        add("strict_unions", self.strict_unions.iter().map(|entry| entry.ty.clone()).collect());
        add("structs", self.structs.iter().map(|entry| entry.ty.clone()).collect());
        add("omitted", self.omitted.iter().map(|entry| entry.field.clone()).collect());
        add("three_state", self.three_state.iter().map(|entry| entry.field.clone()).collect());
        add("paths", self.paths.iter().map(|entry| entry.field.clone()).collect());
        add("fields", self.fields.iter().map(|entry| entry.field.clone()).collect());
        add("variants", self.variants.iter().map(|entry| format!("{} {}", entry.ty, entry.value)).collect());
        add("enum_defaults", self.enum_defaults.iter().map(|entry| entry.ty.clone()).collect());
        add("handlers", self.handlers.iter().map(|entry| entry.method.clone()).collect());
        add("conversions", self.conversions.iter().map(|entry| entry.into.clone()).collect());
        let used = self.used.borrow();
        let unused = all.into_iter().filter(|(section, index, _)| !used.contains(&(*section, *index)));
        unused.map(|(section, _, subject)| format!("{section}: {subject}")).collect()
    }

    fn find<'a, T>(&self, section: &'static str, list: &'a [T], hit: impl Fn(&T) -> bool) -> Option<&'a T> {
        let index = list.iter().position(hit)?;
        self.mark(section, index);
        Some(&list[index])
    }

    fn mark(&self, section: &'static str, index: usize) {
        self.used.borrow_mut().insert((section, index));
    }
}

/// Whether `entry`, in the form `Definition.field`, names this field.
fn is_of(entry: &str, definition: &str, field: &str) -> bool {
    entry.strip_prefix(definition).and_then(|rest| rest.strip_prefix('.')) == Some(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_read_and_stands_on_the_page() {
        let page = include_str!("../overlay.md");
        for key in KEYS {
            let value = if *key == "$defs" { Value::Object(Map::new()) } else { Value::Array(Vec::new()) };
            let overlay = Value::Object([((*key).to_owned(), value)].into_iter().collect());
            Overlay::parse(Path::new("o.json"), overlay).unwrap_or_else(|error| panic!("{error}"));
            assert!(page.contains(&format!("| `{key}` |")), "no row for `{key}`");
        }
    }
}
