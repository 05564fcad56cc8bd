//! Attributes of functions by names that are nearly ours. The compiler knows none of them, and could not say what is meant.

use proc_macro2::Ident;
use syn::{Attribute, Path};

use crate::diagnostics::{Sink, code};
use crate::methods::METHODS;
use crate::text;

/// Each attribute, with other names that people use for it.
const OURS: &[(&str, &[&str])] = &[
    ("command", &["acp_command", "slash", "slash_command"]),
    ("draft", &["acp_draft", "drafts"]),
    ("ext", &["acp_ext", "ext_method", "ext_request", "exts", "extension", "extension_method"]),
    ("fallback", &["fall_back"]),
    ("method", &["acp_method"]),
    ("on_change", &["acp_on_change", "change", "changed", "hook", "on_option", "on_update"]),
];

/// An attribute under a name that is nearly ours.
pub(crate) struct Misspelt {
    at: Path,
    meant: &'static str,
}

/// Removes such an attribute from the list. A handler of the protocol needs none, so its attributes are those of others.
pub(super) fn take(attributes: &mut Vec<Attribute>, function: &Ident) -> Option<Misspelt> {
    let name = text::plain(function);
    if METHODS.iter().any(|method| method.handler == name) {
        return None;
    }
    let place = attributes.iter().position(|attribute| meant(attribute.path()).is_some())?;
    let at = attributes.remove(place).path().clone();
    meant(&at).map(|meant| Misspelt { at, meant })
}

fn meant(path: &Path) -> Option<&'static str> {
    let written = text::plain(path.get_ident()?);
    let is = |ours: &str, others: &[&str]| {
        let is_slip = ours.len() > 3 && strsim::osa_distance(&written, ours) == 1;
        is_slip || others.contains(&written.as_str())
    };
    OURS.iter().find(|(ours, others)| is(ours, others)).map(|(ours, _)| *ours)
}

impl Misspelt {
    /// Reports it. `known` are the attributes of the role.
    pub(super) fn report(&self, known: &[&str], sink: &Sink) {
        let Self { at, meant } = self;
        let report = sink.error(at, format_args!("there is no attribute `#[{}]`", code(at)));
        if known.contains(meant) {
            report.help(format_args!("did you mean `#[{meant}]`?"));
        }
    }
}
