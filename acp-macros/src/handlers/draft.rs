//! `#[draft]`: the function handles a method that the protocol has as a draft. The attribute says that the author knows: a draft
//! may change or go with any release. So it stands beside what breaks then, the function.
//!
//! The schema's methods have their drafts, too. [`drafts`](crate::drafts) has what became of those that are no drafts any more.

use proc_macro2::Ident;
use syn::{Attribute, Meta};

use super::conditions::inside_condition;
use crate::diagnostics::Sink;
use crate::drafts::WORDS;
#[cfg(feature = "unstable")]
use crate::drafts::{Became, MOVED, Moved};
use crate::text;

/// The cure for code that needs the feature.
pub(crate) const FEATURE: &str =
    "in Cargo.toml, add `features = [\"unstable\"]` to that dependency; a draft may change or go with any release";

/// Removes the attribute from the list. Returns its word.
pub(super) fn take(attributes: &mut Vec<Attribute>, sink: &Sink) -> Option<Ident> {
    let mut found: Option<Ident> = None;
    attributes.retain(|attribute| {
        if let Some(meta) = inside_condition(&attribute.meta, is_ours) {
            sink.error(&meta, "`#[draft]` cannot depend on a condition: without it, the function handles nothing")
                .help("write `#[cfg(..)]` and `#[draft]` as two attributes of the function");
        } else if is_ours(&attribute.meta) {
            if !matches!(attribute.meta, Meta::Path(_)) {
                sink.error(&attribute.meta, "`#[draft]` takes nothing")
                    .help("write `#[draft]`; the name of the function says the method");
            } else if found.is_some() {
                sink.error(attribute, "the function is marked twice").help("remove one `#[draft]`");
            }
        } else {
            return true;
        }
        found = found.take().or_else(|| attribute.path().get_ident().cloned());
        false
    });
    found
}

fn is_ours(meta: &Meta) -> bool {
    meta.path().is_ident("draft")
}

/// Whether `capabilities(..)` takes the word for a draft.
pub(crate) fn is_word(word: &Ident) -> bool {
    let name = text::plain(word);
    WORDS.iter().any(|(draft, _)| *draft == name)
}

/// Refuses the word beside an attribute that names a method or an event itself. Returns whether there is no such mistake.
pub(crate) fn stands_alone(word: Option<&Ident>, other: Option<&str>, sink: &Sink) -> bool {
    let (Some(word), Some(other)) = (word, other) else { return true };
    sink.error(
        word,
        format_args!("a draft is handled by the name of the function, and `{other}` gives it another meaning"),
    )
    .help("remove one of the two attributes");
    false
}

/// Reports a feature that is not on.
pub(crate) fn needs_feature(word: &Ident, package: &str, sink: &Sink) {
    sink.error(word, format_args!("`#[draft]` needs the feature `unstable` of `{package}`")).help(FEATURE);
}

/// What became of a draft that had this handler, or this word.
#[cfg(feature = "unstable")]
pub(crate) fn moved(handler: &str) -> Option<&'static Moved> {
    MOVED.iter().find(|moved| moved.handler == handler)
}

/// Reports a draft that is renamed or withdrawn; one that is stable has a handler.
#[cfg(feature = "unstable")]
pub(crate) fn report(moved: &Moved, at: &Ident, sink: &Sink) {
    let Moved { draft, handler: _, became, since } = moved;
    match became {
        Became::Renamed { name, handler } => {
            sink.error(at, format_args!("`{draft}` is called `{name}` since {since}"))
                .help(format_args!("name the function `{handler}`, and look at its params and its answer"));
        }
        Became::Withdrawn | Became::Stable => {
            sink.error(at, format_args!("`{draft}` was withdrawn in {since}"))
                .help("remove the function; clients of that version do not call it");
        }
    }
}

/// Warns of a word that is not needed any more: the method is stable. Returns whether it is one of the drafts at all.
#[cfg(feature = "unstable")]
pub(crate) fn is_promoted(word: &Ident, handler: &str, sink: &Sink) -> bool {
    let Some(Moved { draft, since, .. }) = moved(handler).filter(|moved| matches!(moved.became, Became::Stable)) else {
        return false;
    };
    sink.warning(word, format_args!("`{draft}` is stable since {since}: remove `#[draft]`"));
    true
}
