//! The attributes that only the functions of agents have.

use syn::Attribute;

use super::command::{self, Written};
use super::hook::{self, OnChange};
use crate::keys::Reading;

/// The meaning of a function with them.
pub(super) enum OfAgents {
    Hook(OnChange),
    Command(Written),
    /// This is a mistake.
    Both(Written),
}

/// Removes them from the list, and reads them.
pub(super) fn take(attributes: &mut Vec<Attribute>, reading: Reading<'_>) -> Option<OfAgents> {
    match (hook::take(attributes, reading), command::take(attributes, reading)) {
        (Some(_), Some(command)) => Some(OfAgents::Both(command)),
        (Some(hook), None) => Some(OfAgents::Hook(hook)),
        (None, command) => command.map(OfAgents::Command),
    }
}
