//! `clients = ".."`: which clients have a session.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Ident, LitStr};

use crate::diagnostics::Sink;
use crate::keys::Given;

/// The words of `clients`, each with the part of its agents.
const CLIENTS: &[(&str, Option<&str>)] = &[("first", Some("FirstClient")), ("last", None), (MANY, Some("Clients"))];

const MANY: &str = "many";

/// The part; `None` if a session has the client that has opened it last.
pub(crate) fn part(clients: &Given<LitStr>, sink: &Sink) -> Option<TokenStream> {
    let written = clients.value.as_ref()?;
    let word = written.value();
    if let Some((_, part)) = CLIENTS.iter().find(|(known, _)| *known == word) {
        let part = Ident::new((*part)?, Span::call_site());
        return Some(quote!(#part));
    }
    sink.error(written, format_args!("`clients` cannot be {word:?}"))
        .did_you_mean(&word, CLIENTS.iter().map(|(known, _)| *known))
        .note(
            "a session has the client that has opened it first, and others are refused while it is there (\"first\"); the client that has \
             opened it last (\"last\"); or all that load or resume it (\"many\")",
        );
    None
}

/// The key, if several clients have a session.
pub(crate) fn are_many(clients: &Given<LitStr>) -> Option<&Ident> {
    (clients.value.as_ref()?.value() == MANY).then_some(&clients.key)
}
