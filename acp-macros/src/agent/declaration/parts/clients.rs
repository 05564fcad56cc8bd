//! `clients = ".."`: whether several clients have a session.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, LitStr};

use crate::diagnostics::Sink;
use crate::keys::Given;

/// The words of `clients`, each with whether several clients have a session.
const CLIENTS: &[(&str, bool)] = &[("last", false), ("many", true)];

/// The part; `None` if a session has one client at a time.
pub(crate) fn part(clients: &Given<LitStr>, sink: &Sink) -> Option<TokenStream> {
    check(clients, sink).then(|| quote!(Clients))
}

/// The key, if several clients have a session.
pub(crate) fn are_many(clients: &Given<LitStr>) -> Option<&Ident> {
    let word = clients.value.as_ref()?.value();
    CLIENTS.contains(&(&*word, true)).then_some(&clients.key)
}

fn check(clients: &Given<LitStr>, sink: &Sink) -> bool {
    let Some(written) = &clients.value else { return false };
    let word = written.value();
    if let Some((_, are_many)) = CLIENTS.iter().find(|(known, _)| *known == word) {
        return *are_many;
    }
    sink.error(written, format_args!("`clients` cannot be {word:?}"))
        .did_you_mean(&word, CLIENTS.iter().map(|(known, _)| *known))
        .note("a session has the client that has opened it last (\"last\"), or all that load or resume it (\"many\")");
    false
}
