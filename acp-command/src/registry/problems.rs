//! What is wrong with the files of a registry.

use std::fmt;

/// Whether the registry refuses an entry for a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Error,
    Warning,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// A problem: its place in the file, and what to do.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) level: Level,
    /// The file, relative to the registry.
    pub(super) file: String,
    pub(super) text: String,
}

/// The problems of one file.
#[derive(Debug, Default)]
pub(super) struct Problems {
    pub(super) file: String,
    pub(super) all: Vec<Problem>,
}

impl Problems {
    pub(super) fn of(file: impl Into<String>) -> Self {
        Self { file: file.into(), all: Vec::new() }
    }

    pub(super) fn error(&mut self, text: impl Into<String>) {
        self.add(Level::Error, text.into());
    }

    pub(super) fn warning(&mut self, text: impl Into<String>) {
        self.add(Level::Warning, text.into());
    }

    fn add(&mut self, level: Level, text: String) {
        self.all.push(Problem { level, file: self.file.clone(), text });
    }
}
