//! The effect of a change on code for the older types, with the reason.
//!
//! Generated structs and enums are `#[non_exhaustive]`, so additions are compatible. `new` takes the required fields,
//! so a change of these is breaking. A draft promises nothing, so its changes are never breaking.
//!
//! The comparison looks at the JSON that the schemas describe: objects. Like serde's derives, generated code also reads
//! a struct from a list of its fields' values. The report mentions changes of this second form, but no version promises
//! it. So another order of fields is compatible. An added field is judged by values without its key.

use super::change::{ChangeKind, Subject, Verdict};
use super::surface::Presence;

/// The presence of a field in the older and in the newer schema.
pub(super) type Steps = (Option<Presence>, Option<Presence>);

/// The verdict on every change of a draft.
pub(super) const OF_DRAFTS: (Verdict, &str) = (Verdict::Compatible, "a draft may change at any time");

/// The verdict on a field that is added to a variant.
pub(super) const FIELD_OF_A_VARIANT: (Verdict, &str) =
    (Verdict::Breaking, "code that makes the variant, or matches all of its fields, no longer compiles");

/// The verdict on a variant that is now read for values of another one. It is new, has another place, or reads or keeps
/// more than before.
pub(super) const TAKES_VALUES: (Verdict, &str) =
    (Verdict::Breaking, "values that were read as the other variant are read as this one");

/// The verdict on a field that is still read as `None`, but has another meaning, or no stated meaning any more.
pub(super) const DEFAULT_CHANGED: (Verdict, &str) =
    (Verdict::Breaking, "it compiles, but code that takes `None` for the older default is wrong");

/// The verdict on a field that is still read as `None`. The schema now states its meaning.
pub(super) const DEFAULT_ADDED: (Verdict, &str) =
    (Verdict::Compatible, "it is read as before; only the documentation says more");

/// The verdict on fields in another order.
pub(super) const FIELDS_REORDERED: (Verdict, &str) =
    (Verdict::Compatible, "objects are read as before; the protocol has no lists of fields' values");

/// The verdict on a value whose text has changed.
pub(super) const SHOWN_OTHERWISE: (Verdict, &str) =
    (Verdict::Compatible, "only the text that people see is another one");

/// The verdict on every change of a stable part. For a field, the third argument is its presence before and after.
pub(super) fn of(subject: Subject, what: ChangeKind, (before, now): Steps) -> (Verdict, &'static str) {
    use Verdict::{Breaking, Compatible};
    match (subject, what) {
        (_, ChangeKind::Stabilised) => (Compatible, "it needs no feature any more"),
        (_, ChangeKind::Withdrawn) => (Breaking, "it moves behind the feature `unstable`"),
        (Subject::Method, ChangeKind::Added) => {
            (Compatible, "a handler may be added; without one it is answered -32601")
        }
        (Subject::Field, ChangeKind::Added) => match now {
            Some(Presence::Required | Presence::Nullable) => {
                (Breaking, "`new` takes it, and values without it are refused")
            }
            _ => (Compatible, "the struct is non-exhaustive, and it may be left out"),
        },
        (Subject::Value | Subject::Variant, ChangeKind::Added) => (Compatible, "the enum is non-exhaustive"),
        (Subject::Type | Subject::Function, ChangeKind::Added) => (Compatible, "no code can name it yet"),
        (Subject::Method, ChangeKind::Removed) => (Breaking, "a handler of that name no longer compiles"),
        (_, ChangeKind::Removed) => (Breaking, "code that names it no longer compiles"),
        (_, ChangeKind::MadeRequired) => (Breaking, "`new` takes it, and values without it are refused"),
        (_, ChangeKind::MadeOptional) => match (before, now) {
            (Some(Presence::Required), Some(Presence::Nullable)) => (Breaking, "its type becomes an `Option`"),
            (Some(Presence::Required), Some(Presence::Defaulted))
            | (Some(Presence::Nullable), Some(Presence::Optional)) => (Breaking, "`new` no longer takes it"),
            _ => (Breaking, "its type changes, and `new` no longer takes it"),
        },
        (_, ChangeKind::MoreLenient) => (Compatible, "more is read than before"),
        (_, ChangeKind::LessLenient) => (Breaking, "values are refused that were read before"),
        (_, ChangeKind::WrittenOtherwise | ChangeKind::Reordered) => (Compatible, "both forms are read as before"),
        (_, ChangeKind::Lost) => (Breaking, "code that uses that no longer compiles"),
        (_, ChangeKind::Gained) => (Compatible, "no code can name it yet"),
        (_, ChangeKind::Opened) => {
            (Breaking, "code that takes the enum as `Copy` or by its closed list no longer compiles")
        }
        (_, ChangeKind::Closed) => (Breaking, "values are refused that were kept before"),
        (_, ChangeKind::Widened) => {
            (Breaking, "its Rust type changes, though it reads every value that it read before")
        }
        (_, ChangeKind::Narrowed) => (Breaking, "its type changes, and values are refused that were read before"),
        (Subject::Method, ChangeKind::Changed) => (Breaking, "its handler no longer compiles"),
        (_, ChangeKind::Changed) => (Breaking, "its type, its name or its form in JSON changes"),
    }
}

/// The verdict on a change of a stable method. An agent handles the method if `handled` is set, and otherwise calls it.
pub(super) fn of_method(what: ChangeKind, handled: bool) -> (Verdict, &'static str) {
    use Verdict::{Breaking, Compatible};
    match (what, handled) {
        (ChangeKind::Added, false) => (Compatible, "no code can name it yet"),
        (ChangeKind::Removed | ChangeKind::Changed, false) => {
            (Breaking, "code that names its marker or its types no longer compiles")
        }
        _ => of(Subject::Method, what, (None, None)),
    }
}
