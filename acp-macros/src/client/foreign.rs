//! The attributes of agents that authors may write on the functions of a client.

use syn::{Attribute, Meta, Path};

use crate::diagnostics::Sink;
use crate::handlers::conditions::inside_condition;
use crate::handlers::raw::Function;
use crate::keys::Reading;

/// Such an attribute.
pub(super) struct Foreign(Path);

/// Removes them from the list. Returns the first.
pub(super) fn take(attributes: &mut Vec<Attribute>, _: Reading<'_>) -> Option<Foreign> {
    let mut found = None;
    attributes.retain(|attribute| {
        let own = Some(attribute.meta.clone()).filter(is_foreign);
        let Some(meta) = own.or_else(|| inside_condition(&attribute.meta, is_foreign)) else { return true };
        found.get_or_insert_with(|| Foreign(meta.path().clone()));
        false
    });
    found
}

fn is_foreign(meta: &Meta) -> bool {
    ["command", "on_change"].iter().any(|name| meta.path().is_ident(name))
}

impl Foreign {
    pub(super) fn refuse(&self, function: &Function, sink: &Sink) {
        let Self(at) = self;
        if at.is_ident("command") {
            sink.error(at, "a client has no commands: agents offer them")
                .help("remove `#[command]`, or write it on a function of the agent");
        } else {
            sink.error(&function.signature.ident, "`#[on_change(..)]` is for the options of agents: a client has none")
                .help("a changed option is an update: handle it in `config_option_update`");
        }
    }
}
