//! A difference, and all of them.

use std::collections::BTreeSet;

/// All differences of two schemas: what [`compare`](super::compare) found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// Methods first, then types by name, each with its fields and branches in schema order.
    pub changes: Vec<Change>,
}

/// One difference of a [`Diff`], with the verdict on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What kind of thing it is about.
    pub subject: Subject,
    /// Its name: `session/new`, `Plan`, `Plan.entries`, `ToolKind::Edit`.
    pub item: String,
    /// What happened to it.
    pub what: ChangeKind,
    /// From what to what, where that is not clear from the rest.
    pub detail: String,
    /// Whether it is about something that was a draft all along.
    pub draft: bool,
    /// What it means for code that uses the types.
    pub verdict: Verdict,
    /// Why the verdict is that.
    pub why: &'static str,
    /// The generated items that are not what they were.
    pub items: Vec<String>,
    /// The handlers of agents whose request or answer it is part of, by name.
    pub handlers: BTreeSet<String>,
}

/// What kind of thing a [`Change`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// A method of the protocol.
    Method,
    /// A generated type.
    Type,
    /// A function of a generated type.
    Function,
    /// A field of a struct.
    Field,
    /// A constant of an enum.
    Value,
    /// A shape of a union.
    Variant,
}

/// What happened to the item of a [`Change`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It was a draft, and is none any more.
    Stabilised,
    /// It is a draft, and was none before.
    Withdrawn,
    /// It could be left out, and cannot any more.
    MadeRequired,
    /// It can be left out, and could not before.
    MadeOptional,
    /// It takes more values than before.
    Widened,
    /// It takes fewer values than before.
    Narrowed,
    /// It is something else than before.
    Changed,
    /// Wrong values are read that were refused before.
    MoreLenient,
    /// Wrong values are refused that were read before.
    LessLenient,
    /// Unknown values are kept that were refused before.
    Opened,
    /// Unknown values are refused that were kept before.
    Closed,
    /// Its JSON has another form, which both read.
    WrittenOtherwise,
    /// It comes before or behind others than before.
    Reordered,
    /// What belonged to it is gone.
    Lost,
    /// More belongs to it than before.
    Gained,
}

impl ChangeKind {
    /// What became of something as a draft; none if it is one as before, or was never one.
    pub(super) fn of_drafts(before: bool, after: bool) -> Option<Self> {
        match (before, after) {
            (true, false) => Some(Self::Stabilised),
            (false, true) => Some(Self::Withdrawn),
            _ => None,
        }
    }

    /// The words for it in a report.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Stabilised => "stabilised",
            Self::Withdrawn => "made a draft",
            Self::MadeRequired => "made required",
            Self::MadeOptional => "made optional",
            Self::Widened => "widened",
            Self::Narrowed => "narrowed",
            Self::Changed => "changed",
            Self::MoreLenient => "read more leniently",
            Self::LessLenient => "read more strictly",
            Self::Opened => "opened for unknown values",
            Self::Closed => "closed to unknown values",
            Self::WrittenOtherwise => "written differently",
            Self::Reordered => "reordered",
            Self::Lost => "lost",
            Self::Gained => "gained",
        }
    }
}

impl Diff {
    /// The verdict on all changes together.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.changes.iter().map(|change| change.verdict).max().unwrap_or(Verdict::Same)
    }
}

/// What a change, or all of them, means for code that uses the types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing changed.
    Same,
    /// Code goes on compiling, and reads what it read before.
    Compatible,
    /// Code may stop compiling, or refuse what it took before.
    Breaking,
}

impl Verdict {
    /// The word for it in a report: `same`, `compatible` or `breaking`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Compatible => "compatible",
            Self::Breaking => "breaking",
        }
    }

    /// The step in a semantic version that it asks for; below 1.0 a breaking change is a minor step.
    #[must_use]
    pub fn step(self) -> &'static str {
        match self {
            Self::Same => "none",
            Self::Compatible => "minor",
            Self::Breaking => "major",
        }
    }
}
