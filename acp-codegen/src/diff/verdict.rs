//! What a change means for code that was written against the older types, and why.
//!
//! Generated structs and enums are `#[non_exhaustive]`, so additions are compatible; `new` takes what is required, so a
//! change of that is not. A draft promises nothing: its changes never break.
//!
//! The JSON that is compared is what the schemas describe: objects. That the generated code reads a struct also from a list
//! of its fields' values, as serde's derives do, is told and no promise: fields that only change places are compatible. A
//! field that is added is judged by values without its key.

use super::change::{Subject, What};
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

/// The presence of a field in the older and in the newer schema.
pub(super) type Steps = (Option<Presence>, Option<Presence>);

/// The verdict on every change of a draft.
pub(super) const OF_DRAFTS: (Verdict, &str) = (Verdict::Compatible, "a draft may change at any time");

/// The verdict on a field that is added to a variant.
pub(super) const FIELD_OF_A_VARIANT: (Verdict, &str) =
    (Verdict::Breaking, "code that makes the variant, or matches all of its fields, no longer compiles");

/// The verdict on a variant that is tried before another one that has values in common with it.
pub(super) const TAKES_VALUES: (Verdict, &str) =
    (Verdict::Breaking, "values that were read as the other variant are read as this one");

/// The verdict on a field that is read as `None` as before, which means another value, or no longer says which.
pub(super) const DEFAULT_CHANGED: (Verdict, &str) =
    (Verdict::Breaking, "it compiles, but code that takes `None` for the older default is wrong");

/// The verdict on a field that is read as `None` as before, of which the schema now says what it means.
pub(super) const DEFAULT_ADDED: (Verdict, &str) =
    (Verdict::Compatible, "it is read as before; only the documentation says more");

/// The verdict on fields that stand the other way round.
pub(super) const FIELDS_REORDERED: (Verdict, &str) =
    (Verdict::Compatible, "objects are read as before; the protocol has no lists of fields' values");

/// The verdict on a value whose text changes, and nothing else.
pub(super) const SHOWN_OTHERWISE: (Verdict, &str) =
    (Verdict::Compatible, "only the text that people see is another one");

/// The verdict on a change of something that is no draft. For a field comes its presence, before and after.
pub(super) fn of(subject: Subject, what: What, (before, now): Steps) -> (Verdict, &'static str) {
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
        (Subject::Type | Subject::Function, What::Added) => (Compatible, "no code can name it yet"),
        (Subject::Method, What::Removed) => (Breaking, "a handler of that name no longer compiles"),
        (_, What::Removed) => (Breaking, "code that names it no longer compiles"),
        (_, What::MadeRequired) => (Breaking, "`new` takes it, and values without it are refused"),
        (_, What::MadeOptional) => match (before, now) {
            (Some(Presence::Required), Some(Presence::Nullable)) => (Breaking, "its type becomes an `Option`"),
            (Some(Presence::Required), Some(Presence::Defaulted))
            | (Some(Presence::Nullable), Some(Presence::Optional)) => (Breaking, "`new` no longer takes it"),
            _ => (Breaking, "its type changes, and `new` no longer takes it"),
        },
        (_, What::MoreLenient) => (Compatible, "more is read than before"),
        (_, What::LessLenient) => (Breaking, "values are refused that were read before"),
        (_, What::WrittenOtherwise | What::Reordered) => (Compatible, "both forms are read as before"),
        (_, What::Lost) => (Breaking, "code that uses that no longer compiles"),
        (_, What::Gained) => (Compatible, "no code can name it yet"),
        (_, What::Opened) => (Breaking, "code that takes the enum as `Copy` or by its closed list no longer compiles"),
        (_, What::Closed) => (Breaking, "values are refused that were kept before"),
        (_, What::Widened) => (Breaking, "its Rust type changes, though it reads every value that it read before"),
        (_, What::Narrowed) => (Breaking, "its type changes, and values are refused that were read before"),
        (Subject::Method, What::Changed) => (Breaking, "its handler no longer compiles"),
        (_, What::Changed) => (Breaking, "its type, its name or its form in JSON changes"),
    }
}

/// The verdict on a change of a method that is no draft. One that agents do not handle is called by them.
pub(super) fn of_method(what: What, handled: bool) -> (Verdict, &'static str) {
    use Verdict::{Breaking, Compatible};
    match (what, handled) {
        (What::Added, false) => (Compatible, "no code can name it yet"),
        (What::Removed | What::Changed, false) => {
            (Breaking, "code that names its marker or its types no longer compiles")
        }
        _ => of(Subject::Method, what, (None, None)),
    }
}
