//! First stage: reads a schema and its overlays, merges them, and refuses what the later stages do not understand.

pub(crate) mod dialect;
pub(crate) mod drafts;
mod limits;
mod load;
pub(crate) mod overlay;
mod read;
mod written;

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
    /// Which of `files` a definition came from, where that is not the schema itself.
    added_by: HashMap<String, usize>,
    /// The definitions that the stable schema does not have; none where no stable one was given.
    drafts: HashSet<String>,
}

impl Source {
    /// The file that defines `name`.
    pub(crate) fn file_of(&self, name: &str) -> &Path {
        &self.files[self.added_by.get(name).copied().unwrap_or(0)]
    }

    /// Whether a definition is in no stable schema yet.
    pub(crate) fn is_draft(&self, name: &str) -> bool {
        self.drafts.contains(name)
    }

    /// Calls `f` with the place of definition `name`.
    pub(crate) fn at<T>(&self, name: &str, f: impl FnOnce(&Place<'_>) -> T) -> T {
        let root = Place::root(self.file_of(name));
        let definitions = root.key("$defs");
        f(&definitions.key(name))
    }
}
