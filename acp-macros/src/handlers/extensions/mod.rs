//! `#[ext(..)]`, `#[method(..)]` and `#[fallback]`: the function handles a method of the author's own, or one that the schema
//! does not know. See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility).

mod ext;
mod extended;
mod method;

use syn::{Attribute, Meta};

#[cfg(test)]
pub(crate) use self::ext::ExtKeys;
pub(crate) use self::extended::{Attributed, Ext, Extended, Kind};
#[cfg(test)]
pub(crate) use self::method::{FallbackKeys, MethodKeys};
use super::Role;
use super::conditions::inside_condition;
use crate::diagnostics::Sink;
use crate::keys::Reading;

/// The attributes that make a function the handler of a method that the schema does not know.
const ATTRIBUTES: [&str; 3] = ["ext", "method", "fallback"];

/// Removes our attribute from the list, and reads it.
pub(crate) fn take(attributes: &mut Vec<Attribute>, reading: Reading<'_>) -> Option<Ext> {
    let sink = reading.sink;
    let mut found = None;
    attributes.retain(|attribute| {
        if let Some(ext) = inside_condition(&attribute.meta, |meta| ours(meta).is_some()) {
            let name = ours(&ext).unwrap_or_default();
            sink.error(
                &ext,
                format_args!("`#[{name}]` cannot depend on a condition: without it, the function handles nothing"),
            )
            .help(format_args!("write `#[cfg(..)]` and `#[{name}(..)]` as two attributes of the function"));
            found = Some(Ext { method: None });
            return false;
        }
        let Some(name) = ours(&attribute.meta) else { return true };
        if found.is_some() {
            sink.error(attribute, "a function is the handler of one method")
                .help("give the other method a function of its own");
        } else {
            found = Some(match name {
                "method" => method::read(attribute, reading),
                "fallback" => method::read_fallback(attribute, reading),
                _ => ext::read(attribute, reading),
            });
        }
        false
    });
    found
}

/// The name of an attribute that is ours.
fn ours(meta: &Meta) -> Option<&'static str> {
    ATTRIBUTES.into_iter().find(|name| meta.path().is_ident(name))
}

impl Extended {
    /// Whether a handler can serve the method, as far as its name is known here.
    pub(crate) fn check(&self, role: &Role, sink: &Sink) -> bool {
        match (self, role.why_unhandled) {
            (Self::Named { name, by: Attributed::Ext, .. }, _) => ext::check(name, role.side, sink),
            (Self::Marked(path), _) => ext::check_marker(path, sink),
            (_, None) => {
                sink.error(self, format_args!("{} handles extension methods by their names only", role.name))
                    .help(ext::FORMS);
                false
            }
            (Self::Named { name, by: Attributed::Method, .. }, Some(why)) => method::check(name, why, sink),
            (Self::Prefixed { kind: _, prefix }, _) => method::check_prefix(prefix, sink),
            (Self::Fallback { .. }, _) => true,
        }
    }
}
