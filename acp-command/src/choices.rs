//! Choices that several commands have: the form of a report, and which findings make a command fail.

use acp_judge::Level;
use clap::ValueEnum;

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON object, with the number of its `schema`.
    Json,
}

/// Which findings make the command fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// What the protocol demands.
    Must,
    /// Also what it recommends.
    Should,
    /// Also what is allowed, and has surprised peers, and drafts.
    Note,
    /// None.
    Never,
}

impl FailOn {
    pub(crate) fn fails(self, level: Level) -> bool {
        match self {
            Self::Must => level <= Level::Must,
            Self::Should => level <= Level::Should,
            Self::Note => level <= Level::Note,
            Self::Never => false,
        }
    }
}
