//! `#[acp_agent]`. On a struct, it declares an agent ([`declaration`]). On the struct's inherent `impl`, it reads the
//! handlers ([`handlers`]). Each half implements one trait of the runtime and requires the other half. The steps of
//! each are `raw`, `valid` and `expand`.
//!
//! Expansions are small and name only `acp_runtime::__private`, because work belongs in the runtime. Some questions only
//! the compiler can answer (is this type a parameter? is this future `Send`?). For these, the runtime's traits carry
//! `#[diagnostic::on_unimplemented]`. Much code depends on a few facts: threads can share the agent, its config type is
//! valid, and the config, the session and the shared part that parameters name are those of the struct. The expansion
//! checks each fact once: a type (`Given`) contains an array, and the compiler computes its length only if the fact is
//! true. If it is false, the compiler reports this once, and no errors in the code that uses the type. Under
//! `#[cfg(rust_analyzer)]`, `ide_hints` puts each word of an attribute into a path of `acp_runtime::__private::keys`.

mod declaration;
#[cfg(test)]
mod golden;
mod handlers;

#[cfg(test)]
pub(crate) use declaration::{AgentWayKeys, CAPABILITIES, Holder, Keys, LENIENT, Method, TerminalWayKeys, Time, WAYS};
#[cfg(test)]
pub(crate) use handlers::{command::CommandKeys, parts::BlockKeys};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{DeriveInput, Path};

use crate::diagnostics::Sink;
use crate::handlers::raw::{Source, keyword};
use crate::ide_hints::Hints;
use crate::keys::Reading;

/// The item as the author wrote it, the impl of its half, and every error in it.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let sink = Sink::new();
    let hints = Hints::default();
    let reading = Reading { sink: &sink, hints: &hints };
    let mut tokens = if let Some(block) = Source::split(&item) {
        handlers::expand(arguments, block, reading)
    } else if let Ok(declared) = syn::parse2::<DeriveInput>(item.clone()) {
        declaration::expand(arguments, declared, reading)
    } else {
        sink.error(keyword(&item), "`#[acp_agent]` belongs on a struct and on that struct's inherent `impl`")
            .help("write `#[acp_agent] struct Coder;` and `#[acp_agent] impl Coder { .. }`");
        item
    };
    tokens.extend(sink.finish());
    tokens
}

/// The path of the runtime: `crate = path`, or the crate's own name.
fn runtime(krate: Option<&Path>) -> TokenStream {
    krate.map_or_else(|| quote!(::acp_runtime), ToTokens::to_token_stream)
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

    /// A language server sends such tokens while the author types. The expansion must return the whole item, or the
    /// server finds no item in which to work.
    #[test]
    fn an_item_survives_what_is_half_typed() {
        let item = "struct Echo { shout : bool , }";
        for arguments in ["na", "name =", "name = \"echo\", ti", "capabilities(im", "auth(agent(id", "local, ", "con::"]
        {
            // The compiler closes brackets before a macro gets them.
            let closed =
                arguments.chars().fold(arguments.to_owned(), |closed, c| if c == '(' { closed + ")" } else { closed });
            let tokens = expand(closed.parse().unwrap(), item.parse().unwrap()).to_string();
            assert!(tokens.contains(item), "#[acp_agent({closed})] gave {tokens}");
            assert!(tokens.contains("AgentDeclaration for Echo"), "#[acp_agent({closed})] gave {tokens}");
        }
    }

    #[test]
    fn a_block_survives_what_is_half_typed() {
        let prompt = "async fn prompt (& self) -> StopReason { StopReason :: EndTurn }";
        for (half, kept) in [
            ("async fn cancel(&self) { self. }", "self ."),
            ("async fn cancel(&self, turn: )  {}", "turn"),
            ("async fn can", "async fn can"),
            ("#[ext(\"_acme.dev/stats\"", "ext"),
            ("#[ext(no)] async fn stats(&self) {}", "async fn stats"),
            ("#[e] async fn stats(&self) {}", "# [e] async fn stats"),
        ] {
            let closed = if half.contains("[ext(\"") { format!("{half})]") } else { half.to_owned() };
            let block = format!("impl Echo {{ {prompt} {closed} }}");
            let tokens = expand(TokenStream::new(), block.parse().unwrap()).to_string();
            assert!(tokens.contains(prompt) && tokens.contains(kept), "`{half}` gave {tokens}");
            assert!(tokens.contains("OneBlockWithoutPart for Echo"), "`{half}` gave {tokens}");
        }
    }
}
