//! The forms of a verdict.

mod github;
mod json;
mod junit;
mod sarif;
mod text;

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::ValueEnum;

pub(super) use self::text::why;
use super::verdict::Verdict;
use crate::exit::Failure;

/// A form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Text,
    /// One JSON object, with the number of its `schema`.
    Json,
    /// XML for CI, a test case for each rule.
    Junit,
    /// SARIF 2.1.0, for reviews of code.
    Sarif,
    /// Markdown, for a summary on GitHub.
    Github,
}

impl Format {
    /// The scenarios and the rules.
    pub(super) fn list(self) -> String {
        if self == Self::Json { json::list() } else { text::list() }
    }

    pub(super) fn render(self, verdict: &Verdict, stale: &[String]) -> String {
        match self {
            Self::Text => text::text(verdict, stale),
            Self::Json => json::json(verdict, stale),
            Self::Junit => junit::junit(verdict),
            Self::Sarif => sarif::sarif(verdict),
            Self::Github => github::github(verdict, stale),
        }
    }
}

/// A report in a file.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) format: Format,
    pub(super) path: PathBuf,
}

impl Output {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let Some((format, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
            return Err("write a format and a file, such as `junit=report.xml`".to_owned());
        };
        Ok(Self { format: Format::from_str(format, false)?, path: path.into() })
    }
}

pub(super) fn to_file(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure::usage(format!("{} cannot be written: {error}", path.display())))
}
