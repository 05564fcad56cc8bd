//! `auth(agent(id = "..", name = ".."), terminal(id = "..", name = "..", args("..")))`: the ways to authenticate.
//! See <https://agentclientprotocol.com/protocol/v1/authentication>.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::{Ident, LitStr};

use crate::diagnostics::listed;
use crate::ide_hints::List;
use crate::keys::{self, Element, Entry, Given, Keyed, Keys as _, Reading, Value, keys, vocabulary};

vocabulary! {
    /// In `auth(..)` in `#[acp_agent(..)]`.
    pub(crate) WAYS in "auth";
    /// | `agent(id = "key", name = "API key")` | not offered | the agent authenticates by itself, in its handler `authenticate` |
    agent,
    /// | `terminal(id = "login", name = "Log in", args("--login"))` | not offered | the client starts the agent's program in a terminal, with these arguments; offered only to clients that can do this |
    terminal,
}

keys! {
    /// In `agent(..)` in `auth(..)`.
    pub(crate) struct AgentWayKeys in "auth_agent", read(entry);
    /// | `id = "key"` | string | an error | names the way in `authenticate` |
    id: Given<LitStr> = entry.assigned("\"key\""),
    /// | `name = "API key"` | string | an error | the name for people |
    name: Given<LitStr> = entry.assigned("\"API key\""),
    /// | `description = "From the environment"` | string | none | more about the way, for people |
    description: Given<LitStr> = entry.assigned("\"From the environment\""),
}

keys! {
    /// In `terminal(..)` in `auth(..)`.
    pub(crate) struct TerminalWayKeys in "auth_terminal", read(entry);
    /// | `id = "login"` | string | an error | names the way in `authenticate` |
    id: Given<LitStr> = entry.assigned("\"login\""),
    /// | `name = "Log in"` | string | an error | the name for people |
    name: Given<LitStr> = entry.assigned("\"Log in\""),
    /// | `description = "Opens a browser"` | string | none | more about the way, for people |
    description: Given<LitStr> = entry.assigned("\"Opens a browser\""),
    /// | `args("--login")` | strings | none | the program's arguments |
    args: Given<Vec<LitStr>> = entry.list("texts in parentheses", "\"--login\"", argument),
}

const KEYS: &str = "id = \"key\", name = \"API key\"";

/// One way to authenticate, as the author wrote it.
pub(crate) struct Method {
    /// The word `agent` or `terminal`.
    pub(crate) word: Ident,
    /// The keys. A way `agent` can have only some of them.
    pub(crate) keys: TerminalWayKeys,
}

impl From<AgentWayKeys> for TerminalWayKeys {
    fn from(AgentWayKeys { id, name, description, given }: AgentWayKeys) -> Self {
        Self { id, name, description, args: None, given }
    }
}

/// Reads the list after `auth`.
pub(super) fn read(entry: Entry<'_>) -> Keyed<Vec<Method>> {
    let reading = Reading { sink: entry.sink, hints: entry.hints };
    let words = reading.hints.list(WAYS.module);
    let ways = entry.list(
        "ways to authenticate in parentheses: `agent(..)` or `terminal(..)`",
        &format!("agent({KEYS})"),
        way,
    );
    let ways_read = ways.value.unwrap_or_default();
    let methods = ways_read.into_iter().filter_map(|way| method(way, &words, reading)).collect();
    Keyed { key: ways.key, value: methods }
}

/// A word, and its keys if there are any.
struct Way {
    word: Ident,
    keys: Option<Group>,
}

impl ToTokens for Way {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.word.to_tokens(tokens);
        self.keys.to_tokens(tokens);
    }
}

fn way(tokens: &TokenStream) -> Element<Way> {
    let mut written = tokens.clone().into_iter();
    let word = written.next().and_then(|word| Ident::parse_any.parse2(word.into()).ok());
    match (word, written.next(), written.next()) {
        (Some(word), None, None) => Element::Right(Way { word, keys: None }),
        (Some(word), Some(TokenTree::Group(keys)), None) if keys.delimiter() == Delimiter::Parenthesis => {
            Element::Right(Way { word, keys: Some(keys) })
        }
        _ => Element::Wrong,
    }
}

fn method(way: Way, words: &List<'_>, reading: Reading<'_>) -> Option<Method> {
    let sink = reading.sink;
    let Way { word, keys } = way;
    words.add(&word);
    let written = word.to_string();
    if !WAYS.knows(&written) {
        sink.error(&word, format_args!("no way to authenticate is called `{written}`"))
            .did_you_mean(&written, WAYS.words.iter().copied())
            .note(format_args!("there are {}", listed(WAYS.words)));
        return None;
    }
    let Some(group) = keys else {
        sink.error(&word, format_args!("`{word}` lacks its `id` and `name`"))
            .help(format_args!("write `{word}({KEYS})`: the client sends the one and shows the other"));
        return None;
    };
    // Nothing else is said about keys that were left out.
    if group.stream().into_iter().all(|token| matches!(token, TokenTree::Literal(_) | TokenTree::Punct(_)))
        && !group.stream().is_empty()
    {
        sink.error(group.stream(), format_args!("`{word}(..)` takes its texts by their keys"))
            .help(format_args!("write `{word}({KEYS})`"));
        return None;
    }
    let keys = if word == "agent" {
        let mut keys = AgentWayKeys::default();
        keys::read_arguments(group.stream(), &AgentWayKeys::KNOWN, reading, |entry| keys.read(entry));
        keys.into()
    } else {
        let mut keys = TerminalWayKeys::default();
        keys::read_arguments(group.stream(), &TerminalWayKeys::KNOWN, reading, |entry| keys.read(entry));
        keys
    };
    Some(Method { word, keys })
}

fn argument(tokens: &TokenStream) -> Element<LitStr> {
    match syn::parse2(tokens.clone()) {
        Ok(text) => Element::Right(text),
        Err(_) => LitStr::meant(tokens).map_or(Element::Wrong, Element::Meant),
    }
}
