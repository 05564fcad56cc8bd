//! `#[derive(Questions)]`: a struct becomes questions to the user, one for each field. `raw` parses, `valid` checks,
//! `expand` writes.

mod expand;
mod raw;
mod valid;

#[cfg(test)]
pub(crate) use raw::{Keys, StructKeys};

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::diagnostics::Sink;
use crate::ide_hints::Hints;
use crate::keys::Reading;

/// The implementation for `item`. After errors, an implementation that does nothing and the errors, so that the author's
/// other code still compiles.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let item: DeriveInput = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let sink = Sink::new();
    let hints = Hints::default();
    let raw = raw::Struct::read(&item, Reading { sink: &sink, hints: &hints });
    let fallback = expand::fallback(&raw);
    let krate = raw.krate.clone();
    let expanded = match valid::Struct::check(raw, &sink) {
        Some(valid) if !sink.failed() => expand::expand(&valid),
        _ => fallback,
    };
    let mut tokens = hints.expand(&krate);
    tokens.extend(expanded);
    tokens.extend(sink.finish());
    tokens
}
