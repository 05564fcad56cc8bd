//! First stage: reads a schema and its overlays, merges them, and refuses constructs that the later stages do not know.

pub(crate) mod defaults;
pub(crate) mod dialect;
mod drafts;
mod limits;
mod load;
mod names;
pub(crate) mod overlay;
mod read;
mod source_map;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

pub(crate) use load::load;
pub(crate) use overlay::Overlay;

use crate::error::Place;

/// A schema with its overlays merged in: every definition by name, in file order.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) definitions: Map<String, Value>,
    pub(crate) overlay: Overlay,
    /// Every file read; the schema itself comes first.
    pub(crate) files: Vec<PathBuf>,
    /// The key above the schema's definitions: `$defs` or `definitions`.
    root: &'static str,
    /// The names in the files of definitions that have another name in Rust.
    names: names::Names,
    /// The file, one of `files`, of each definition that is not from the schema itself.
    added_by: HashMap<String, usize>,
    /// The definitions that the stable schema does not have; empty without a stable schema.
    drafts: HashSet<String>,
}

impl Source {
    /// The file that defines `name`.
    pub(crate) fn file_of(&self, name: &str) -> &Path {
        &self.files[self.added_by.get(name).copied().unwrap_or(0)]
    }

    /// Whether no stable schema has the definition yet.
    pub(crate) fn is_draft(&self, name: &str) -> bool {
        self.drafts.contains(name)
    }

    /// The name of a part of a definition, from these words: the overlay's name, or the words in Rust's spelling.
    pub(crate) fn part_name(&self, words: &str) -> String {
        let name = names::pascal_case(words);
        // An entry for a definition of the file is not an entry for a part with the same name.
        let given = if self.names.is_renamed(&name) { None } else { self.overlay.type_name(&name) };
        given.map_or(name.clone(), str::to_owned)
    }

    /// Calls `f` with the place of definition `name`.
    pub(crate) fn at<T>(&self, name: &str, f: impl FnOnce(&Place<'_>) -> T) -> T {
        let root = Place::root(self.file_of(name));
        let definitions = root.key(if self.added_by.contains_key(name) { "$defs" } else { self.root });
        f(&definitions.key(self.names.written(name)))
    }

    /// Calls `f` with a place inside the definition `name`.
    pub(crate) fn at_path<T>(&self, name: &str, path: &[String], f: impl FnOnce(&Place<'_>) -> T) -> T {
        // One call for each step, since each place borrows the one before.
        fn inside<T>(at: &Place<'_>, path: &[String], f: impl FnOnce(&Place<'_>) -> T) -> T {
            match path {
                [] => f(at),
                [first, rest @ ..] => inside(&at.key(first), rest, f),
            }
        }
        self.at(name, |at| inside(at, path, f))
    }
}
