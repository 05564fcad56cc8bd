//! What a change means for code that was written against the older types, and why.
//!
//! Generated structs and enums are `#[non_exhaustive]`, so additions are compatible; `new` takes what is required, so a
//! change of that is not. A draft promises nothing: its changes never break.

use super::compare::{Subject, What};
use super::surface::Presence;

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

/// The verdict on a change of something that is no draft. `now` is the presence of an added or changed field.
pub(super) fn of(subject: Subject, what: What, now: Option<Presence>) -> (Verdict, &'static str) {
    use Verdict::{Breaking, Compatible};
    match (subject, what) {
        (_, What::Stabilised) => (Compatible, "it needs no feature any more"),
        (_, What::Withdrawn) => (Breaking, "it moves behind the feature `unstable`"),
        (Subject::Method, What::Added) => (Compatible, "a handler may be added; without one it is answered -32601"),
        (Subject::Field, What::Added) => match now {
            Some(Presence::Required | Presence::Nullable) => {
                (Breaking, "`new` takes it, and values without it are refused")
            }
            _ => (Compatible, "the struct is non-exhaustive, and it may be left out"),
        },
        (Subject::Value | Subject::Variant, What::Added) => (Compatible, "the enum is non-exhaustive"),
        (Subject::Type, What::Added) => (Compatible, "nothing refers to it yet but what is new as well"),
        (Subject::Method, What::Removed) => (Breaking, "a handler of that name no longer compiles"),
        (_, What::Removed) => (Breaking, "code that names it no longer compiles"),
        (_, What::MadeRequired) => (Breaking, "`new` takes it, and values without it are refused"),
        (_, What::MadeOptional) => match now {
            Some(Presence::Defaulted) => (Breaking, "`new` no longer takes it"),
            Some(Presence::Nullable) => (Breaking, "its type becomes an `Option`"),
            _ => (Breaking, "its type becomes an `Option`, and `new` no longer takes it"),
        },
        (_, What::MoreLenient) => (Compatible, "more is read than before"),
        (_, What::LessLenient) => (Breaking, "values are refused that were read before"),
        (_, What::Opened) => (Breaking, "code that takes the enum as `Copy` or by its closed list no longer compiles"),
        (_, What::Closed) => (Breaking, "values are refused that were kept before"),
        (_, What::Widened) => (Breaking, "its Rust type changes, though it reads every value that it read before"),
        (_, What::Narrowed) => (Breaking, "its type changes, and values are refused that were read before"),
        (_, What::Changed) => (Breaking, "its Rust type or name changes"),
    }
}
