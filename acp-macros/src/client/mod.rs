//! `#[acp_client]` on an inherent `impl`. Every function handles a method of clients, a kind of update, or an
//! extension. The block is read in the same way as for agents ([`handlers`](crate::handlers)). [`valid`] checks it,
//! with [`names`] and [`keys`], and [`expand`] writes `impl Handlers` of the crate `acp-client`.

mod expand;
mod foreign;
pub(crate) mod keys;
mod names;
mod valid;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Path;

use crate::diagnostics::Sink;
use crate::handlers::block;
use crate::handlers::raw::{Block, Source, keyword};
use crate::ide_hints::Hints;
use crate::keys::Reading;

/// The item as the author wrote it, the impl, and every error in it.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let sink = Sink::new();
    let hints = Hints::default();
    let reading = Reading { sink: &sink, hints: &hints };
    let mut tokens = match Source::split(&item) {
        Some(source) => block(arguments, source, reading),
        None => {
            sink.error(keyword(&item), "`#[acp_client]` belongs on the inherent `impl` of a struct")
                .help("write `#[acp_client] impl Editor { .. }`; the struct itself needs no attribute");
            item
        }
    };
    tokens.extend(sink.finish());
    tokens
}

fn block(arguments: TokenStream, source: Source, reading: Reading<'_>) -> TokenStream {
    let keys = keys::Given::read(arguments, reading);
    let block = Block::read(keys.krate.clone(), source, foreign::take, reading);
    block::expand(&block, &runtime(block.krate.as_ref()), reading, |sink| {
        valid::Client::check(&block, keys, sink)
            .map_or_else(|| expand::fallback(&block), |client| Some(expand::expand(&client)))
    })
}

/// The path of `acp-client`: `crate = path`, or the crate's own name.
fn runtime(krate: Option<&Path>) -> TokenStream {
    krate.map_or_else(|| quote!(::acp_client), ToTokens::to_token_stream)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_item_survives_with_one_error() {
        let tokens = expand(
            TokenStream::new(),
            quote!(
                struct Editor {
                    tabs: u8,
                }
            ),
        )
        .to_string();
        assert!(tokens.starts_with("struct Editor { tabs : u8"), "{tokens}");
        assert_eq!(tokens.matches("compile_error").count(), 1);
    }

    /// A language server sends such tokens while the author types. The expansion must return the whole block, and the
    /// impl of a client.
    #[test]
    fn a_block_survives_what_is_half_typed() {
        let kept = "async fn write_text_file (& self) { }";
        for (arguments, half) in [
            ("elicitation(fo)", ""),
            ("elicitation, loc", ""),
            ("crate =", ""),
            ("", "async fn read_te"),
            ("", "async fn read_text_file(&self, path: ) -> String {}"),
            ("", "#[ext(\"_acme.dev/stats\")] async fn stats(&self) { self. }"),
        ] {
            let block = format!("impl Editor {{ {kept} {half} }}");
            let tokens = expand(arguments.parse().unwrap(), block.parse().unwrap()).to_string();
            assert!(tokens.contains(kept), "`{half}` gave {tokens}");
            assert!(tokens.contains("Handlers for Editor"), "`{half}` gave {tokens}");
        }
    }
}
