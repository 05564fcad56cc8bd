//! `#[derive(ConfigOptions)]`, and the hidden derive that reads the options of an agent's own struct. Both read the same
//! attributes (`raw`), refuse the same mistakes (`valid`) and write the same table (`expand`); [`Form`] says what differs.

mod expand;
mod raw;
mod rows;
mod valid;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::diagnostics::Sink;

/// Which struct carries the options.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Form {
    /// A config struct: every field is an option.
    Config,
    /// The agent itself, the small form: the marked fields are options, the others plain state.
    Agent,
}

/// The implementation for `item`, and its errors. Whatever is wrong, keys, trait and constructor are there, so that the
/// author's other code gets no second error.
pub(crate) fn derive(item: TokenStream, form: Form) -> TokenStream {
    let item: DeriveInput = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let sink = Sink::new();
    let raw = raw::Struct::read(&item, form, &sink);
    let valid = valid::Struct::check(raw, &sink);
    let mut tokens = valid.map(|valid| expand::expand(&valid)).unwrap_or_default();
    tokens.extend(sink.finish());
    tokens
}
