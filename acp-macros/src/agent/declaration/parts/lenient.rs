//! `lenient(..)`: each word is a part.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use crate::diagnostics::{Sink, listed};
use crate::keys::{Given, Keyed, vocabulary};
use crate::text;

vocabulary! {
    /// In `lenient(..)` in `#[acp_agent(..)]`.
    pub(crate) LENIENT in "lenient";
    /// | `mcp_servers` | the request is refused | MCP servers over transports that `capabilities(..)` does not state are left out of the request |
    mcp_servers,
    /// | `content` | the prompt is refused | blocks of kinds that `capabilities(..)` does not state are left out of the prompt |
    content,
    /// | `paths` | the update is an error | a relative path in an update of the agent, such as the location of a tool call or a diff, is the path under the session's `cwd` |
    paths,
}

/// The words of `lenient` that leave something out, each with the capabilities for all of it. If the agent states these, the word
/// has no effect.
const LEFT_OUT: &[(&str, &[&str], &str)] = &[
    ("mcp_servers", &["mcp_http", "mcp_sse"], "transports"),
    ("content", &["image", "audio", "embedded_context"], "blocks"),
];

/// The words that are right, as parts.
pub(crate) fn parts(lenient: &Given<Vec<Ident>>, capabilities: &[Ident], sink: &Sink) -> Vec<TokenStream> {
    let Keyed { key, value: Some(written) } = lenient else { return Vec::new() };
    if written.is_empty() {
        sink.error(key, "`lenient(..)` lacks its words: without them, the agent is lenient about nothing").help(
            format_args!("write one or more of {}, as in `lenient({})`", listed(LENIENT.words), LENIENT.words[0]),
        );
    }
    let states = |all: &[&str]| all.iter().all(|word| capabilities.iter().any(|stated| stated == word));
    let mut kept: Vec<Ident> = Vec::new();
    for word in written {
        let name = text::plain(word);
        if kept.contains(word) {
            sink.error(word, format_args!("`{name}` stands here twice")).help("write it once");
        } else if let Some((_, all, what)) = LEFT_OUT.iter().find(|(lenient, all, _)| *lenient == name && states(all)) {
            sink.error(word, format_args!("`{name}` leaves nothing out: the agent states {}", listed(*all)))
                .help(format_args!("remove `{name}`, or the capabilities for {what} that the agent does not read"));
        } else if LENIENT.knows(&name) {
            kept.push(word.clone());
        } else {
            sink.error(word, format_args!("an agent cannot be lenient about `{name}`"))
                .did_you_mean(&name, LENIENT.words.iter().copied())
                .note(format_args!("the words are {}", listed(LENIENT.words)));
        }
    }
    let part = |word: &Ident| match text::plain(word).as_str() {
        "content" => quote!(LenientContent),
        "mcp_servers" => quote!(LenientServers),
        _ => quote!(LenientPaths),
    };
    kept.iter().map(part).collect()
}
