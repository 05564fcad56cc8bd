//! `#[acp_agent]`. On a struct it declares an agent ([`declaration`]), on the struct's inherent `impl` it reads the
//! handlers ([`handlers`]). Each half implements one trait of the runtime and expects the other: `raw -> valid -> expand`.

mod declaration;
#[cfg(test)]
mod golden;
mod handlers;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{DeriveInput, Path};

use crate::diagnostics::Sink;

/// The item as written, the half it stands for, and every error in it.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let sink = Sink::new();
    let mut tokens = if let Some(block) = handlers::Source::split(&item) {
        handlers::expand(arguments, block, &sink)
    } else if let Ok(declared) = syn::parse2::<DeriveInput>(item.clone()) {
        declaration::expand(arguments, declared, &sink)
    } else {
        sink.error(keyword(&item), "`#[acp_agent]` belongs on a struct and on that struct's inherent `impl`");
        item
    };
    tokens.extend(sink.finish());
    tokens
}

/// Where the runtime is: `crate = path`, or the crate's own name.
fn runtime(krate: Option<&Path>) -> TokenStream {
    krate.map_or_else(|| quote!(::acp_runtime), ToTokens::to_token_stream)
}

/// The word that says what kind of item it is: the first one that no attribute and no visibility holds.
fn keyword(item: &TokenStream) -> TokenStream {
    let words = item.clone().into_iter().filter(|token| matches!(token, TokenTree::Ident(word) if word != "pub"));
    words.take(1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_item_survives_with_one_error() {
        let tokens = expand(
            TokenStream::new(),
            quote!(
                #[inline]
                pub fn coder() {}
            ),
        )
        .to_string();
        assert!(tokens.starts_with("# [inline] pub fn coder () { }"), "{tokens}");
        assert_eq!(tokens.matches("compile_error").count(), 1);
    }
}
