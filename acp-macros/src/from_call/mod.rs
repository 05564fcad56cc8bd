//! `#[derive(FromCall)]`: a struct becomes one parameter of handlers, which takes all of its fields. `raw` parses, `valid`
//! checks, `expand` writes.

mod expand;
mod raw;
mod valid;

#[cfg(test)]
pub(crate) use raw::StructKeys;

use proc_macro2::TokenStream;

use crate::derived::{Derived, derived};

/// The implementation for `item`. After errors, an implementation that takes nothing and the errors, so that the author's
/// handlers still compile.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    derived(item, |item, reading| {
        let raw = raw::Struct::read(item, reading);
        let (krate, fallback) = (raw.krate.clone(), expand::fallback(&raw));
        let valid = valid::Struct::check(raw, reading.sink).filter(|_| !reading.sink.failed());
        Derived { krate, implementation: valid.map_or(fallback, |valid| expand::expand(&valid)) }
    })
}
