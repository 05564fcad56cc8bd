//! The frame of each derive macro: it parses the item, and joins the hints, the implementation and the errors.

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::diagnostics::Sink;
use crate::ide_hints::Hints;
use crate::keys::Reading;

/// The path of the runtime, and an implementation. After an error, the implementation does as little as the author's
/// other code needs to compile.
pub(crate) struct Derived {
    pub(crate) krate: TokenStream,
    pub(crate) implementation: TokenStream,
}

/// The implementation for `item`, and its errors.
pub(crate) fn derived(item: TokenStream, derive: impl FnOnce(&DeriveInput, Reading<'_>) -> Derived) -> TokenStream {
    let item: DeriveInput = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let (sink, hints) = (Sink::new(), Hints::default());
    let Derived { krate, implementation } = derive(&item, Reading { sink: &sink, hints: &hints });
    let mut tokens = hints.expand(&krate);
    tokens.extend(implementation);
    tokens.extend(sink.finish());
    tokens
}
