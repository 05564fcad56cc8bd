//! `auth(agent(id = "..", name = ".."), terminal(id = "..", name = "..", args("..")))`: the ways to authenticate.
//! See <https://agentclientprotocol.com/protocol/v1/authentication>.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Token, parenthesized};

use crate::diagnostics::{Sink, listed};
use crate::keys::{self, Keyed};
use crate::words::{List, Vocabulary};

pub(crate) const TYPES: Vocabulary = Vocabulary { module: "auth", words: &["agent", "terminal"] };
pub(crate) const AGENT_KEYS: Vocabulary = Vocabulary { module: "auth_agent", words: &["id", "name", "description"] };
pub(crate) const TERMINAL_KEYS: Vocabulary =
    Vocabulary { module: "auth_terminal", words: &["id", "name", "description", "args"] };

/// One way, as written.
pub(super) struct Method {
    /// The word `agent` or `terminal`.
    pub(super) word: Ident,
    pub(super) id: Option<Keyed<LitStr>>,
    pub(super) name: Option<Keyed<LitStr>>,
    pub(super) description: Option<Keyed<LitStr>>,
    /// Of a terminal: what the client starts the agent's program with.
    pub(super) args: Option<Vec<LitStr>>,
}

/// What stands behind `auth`.
pub(super) fn read(input: ParseStream<'_>, sink: &Sink) -> syn::Result<Vec<Method>> {
    let content;
    parenthesized!(content in input);
    let words = sink.words.list(&TYPES);
    let mut methods = Vec::new();
    while !content.is_empty() {
        methods.extend(method(&content, &words, sink)?);
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(methods)
}

fn method(input: ParseStream<'_>, words: &List<'_>, sink: &Sink) -> syn::Result<Option<Method>> {
    let word = input.call(Ident::parse_any)?;
    words.add(&word);
    let content;
    parenthesized!(content in input);
    let tokens: TokenStream = content.parse()?;
    let written = word.to_string();
    if !TYPES.knows(&written) {
        sink.error(&word, format_args!("no way to authenticate is called `{written}`"))
            .did_you_mean(&written, TYPES.words.iter().copied())
            .note(format_args!("there are {}", listed(TYPES.words)));
        return Ok(None);
    }
    let known = if written == "agent" { &AGENT_KEYS } else { &TERMINAL_KEYS };
    let mut method = Method { word, id: None, name: None, description: None, args: None };
    keys::read_arguments(tokens, known, sink, |key, input| method.read(key, input));
    Ok(Some(method))
}

impl Method {
    fn read(&mut self, key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        match key.to_string().as_str() {
            "id" => self.id = Some(keys::assigned(key, input)?),
            "name" => self.name = Some(keys::assigned(key, input)?),
            "description" => self.description = Some(keys::assigned(key, input)?),
            "args" => self.args = Some(arguments(input)?),
            other => unreachable!("`{other}` is not among the keys"),
        }
        Ok(())
    }
}

fn arguments(input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    let content;
    parenthesized!(content in input);
    Ok(Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}
