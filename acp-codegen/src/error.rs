//! What can go wrong between a schema file and Rust code: always with the file, the place in it, and the cure.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why no code was generated.
///
/// Every variant that concerns the content of a file carries a [`Location`], so that a person (or an editor) can
/// jump to the place. Nothing is written when one of these is returned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read.
    #[error("cannot read {}: {source}; give a file with text in UTF-8", .path.display())]
    Read {
        /// The file asked for.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// A file is not JSON, ends too early, or is nested too deeply to be read.
    #[error("{} is not readable as JSON: {source}; it has to be complete, in UTF-8 without a byte order mark, and nested less than 128 deep", .path.display())]
    Json {
        /// The file in question.
        path: PathBuf,
        /// The parser's message, with line and column.
        source: serde_json::Error,
    },

    /// The schema uses something outside the supported subset of JSON Schema.
    #[error("{at}: {what}; {help}")]
    Unsupported {
        /// Where it stands.
        at: Location,
        /// The construct.
        what: String,
        /// What to do about it.
        help: String,
    },

    /// A `$ref` leads nowhere, outside the file, or round in a circle.
    #[error("{at}: {what}; {help}")]
    Reference {
        /// Where the reference stands.
        at: Location,
        /// What is wrong with it.
        what: String,
        /// What to do about it.
        help: String,
    },

    /// A name gives no Rust identifier, or the same one as another name.
    #[error("{at}: {what}; {help}")]
    Name {
        /// Where the name stands.
        at: Location,
        /// What is wrong with it.
        what: String,
        /// What to do about it.
        help: String,
    },

    /// An overlay says something that cannot be.
    #[error("{at}: {what}; {help}")]
    Overlay {
        /// The overlay, and the entry in it.
        at: Location,
        /// What is wrong with it.
        what: String,
        /// What to do about it.
        help: String,
    },

    /// What passed the check gave code that is no Rust: a gap in that check.
    #[error("{at}: the code generated of this is no Rust: {what}; please report this with the schema at hand")]
    NoRust {
        /// What the code was generated of.
        at: Location,
        /// What is wrong with the code.
        what: String,
    },

    /// [`Builder::crate_path`](crate::Builder::crate_path) was given what is no path of a crate.
    #[error(
        "`{0}` is no path by which every module finds a crate; give one such as `::acp_schema`, without `self` and `super`"
    )]
    CratePath(String),

    /// More than one place is refused: each by itself.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Several(Vec<Error>),

    /// The result could not be written.
    #[error("cannot write {}: {source}", .path.display())]
    Write {
        /// The file to be written.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// A result with the [`Error`] of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What is refused of a schema, as it is found. A definition that one stage refused is not looked at by the next.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    errors: Vec<Error>,
    definitions: HashSet<String>,
}

impl Refused {
    /// The result of a definition, unless it is an error.
    pub(crate) fn take<T>(&mut self, definition: &str, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.extend(definition, vec![error])).ok()
    }

    /// Adds what is wrong with a definition.
    pub(crate) fn extend(&mut self, definition: &str, errors: Vec<Error>) {
        if !errors.is_empty() {
            self.definitions.insert(definition.to_owned());
            self.errors.extend(errors);
        }
    }

    /// Leaves a definition out that is made of a refused one, of which enough is said.
    pub(crate) fn leave_out(&mut self, definition: &str) {
        self.definitions.insert(definition.to_owned());
    }

    pub(crate) fn contains(&self, definition: &str) -> bool {
        self.definitions.contains(definition)
    }

    /// Nothing, unless something was refused.
    pub(crate) fn into_result(mut self) -> Result<()> {
        self.errors.pop().map_or(Ok(()), |last| Err(self.with(last)))
    }

    /// All that was refused, with one more error.
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
pub struct Location {
    /// The file, as it was named to the [`Builder`](crate::Builder).
    pub file: PathBuf,
    /// The place in it, `/$defs/Plan/properties/entries`; empty for the document itself.
    pub pointer: String,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.file.display(), self.pointer)
    }
}

/// A place in a document while it is being walked: cheap to extend, and turned into a [`Location`] only for an error.
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
