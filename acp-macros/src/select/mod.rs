//! `#[derive(SelectValue)]`: an enum as the values of a select option. `raw` parses, `valid` judges, `expand` writes.

mod expand;
mod raw;
mod valid;

#[cfg(test)]
pub(crate) use raw::EnumKeys;
pub(crate) use raw::VariantKeys;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::diagnostics::Sink;
use crate::ide_hints::Hints;
use crate::keys::Reading;

/// The implementation for `item`, or one without values that keeps the author's other code compiling, with the errors.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let item: DeriveInput = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let sink = Sink::new();
    let hints = Hints::default();
    let raw = raw::Enum::read(&item, Reading { sink: &sink, hints: &hints });
    let fallback = expand::fallback(&raw);
    let krate = raw.krate.clone();
    let expanded = match valid::Enum::check(raw, &sink) {
        Some(valid) if !sink.failed() => expand::expand(&valid),
        _ => fallback,
    };
    let mut tokens = hints.expand(&krate);
    tokens.extend(expanded);
    tokens.extend(sink.finish());
    tokens
}
