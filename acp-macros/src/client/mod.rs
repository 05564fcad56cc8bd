//! `#[acp_client]` on an inherent `impl`: every function handles a method that agents ask of clients, a kind of update, or an
//! extension. What was written is read as for agents ([`handlers`](crate::handlers)), judged ([`valid`], with [`names`] and
//! [`keys`]), and becomes `impl Handlers` of the package of clients ([`expand`]).

mod expand;
pub(crate) mod keys;
mod names;
mod valid;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Path;

use crate::agent::keyword;
use crate::diagnostics::Sink;
use crate::handlers::raw::{Block, Source};
use crate::ide_hints::Hints;
use crate::keys::Reading;

/// The item as written, what it stands for, and every error in it.
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
    let block = Block::read(keys.krate.clone(), source, reading);
    let mut tokens = reading.hints.expand(&runtime(block.krate.as_ref()));
    tokens.extend(block.item());
    let client = valid::Client::check(&block, keys, reading.sink);
    tokens.extend(client.map_or_else(|| expand::fallback(&block), |client| Some(expand::expand(&client))));
    tokens
}

/// Where the package of clients is: `crate = path`, or its own name.
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

    /// What a language server sends while the author types: the block must come back whole, and be a client's.
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
