//! The name of a function can make it a handler. An attribute that makes it something else would take the function away
//! from that handler, which nobody would see.

use syn::Ident;

use super::{life, names, restore};
use crate::diagnostics::Sink;
use crate::handlers::extensions::{Attributed, Extended};
use crate::text;

/// The other meaning of a function, which its attribute gives.
pub(super) struct Other<'a> {
    /// With its article.
    pub(super) meaning: &'a str,
    pub(super) attribute: &'a str,
    /// A cure of its own, instead of the removal of the attribute.
    pub(super) help: Option<String>,
}

/// Whether no handler has the name. If one has it, this is reported.
pub(super) fn is_free(name: &Ident, other: Other<'_>, sink: &Sink) -> bool {
    let Other { meaning, attribute, help } = other;
    let plain = text::plain(name);
    let (text, handled) = match (names::handled(name), life::event(name)) {
        (Some(method), _) => {
            let wire = method.wire;
            (format!("`{plain}` is the handler of `{wire}` by its name, and {meaning} by `{attribute}`"), Some(wire))
        }
        (None, Some(_)) => {
            (format!("`{plain}` runs in the life of a session by its name, and is {meaning} by `{attribute}`"), None)
        }
        (None, None) if restore::is_meant(name) => {
            (format!("`{plain}` opens stored sessions again by its name, and is {meaning} by `{attribute}`"), None)
        }
        (None, None) => return true,
    };
    let cure =
        handled.map(|wire| format!("give the function another name, or remove `{attribute}` to handle `{wire}`"));
    let cure = help.or(cure).unwrap_or_else(|| "give the function another name".to_owned());
    sink.error(name, text).help(cure);
    false
}

/// As [`is_free`], for a method that the schema does not know.
pub(super) fn is_free_of_method(name: &Ident, method: &Extended, sink: &Sink) -> bool {
    let of_one = || format!("the handler of `{}`", method.wire());
    let (meaning, attribute) = match method {
        Extended::Named { by: Attributed::Ext, .. } | Extended::Marked(_) => (of_one(), "#[ext(..)]"),
        Extended::Named { by: Attributed::Method, .. } => (of_one(), "#[method(..)]"),
        Extended::Prefixed { kind: _, prefix } => {
            (format!("the handler of methods that begin with `{}`", prefix.value()), "#[method(..)]")
        }
        Extended::Fallback { .. } => ("a fallback".to_owned(), "#[fallback]"),
    };
    is_free(name, Other { meaning: &meaning, attribute, help: None }, sink)
}
