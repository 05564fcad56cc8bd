//! First stage: reads a schema and its overlays, and merges them. Refuses constructs that the later stages do not know.

pub(crate) mod defaults;
pub(crate) mod dialect;
mod drafts;
mod input;
mod limits;
mod load;
mod names;
mod nearest;
pub(crate) mod overlay;
mod read;
mod source_map;
pub(crate) mod vendor;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

pub(crate) use input::{Input, V1, V1_DRAFTS, V1_OVERLAY};
pub(crate) use load::load;
pub(crate) use nearest::advice;
pub(crate) use overlay::Overlay;

use crate::error::Place;

/// A schema with its overlays: every definition by name, in file order.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) definitions: Map<String, Value>,
    pub(crate) overlay: Overlay,
    /// The files that were read. The schema itself comes first.
    pub(crate) files: Vec<PathBuf>,
    /// The key under which the schema's definitions stand: `$defs` or `definitions`.
    root: &'static str,
    /// The original names of definitions that have another name in Rust.
    names: names::Names,
    /// For each definition that the schema itself does not have, its file: the position in `files`.
    added_by: HashMap<String, usize>,
    /// The properties that overlays add to definitions: the entry of each, by the names of the definition and of the property.
    added_properties: HashMap<(String, String), Added>,
    /// The definitions that the stable schema lacks. Empty if there is no stable schema.
    drafts: HashSet<String>,
}

/// An entry of an overlay.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Added {
    /// The position in [`Source::files`].
    file: usize,
    entry: usize,
}

impl Source {
    /// The file that defines `name`.
    pub(crate) fn file_of(&self, name: &str) -> &Path {
        &self.files[self.added_by.get(name).copied().unwrap_or(0)]
    }

    /// The entry of an overlay that adds this property.
    fn added_property(&self, definition: &str, property: &str) -> Option<Added> {
        self.added_properties.get(&(definition.to_owned(), property.to_owned())).copied()
    }

    fn has_added_properties(&self, definition: &str) -> bool {
        self.added_properties.keys().any(|(of, _)| of == definition)
    }

    /// Whether the stable schema lacks the definition.
    pub(crate) fn is_draft(&self, name: &str) -> bool {
        self.drafts.contains(name)
    }

    /// The name of a part of a definition: the name in the overlay, or these words in Rust's spelling.
    pub(crate) fn part_name(&self, words: &str) -> String {
        let name = names::pascal_case(words);
        // If an entry belongs to a definition of the file, it does not name a part with the same name.
        let given = if self.names.is_renamed(&name) { None } else { self.overlay.type_name(&name) };
        given.map_or(name.clone(), str::to_owned)
    }

    /// Calls `f` with the place of the definition `name`.
    pub(crate) fn at<T>(&self, name: &str, f: impl FnOnce(&Place<'_>) -> T) -> T {
        let root = Place::root(self.file_of(name));
        let definitions = root.key(if self.added_by.contains_key(name) { "$defs" } else { self.root });
        f(&definitions.key(self.names.written(name)))
    }

    /// Calls `f` with a place inside of the definition `name`.
    pub(crate) fn at_path<T>(&self, name: &str, path: &[String], f: impl FnOnce(&Place<'_>) -> T) -> T {
        // There is one call for each step, because each place borrows the one before.
        fn inside<T>(at: &Place<'_>, path: &[String], f: impl FnOnce(&Place<'_>) -> T) -> T {
            match path {
                [] => f(at),
                [first, rest @ ..] => inside(&at.key(first), rest, f),
            }
        }
        self.at(name, |at| inside(at, path, f))
    }
}
