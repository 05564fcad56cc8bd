//! The errors between a schema file and Rust code. Each has the file, the place in it, and the cure.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why no code was generated.
///
/// If an error is about the content of a file, it has a [`Location`]. So a person or an editor can jump to the place.
/// After an error, no file is written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read.
    #[error("cannot read {}: {source}; give a file with text in UTF-8", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },

    /// A file is not JSON, ends too early, or is nested too deeply to be read.
    #[error("{} is not readable as JSON: {source}; it has to be complete, in UTF-8 without a byte order mark, and nested less than 128 deep", .path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The parser's message, with line and column.
        source: serde_json::Error,
    },

    /// The schema uses something outside the supported subset of JSON Schema.
    #[error("{at}: {what}; {help}")]
    Unsupported {
        /// The place of the construct.
        at: Location,
        /// The construct.
        what: String,
        /// The cure.
        help: String,
    },

    /// A `$ref` leads nowhere, outside the file, or round in a circle.
    #[error("{at}: {what}; {help}")]
    Reference {
        /// The place of the reference.
        at: Location,
        /// The mistake.
        what: String,
        /// The cure.
        help: String,
    },

    /// A name is not an identifier of Rust, or has the same identifier as another name.
    #[error("{at}: {what}; {help}")]
    Name {
        /// The place of the name.
        at: Location,
        /// The mistake.
        what: String,
        /// The cure.
        help: String,
    },

    /// An overlay has an entry that is not possible.
    #[error("{at}: {what}; {help}")]
    Overlay {
        /// The overlay and the entry.
        at: Location,
        /// The mistake.
        what: String,
        /// The cure.
        help: String,
    },

    /// A schema has passed the checks, but the generated code is not valid Rust. The checks have a gap.
    #[error("{at}: the code generated of this is no Rust: {what}; please report this with the schema at hand")]
    NoRust {
        /// The place in the schema from which the code was generated.
        at: Location,
        /// The mistake in the code.
        what: String,
    },

    /// The text for [`Builder::crate_path`](crate::Builder::crate_path) is not the path of a crate.
    #[error(
        "`{0}` is no path by which every module finds a crate; give one such as `::acp_schema`, without `self` and `super`"
    )]
    CratePath(String),

    /// There are mistakes at several places, each with its own error.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Several(Vec<Error>),

    /// The result could not be written.
    #[error("cannot write {}: {source}", .path.display())]
    Write {
        /// The file to be written.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// A result with the [`Error`] of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Collects the refused parts of a schema. If one stage has refused a definition, the later stages skip it.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    errors: Vec<Error>,
    definitions: HashSet<String>,
}

impl Refused {
    /// Returns the result of a definition. If it is an error, collects the error.
    pub(crate) fn take<T>(&mut self, definition: &str, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.extend(definition, vec![error])).ok()
    }

    /// Adds the errors of a definition.
    pub(crate) fn extend(&mut self, definition: &str, errors: Vec<Error>) {
        if !errors.is_empty() {
            self.definitions.insert(definition.to_owned());
            self.errors.extend(errors);
        }
    }

    /// Leaves out a definition that contains a refused one. The refused one has already been reported.
    pub(crate) fn leave_out(&mut self, definition: &str) {
        self.definitions.insert(definition.to_owned());
    }

    pub(crate) fn contains(&self, definition: &str) -> bool {
        self.definitions.contains(definition)
    }

    /// Returns `Ok` if no part was refused.
    pub(crate) fn into_result(mut self) -> Result<()> {
        self.errors.pop().map_or(Ok(()), |last| Err(self.with(last)))
    }

    /// Adds one more error, and returns all errors as one.
    pub(crate) fn with(mut self, last: Error) -> Error {
        if self.errors.is_empty() {
            return last;
        }
        self.errors.push(last);
        Error::Several(self.errors)
    }
}

/// A file and a JSON pointer (RFC 6901) into it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The file, under the name that the [`Builder`](crate::Builder) got.
    pub file: PathBuf,
    /// The place in the file, for example `/$defs/Plan/properties/entries`. It is empty for the whole document.
    pub pointer: String,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.file.display(), self.pointer)
    }
}

/// A place in a document, during a walk. It is cheap to extend, and becomes a [`Location`] only for an error.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    file: &'a Path,
    parent: Option<&'a Place<'a>>,
    segment: Segment<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Segment<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    pub(crate) fn root(file: &'a Path) -> Self {
        Self { file, parent: None, segment: Segment::Root }
    }

    pub(crate) fn key(&'a self, key: &'a str) -> Self {
        Self { file: self.file, parent: Some(self), segment: Segment::Key(key) }
    }

    pub(crate) fn index(&'a self, index: usize) -> Self {
        Self { file: self.file, parent: Some(self), segment: Segment::Index(index) }
    }

    pub(crate) fn location(&self) -> Location {
        let mut pointer = String::new();
        self.write(&mut pointer);
        Location { file: self.file.to_owned(), pointer }
    }

    fn write(&self, pointer: &mut String) {
        if let Some(parent) = self.parent {
            parent.write(pointer);
        }
        match self.segment {
            Segment::Root => {}
            Segment::Key(key) => {
                pointer.push('/');
                pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
            }
            Segment::Index(index) => {
                pointer.push('/');
                pointer.push_str(&index.to_string());
            }
        }
    }

    pub(crate) fn unsupported(&self, what: impl Into<String>, help: impl Into<String>) -> Error {
        Error::Unsupported { at: self.location(), what: what.into(), help: help.into() }
    }

    pub(crate) fn reference(&self, what: impl Into<String>, help: impl Into<String>) -> Error {
        Error::Reference { at: self.location(), what: what.into(), help: help.into() }
    }

    pub(crate) fn name(&self, what: impl Into<String>, help: impl Into<String>) -> Error {
        Error::Name { at: self.location(), what: what.into(), help: help.into() }
    }

    pub(crate) fn overlay(&self, what: impl Into<String>, help: impl Into<String>) -> Error {
        Error::Overlay { at: self.location(), what: what.into(), help: help.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_is_escaped() {
        let root = Place::root(Path::new("s.json"));
        let defs = root.key("$defs");
        let odd = defs.key("a/b~c");
        let at = odd.index(3).location();
        assert_eq!(at.to_string(), "s.json#/$defs/a~1b~0c/3");
    }
}
