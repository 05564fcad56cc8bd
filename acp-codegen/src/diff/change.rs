//! A difference, and the list of all differences.

use std::collections::BTreeSet;

/// All differences between two schemas, as [`compare`](super::compare) found them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Diff {
    /// The changes: methods first, then types by name, each with its fields and branches in schema order.
    pub changes: Vec<Change>,
}

/// One difference of a [`Diff`], with the verdict on it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The kind of the changed part.
    pub subject: Subject,
    /// The name of the changed part: `session/new`, `Plan`, `Plan.entries`, `ToolKind::Edit`.
    pub item: String,
    /// The kind of the change.
    pub what: ChangeKind,
    /// The old and the new state, if the other fields do not show them.
    pub detail: String,
    /// Whether the part was a draft before and is one now.
    pub draft: bool,
    /// The effect on code that uses the types.
    pub verdict: Verdict,
    /// The reason for the verdict.
    pub why: &'static str,
    /// The generated items that differ.
    pub items: Vec<String>,
    /// The names of the agents' handlers whose request or answer contains the part.
    pub handlers: BTreeSet<String>,
}

/// The kind of the part that a [`Change`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
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

/// The kind of a [`Change`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The part is new.
    Added,
    /// The part was removed.
    Removed,
    /// The part was a draft, and is stable now.
    Stabilised,
    /// The part was stable, and is a draft now.
    Withdrawn,
    /// The part was optional, and is required now.
    MadeRequired,
    /// The part was required, and is optional now.
    MadeOptional,
    /// The part takes more values than before.
    Widened,
    /// The part takes fewer values than before.
    Narrowed,
    /// The part has become another one.
    Changed,
    /// Some wrong values are read now that were refused before.
    MoreLenient,
    /// Some wrong values are refused now that were read before.
    LessLenient,
    /// Unknown values are kept now that were refused before.
    Opened,
    /// Unknown values are refused now that were kept before.
    Closed,
    /// The part's JSON has another form. Both versions can read both forms.
    WrittenOtherwise,
    /// The part has another place in the order.
    Reordered,
    /// The part has lost parts of its own.
    Lost,
    /// The part has gained parts of its own.
    Gained,
}

impl ChangeKind {
    /// The change if a part becomes a draft or stable; `None` if this is unchanged.
    pub(super) fn of_drafts(before: bool, after: bool) -> Option<Self> {
        match (before, after) {
            (true, false) => Some(Self::Stabilised),
            (false, true) => Some(Self::Withdrawn),
            _ => None,
        }
    }

    /// The words for the change in a report.
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
    /// The verdict on all changes as a whole.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.changes.iter().map(|change| change.verdict).max().unwrap_or(Verdict::Same)
    }
}

/// The effect of a change, or of all changes, on code that uses the types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing changed.
    Same,
    /// Code still compiles, and still reads all values that it read before.
    Compatible,
    /// Code may stop compiling, or refuse values that it accepted before.
    Breaking,
}

impl Verdict {
    /// The word for the verdict in a report: `same`, `compatible` or `breaking`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Compatible => "compatible",
            Self::Breaking => "breaking",
        }
    }

    /// The step in a semantic version that the verdict requires. Below 1.0, a breaking change is a minor step.
    #[must_use]
    pub fn step(self) -> &'static str {
        match self {
            Self::Same => "none",
            Self::Compatible => "minor",
            Self::Breaking => "major",
        }
    }
}
